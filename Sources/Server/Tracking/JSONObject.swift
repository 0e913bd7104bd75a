internal import HLS
internal import Transport

/// A JSON object as text, its members in the order in which they come.
struct JSONObject {
    /// Without the braces.
    private(set) var members = ""

    var text: String { "{\(members)}" }

    /// A member whose value is JSON already.
    mutating func add(_ name: String, json: String) {
        if !members.isEmpty { members += "," }
        members += "\"\(name)\":\(json)"
    }

    /// Members that are JSON already, without braces.
    mutating func add(members others: String) {
        if !members.isEmpty, !others.isEmpty { members += "," }
        members += others
    }

    /// What is not known is an empty text.
    mutating func add(_ name: String, _ text: String?) { add(name, json: JSONString.quoted(text ?? "")) }

    /// What is not known is null.
    mutating func addOptional(_ name: String, _ text: String?) {
        add(name, json: text.map(JSONString.quoted) ?? "null")
    }

    mutating func addOptional(_ name: String, _ number: Int?) { add(name, json: number.map { "\($0)" } ?? "null") }

    mutating func add(_ name: String, _ flag: Bool) { add(name, json: flag ? "true" : "false") }

    mutating func add(_ name: String, list: [String]) { add(name, json: Self.list(list)) }

    mutating func add(_ name: String, texts: [String]) { add(name, list: texts.map(JSONString.quoted)) }

    /// A time or a length, in both forms that MediaTailor has.
    mutating func add(_ name: String, _ duration: Duration) {
        add(name, json: "\"\(Self.iso8601(duration))\"")
        add("\(name)InSeconds", json: Self.seconds(duration))
    }

    static func list(_ values: [String]) -> String { "[\(values.joined(separator: ","))]" }

    /// `PT1M56.06S`, to the nanosecond.
    static func iso8601(_ duration: Duration) -> String {
        let nanoseconds = duration.wholeNanoseconds.magnitude
        let seconds = nanoseconds / 1_000_000_000
        var text = duration < .zero ? "-PT" : "PT"
        if seconds >= 3_600 { text += "\(seconds / 3_600)H" }
        if seconds / 60 % 60 > 0 { text += "\(seconds / 60 % 60)M" }
        let rest = Duration.nanoseconds(Int64(clamping: nanoseconds % 60_000_000_000))
        if rest > .zero || seconds < 60 { text += "\(number(rest, digits: 9))S" }
        return text
    }

    /// To the millisecond.
    static func seconds(_ duration: Duration) -> String { number(duration, digits: 3) }

    private static func number(_ duration: Duration, digits: Int) -> String {
        var text = DecimalText.text(duration, fractionDigits: digits)[...]
        while text.hasSuffix("0") { text = text.dropLast() }
        if text.hasSuffix(".") { text = text.dropLast() }
        return text.isEmpty || text == "-0" ? "0" : String(text)
    }
}
