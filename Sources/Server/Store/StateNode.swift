/// A value on its way into bytes or out of them: compact, and with the names of its members, so that a later version with more or
/// fewer of them can read it.
final class StateNode {
    enum Kind {
        case null
        case bool(Bool)
        case integer(Int64)
        case double(Double)
        case text(String)
        case bytes([UInt8])
        /// Attoseconds.
        case duration(Int128)
        /// ``StateNode/children``.
        case list
        /// ``StateNode/children`` by ``StateNode/keys``.
        case map
        /// The only child, which other places refer to by this number.
        case shared(Int)
        case reference(Int)
        /// Kept elsewhere under this name.
        case external(String)
    }

    var kind: Kind
    var keys: [String] = []
    var children: [StateNode] = []

    init(_ kind: Kind = .null) { self.kind = kind }

    func child(_ key: String) -> StateNode? {
        keys.firstIndex(of: key).map { children[$0] }
    }
}

/// Bytes that are no state, or of a form that this version does not know.
struct StateFormatError: Error {}

extension StateNode {
    /// First byte of all that is written; another form would have another.
    static let version: UInt8 = 1
    private static let depthLimit = 64

    /// Names that need not be written out. New ones may be added at the end.
    static let knownNames = [
        "_0", "plan", "renditions", "placements", "breakID", "podIndex", "pod", "start", "startTime", "startDate",
        "end",
        "fillCount", "drift", "dateShortening", "numberOffsetBefore", "numberOffset", "numberOffsetAfter",
        "discontinuityOffset", "discontinuityOffsetAfter", "dateShift", "dateShiftAfter", "driftAfter",
        "firstDiscontinuity", "startTags", "endTags", "isJoined", "cut", "isUnseen", "isInsertion", "joints",
        "plannedEnd", "nextPod", "isOpen", "lastEnd", "lastFillDiscontinuity", "lastPlannedEnd", "text", "nanoseconds",
        "time", "pods", "contentBreak", "id", "startNumber", "plannedDuration", "availableDuration", "attributes",
        "number", "dropped", "skipped", "last", "breakCount", "indices", "beacons", "reported", "ad", "revision",
        "decision", "facts", "macros", "ads", "media", "tracking", "events", "name", "urls", "leading", "matches",
        "rendition", "content", "startedAt", "parameters", "viewer", "address", "userAgent", "referer",
        "acceptLanguage",
        "targetDuration", "joinEdge", "offset", "fraction", "millionths", "duration", "bytes", "lines", "role", "range",
        "roles", "discontinuityCount", "hasDate", "explicitByteRange", "state", "keys", "map", "hasImplicitIV",
        "keyLines", "rawValue", "date", "discontinuity", "wholeNanoseconds", "segments",
    ]

    var bytes: [UInt8] {
        var writer = StateWriter()
        writer.bytes.append(Self.version)
        writer.write(self)
        return writer.bytes
    }

    static func parse(_ bytes: [UInt8]) throws(StateFormatError) -> (root: StateNode, shared: [Int: StateNode]) {
        var reader = StateReader(bytes: bytes)
        guard try reader.byte() == version else { throw StateFormatError() }
        let root = try reader.node(depth: depthLimit)
        guard reader.position == bytes.count else { throw StateFormatError() }
        return (root, reader.shared)
    }
}

private struct StateWriter {
    var bytes: [UInt8] = []
    private var names = Self.knownNames

    private static let knownNames = Dictionary(
        StateNode.knownNames.enumerated().map { ($1, UInt64($0)) }, uniquingKeysWith: { first, _ in first })

    init() {}

