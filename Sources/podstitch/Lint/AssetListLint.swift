import FoundationEssentials
import HLS

/// Rule 824: whether the answer to an interstitial's X-ASSET-LIST is a right asset list, RFC 8216bis appendix D. Pure.
enum AssetListLint {
    /// A list that a playlist names, to be asked for as a player would.
    struct Reference: Sendable {
        /// Absolute, with the parameters that players add.
        var url: String
        /// The line of the date range.
        var line: Int
        var id: String
    }

    /// The lists of a playlist, each once.
    ///
    /// - Parameter primaryID: names the playback for `_HLS_primary_id`.
    static func references(in playlist: MediaPlaylist, base: String, primaryID: String) -> [Reference] {
        var references: [Reference] = []
        var seen: Set<String> = []
        let edge = playlist.hasEndList ? nil : Timeline(playlist).dates.last
        var number = 0
        for line in playlist.lines {
            number += 1
            guard line.kind == .dateRange else { continue }
            let range = DateRange(playlist.source, line: line)
            guard range.dateRangeClass == Interstitial.dateRangeClass,
                let text = range.attributes["X-ASSET-LIST"]?.text, !text.isEmpty, seen.insert(text).inserted
            else { continue }
            let url = URIReference.resolve(text, against: base)
            guard LintURL.isWeb(url) else { continue }
            var parameters = [(name: "_HLS_primary_id", value: primaryID)]
            // Who joins a live stream inside the break says how far in.
            if let edge, let start = range.startDate, let length = range.duration ?? range.plannedDuration,
                case let elapsed = start.duration(to: edge), elapsed > .zero, elapsed < length
            {
                parameters.append(("_HLS_start_offset", DecimalText.text(elapsed, fractionDigits: 3)))
            }
            references.append(
                Reference(url: LintURL.adding(parameters, to: url), line: number, id: range.id))
        }
        return references
    }

    /// - Parameter answer: nil where none came.
    static func findings(_ reference: Reference, _ answer: LintAnswer?) -> [PlaylistFinding] {
        var report = LintReport()
        let name = "asset list of \"\(reference.id)\""
        func say(_ text: String) { report.report(824, reference.line, "\(name): \(text)") }
        guard let answer else {
            say("no answer")
            return report.sorted()
        }
        guard answer.status == 200 else {
            say("status \(answer.status)")
            return report.sorted()
        }
        guard let value = try? JSONDecoder().decode(JSONContent.self, from: Data(answer.body)) else {
            say("not JSON")
            return report.sorted()
        }
        guard case .object(let members) = value else {
            say("not a JSON object")
            return report.sorted()
        }
        guard let list = members["ASSETS"] else {
            let other = members.keys.first { $0.uppercased() == "ASSETS" }
            say("no ASSETS" + (other.map { " (keys are case sensitive: \($0))" } ?? ""))
            return report.sorted()
        }
        guard case .array(let assets) = list else {
            say("ASSETS is no array")
            return report.sorted()
        }
        for (index, asset) in assets.enumerated() {
            guard case .object(let asset) = asset else {
                say("asset \(index + 1) is no object")
                continue
            }
            switch asset["URI"] {
            case .text(let uri) where URIReference.isAbsolute(uri): break
            case .text: say("the URI of asset \(index + 1) is not absolute")
            case nil: say("asset \(index + 1) has no URI")
            default: say("the URI of asset \(index + 1) is no string")
            }
            switch asset["DURATION"] {
            case .number(let seconds) where seconds >= 0: break
            case .number: say("the DURATION of asset \(index + 1) is negative")
            case nil: say("asset \(index + 1) has no DURATION")
            default: say("the DURATION of asset \(index + 1) is no number")
            }
        }
        checkSkipControl(members["SKIP-CONTROL"], say)
        return report.sorted()
    }

    private static func checkSkipControl(_ value: JSONContent?, _ say: (String) -> Void) {
        guard let value else { return }
        guard case .object(let members) = value else {
            say("SKIP-CONTROL is no object")
            return
        }
        for name in ["OFFSET", "DURATION"] {
            switch members[name] {
            case nil: break
            case .number(let seconds) where seconds >= 0: break
            default: say("\(name) of SKIP-CONTROL is no number of seconds")
            }
        }
        switch members["LABEL-ID"] {
        case nil: break
        case .text(let label):
            let isIdentifier =
                !label.isEmpty
                && label.utf8.allSatisfy {
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 == UInt8(ascii: "-")
                        || $0 == UInt8(ascii: "_")
                }
            if !isIdentifier { say("LABEL-ID of SKIP-CONTROL is not of letters, - and _") }
        default: say("LABEL-ID of SKIP-CONTROL is no string")
        }
    }
}

/// Any JSON value.
enum JSONContent: Decodable, Equatable {
    case object([String: JSONContent])
    case array([JSONContent])
    case text(String)
    case number(Double)
    case truth(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .truth(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONContent].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONContent].self))
        }
    }
}
