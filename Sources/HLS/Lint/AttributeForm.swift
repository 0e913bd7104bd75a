/// The form a value of an attribute has, RFC 8216bis §4.2 and what the tags say of it.
enum AttributeForm: Sendable {
    case quoted
    /// A word out of quotes; nil for one that newer versions may add to.
    case enumerated([StaticString]?)
    /// A word out of quotes, or a quoted string.
    case quotedOrWord(StaticString)
    /// A whole number of 64 bits.
    case integer
    /// `0x` and hexadecimal digits.
    case hexadecimal
    case decimal
    case signedDecimal
    /// Width and height: `1920x1080`.
    case resolution
    /// `"n[@o]"`.
    case byteRange
    /// Whole numbers with slashes between them, in quotes: `"1/2/5"`.
    case versions
    /// Letters, digits, `.`, `-` and `_` in quotes.
    case pathway
    /// A date in quotes; whether it can be read is rule 801.
    case date
    /// What extensions of date ranges may have: quoted, hexadecimal or decimal.
    case client

    /// What is wrong with a value; nil if nothing is.
    func fault(_ attribute: AttributeScanner.Attribute, _ bytes: Span<UInt8>) -> String? {
        let value = attribute.value
        let hasReference = bytes.hasReference(value)
        switch self {
        case .quoted, .date:
            return attribute.isQuoted ? nil : "without quotes"
        case .quotedOrWord(let word):
            return attribute.isQuoted || bytes.equals(word, in: value) ? nil : "neither quoted nor \(word)"
        case .byteRange:
            guard attribute.isQuoted else { return "without quotes" }
            return hasReference || bytes.isByteRange(value) ? nil : "no byte range"
        case .versions:
            guard attribute.isQuoted else { return "without quotes" }
            return hasReference || bytes.isVersionList(value) ? nil : "not whole numbers with / between them"
        case .pathway:
            guard attribute.isQuoted else { return "without quotes" }
            let isPathway = !value.isEmpty && value.allSatisfy { bytes[$0].isPathwayCharacter }
            return hasReference || isPathway ? nil : "not of letters, digits, '.', '-' and '_'"
        case .enumerated(let words):
            if attribute.isQuoted { return "in quotes" }
            if value.isEmpty { return "empty" }
            guard let words, !words.contains(where: { bytes.equals($0, in: value) }) else { return nil }
            if words.count == 1 { return "not \(words[0])" }
            return "none of \(words.map { "\($0)" }.joined(separator: ", "))"
        case .integer:
            if attribute.isQuoted { return "in quotes" }
            return bytes.isWholeNumber(value) ? nil : "not a whole number"
        case .decimal:
            if attribute.isQuoted { return "in quotes" }
            return bytes.isDecimal(value, signed: false) ? nil : "not a decimal number"
        case .signedDecimal:
            if attribute.isQuoted { return "in quotes" }
            return bytes.isDecimal(value, signed: true) ? nil : "not a decimal number"
        case .hexadecimal:
            if attribute.isQuoted { return "in quotes" }
            // A variable stands behind the 0x, not in its place.
            let isSequence = hasReference ? bytes.isHexadecimalStart(value) : bytes.isHexadecimal(value)
            return isSequence ? nil : "not 0x and hexadecimal digits"
        case .resolution:
            if attribute.isQuoted { return "in quotes" }
            guard let cross = bytes.firstIndex(of: 0x78, in: value),
                bytes.isWholeNumber(value.lowerBound..<cross), bytes.isWholeNumber(cross + 1..<value.upperBound)
            else { return "not width x height" }
            return nil
        case .client:
            let isValue =
                attribute.isQuoted || hasReference || bytes.isHexadecimal(value) || bytes.isDecimal(value, signed: true)
            return isValue ? nil : "neither quoted, hexadecimal nor decimal"
        }
    }
}

extension Span<UInt8> {
    /// Whether a variable is referred to: then the form only shows when it is replaced.
    func hasReference(_ range: Range<Int>) -> Bool {
        guard let brace = firstIndex(of: 0x7B, in: range) else { return false }
        return brace + 1 < range.upperBound && self[brace + 1] == 0x24
    }

    /// One to twenty digits that fit 64 bits.
    func isWholeNumber(_ range: Range<Int>) -> Bool {
        guard (1...20).contains(range.count) else { return false }
        var value: UInt64 = 0
        for position in range {
            guard self[position].isDigit else { return false }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(self[position] &- 0x30))
            if overflow || carry { return false }
            value = sum
        }
        return true
    }

    func isDecimal(_ range: Range<Int>, signed: Bool) -> Bool {
        var rest = range
        if signed, let first = rest.first, self[first] == 0x2D { rest = first + 1..<rest.upperBound }
        var hasPoint = false
        var digits = 0
        for position in rest {
            if self[position].isDigit {
                digits += 1
            } else if self[position] == 0x2E, !hasPoint {
                hasPoint = true
            } else {
                return false
            }
        }
        return digits > 0
    }

    /// Numbers of at least 1 with slashes between them.
    func isVersionList(_ range: Range<Int>) -> Bool {
        var start = range.lowerBound
        while true {
            let slash = firstIndex(of: 0x2F, in: start..<range.upperBound) ?? range.upperBound
            guard isWholeNumber(start..<slash), (start..<slash).contains(where: { self[$0] != 0x30 }) else {
                return false
            }
            if slash == range.upperBound { return true }
            start = slash + 1
        }
    }

    /// `n[@o]`.
    func isByteRange(_ range: Range<Int>) -> Bool {
        guard let at = firstIndex(of: 0x40, in: range) else { return isWholeNumber(range) }
        return isWholeNumber(range.lowerBound..<at) && isWholeNumber(at + 1..<range.upperBound)
    }
}

extension UInt8 {
    /// Letters, digits, full stop, hyphen and underscore.
    fileprivate var isPathwayCharacter: Bool {
        isASCIILetter || isDigit || self == 0x2E || self == 0x2D || self == 0x5F
    }
}
