/// Accept-Encoding, entity tags and media types.
enum ContentNegotiation {
    /// Whether gzip may be sent for an Accept-Encoding field. RFC 9110 §12.5.3.
    static func acceptsGzip(_ field: String) -> Bool {
        var gzip: Int?
        var any: Int?
        var identity: Int?
        for item in field.split(separator: ",") {
            let parts = item.split(separator: ";", omittingEmptySubsequences: false)
            guard let first = parts.first else { continue }
            var quality = 1_000
            for parameter in parts.dropFirst() {
                let text = ASCII.lowercased(ASCII.trimmed(parameter))
                if text.hasPrefix("q=") { quality = Self.quality(text.dropFirst(2)) }
            }
            switch ASCII.lowercased(ASCII.trimmed(first)) {
            case "gzip", "x-gzip": gzip = max(gzip ?? 0, quality)
            case "*": any = quality
            case "identity": identity = quality
            default: break
            }
        }
        guard let wanted = gzip ?? any, wanted > 0 else { return false }
        return wanted >= identity ?? 0
    }

    /// A weight in thousandths; what cannot be read is 0.
    private static func quality(_ text: Substring) -> Int {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, first == "0" || first == "1" else { return 0 }
        if first == "1" { return 1_000 }
        guard parts.count == 2 else { return 0 }
        let digits = (String(parts[1]) + "000").prefix(3)
        return Int(digits) ?? 0
    }

    /// Media types that shrink.
    static func isCompressible(_ contentType: String) -> Bool {
        // The two that make up nearly all answers need no copy.
        if contentType == "application/vnd.apple.mpegurl" || contentType == "application/json" { return true }
        let type = ASCII.lowercased(ASCII.trimmed(contentType.prefix { $0 != ";" }))
        if type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml") { return true }
        switch type {
        case "application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl", "audio/x-mpegurl",
            "application/json", "application/xml", "application/javascript", "application/dash+xml", "image/svg+xml":
            return true
        default: return false
        }
    }

    /// A strong entity tag with its quotes, made from the bytes.
    static func entityTag(of body: [UInt8]) -> String {
        let (first, second) = hash(body)
        return "\"" + hex(first) + hex(second) + "\""
    }

    /// The tag of the gzip variant, which has other bytes and so needs another strong tag.
    static func gzipTag(_ tag: String) -> String {
        guard tag.hasSuffix("\""), !tag.hasPrefix("W/") else { return tag }
        return String(tag.dropLast()) + "-gz\""
    }

    /// Whether If-None-Match names the tag, compared weakly, in either variant. RFC 9110 §13.1.2.
    static func matches(_ field: String, _ tag: String) -> Bool {
        if ASCII.trimmed(field[...]) == "*" { return true }
        let opaque = opaqueTag(tag[...])
        var rest = field[...]
        while let open = rest.firstIndex(of: "\"") {
            let start = rest.index(after: open)
            guard let close = rest[start...].firstIndex(of: "\"") else { return false }
            var candidate = rest[start..<close]
            if candidate == opaque { return true }
            if candidate.hasSuffix("-gz") {
                candidate = candidate.dropLast(3)
                if candidate == opaque { return true }
            }
            rest = rest[rest.index(after: close)...]
        }
        return false
    }

    private static func opaqueTag(_ tag: Substring) -> Substring {
        var tag = tag
        if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
        if tag.hasPrefix("\""), tag.hasSuffix("\""), tag.utf8.count >= 2 { tag = tag.dropFirst().dropLast() }
        return tag
    }

    private static func hex(_ value: UInt64) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }

    /// Four lanes, each folding sixteen bytes with one multiplication. Not for adversaries: a client can only deceive itself.
    static func hash(_ body: [UInt8]) -> (UInt64, UInt64) {
        body.withUnsafeBytes { bytes in
            var lane0 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
            var lane1: UInt64 = 0xD1B5_4A32_D192_ED03
            var lane2: UInt64 = 0x8CB9_2BA7_2F3D_8DD7
            var lane3: UInt64 = 0xABC9_8388_FB8F_AC03
            var position = 0
            while position + 64 <= bytes.count {
                lane0 = mix(bytes, position, lane0)
                lane1 = mix(bytes, position + 16, lane1)
                lane2 = mix(bytes, position + 32, lane2)
                lane3 = mix(bytes, position + 48, lane3)
                position += 64
            }
            while position < bytes.count {
                lane0 = fold(lane0 ^ UInt64(bytes[position]), multiplier)
                lane1 = fold(lane1 &+ UInt64(bytes[position]), multiplier ^ lane0)
                position += 1
            }
            let first = fold(lane0 ^ lane2, multiplier ^ lane1)
            let second = fold(lane3 ^ first, multiplier ^ lane2 &+ lane1)
            return (first, second)
        }
    }

    private static let multiplier: UInt64 = 0xA076_1D64_78BD_642F

    @inline(__always)
    private static func mix(_ bytes: UnsafeRawBufferPointer, _ position: Int, _ lane: UInt64) -> UInt64 {
        fold(
            bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) ^ lane,
            bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self) ^ 0xE703_7ED1_A0B4_28DB)
    }

    /// The input is added again, so that a factor of zero does not wipe it out.
    @inline(__always)
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return (product.high ^ product.low) &+ (left ^ right &<< 1)
    }
}
