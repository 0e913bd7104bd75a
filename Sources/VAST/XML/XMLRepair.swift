/// What was mended to read a document that is not well-formed (R-X4).
package enum XMLRepair: String, Sendable, Hashable {
    case leadingTextDropped = "text before the declaration dropped"
    case bytesReadAsWindows1252 = "bytes that are no UTF-8 read as windows-1252"
    case controlCharactersDropped = "control characters dropped"
    case ampersandsEscaped = "stray ampersands escaped"
    case entitiesReplaced = "HTML entities replaced"
    case trailingTextDropped = "text after the root dropped"
}

extension XMLRepair {
    /// The document mended, or nil where this pass finds nothing to mend.
    static func repaired(_ text: [UInt8], repairs: inout [XMLRepair]) -> [UInt8]? {
        let before = repairs.count
        var mended = text
        if let decoded = replacingInvalidUTF8(mended) {
            mended = decoded
            repairs.append(.bytesReadAsWindows1252)
        }
        let kept = mended.filter { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        if kept.count != mended.count {
            mended = kept
            repairs.append(.controlCharactersDropped)
        }
        mended = escapingAmpersands(mended, repairs: &repairs)
        if let end = endOfRoot(mended), XMLEncoding.skipMarksAndBlanks(mended, from: end) < mended.count {
            mended.removeSubrange(end...)
            repairs.append(.trailingTextDropped)
        }
        return repairs.count > before ? mended : nil
    }

    private static func replacingInvalidUTF8(_ text: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var index = 0
        var changed = false
        while index < text.count {
            let length = sequenceLength(text, at: index)
            if length > 0 {
                result += text[index..<(index + length)]
                index += length
            } else {
                Windows1252.append(text[index], to: &result)
                index += 1
                changed = true
            }
        }
        return changed ? result : nil
    }

    /// Length of the well-formed UTF-8 sequence at `index`; 0 where there is none.
    private static func sequenceLength(_ text: [UInt8], at index: Int) -> Int {
        let first = text[index]
        let length: Int
        var lowest: UInt8 = 0x80
        var highest: UInt8 = 0xBF
        switch first {
        case 0..<0x80: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, lowest) = (3, 0xA0)
        case 0xED: (length, highest) = (3, 0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, lowest) = (4, 0x90)
        case 0xF4: (length, highest) = (4, 0x8F)
        case 0xF1...0xF3: length = 4
        default: return 0
        }
        guard index + length <= text.count, (lowest...highest).contains(text[index + 1]) else { return 0 }
        for byte in text[(index + 1)..<(index + length)] where byte & 0xC0 != 0x80 {
            return 0
        }
        return length
    }

    private static func escapingAmpersands(_ text: [UInt8], repairs: inout [XMLRepair]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count + 64)
        var index = 0
        var escaped = false
        var replaced = false
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "<"), let end = endOfOpaqueSection(text, at: index) {
                result += text[index..<end]
                index = end
                continue
            }
            guard byte == UInt8(ascii: "&") else {
                result.append(byte)
                index += 1
                continue
            }
            switch entity(text, at: index) {
            case .valid(let end):
                result += text[index..<end]
                index = end
            case .known(let scalar, let end):
                result += Array(String(scalar).utf8)
                index = end
                replaced = true
            case .none:
                result += Array("&amp;".utf8)
                index += 1
                escaped = true
            }
        }
        if escaped { repairs.append(.ampersandsEscaped) }
        if replaced { repairs.append(.entitiesReplaced) }
        return result
    }

    /// End of a CDATA section, comment or processing instruction that begins here.
    private static func endOfOpaqueSection(_ text: [UInt8], at index: Int) -> Int? {
        let sections: [(String, String)] = [("<![CDATA[", "]]>"), ("<!--", "-->"), ("<?", "?>")]
        for (open, close) in sections where text.starts(with: open.utf8, at: index) {
            let end = text.firstIndex(of: close.utf8, from: index + open.utf8.count)
            return end.map { $0 + close.utf8.count } ?? text.count
        }
        return nil
    }

    private enum Entity {
        case valid(end: Int)
        case known(Unicode.Scalar, end: Int)
        case none
    }

    private static func entity(_ text: [UInt8], at index: Int) -> Entity {
        let window = text[(index + 1)..<min(index + 12, text.count)]
        guard let semicolon = window.firstIndex(of: UInt8(ascii: ";")) else { return .none }
        let name = String(decoding: text[(index + 1)..<semicolon], as: UTF8.self)
        if ["amp", "lt", "gt", "quot", "apos"].contains(name) { return .valid(end: semicolon + 1) }
        if name.hasPrefix("#") {
            let digits = name.dropFirst()
            let hexadecimal = digits.hasPrefix("x")
            let value = hexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
            guard let value, let scalar = Unicode.Scalar(value), value >= 0x20 || [9, 10, 13].contains(value),
                value != 0xFFFE, value != 0xFFFF, scalar.value == value
            else { return .none }
            return .valid(end: semicolon + 1)
        }
        return HTMLEntities.scalar(name).map { .known($0, end: semicolon + 1) } ?? .none
    }

    /// Behind the last closing tag of the root, or behind a root that is closed at once.
    private static func endOfRoot(_ text: [UInt8]) -> Int? {
        var start = 0
        while start < text.count {
            guard let bracket = text[start...].firstIndex(of: UInt8(ascii: "<")) else { return nil }
            if let end = endOfOpaqueSection(text, at: bracket) {
                start = end
            } else if text.starts(with: "<!".utf8, at: bracket) {
                start = bracket + 2
            } else {
                start = bracket
                break
            }
        }
        guard start < text.count else { return nil }
        let name = text[(start + 1)...].prefix { !XMLEncoding.isBlank($0) && $0 != 0x3E && $0 != 0x2F }
        if let close = text[start...].firstIndex(of: UInt8(ascii: ">")), text[close - 1] == UInt8(ascii: "/") {
            return close + 1
        }
        let tag = Array("</".utf8) + name
        var index = text.count - tag.count
        while index > start {
            if text[index] == UInt8(ascii: "<"), text.starts(with: tag, at: index),
                let close = text[index...].firstIndex(of: UInt8(ascii: ">"))
            {
                return close + 1
            }
            index -= 1
        }
        return nil
    }
}

/// Character entities of HTML that show up in titles.
enum HTMLEntities {
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring \
        AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
        times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
        egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
        ugrave uacute ucirc uuml yacute thorn yuml
        """
    private static let others: [String: UInt32] = [
        "ndash": 0x2013, "mdash": 0x2014, "lsquo": 0x2018, "rsquo": 0x2019, "sbquo": 0x201A, "ldquo": 0x201C,
        "rdquo": 0x201D, "bdquo": 0x201E, "dagger": 0x2020, "bull": 0x2022, "hellip": 0x2026, "permil": 0x2030,
        "prime": 0x2032, "lsaquo": 0x2039, "rsaquo": 0x203A, "euro": 0x20AC, "trade": 0x2122, "minus": 0x2212,
        "OElig": 0x0152, "oelig": 0x0153, "Scaron": 0x0160, "scaron": 0x0161, "Yuml": 0x0178, "ensp": 0x2002,
        "emsp": 0x2003, "thinsp": 0x2009, "zwnj": 0x200C, "zwj": 0x200D,
    ]
    private static let table: [String: UInt32] = {
        var table = others
        for (offset, name) in latin.split(separator: " ").enumerated() {
            table[String(name)] = 160 + UInt32(offset)
        }
        return table
    }()

    static func scalar(_ name: String) -> Unicode.Scalar? {
        table[name].flatMap(Unicode.Scalar.init)
    }
}
