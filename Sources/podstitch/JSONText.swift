import Transport

/// A JSON value that keeps the order of its members.
indirect enum JSONText {
    case object([(String, JSONText)])
    case list([JSONText])
    case text(String)
    /// As it is to be written.
    case number(String)
    case bool(Bool)

    static func number(_ value: some BinaryInteger) -> JSONText { .number(String(value)) }

    /// Indented by two blanks a level, without a line end behind it.
    var formatted: String {
        var result = ""
        append(to: &result, indentation: "")
        return result
    }

    private func append(to result: inout String, indentation: String) {
        switch self {
        case .text(let text): result += JSONString.quoted(text)
        case .number(let number): result += number
        case .bool(let flag): result += flag ? "true" : "false"
        case .list(let values):
            Self.append(values.map { (nil, $0) }, "[", "]", to: &result, indentation: indentation)
        case .object(let members):
            Self.append(members.map { ($0.0, $0.1) }, "{", "}", to: &result, indentation: indentation)
        }
    }

    private static func append(
        _ members: [(String?, JSONText)], _ open: String, _ close: String, to result: inout String, indentation: String
    ) {
        guard !members.isEmpty else {
            result += open + close
            return
        }
        let inner = indentation + "  "
        result += open
        for (index, (name, value)) in members.enumerated() {
            result += (index == 0 ? "\n" : ",\n") + inner
            if let name {
                result += JSONString.quoted(name) + ": "
            }
            value.append(to: &result, indentation: inner)
        }
        result += "\n" + indentation + close
    }
}
