/// A source of content as the configuration names it.
package struct SourceID: Hashable, Sendable {
    /// What is played; also the first part of a route.
    package var kind: SourceKind
    package var name: String

    package init(kind: SourceKind, name: String) {
        self.kind = kind
        self.name = name
    }
}

/// What a viewer is known by. Opaque: ours, or Google's `uuid:LOC`.
package struct StreamID: Hashable, Sendable {
    /// Longest stream ID that is taken, bytes.
    package static let byteLimit = 256

    package let text: String

    /// Takes any text but the empty one, one too long, one with control characters, and the two that are steps in a path.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.byteLimit, text != ".", text != ".." else { return nil }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        self.text = text
    }

    /// A new ID in the form of a random UUID.
    package static func random(using generator: inout some RandomNumberGenerator) -> StreamID {
        var high: UInt64 = generator.next()
        var low: UInt64 = generator.next()
        high = (high & ~0xF000) | 0x4000
        low = (low & ~(0xC000 << 48)) | (0x8000 << 48)
        let digits = hexadecimal(high) + hexadecimal(low)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place == 8 || place == 12 || place == 16 || place == 20 { text.append("-") }
            text.append(digit)
        }
        return StreamID(unchecked: text)
    }

    private init(unchecked text: String) { self.text = text }

    /// As one segment of a path, or a value in a query: all but the unreserved characters escaped, so that a colon is never
    /// read as the end of a scheme.
    package var escaped: String { percentEscaped(text) }
}

/// One viewer's stream: the ads belong to it.
package struct SessionKey: Hashable, Sendable {
    package var source: SourceID
    package var streamID: StreamID

    package init(source: SourceID, streamID: StreamID) {
        self.source = source
        self.streamID = streamID
    }

    /// As the parts of a path: `live/news/ID`.
    var path: String { "\(source.kind.rawValue)/\(percentEscaped(source.name))/\(streamID.escaped)" }

    /// The session's name in logs and in tracking addresses. A stream ID may be a token of somebody else's, so it is not shown itself.
    package var publicName: String {
        fingerprint("\(source.kind.rawValue)/\(source.name)/\(streamID.text)")
    }
}

/// Sixteen hexadecimal digits that stand for a text (FNV-1a, 64 bit). For names only: it keeps nothing secret from who guesses.
func fingerprint(_ text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hexadecimal(hash)
}

/// Sixteen hexadecimal digits.
func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
}

/// Everything but letters, digits and `-._~` as `%XX`.
func percentEscaped(_ text: String) -> String {
    var out: [UInt8] = []
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            out.append(byte)
        default:
            let digits = Array("0123456789ABCDEF".utf8)
            out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: out, as: UTF8.self)
}
