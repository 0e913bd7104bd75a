internal import HLS

/// Gathers the members of a JSON object, in the order in which they come.
package struct JSONMembers: Sendable {
    package struct Member: Sendable {
        /// Nil: the value is members that are written already, or an element of a list.
        var name: String?
        var value: JSONText
    }

    private var members: [Member] = []

    package init() {}

    package var object: JSONText { .object(members) }

    /// The members as they stand between the braces.
    package var written: String { String(object.compact.dropFirst().dropLast()) }

    /// Without the members that say nothing: null, empty texts, lists and objects.
    package var withoutEmptyMembers: JSONMembers {
        var result = JSONMembers()
        if case .object(let members) = object.withoutEmptyMembers { result.members = members }
        return result
    }

    package mutating func add(contentsOf others: JSONMembers) { members += others.members }

    // MARK: What is not known is left out

    package mutating func add(_ name: String, _ value: JSONText?) {
        if let value { members.append(Member(name: name, value: value)) }
    }

    package mutating func add(_ name: String, _ text: String?) { add(name, text.map { JSONText.text($0) }) }

    package mutating func add(_ name: String, _ number: Int?) { add(name, number.map { JSONText.number($0) }) }

    package mutating func add(_ name: String, _ flag: Bool?) { add(name, flag.map { JSONText.bool($0) }) }

    /// In seconds, to the millisecond.
    package mutating func add(_ name: String, seconds duration: Duration?) {
        add(name, duration.map { JSONText.written(JSONTime.seconds($0)) })
    }

    /// An empty list is left out.
    package mutating func addUnlessEmpty(_ name: String, _ list: [JSONText]) {
        if !list.isEmpty { add(name, list) }
    }

    package mutating func addUnlessEmpty(_ name: String, _ texts: [String]) {
        if !texts.isEmpty { add(name, texts) }
    }

    // MARK: What is always there

    package mutating func add(_ name: String, _ list: [JSONText]) { add(name, JSONText.list(list)) }

    package mutating func add(_ name: String, _ texts: [String]) { add(name, texts.map { JSONText.text($0) }) }

    package mutating func add(_ name: String, orNull text: String?) { add(name, text.map { .text($0) } ?? .null) }

    package mutating func add(_ name: String, orNull number: Int?) { add(name, number.map { .number($0) } ?? .null) }

    package mutating func add(_ name: String, orEmpty text: String?) { add(name, text ?? "") }

    /// A time or a length, as text and as a number: `startTime` and `startTimeInSeconds`.
    package mutating func add(_ name: String, bothForms duration: Duration) {
        add(name, JSONTime.iso8601(duration))
        add("\(name)InSeconds", JSONText.written(JSONTime.seconds(duration)))
    }

    /// Members that are written already.
    package mutating func add(written others: String) {
        if !others.isEmpty { members.append(Member(name: nil, value: .written(others))) }
    }
}

/// Spans of time as JSON has them.
enum JSONTime {
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

    /// In whole milliseconds.
    static func milliseconds(_ duration: Duration) -> JSONText { .number(duration.wholeNanoseconds / 1_000_000) }

    private static func number(_ duration: Duration, digits: Int) -> String {
        var text = DecimalText.text(duration, fractionDigits: digits)[...]
        while text.hasSuffix("0") { text = text.dropLast() }
        if text.hasSuffix(".") { text = text.dropLast() }
        return text.isEmpty || text == "-0" ? "0" : String(text)
    }
}
