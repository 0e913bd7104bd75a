/// The chunked transfer encoding. RFC 9112 §7.1. Extensions and trailers are read over.
struct ChunkedDecoder {
    private enum Phase {
        case size
        case sizeExtension
        case sizeLineFeed
        case data
        case dataCarriageReturn
        case dataLineFeed
        case trailerStart
        case trailer
        case trailerLineFeed
        case endLineFeed
        case finished
    }

    private(set) var body: [UInt8] = []
    private let byteLimit: Int
    private var phase = Phase.size
    private var size = 0
    private var digits = 0
    /// Bytes of extensions and trailers, which are of no use and so must be few.
    private var overhead = 0

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    var isFinished: Bool { phase == .finished }

    /// - Returns: how many bytes were consumed; all unless finished.
    mutating func decode(_ input: Span<UInt8>) throws(ProtocolFailure) -> Int {
        var position = 0
        while position < input.count, phase != .finished {
            if phase == .data {
                let taken = min(size, input.count - position)
                for offset in position..<(position + taken) { body.append(input[offset]) }
                position += taken
                size -= taken
                if size == 0 { phase = .dataCarriageReturn }
                continue
            }
            try accept(input[position])
            position += 1
        }
        return position
    }

    private mutating func accept(_ byte: UInt8) throws(ProtocolFailure) {
        switch phase {
        case .size: try acceptSize(byte)
        case .sizeExtension:
            if byte == ASCII.carriageReturn { phase = .sizeLineFeed } else { try skip(byte) }
        case .sizeLineFeed:
            try expect(byte, ASCII.lineFeed)
            phase = size == 0 ? .trailerStart : .data
            digits = 0
        case .dataCarriageReturn:
            try expect(byte, ASCII.carriageReturn)
            phase = .dataLineFeed
        case .dataLineFeed:
            try expect(byte, ASCII.lineFeed)
            phase = .size
        case .trailerStart:
            if byte == ASCII.carriageReturn {
                phase = .endLineFeed
            } else {
                try skip(byte)
                phase = .trailer
            }
        case .trailer:
            if byte == ASCII.carriageReturn { phase = .trailerLineFeed } else { try skip(byte) }
        case .trailerLineFeed:
            try expect(byte, ASCII.lineFeed)
            phase = .trailerStart
        case .endLineFeed:
            try expect(byte, ASCII.lineFeed)
            phase = .finished
        case .data, .finished: break
        }
    }

    private mutating func acceptSize(_ byte: UInt8) throws(ProtocolFailure) {
        if let digit = ASCII.hexValue(byte) {
            digits += 1
            guard digits <= 15 else { throw .bodyTooLarge }
            size = size << 4 | Int(digit)
            guard size <= byteLimit, body.count <= byteLimit - size else { throw .bodyTooLarge }
            return
        }
        guard digits > 0 else { throw .badRequest("A chunk has no size.") }
        switch byte {
        case ASCII.carriageReturn: phase = .sizeLineFeed
        case UInt8(ascii: ";"), ASCII.space, ASCII.tab: phase = .sizeExtension
        default: throw .badRequest("The size of a chunk is malformed.")
        }
    }

    private mutating func skip(_ byte: UInt8) throws(ProtocolFailure) {
        overhead += 1
        guard ASCII.isValueByte(byte) else { throw .badRequest("A chunk or trailer is malformed.") }
        guard overhead <= 8_192 else { throw .headersTooLarge }
    }

    private func expect(_ byte: UInt8, _ expected: UInt8) throws(ProtocolFailure) {
        guard byte == expected else { throw .badRequest("A chunk is malformed.") }
    }
}
