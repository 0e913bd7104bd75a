internal import CXML2

/// Bytes to UTF-8 without mark, leading blanks and declaration (R-X1, R-X2).
enum XMLEncoding {
    /// Nil where nothing but blanks arrived.
    static func utf8(_ bytes: [UInt8], repairs: inout [XMLRepair]) throws(VASTError) -> [UInt8]? {
        var text = bytes
        var decoded = false
        if let wide = wideEncoding(bytes) {
            text = try convert(bytes, from: wide)
            decoded = true
        }
        var start = skipMarksAndBlanks(text, from: 0)
        guard start < text.count else { return nil }
        if let declaration = declaration(text, from: start) {
            if declaration.skipped { repairs.append(.leadingTextDropped) }
            let body = declaration.end
            if !decoded, let label = declaration.encoding, !isUTF8(label) {
                text = try convert(Array(text[body...]), from: label)
                start = 0
            } else {
                start = body
            }
        }
        let rest = start == 0 ? text : Array(text[start...])
        guard skipMarksAndBlanks(rest, from: 0) < rest.count else { return nil }
        return rest
    }

    /// UTF-16 by mark or by the NULs of its first angle bracket.
    private static func wideEncoding(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 4 else { return nil }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0xFF, 0xFE, 0, 0), (0x3C, 0, 0, 0): return "UTF-32LE"
        case (0, 0, 0xFE, 0xFF), (0, 0, 0, 0x3C): return "UTF-32BE"
        case (0xFF, 0xFE, _, _), (0x3C, 0, _, _): return "UTF-16LE"
        case (0xFE, 0xFF, _, _), (0, 0x3C, _, _): return "UTF-16BE"
        default: return nil
        }
    }

    /// Also labels that lie: `utf8`, and UTF-16 or UTF-32 on a document that is read as bytes here.
    private static func isUTF8(_ label: String) -> Bool {
        let name = label.lowercased()
        return name.hasPrefix("utf") || name.hasPrefix("ucs") || name.hasPrefix("iso-10646") || name == "us-ascii"
            || name == "ascii"
    }

    private static func convert(_ bytes: [UInt8], from encoding: String) throws(VASTError) -> [UInt8] {
        let name = encoding.lowercased()
        if name == "iso-8859-1" || name == "latin1" || name == "latin-1" || name == "windows-1252" || name == "cp1252" {
            return Windows1252.utf8(bytes)
        }
        var length = 0
        let converted = bytes.withUnsafeBytes {
            cxml2_utf8($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, encoding, &length)
        }
        guard let converted else {
            throw VASTError(.xmlParsing, "encoding cannot be read")
        }
        defer { cxml2_free(converted) }
        return Array(UnsafeRawBufferPointer(start: converted, count: Int(length)))
    }

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
    }

    static func skipMarksAndBlanks(_ text: [UInt8], from start: Int) -> Int {
        var index = start
        while index < text.count {
            if isBlank(text[index]) {
                index += 1
            } else if text.starts(with: [0xEF, 0xBB, 0xBF], at: index) {
                index += 3
            } else {
                break
            }
        }
        return index
    }

    /// The XML declaration, also behind comments, which the grammar forbids and servers write.
    private static func declaration(
        _ text: [UInt8], from start: Int
    ) -> (end: Int, encoding: String?, skipped: Bool)? {
        var index = start
        while text.starts(with: "<!--".utf8, at: index) {
            guard let end = text.firstIndex(of: "-->".utf8, from: index + 4) else { return nil }
            index = skipMarksAndBlanks(text, from: end + 3)
        }
        guard text.starts(with: "<?xml".utf8, at: index), index + 5 < text.count, isBlank(text[index + 5]),
            let end = text.firstIndex(of: "?>".utf8, from: index)
        else { return nil }
        let words = Array(text[index..<end])
        var encoding: String?
        if let label = words.firstIndex(of: "encoding".utf8, from: 0) {
            let quote = words[label...].firstIndex { $0 == 0x22 || $0 == 0x27 }
            if let quote, let close = words[(quote + 1)...].firstIndex(of: words[quote]) {
                encoding = String(decoding: words[(quote + 1)..<close], as: UTF8.self)
            }
        }
        return (end + 2, encoding, index != start || start > 0 && text[start - 1] != 0xBF)
    }
}

/// The encoding careless servers really mean when bytes are not UTF-8.
enum Windows1252 {
    private static let upper: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes { append(byte, to: &result) }
        return result
    }

    static func append(_ byte: UInt8, to result: inout [UInt8]) {
        guard byte >= 0x80 else { return result.append(byte) }
        let scalar = byte < 0xA0 ? upper[Int(byte) - 0x80] : UInt16(byte)
        if scalar < 0x800 {
            result.append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
        } else {
            result.append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
            result.append(0x80 | UInt8(truncatingIfNeeded: scalar >> 6) & 0x3F)
        }
        result.append(0x80 | UInt8(truncatingIfNeeded: scalar) & 0x3F)
    }
}

extension Array where Element == UInt8 {
    func starts(with prefix: some Collection<UInt8>, at index: Int) -> Bool {
        index >= 0 && index + prefix.count <= count && self[index..<(index + prefix.count)].elementsEqual(prefix)
    }

    /// Where `pattern` begins, at or behind `start`.
    func firstIndex(of pattern: some Collection<UInt8>, from start: Int) -> Int? {
        guard let first = pattern.first else { return nil }
        var index = Swift.max(start, 0)
        while index + pattern.count <= count {
            if self[index] == first, starts(with: pattern, at: index) { return index }
            index += 1
        }
        return nil
    }
}
