/// A parsed document: elements in document order, in flat arrays, immutable. Names are local names.
final class XMLTree: Sendable {
    struct Node: Sendable {
        var name: String
        var parent: Int32
        var firstChild: Int32 = -1
        var nextSibling: Int32 = -1
        /// First and last piece of the element's own text.
        var firstText: Int32 = -1
        var lastText: Int32 = -1
        var attributes: Range<Int32>
        /// Content between the tags, a range of `source`.
        var innerStart: Int
        var innerEnd: Int
    }

    struct TextPiece: Sendable {
        var start: Int
        var end: Int
        var next: Int32 = -1
    }

    struct Attribute: Sendable {
        var name: String
        var start: Int
        var end: Int
    }

    /// The bytes as parsed: UTF-8, repaired where that was needed.
    let source: [UInt8]
    let nodes: [Node]
    let texts: [TextPiece]
    let attributes: [Attribute]
    /// Unescaped text and attribute values.
    let characters: [UInt8]

    init(
        source: [UInt8], nodes: [Node], texts: [TextPiece], attributes: [Attribute], characters: [UInt8]
    ) {
        self.source = source
        self.nodes = nodes
        self.texts = texts
        self.attributes = attributes
        self.characters = characters
    }

    var root: XMLElement? {
        nodes.isEmpty ? nil : XMLElement(tree: self, index: 0)
    }
}

/// An element of a tree. Children are looked up one level down only: rule R-X5 forbids searching descendants.
struct XMLElement: Sendable {
    let tree: XMLTree
    let index: Int32

    private var node: XMLTree.Node { tree.nodes[Int(index)] }

    var name: String { tree.nodes[Int(index)].name }

    var children: Children { Children(tree: tree, first: node.firstChild) }

    var hasChildren: Bool { node.firstChild >= 0 }

    /// The first child of that name.
    func child(_ name: String) -> XMLElement? {
        var next = tree.nodes[Int(index)].firstChild
        while next >= 0 {
            if tree.nodes[Int(next)].name == name { return XMLElement(tree: tree, index: next) }
            next = tree.nodes[Int(next)].nextSibling
        }
        return nil
    }

    func children(_ name: String) -> [XMLElement] {
        var found: [XMLElement] = []
        var next = tree.nodes[Int(index)].firstChild
        while next >= 0 {
            if tree.nodes[Int(next)].name == name { found.append(XMLElement(tree: tree, index: next)) }
            next = tree.nodes[Int(next)].nextSibling
        }
        return found
    }

    /// Children `name` of all children `list`: some documents repeat the enclosing list element.
    func children(_ list: String, _ name: String) -> [XMLElement] {
        children(list).flatMap { $0.children(name) }
    }

    func attribute(_ name: String) -> String? {
        for index in node.attributes where tree.attributes[Int(index)].name == name {
            let found = tree.attributes[Int(index)]
            return String(decoding: tree.characters[found.start..<found.end], as: UTF8.self)
        }
        return nil
    }

    /// All attributes by local name, in order.
    var attributes: [XMLAttribute] {
        node.attributes.map {
            let found = tree.attributes[Int($0)]
            return XMLAttribute(
                name: found.name, value: String(decoding: tree.characters[found.start..<found.end], as: UTF8.self))
        }
    }

    /// The element's own text, CDATA and text pieces joined; the text of children is no part of it.
    var textBytes: ArraySlice<UInt8> {
        let first = tree.nodes[Int(index)].firstText
        guard first >= 0 else { return [] }
        let text = tree.texts[Int(first)]
        guard text.next >= 0 else { return tree.characters[text.start..<text.end] }
        var bytes: [UInt8] = []
        var piece = first
        while piece >= 0 {
            let text = tree.texts[Int(piece)]
            bytes += tree.characters[text.start..<text.end]
            piece = text.next
        }
        return bytes[...]
    }

    /// What stands between the tags, as it was received (after conversion to UTF-8).
    var innerXML: String {
        node.innerStart < node.innerEnd
            ? String(decoding: tree.source[node.innerStart..<node.innerEnd], as: UTF8.self) : ""
    }

    struct Children: Sequence, IteratorProtocol {
        let tree: XMLTree
        var upcoming: Int32

        init(tree: XMLTree, first: Int32) {
            self.tree = tree
            upcoming = first
        }

        mutating func next() -> XMLElement? {
            guard upcoming >= 0 else { return nil }
            let element = XMLElement(tree: tree, index: upcoming)
            upcoming = tree.nodes[Int(upcoming)].nextSibling
            return element
        }
    }
}

/// An attribute handed on with an extension.
package struct XMLAttribute: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
