/// Makes values of the bytes that ``StateEncoder`` wrote.
struct StateDecoder {
    /// The value of that type that is kept elsewhere under a name.
    var external: (Any.Type, String) -> Any? = { _, _ in nil }

    func value<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
        let (root, shared) = try StateNode.parse(bytes)
        return try DecodingRun(shared, external).decode(type, from: root)
    }
}

private final class DecodingRun {
    private let shared: [Int: StateNode]
    private let external: (Any.Type, String) -> Any?
    private var objects: [Int: Any] = [:]

    init(_ shared: [Int: StateNode], _ external: @escaping (Any.Type, String) -> Any?) {
        self.shared = shared
        self.external = external
    }

    func decode<T: Decodable>(_ type: T.Type, from node: StateNode) throws -> T {
        switch node.kind {
        case .external(let name):
            guard let value = external(type, name) as? T else { throw Self.mismatch(type) }
            return value
        case .shared(let index), .reference(let index):
            if let known = objects[index] as? T { return known }
            guard let child = shared[index]?.children.first else { throw Self.mismatch(type) }
            let value = try T(from: NodeDecoder(run: self, node: child))
            objects[index] = value
            return value
        case .list, .map: return try T(from: NodeDecoder(run: self, node: node))
        case .null, .bool, .integer, .double, .text, .bytes, .duration:
            if let value: T = plain(node) { return value }
            if Self.isPlain(type) { throw Self.mismatch(type) }
            return try T(from: NodeDecoder(run: self, node: node))
        }
    }

    private func plain<T>(_ node: StateNode) -> T? {
        switch node.kind {
        case .text(let text): return text as? T
        case .bool(let flag): return T.self == Bool.self ? flag as? T : nil
        case .bytes(let bytes): return bytes as? T
        case .duration(let attoseconds): return Duration(attoseconds: attoseconds) as? T
        case .double(let number): return T.self == Float.self ? Float(number) as? T : number as? T
        case .integer(let number):
            if T.self == Int.self { return Int(number) as? T }
            if T.self == Int64.self { return number as? T }
            guard let integers = T.self as? any FixedWidthInteger.Type else { return nil }
            return Self.integer(integers, number) as? T
        case .null, .list, .map, .shared, .reference, .external: return nil
        }
    }

    private static func integer<I: FixedWidthInteger>(_ type: I.Type, _ number: Int64) -> I? {
        if type == UInt64.self || type == UInt.self { return I(truncatingIfNeeded: number) }
        return I(exactly: number)
    }

    private static func isPlain(_ type: Any.Type) -> Bool {
        type == String.self || type == Bool.self || type == Double.self || type == Float.self || type == Duration.self
            || type == [UInt8].self || type is any FixedWidthInteger.Type
    }

    static func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, DecodingError.Context(codingPath: [], debugDescription: "another kind of value"))
    }
}

private struct NodeDecoder: Decoder {
    let run: DecodingRun
    let node: StateNode
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .map = node.kind else { throw DecodingRun.mismatch([String: Any].self) }
        return KeyedDecodingContainer(KeyedReader(run: run, node: node))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list = node.kind else { throw DecodingRun.mismatch([Any].self) }
        return ListReader(run: run, node: node)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        ValueReader(run: run, node: node)
    }
}

private struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let run: DecodingRun
    let node: StateNode
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] { node.keys.compactMap { Key(stringValue: $0) } }
    func contains(_ key: Key) -> Bool { node.child(key.stringValue) != nil }

    private func child(_ key: Key) throws -> StateNode {
        guard let child = node.child(key.stringValue) else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: [], debugDescription: "no such member"))
        }
        return child
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        if case .null = try child(key).kind { return true }
        return false
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try run.decode(type, from: child(key))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try NodeDecoder(run: run, node: child(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try NodeDecoder(run: run, node: child(key)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        NodeDecoder(run: run, node: node.child("super") ?? StateNode())
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        NodeDecoder(run: run, node: try child(key))
    }
}

private struct ListReader: UnkeyedDecodingContainer {
    let run: DecodingRun
    let node: StateNode
    var codingPath: [any CodingKey] { [] }
    private(set) var currentIndex = 0

    init(run: DecodingRun, node: StateNode) {
        self.run = run
        self.node = node
    }

    var count: Int? { node.children.count }
    var isAtEnd: Bool { currentIndex >= node.children.count }

    private mutating func next() throws -> StateNode {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Any.self, DecodingError.Context(codingPath: [], debugDescription: "the list has ended"))
        }
        defer { currentIndex += 1 }
        return node.children[currentIndex]
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, case .null = node.children[currentIndex].kind else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try run.decode(type, from: next())
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try NodeDecoder(run: run, node: next()).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try NodeDecoder(run: run, node: next()).unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        NodeDecoder(run: run, node: try next())
    }
}

private struct ValueReader: SingleValueDecodingContainer {
    let run: DecodingRun
    let node: StateNode
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool {
        if case .null = node.kind { return true }
        return false
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try run.decode(type, from: node) }
}
