/// What must not reach the parser: its check for repeated attributes takes time by the square of their number.
enum XMLGuard {
    static let attributeLimit = 500

    /// Documents below this size cannot do harm.
    private static let smallDocument = 32 << 10

    /// Whether some tag has more equals signs outside quotes than the limit.
    static func exceedsAttributes(_ text: [UInt8]) -> Bool {
        guard text.count > smallDocument else { return false }
        return text.withUnsafeBufferPointer { bytes in
            var quote: UInt8 = 0
            var inTag = false
            var count = 0
            for (index, byte) in bytes.enumerated() {
                switch byte {
                case UInt8(ascii: "<"):
                    // No tag and no attribute value holds one: whatever was open has ended, or is malformed.
                    let next = index + 1 < bytes.count ? bytes[index + 1] : 0
                    (inTag, quote, count) = (next != UInt8(ascii: "!") && next != UInt8(ascii: "?"), 0, 0)
                case UInt8(ascii: ">") where quote == 0:
                    inTag = false
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    guard inTag else { continue }
                    if quote == 0 { quote = byte } else if quote == byte { quote = 0 }
                case UInt8(ascii: "=") where inTag && quote == 0:
                    count += 1
                    if count > attributeLimit { return true }
                default:
                    continue
                }
            }
            return false
        }
    }
}
