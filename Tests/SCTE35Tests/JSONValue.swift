import FoundationEssentials
import Testing

/// A JSON value, for comparing what was read with what a vector expects.
enum JSONValue: Decodable, Hashable, CustomStringConvertible {
    case bool(Bool)
    case number(Int64)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    var description: String {
        switch self {
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let value): "\"\(value)\""
        case .list(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
        }
    }

    /// Where this value lacks or contradicts something of `expected`. More members than expected are no fault.
    func faults(against expected: JSONValue, at path: String = "") -> [String] {
        switch (self, expected) {
        case (.object(let own), .object(let wanted)):
            return wanted.sorted { $0.key < $1.key }.flatMap { key, value in
                own[key].map { $0.faults(against: value, at: "\(path).\(key)") } ?? ["\(path).\(key) is missing"]
            }
        case (.list(let own), .list(let wanted)):
            guard own.count == wanted.count else { return ["\(path) has \(own.count) entries, not \(wanted.count)"] }
            return zip(own, wanted).enumerated().flatMap { index, pair in
                pair.0.faults(against: pair.1, at: "\(path)[\(index)]")
            }
        default:
            return self == expected ? [] : ["\(path) is \(self), not \(expected)"]
        }
    }
}

/// One message of `vectors.json`.
struct Vector: Decodable, CustomTestStringConvertible {
    let name: String
    let base64: String
    let hex: String
    let expect: JSONValue?
    let error: String?
    let lenientExpect: JSONValue?

    enum CodingKeys: String, CodingKey {
        case name, base64, hex, expect, error
        case lenientExpect = "lenient_expect"
    }

    var testDescription: String { name }

    private struct File: Decodable { let vectors: [Vector] }

    static let all: [Vector] = {
        let path = String(#filePath.dropLast("JSONValue.swift".count)) + "vectors.json"
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return [] }
        return (try? JSONDecoder().decode(File.self, from: data))?.vectors ?? []
    }()
}
