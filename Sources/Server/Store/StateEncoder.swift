/// Makes bytes of values. An object that stands in several places is written once. Values that are alike have the same bytes wherever they
/// were made, as long as what they hold are no sets, nor dictionaries whose keys have no order.
struct StateEncoder {
    /// The name under which a value is kept elsewhere; nil for what is to be written here.
    var externalName: (Any) -> String? = { _ in nil }

    func bytes(_ value: some Encodable) throws -> [UInt8] {
        let run = EncodingRun(externalName)
        let root = StateNode()
        try run.encode(value, into: root)
        return root.bytes
    }
}

private final class EncodingRun {
    private let externalName: (Any) -> String?
    /// The objects are held, so that no other one takes the place of one that was written.
    private var numbers: [ObjectIdentifier: (number: Int, object: AnyObject)] = [:]

    init(_ externalName: @escaping (Any) -> String?) { self.externalName = externalName }

    func encode<T: Encodable>(_ value: T, into node: StateNode) throws {
        if let kind = plain(value) {
            node.kind = kind
            return
        }
        if T.self is AnyClass {
            let object = value as AnyObject
            if let name = externalName(value) {
                node.kind = .external(name)
                return
            }
            if let known = numbers[ObjectIdentifier(object)] {
                node.kind = .reference(known.number)
                return
            }
            node.kind = .shared(numbers.count)
            numbers[ObjectIdentifier(object)] = (numbers.count, object)
            let child = StateNode()
            node.children = [child]
            try value.encode(to: NodeEncoder(run: self, node: child))
            return
        }
        if let name = externalName(value) {
            node.kind = .external(name)
            return
        }
        if let dictionary = value as? any OrderedPairs {
            try dictionary.write(into: node, of: self)
            return
        }
        try value.encode(to: NodeEncoder(run: self, node: node))
    }

    private func plain<T>(_ value: T) -> StateNode.Kind? {
        if T.self == String.self { return (value as? String).map { .text($0) } }
        if T.self == Int.self { return (value as? Int).map { .integer(Int64($0)) } }
        if T.self == Int64.self { return (value as? Int64).map { .integer($0) } }
        if T.self == Bool.self { return (value as? Bool).map { .bool($0) } }
        if T.self == Duration.self { return (value as? Duration).map { .duration($0.attoseconds) } }
        if T.self == [UInt8].self { return (value as? [UInt8]).map { .bytes($0) } }
        if T.self == Double.self { return (value as? Double).map { .double($0) } }
        if let number = value as? any FixedWidthInteger {
            return .integer(Int64(truncatingIfNeeded: number))
        }
        if let number = value as? Float { return .double(Double(number)) }
        return nil
    }
}

/// A dictionary that is written in the order of its keys. By itself each has an order of its own, another one in every process.
private protocol OrderedPairs {
    func write(into node: StateNode, of run: EncodingRun) throws
}

extension Dictionary: OrderedPairs where Key: Comparable & Encodable, Value: Encodable {
    /// As the standard library does: a map of text and of numbers, a list of keys and values of all else.
    fileprivate func write(into node: StateNode, of run: EncodingRun) throws {
        let isMap = Key.self == String.self || Key.self == Int.self
        node.kind = isMap ? .map : .list
        for (key, value) in sorted(by: { $0.key < $1.key }) {
            if isMap {
                node.keys.append("\(key)")
            } else {
                let child = StateNode()
                node.children.append(child)
                try run.encode(key, into: child)
            }
            let child = StateNode()
            node.children.append(child)
            try run.encode(value, into: child)
        }
    }
}

private struct NodeEncoder: Encoder {
    let run: EncodingRun
    let node: StateNode
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.kind = .map
        return KeyedEncodingContainer(KeyedWriter(run: run, node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.kind = .list
        return ListWriter(run: run, node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ValueWriter(run: run, node: node)
    }
}

private struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let run: EncodingRun
    let node: StateNode
    var codingPath: [any CodingKey] { [] }

    private func child(_ key: any CodingKey) -> StateNode {
        let child = StateNode()
        node.keys.append(key.stringValue)
        node.children.append(child)
        return child
    }

    func encodeNil(forKey key: Key) { _ = child(key) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try run.encode(value, into: child(key))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        NodeEncoder(run: run, node: child(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        NodeEncoder(run: run, node: child(key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        let child = StateNode()
        node.keys.append("super")
        node.children.append(child)
        return NodeEncoder(run: run, node: child)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        NodeEncoder(run: run, node: child(key))
    }
}

private struct ListWriter: UnkeyedEncodingContainer {
    let run: EncodingRun
    let node: StateNode
    var codingPath: [any CodingKey] { [] }
    var count: Int { node.children.count }

    private func child() -> StateNode {
        let child = StateNode()
        node.children.append(child)
        return child
    }

    func encodeNil() { _ = child() }

    func encode<T: Encodable>(_ value: T) throws { try run.encode(value, into: child()) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        NodeEncoder(run: run, node: child()).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        NodeEncoder(run: run, node: child()).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { NodeEncoder(run: run, node: child()) }
}

private struct ValueWriter: SingleValueEncodingContainer {
    let run: EncodingRun
    let node: StateNode
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { node.kind = .null }
    func encode<T: Encodable>(_ value: T) throws { try run.encode(value, into: node) }
}
