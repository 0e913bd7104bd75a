import FoundationEssentials

/// A JSON value, for comparing a document with what is expected of it.
enum JSON: Decodable, Equatable, CustomStringConvertible {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    init(_ value: String?) { self = value.map { .string($0) } ?? .null }
    init(_ value: Int?) { self = value.map { .number(Double($0)) } ?? .null }
    init(_ value: Bool?) { self = value.map { .bool($0) } ?? .null }
    init(_ value: [String]) { self = .array(value.map { .string($0) }) }
    init(seconds value: Duration?) {
        self = value.map { .number(Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18) } ?? .null
    }
    init(counting events: [String]) {
        self = .object(Dictionary(events.map { ($0, 1.0) }, uniquingKeysWith: +).mapValues { .number($0) })
    }

    subscript(key: String) -> JSON? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    var string: String? { if case .string(let value) = self { value } else { nil } }
    var int: Int? { if case .number(let value) = self { Int(exactly: value) } else { nil } }
    var items: [JSON] { if case .array(let values) = self { values } else { [] } }
    var members: [String: JSON] { if case .object(let values) = self { values } else { [:] } }
    var strings: [String] { items.compactMap(\.string) }

    var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): "\"\(value.prefix(90))\""
        case .array(let values): "[\(values.map(\.description).joined(separator: ", "))]"
        case .object(let values):
            "{\(values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}"
        }
    }

    /// Where `actual` differs from this expectation, looking at what both have; members listed in `ignored` are not
    /// compared, members missing in `actual` are.
    func differences(from actual: JSON?, at path: String = "", ignoring ignored: Set<String>) -> [String] {
        guard let actual else { return ["\(path): expected \(self), nothing there"] }
        switch (self, actual) {
        case (.object(let expected), .object(let found)):
            return expected.keys.sorted().filter { !ignored.contains($0) }.flatMap { key in
                expected[key]?.differences(from: found[key], at: "\(path).\(key)", ignoring: ignored) ?? []
            }
        case (.array(let expected), .array(let found)):
            guard expected.count == found.count else {
                return ["\(path): expected \(expected.count) members, found \(found.count): \(actual)"]
            }
            return zip(expected, found).enumerated().flatMap { index, pair in
                pair.0.differences(from: pair.1, at: "\(path)[\(index)]", ignoring: ignored)
            }
        case (.number(let expected), .number(let found)):
            return abs(expected - found) < 0.0005 ? [] : ["\(path): expected \(expected), found \(found)"]
        default:
            return self == actual ? [] : ["\(path): expected \(self), found \(actual)"]
        }
    }
}
