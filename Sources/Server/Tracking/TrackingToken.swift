internal import HLS
internal import Stitching

/// Where a player goes on in the breaks of its stream: `nextToken` of the answer before, in the query or in the body of a POST. It names
/// the last break that was told and cannot change, and the session: another session's is none.
struct TrackingToken: Equatable {
    /// Of the session, as logs and addresses name it.
    var session: String
    /// Media sequence number at which the break begins.
    var number: Int64
    /// Several breaks may begin with one segment.
    var start: Duration
    var breakID: String
}

extension TrackingToken {
    init(behind told: StitchedBreak, of key: SessionKey) {
        session = key.publicName
        number = told.start.number
        start = told.start.time
        breakID = told.breakID.text
    }

    /// `SESSION_NUMBER_NANOSECONDS_BREAK`. Nil for what was never given out.
    init?(_ text: String) {
        let parts = text.split(separator: "_", maxSplits: 3, omittingEmptySubsequences: false)
        guard text.utf8.count <= 1_024, parts.count == 4, parts[0].utf8.count == 16, let number = Int64(parts[1]),
            let nanoseconds = Int64(parts[2]), let name = Self.text(hexadecimal: parts[3])
        else { return nil }
        session = String(parts[0])
        self.number = number
        start = .nanoseconds(nanoseconds)
        breakID = name
    }

    /// Letters, digits, hyphens and underscores: nothing that an address would have to escape.
    var text: String {
        let name = breakID.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return "\(session)_\(number)_\(start.wholeNanoseconds)_\(name)"
    }

    private static func text(hexadecimal digits: Substring) -> String? {
        let values = digits.utf8.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 ? $0 - 48 : $0 &- 87 }
        guard values.count % 2 == 0, values.allSatisfy({ $0 < 16 }) else { return nil }
        return String(
            decoding: stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }, as: UTF8.self)
    }

    /// Whether a break lies behind the one that this names, in timeline order.
    func isBefore(_ other: StitchedBreak) -> Bool {
        if number != other.start.number { return number < other.start.number }
        if start != other.start.time { return start < other.start.time }
        return breakID < other.breakID.text
    }

    // MARK: Requests

    private static let names: Set<String> = ["nexttoken", "aws.nexttoken"]

    /// The text of one; nil where there is none, or an empty one.
    static func text(query: some Sequence<(name: String, value: String)>) -> String? {
        query.first { names.contains($0.name.lowercased()) && !$0.value.isEmpty }?.value
    }

    /// `{"NextToken": "…"}`; whatever else the body is, there is none.
    ///
    /// - Throws: `badRequest` for one that is no text.
    static func text(body: [UInt8]) throws(ServerError) -> String? {
        guard body.contains(where: { $0 > 0x20 }), let document = try? JSON5Parser.parse(body),
            case .object(let members) = document.content
        else { return nil }
        for member in members where names.contains(member.name.lowercased()) {
            switch member.value.content {
            case .string(let token): return token.isEmpty ? nil : token
            case .null: return nil
            default: throw ServerError(.badToken, place: "tracking", detail: "no text")
            }
        }
        return nil
    }
}
