import HLS

/// Gathers the members of a JSON object; what is nil or empty is left out.
struct JSONMembers {
    private var members: [(String, JSONText)] = []

    var object: JSONText { .object(members) }

    /// An object of the members that `fill` adds.
    static func object(_ fill: (inout JSONMembers) -> Void) -> JSONText {
        var members = JSONMembers()
        fill(&members)
        return members.object
    }

    mutating func add(_ name: String, _ value: JSONText?) {
        if let value { members.append((name, value)) }
    }

    mutating func add(_ name: String, _ text: String?) { add(name, text.map { JSONText.text($0) }) }

    mutating func add(_ name: String, _ number: Int?) { add(name, number.map { JSONText.number($0) }) }

    mutating func add(_ name: String, _ flag: Bool?) { add(name, flag.map { JSONText.bool($0) }) }

    /// In seconds, to the millisecond.
    mutating func add(_ name: String, _ duration: Duration?) {
        add(name, duration.map { JSONText.number(DecimalText.text($0, fractionDigits: 3)) })
    }

    mutating func add(_ name: String, _ list: [JSONText]) { if !list.isEmpty { add(name, JSONText.list(list)) } }

    mutating func add(_ name: String, _ texts: [String]) { add(name, texts.map { JSONText.text($0) }) }

    /// Also where it is empty.
    mutating func addAlways(_ name: String, _ list: [JSONText]) { add(name, JSONText.list(list)) }
}
