internal import CXML2

/// Bytes to a tree by libxml2's SAX parser; network, entities and DTDs are off (R-X3).
enum XMLParser {
    /// Parses a document as it came over the wire: encoding settled (R-X1, R-X2), one repair pass if needed (R-X4).
    /// Nil for an empty body, which is an answer without ads.
    static func parse(_ bytes: [UInt8], limits: VASTLimits) throws(VASTError) -> (tree: XMLTree, repairs: [XMLRepair])?
    {
        guard bytes.count <= limits.documentBytes else {
            throw VASTError(.xmlParsing, "document of more than \(limits.documentBytes) bytes")
        }
        var repairs: [XMLRepair] = []
        guard let text = try XMLEncoding.utf8(bytes, repairs: &repairs) else { return nil }
        switch attempt(text, limits: limits) {
        case .success(let tree):
            return (tree, repairs)
        case .failure(let refusal) where refusal.final:
            throw refusal.error
        case .failure(let refusal):
            guard let repaired = XMLRepair.repaired(text, repairs: &repairs) else { throw refusal.error }
            switch attempt(repaired, limits: limits) {
            case .success(let tree): return (tree, repairs)
            case .failure: throw refusal.error
            }
        }
    }

    private struct Refusal: Error {
        var error: VASTError
        /// A repair pass would not help, or must not.
        var final: Bool
    }

    private static func attempt(_ text: [UInt8], limits: VASTLimits) -> Result<XMLTree, Refusal> {
        guard !XMLGuard.exceedsAttributes(text) else {
            let error = VASTError(.xmlParsing, "an element with more than \(XMLGuard.attributeLimit) attributes")
            return .failure(Refusal(error: error, final: true))
        }
        let builder = BuilderBox(nesting: limits.nesting, estimate: text.count)
        var line: Int32 = 0
        var message = [CChar](repeating: 0, count: 160)
        let verdict = withExtendedLifetime(builder) {
            var handlers = CXML2Handlers()
            handlers.context = Unmanaged.passUnretained(builder).toOpaque()
            handlers.start = { context, name, attributes, count, offset in
                guard let builder = BuilderBox.from(context), let name else { return 1 }
                return builder.tree.start(
                    String(cString: name), UnsafeBufferPointer(start: attributes, count: count), offset: Int(offset))
            }
            handlers.text = { context, bytes, length in
                guard let builder = BuilderBox.from(context) else { return 1 }
                return builder.tree.text(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
            }
            handlers.end = { context, offset in
                guard let builder = BuilderBox.from(context) else { return 1 }
                return builder.tree.end(offset: Int(offset))
            }
            return text.withUnsafeBytes { raw in
                cxml2_parse(
                    raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count, &handlers, &message,
                    message.count, &line)
            }
        }
        switch Int(verdict) {
        case CXML2_WELL_FORMED:
            return .success(builder.tree.finished(source: text))
        case CXML2_DOCTYPE_REFUSED:
            let error = VASTError(.xmlParsing, place: "DOCTYPE", "document type declaration refused")
            return .failure(Refusal(error: error, final: true))
        case CXML2_STOPPED:
            let error = VASTError(.xmlParsing, "nested deeper than \(limits.nesting)")
            return .failure(Refusal(error: error, final: true))
        default:
            let said = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let detail = String(decoding: said.prefix { $0 != 10 }, as: UTF8.self)
            let error = VASTError(.xmlParsing, place: "line \(line)", detail.isEmpty ? "not well-formed" : detail)
            return .failure(Refusal(error: error, final: false))
        }
    }
}

/// Gives the builder an address for the C handlers. One parse on one thread uses it.
private final class BuilderBox {
    /// A struct: one exclusivity check for an event, not one for each array.
    var tree: XMLTreeBuilder

    init(nesting: Int, estimate: Int) {
        tree = XMLTreeBuilder(nesting: nesting, estimate: estimate)
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> BuilderBox? {
        context.map { Unmanaged<BuilderBox>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Fills the arrays of a tree from the parser's events.
private struct XMLTreeBuilder {
    private var nodes: [XMLTree.Node] = []
    private var texts: [XMLTree.TextPiece] = []
    private var attributes: [XMLTree.Attribute] = []
    private var characters: [UInt8] = []
    private var open: [Int32] = []
    private var lastChildren: [Int32] = []
    private let nesting: Int

    init(nesting: Int, estimate: Int) {
        self.nesting = nesting
        nodes.reserveCapacity(estimate / 64)
        characters.reserveCapacity(estimate)
    }

    mutating func start(_ name: String, _ given: UnsafeBufferPointer<CXML2Attribute>, offset: Int) -> Int32 {
        guard open.count < nesting else { return 1 }
        let firstAttribute = Int32(attributes.count)
        for attribute in given {
            guard let name = attribute.name else { continue }
            let start = characters.count
            characters.append(
                contentsOf: UnsafeRawBufferPointer(start: attribute.value, count: Int(attribute.valueLength)))
            attributes.append(.init(name: String(cString: name), start: start, end: characters.count))
        }
        let index = Int32(nodes.count)
        let parent = open.last ?? -1
        nodes.append(
            .init(
                name: name, parent: parent, attributes: firstAttribute..<Int32(attributes.count),
                innerStart: offset, innerEnd: offset))
        if let elder = lastChildren.last, parent >= 0 {
            if elder >= 0 {
                nodes[Int(elder)].nextSibling = index
            } else {
                nodes[Int(parent)].firstChild = index
            }
            lastChildren[lastChildren.count - 1] = index
        }
        open.append(index)
        lastChildren.append(-1)
        return 0
    }

    mutating func text(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard let owner = open.last else { return 0 }
        let start = characters.count
        characters.append(contentsOf: bytes)
        let last = nodes[Int(owner)].lastText
        if last >= 0, texts[Int(last)].end == start {
            texts[Int(last)].end = characters.count
            return 0
        }
        let piece = Int32(texts.count)
        texts.append(.init(start: start, end: characters.count))
        if last >= 0 {
            texts[Int(last)].next = piece
        } else {
            nodes[Int(owner)].firstText = piece
        }
        nodes[Int(owner)].lastText = piece
        return 0
    }

    mutating func end(offset: Int) -> Int32 {
        guard let index = open.popLast() else { return 1 }
        lastChildren.removeLast()
        nodes[Int(index)].innerEnd = offset
        return 0
    }

    mutating func finished(source: [UInt8]) -> XMLTree {
        // The parser tells where tags begin to close and where they have ended; the content lies between.
        for index in nodes.indices {
            let start = nodes[index].innerStart
            let end = min(nodes[index].innerEnd, source.count)
            guard start >= 0, start < end, source[start] == UInt8(ascii: ">") else {
                nodes[index].innerEnd = start
                continue
            }
            nodes[index].innerStart = start + 1
            let close = source[start..<end].lastIndex(of: UInt8(ascii: "<"))
            nodes[index].innerEnd = max(close ?? start + 1, start + 1)
        }
        return XMLTree(source: source, nodes: nodes, texts: texts, attributes: attributes, characters: characters)
    }
}