    mutating func write(_ node: StateNode) {
        switch node.kind {
        case .null: bytes.append(0)
        case .bool(let flag): bytes.append(flag ? 2 : 1)
        case .integer(let number):
            bytes.append(3)
            write(number)
        case .double(let number):
            bytes.append(4)
            write(Int64(bitPattern: number.bitPattern))
        case .text(let text):
            bytes.append(5)
            write(Array(text.utf8))
        case .bytes(let value):
            bytes.append(6)
            write(value)
        case .list:
            bytes.append(7)
            write(UInt64(node.children.count))
            for child in node.children { write(child) }
        case .map:
            bytes.append(8)
            write(UInt64(node.children.count))
            for (key, child) in zip(node.keys, node.children) {
                write(name: key)
                write(child)
            }
        case .shared(let index):
            bytes.append(9)
            write(UInt64(index))
            write(node.children.first ?? StateNode())
        case .reference(let index):
            bytes.append(10)
            write(UInt64(index))
        case .external(let name):
            bytes.append(11)
            write(Array(name.utf8))
        case .duration(let attoseconds):
            let (nanoseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            if rest == 0, let whole = Int64(exactly: nanoseconds) {
                bytes.append(12)
                write(whole)
            } else {
                let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
                bytes.append(13)
                write(Int64(clamping: seconds))
                write(Int64(clamping: rest))
            }
        }
    }

    /// A name stands in full where it is first used.
    private mutating func write(name: String) {
        if let number = names[name] { return write(number) }
        let number = UInt64(names.count)
        names[name] = number
        write(number)
        write(Array(name.utf8))
    }

    private mutating func write(_ value: [UInt8]) {
        write(UInt64(value.count))
        bytes += value
    }

    private mutating func write(_ number: Int64) { write(UInt64(bitPattern: (number << 1) ^ (number >> 63))) }

    private mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

private struct StateReader {
    let bytes: [UInt8]
    private(set) var position = 0
    private(set) var shared: [Int: StateNode] = [:]
    private var names = StateNode.knownNames

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func byte() throws(StateFormatError) -> UInt8 {
        guard position < bytes.count else { throw StateFormatError() }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func node(depth: Int) throws(StateFormatError) -> StateNode {
        guard depth > 0 else { throw StateFormatError() }
        switch try byte() {
        case 0: return StateNode(.null)
        case 1: return StateNode(.bool(false))
        case 2: return StateNode(.bool(true))
        case 3: return StateNode(.integer(try signed()))
        case 4: return StateNode(.double(Double(bitPattern: UInt64(bitPattern: try signed()))))
        case 5: return StateNode(.text(try text()))
        case 6: return StateNode(.bytes(try run()))
        case 7:
            let node = StateNode(.list)
            for _ in 0..<(try count()) { node.children.append(try self.node(depth: depth - 1)) }
            return node
        case 8:
            let node = StateNode(.map)
            for _ in 0..<(try count()) {
                node.keys.append(try name())
                node.children.append(try self.node(depth: depth - 1))
            }
            return node
        case 9:
            let index = try number()
            let node = StateNode(.shared(index))
            node.children = [try self.node(depth: depth - 1)]
            shared[index] = node
            return node
        case 10: return StateNode(.reference(try number()))
        case 11: return StateNode(.external(try text()))
        case 12: return StateNode(.duration(Int128(try signed()) * 1_000_000_000))
        case 13:
            return StateNode(.duration(Int128(try signed()) * 1_000_000_000_000_000_000 + Int128(try signed())))
        default: throw StateFormatError()
        }
    }

    private mutating func name() throws(StateFormatError) -> String {
        let number = try self.number()
        if number < names.count { return names[number] }
        guard number == names.count else { throw StateFormatError() }
        names.append(try text())
        return names[number]
    }

    private mutating func text() throws(StateFormatError) -> String { String(decoding: try run(), as: UTF8.self) }

    private mutating func run() throws(StateFormatError) -> [UInt8] {
        let count = try count()
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// A number of things that take a byte each at least.
    private mutating func count() throws(StateFormatError) -> Int {
        let count = try number()
        guard count <= bytes.count - position else { throw StateFormatError() }
        return count
    }

    private mutating func number() throws(StateFormatError) -> Int {
        guard let number = Int(exactly: try unsigned()) else { throw StateFormatError() }
        return number
    }

    private mutating func signed() throws(StateFormatError) -> Int64 {
        let number = try unsigned()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    private mutating func unsigned() throws(StateFormatError) -> UInt64 {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 70 {
            let byte = try byte()
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return result }
            shift += 7
        }
        throw StateFormatError()
    }
}
