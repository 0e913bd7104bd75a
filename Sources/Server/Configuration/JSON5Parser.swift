/// Reads JSON5 (json5.org, version 1.0.0). Foundation's decoder reads it too but forgets the lines, and stops at the first fault.
package struct JSON5Parser {
    /// Deeper nesting is refused, so that a hostile file cannot exhaust the stack.
    private static let depthLimit = 64

    private let source: [UInt8]
    private var position = 0
    private var line = 1
    private var depth = 0

    private init(_ source: [UInt8]) {
        self.source = source
    }

    package static func parse(_ source: [UInt8]) throws(JSON5Error) -> JSON5Value {
        var parser = JSON5Parser(source)
        let value = try parser.document()
        return value
    }

    private mutating func document() throws(JSON5Error) -> JSON5Value {
        if source.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        try skipSpace()
        guard current != nil else { throw failure("the file is empty") }
        let value = try value()
        try skipSpace()
        if let byte = current { throw failure("unexpected \(Self.spelled(byte)) after the end of the document") }
        return value
    }

    // MARK: Values

    private mutating func value() throws(JSON5Error) -> JSON5Value {
        let start = line
        guard let byte = current else { throw failure("the file ends where a value is expected") }
        switch byte {
        case UInt8(ascii: "{"): return JSON5Value(.object(try nested(Self.object)), line: start)
        case UInt8(ascii: "["): return JSON5Value(.array(try nested(Self.array)), line: start)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return JSON5Value(.string(try string(quote: byte)), line: start)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            return JSON5Value(.number(try number()), line: start)
        default: return JSON5Value(try word(), line: start)
        }
    }

    private mutating func nested<Result>(
        _ body: (inout Self) throws(JSON5Error) -> Result
    ) throws(JSON5Error) -> Result {
        guard depth < Self.depthLimit else { throw failure("nested more than \(Self.depthLimit) deep") }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    private static func object(_ parser: inout Self) throws(JSON5Error) -> [JSON5Value.Member] {
        let opened = parser.line
        var members: [JSON5Value.Member] = []
        var lines: [String: Int] = [:]
        parser.position += 1
        while true {
            try parser.skipSpace()
            guard let byte = parser.current else { throw parser.failure("the { of line \(opened) is not closed") }
            if byte == UInt8(ascii: "}") { break }
            let line = parser.line
            let name = try parser.memberName(byte)
            if let first = lines.updateValue(line, forKey: name) {
                throw JSON5Error(line: line, detail: "\"\(name)\" is given twice, first on line \(first)")
            }
            try parser.skipSpace()
            guard parser.take(":") else { throw parser.failure("expected : after \"\(name)\"") }
            try parser.skipSpace()
            members.append(JSON5Value.Member(name: name, line: line, value: try parser.value()))
            try parser.skipSpace()
            if !parser.take(",") {
                if parser.current == UInt8(ascii: "}") { break }
                if parser.current == nil { throw parser.failure("the { of line \(opened) is not closed") }
                throw parser.failure("expected , or } after the value of \"\(name)\"")
            }
        }
        parser.position += 1
        return members
    }

    private static func array(_ parser: inout Self) throws(JSON5Error) -> [JSON5Value] {
        let opened = parser.line
        var elements: [JSON5Value] = []
        parser.position += 1
        while true {
            try parser.skipSpace()
            guard let byte = parser.current else { throw parser.failure("the [ of line \(opened) is not closed") }
            if byte == UInt8(ascii: "]") { break }
            elements.append(try parser.value())
            try parser.skipSpace()
            if !parser.take(",") {
                if parser.current == UInt8(ascii: "]") { break }
                if parser.current == nil { throw parser.failure("the [ of line \(opened) is not closed") }
                throw parser.failure("expected , or ] after a list element")
            }
        }
        parser.position += 1
        return elements
    }

    private mutating func memberName(_ byte: UInt8) throws(JSON5Error) -> String {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try string(quote: byte) }
        let name = identifier()
        guard !name.isEmpty else { throw failure("expected a name, found \(Self.spelled(byte))") }
        return name
    }

    private mutating func word() throws(JSON5Error) -> JSON5Value.Content {
        let at = current ?? 0
        let word = identifier()
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "Infinity": return .number(.infinity)
        case "NaN": return .number(.nan)
        case "": throw failure("expected a value, found \(Self.spelled(at))")
        default: throw failure("expected a value, found \(word): is it a string without quotes?")
        }
    }

    /// Letters, digits, `$`, `_` and everything outside ASCII: wider than ECMAScript's identifiers, harmless here.
    private mutating func identifier() -> String {
        let start = position
        while let byte = current {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            let isOther = byte == UInt8(ascii: "$") || byte == UInt8(ascii: "_") || byte >= 0x80
            guard isLetter || isOther || (isDigit && position > start) else { break }
            if byte >= 0x80, let space = wideSpace(), space > 0 { break }
            position += 1
        }
        return String(decoding: source[start..<position], as: UTF8.self)
    }

    // MARK: Numbers

    private mutating func number() throws(JSON5Error) -> Double {
        var isNegative = false
        if take("-") { isNegative = true } else { _ = take("+") }
        let start = position
        while let byte = current, Self.isNumberByte(byte, after: position > start ? source[position - 1] : 0) {
            position += 1
        }
        let text = String(decoding: source[start..<position], as: UTF8.self)
        guard let magnitude = Self.magnitude(text) else { throw failure("not a number: \(text.prefix(40))") }
        return isNegative ? -magnitude : magnitude
    }

    private static func isNumberByte(_ byte: UInt8, after previous: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"): previous | 0x20 == UInt8(ascii: "e")
        default: (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
    }

    private static func magnitude(_ text: String) -> Double? {
        if text == "Infinity" { return .infinity }
        if text == "NaN" { return .nan }
        if text.hasPrefix("0x") || text.hasPrefix("0X") {
            return UInt64(text.dropFirst(2), radix: 16).map { Double($0) }
        }
        var digits = text
        func startsWithDigit(_ text: some StringProtocol) -> Bool {
            text.utf8.first.map { (0x30...0x39).contains($0) } == true
        }
        // 010 is octal in old JavaScript: JSON5 refuses it.
        if digits.hasPrefix("0"), startsWithDigit(digits.dropFirst()) { return nil }
        if digits.hasPrefix("."), startsWithDigit(digits.dropFirst()) { digits = "0" + digits }
        if digits.hasSuffix(".") { digits.removeLast() }
        digits = digits.split(separator: ".e", omittingEmptySubsequences: false).joined(separator: "e")
        // Swift's own parser would also take hexadecimal fractions, "inf" and "nan".
        let isDecimal = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || ".eE+-".utf8.contains($0) }
        return startsWithDigit(digits) && isDecimal ? Double(digits) : nil
    }

    // MARK: Strings

    private mutating func string(quote: UInt8) throws(JSON5Error) -> String {
        let opened = line
        var bytes: [UInt8] = []
        position += 1
        while let byte = current {
            if byte == quote {
                position += 1
                guard let text = String(validating: bytes, as: UTF8.self) else { throw failure("not UTF-8") }
                return text
            }
            if byte == 0x0A || byte == 0x0D { break }
            position += 1
            if byte == UInt8(ascii: "\\") {
                try escape(into: &bytes)
            } else {
                bytes.append(byte)
            }
        }
        throw JSON5Error(line: opened, detail: "the string is not closed on its line")
    }

    private mutating func escape(into bytes: inout [UInt8]) throws(JSON5Error) {
        guard let byte = current else { throw failure("the file ends inside a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "v"): bytes.append(0x0B)
        case UInt8(ascii: "0"): bytes.append(0x00)
        case UInt8(ascii: "x"): append(try hex(digits: 2), to: &bytes)
        case UInt8(ascii: "u"): append(try unicodeEscape(), to: &bytes)
        case 0x0A: line += 1
        case 0x0D:
            line += 1
            if current == 0x0A { position += 1 }
        default: bytes.append(byte)
        }
    }

    private mutating func unicodeEscape() throws(JSON5Error) -> UInt32 {
        let first = try hex(digits: 4)
        guard (0xD800...0xDBFF).contains(first) else { return first }
        guard take("\\"), take("u") else { throw failure("half a surrogate pair in a string") }
        let second = try hex(digits: 4)
        guard (0xDC00...0xDFFF).contains(second) else { throw failure("half a surrogate pair in a string") }
        return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }

    private mutating func hex(digits: Int) throws(JSON5Error) -> UInt32 {
        guard position + digits <= source.count else { throw failure("the file ends inside a string") }
        let text = String(decoding: source[position..<position + digits], as: UTF8.self)
        guard let value = UInt32(text, radix: 16), !text.hasPrefix("+") else {
            throw failure("not \(digits) hexadecimal digits: \(text)")
        }
        position += digits
        return value
    }

    private func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: String(Character(Unicode.Scalar(scalar) ?? "\u{FFFD}")).utf8)
    }

    // MARK: Space and comments

    private var current: UInt8? { position < source.count ? source[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() throws(JSON5Error) {
        while let byte = current {
            switch byte {
            case 0x0A:
                line += 1
                position += 1
            case 0x0D:
                // A carriage return alone ends a line too; one before a line feed does not count twice.
                position += 1
                if current != 0x0A { line += 1 }
            case 0x20, 0x09, 0x0B, 0x0C: position += 1
            case UInt8(ascii: "/"): try skipComment()
            default:
                guard let width = wideSpace(), width > 0 else { return }
                position += width
            }
        }
    }

    private mutating func skipComment() throws(JSON5Error) {
        let opened = line
        let next = position + 1 < source.count ? source[position + 1] : 0
        if next == UInt8(ascii: "/") {
            while let byte = current, byte != 0x0A, byte != 0x0D { position += 1 }
            return
        }
        guard next == UInt8(ascii: "*") else { throw failure("unexpected /") }
        position += 2
        while let byte = current {
            if byte == UInt8(ascii: "*"), position + 1 < source.count, source[position + 1] == UInt8(ascii: "/") {
                position += 2
                return
            }
            if byte == 0x0A { line += 1 }
            position += 1
        }
        throw JSON5Error(line: opened, detail: "the comment is not closed")
    }

    /// Bytes of the white space outside ASCII at the position: no-break space, byte order mark, line and paragraph separator.
    private func wideSpace() -> Int? {
        let rest = source[position...].prefix(3)
        if rest.starts(with: [0xC2, 0xA0]) { return 2 }
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { return 3 }
        if rest.starts(with: [0xE2, 0x80, 0xA8]) || rest.starts(with: [0xE2, 0x80, 0xA9]) { return 3 }
        return nil
    }

    private func failure(_ detail: String) -> JSON5Error { JSON5Error(line: line, detail: detail) }

    private static func spelled(_ byte: UInt8) -> String {
        (0x21...0x7E).contains(byte) ? String(Unicode.Scalar(byte)) : "byte \(byte)"
    }
}
