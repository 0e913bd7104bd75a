package enum LogLevel: String, Sendable, CaseIterable, Comparable {
    case debug, info, warning, error

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }

    package static func < (a: LogLevel, b: LogLevel) -> Bool { a.rank < b.rank }
}

/// A value of a log field.
package enum LogValue: Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    case text(String)
    case integer(Int64)
    case flag(Bool)
    /// Written in milliseconds with up to three decimals, so name the field `…Milliseconds`.
    case span(Duration)
    case list([String])

    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }

    /// Any whole number.
    package static func number(_ value: some BinaryInteger) -> LogValue { .integer(Int64(clamping: value)) }
}

extension LogValue {
    /// Without what URLs in it may give away.
    fileprivate var redacted: LogValue {
        switch self {
        case .text(let text): .text(redactedText(text))
        case .list(let texts): .list(texts.map(redactedText))
        case .integer, .flag, .span: self
        }
    }
}

/// One line of the log.
package struct LogRecord: Sendable {
    /// Nanoseconds since 1970, UTC.
    package var time: Int64
    package var level: LogLevel
    /// What happened, as dotted words: `break.decided`. A name for machines, the same for every occurrence.
    package var event: String
    /// Stream ID.
    package var session: String?
    /// Why, in words.
    package var reason: String?
    package var fields: [(name: String, value: LogValue)]

    /// The record as one JSON object and a line feed.
    package var line: [UInt8] {
        var json = JSONLine()
        json.member("time", .text(formattedTime(time)))
        json.member("level", .text(level.rawValue))
        json.member("event", .text(event))
        if let session { json.member("session", .text(session)) }
        if let reason { json.member("reason", .text(redactedText(reason))) }
        for field in fields { json.member(field.name, field.value.redacted) }
        return json.finished
    }
}

/// Writes one flat JSON object.
private struct JSONLine {
    /// Longer texts are cut: one record must not fill the buffer.
    private static let textLimit = 2_048
    private static let hexDigits = Array("0123456789abcdef".utf8)

    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    var finished: [UInt8] { bytes + [UInt8(ascii: "}"), 0x0A] }

    mutating func member(_ name: String, _ value: LogValue) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        string(name)
        bytes.append(UInt8(ascii: ":"))
        switch value {
        case .text(let text): string(text)
        case .integer(let number): bytes.append(contentsOf: String(number).utf8)
        case .flag(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .span(let span): bytes.append(contentsOf: milliseconds(span).utf8)
        case .list(let texts):
            bytes.append(UInt8(ascii: "["))
            for (index, text) in texts.prefix(100).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                string(text)
            }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    private mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let isCut = text.utf8.count > Self.textLimit
        for byte in isCut ? Array(text.prefix(Self.textLimit / 4).utf8) : Array(text.utf8) {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20, 0x7F:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes += [Self.hexDigits[Int(byte >> 4)], Self.hexDigits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        if isCut { bytes.append(contentsOf: "…".utf8) }
        bytes.append(UInt8(ascii: "\""))
    }
}

private func milliseconds(_ span: Duration) -> String {
    let (seconds, attoseconds) = span.components
    let micros = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !micros.overflow else { return "null" }
    let total = micros.partialValue &+ attoseconds / 1_000_000_000_000
    let magnitude = total.magnitude
    let sign = total < 0 ? "-" : ""
    let rest = magnitude % 1_000
    return rest == 0 ? "\(sign)\(magnitude / 1_000)" : "\(sign)\(magnitude / 1_000).\(padded(Int64(rest), 3))"
}

/// `2026-01-17T08:15:07.127Z`
func formattedTime(_ nanoseconds: Int64) -> String {
    var milliseconds = nanoseconds / 1_000_000
    if nanoseconds % 1_000_000 < 0 { milliseconds -= 1 }
    var days = milliseconds / 86_400_000
    var rest = milliseconds % 86_400_000
    if rest < 0 {
        rest += 86_400_000
        days -= 1
    }
    // Days to year, month, day in the proleptic Gregorian calendar, counted in eras of 400 years that begin in March.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    let clock = "\(padded(rest / 3_600_000, 2)):\(padded(rest / 60_000 % 60, 2)):\(padded(rest / 1_000 % 60, 2))"
    return "\(date)T\(clock).\(padded(rest % 1_000, 3))Z"
}

private func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
