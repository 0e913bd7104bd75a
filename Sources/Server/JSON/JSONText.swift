internal import Transport

/// A JSON value that keeps the order of its members, to be written.
package indirect enum JSONText: Sendable {
    case object([JSONMembers.Member])
    case list([JSONText])
    case text(String)
    /// As it is to be written: a number, or JSON that was written before.
    case written(String)
    case bool(Bool)
    case null

    package static func number(_ value: some BinaryInteger) -> JSONText { .written(String(value)) }

    package static func object(_ members: [(String, JSONText)]) -> JSONText {
        .object(members.map { JSONMembers.Member(name: $0.0, value: $0.1) })
    }

    /// An object of the members that `fill` adds.
    package static func object(_ fill: (inout JSONMembers) -> Void) -> JSONText {
        var members = JSONMembers()
        fill(&members)
        return members.object
    }

    /// On one line, without blanks and without a line end behind it.
    package var compact: String {
        var result = ""
        append(to: &result, indentation: nil)
        return result
    }

    /// Indented by two blanks a level, without a line end behind it.
    package var formatted: String {
        var result = ""
        append(to: &result, indentation: "")
        return result
    }

    private func append(to result: inout String, indentation: String?) {
        switch self {
        case .text(let text): result += JSONString.quoted(text)
        case .written(let text): result += text
        case .bool(let flag): result += flag ? "true" : "false"
        case .null: result += "null"
        case .list(let values):
            Self.append(
                values.map { JSONMembers.Member(name: nil, value: $0) }, "[", "]", to: &result,
                indentation: indentation)
        case .object(let members): Self.append(members, "{", "}", to: &result, indentation: indentation)
        }
    }

    private static func append(
        _ members: [JSONMembers.Member], _ open: String, _ close: String, to result: inout String,
        indentation: String?
    ) {
        guard !members.isEmpty else {
            result += open + close
            return
        }
        let inner = indentation.map { $0 + "  " }
        result += open
        for (index, member) in members.enumerated() {
            if index > 0 { result += "," }
            if let inner { result += "\n" + inner }
            if let name = member.name { result += JSONString.quoted(name) + (inner == nil ? ":" : ": ") }
            member.value.append(to: &result, indentation: inner)
        }
        if let indentation { result += "\n" + indentation }
        result += close
    }

    /// Without the members of objects that say nothing: null, empty texts, lists and objects.
    package var withoutEmptyMembers: JSONText {
        switch self {
        case .object(let members):
            .object(
                members.compactMap { member in
                    let value = member.value.withoutEmptyMembers
                    return value.isEmpty ? nil : JSONMembers.Member(name: member.name, value: value)
                })
        case .list(let values): .list(values.map(\.withoutEmptyMembers))
        default: self
        }
    }

    private var isEmpty: Bool {
        switch self {
        case .object(let members): members.isEmpty
        case .list(let values): values.isEmpty
        case .text(let text): text.isEmpty
        case .null: true
        case .written, .bool: false
        }
    }
}
