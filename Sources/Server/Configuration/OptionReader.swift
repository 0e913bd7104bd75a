/// An option that the code knows: the test of `Config/` compares its default with the file's.
package struct KnownOption: Sendable, Hashable {
    /// Where its section stands, lists without their index: `server`, `channels[]`, `adProviders.*`.
    package var section: String
    package var name: String
    /// The default as JSON; nil for an option that must be given.
    package var defaultJSON: String?
}

/// What reading a configuration gathers besides the values: every problem, and every option asked for.
final class OptionCollector {
    let file: String
    let secrets: SecretSource
    private(set) var problems: [ConfigurationProblem] = []
    private(set) var options: [KnownOption] = []

    init(file: String, secrets: SecretSource) {
        self.file = file
        self.secrets = secrets
    }

    func report(_ detail: String, at place: String, line: Int?) {
        problems.append(ConfigurationProblem(file: file, line: line, place: place, detail: detail))
    }

    func record(_ option: KnownOption) {
        if !options.contains(option) { options.append(option) }
    }
}

/// Reads the options of one object. A missing or wrong value yields the default and a problem, so that reading goes on and
/// every problem of a file is found in one run.
struct OptionReader {
    let collector: OptionCollector
    /// Path of the object, for example `channels[2]`; empty for the document.
    let place: String
    let line: Int
    private let members: [JSON5Value.Member]
    /// Of its section, where its place does not tell.
    private var pattern: String?
    private var known: [String] = []
    private var later: [String] = []

    init(_ value: JSON5Value, place: String, collector: OptionCollector) {
        self.collector = collector
        self.place = place
        line = value.line
        if case .object(let members) = value.content {
            self.members = members
        } else {
            members = []
            collector.report("expected an object, found \(value.kind)", at: place, line: value.line)
        }
    }

    /// Path of one of the object's options.
    func place(of name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

    func report(_ detail: String, _ name: String) {
        collector.report(detail, at: place(of: name), line: members.first { $0.name == name }?.line ?? line)
    }

    /// What is asked for from now on is known by another section than its place tells.
    mutating func describe(as pattern: String) { self.pattern = pattern }

    /// Reports the keys that nobody asked for. Call it last.
    func finish() {
        for member in members where !known.contains(member.name) && !later.contains(member.name) {
            let meant = likelyMeant(member.name, among: known)
            let hint = meant.map { ", did you mean \"\($0)\"?" } ?? ", known here: \(known.joined(separator: ", "))"
            collector.report("unknown option\(hint)", at: place(of: member.name), line: member.line)
        }
    }

    /// Names of options that belong to a later version: recognised, and refused with a reason.
    mutating func notYet(_ names: String...) {
        later += names
        for member in members where names.contains(member.name) && member.value.content != .null {
            collector.report(OptionReader.notYetText, at: place(of: member.name), line: member.line)
        }
    }

    /// Names of options that another section has: told where they belong.
    mutating func belong(to section: String, _ names: [String]) {
        later += names
        for member in members where names.contains(member.name) {
            collector.report("an option of \(section) only", at: place(of: member.name), line: member.line)
        }
    }

    /// Whether the option is there and says null.
    func isNull(_ name: String) -> Bool {
        members.contains { $0.name == name && $0.value.content == .null }
    }

    /// Whether the option is there and says something.
    func isGiven(_ name: String) -> Bool {
        members.contains { $0.name == name && $0.value.content != .null }
    }

    static let notYetText = "not supported by this version yet"

    // MARK: Values

    /// The option's value, nil where it is missing or null. Notes the option as known.
    private mutating func value(_ name: String, defaultJSON: String?) -> JSON5Value? {
        known.append(name)
        collector.record(KnownOption(section: sectionPattern, name: name, defaultJSON: defaultJSON))
        guard let value = members.first(where: { $0.name == name })?.value, value.content != .null else { return nil }
        return value
    }

    /// A switch.
    mutating func flag(_ name: String, _ standard: Bool) -> Bool {
        guard let value = value(name, defaultJSON: "\(standard)") else { return standard }
        if case .bool(let flag) = value.content { return flag }
        report("expected true or false, found \(value.kind)", name)
        return standard
    }

    /// A whole number, null standing for nil.
    mutating func integer(_ name: String, _ standard: Int?, in range: ClosedRange<Int>) -> Int? {
        guard let value = value(name, defaultJSON: standard.map(String.init) ?? "null") else { return standard }
        guard case .number(let number) = value.content, let whole = Int(exactly: number) else {
            report("expected a whole number, found \(Self.shown(value))", name)
            return standard
        }
        guard range.contains(whole) else {
            report("\(whole) is outside \(range.lowerBound) to \(range.upperBound)", name)
            return standard
        }
        return whole
    }

    /// A number as it stands, any other value by its kind.
    private static func shown(_ value: JSON5Value) -> String {
        if case .number(let number) = value.content { return "\(number)" }
        return value.kind
    }

    mutating func integer(_ name: String, _ standard: Int, in range: ClosedRange<Int>) -> Int {
        integer(name, Optional(standard), in: range) ?? standard
    }

    /// A span whose option name ends in `Milliseconds`.
    mutating func milliseconds(_ name: String, _ standard: Int, in range: ClosedRange<Int>) -> Duration {
        .milliseconds(integer(name, standard, in: range))
    }

    mutating func milliseconds(_ name: String, _ standard: Int?, in range: ClosedRange<Int>) -> Duration? {
        integer(name, standard, in: range).map { .milliseconds($0) }
    }

    /// A text, null or missing standing for nil.
    mutating func text(_ name: String, _ standard: String? = nil) -> String? {
        text(value(name, defaultJSON: standard.map { "\"\($0)\"" } ?? "null"), name) ?? standard
    }

    /// A text that must be there.
    mutating func requiredText(_ name: String) -> String? {
        guard let value = value(name, defaultJSON: nil) else {
            report("must be given", name)
            return nil
        }
        return text(value, name)
    }

    private func text(_ value: JSON5Value?, _ name: String) -> String? {
        guard let value else { return nil }
        guard case .string(let text) = value.content else {
            report("expected a string, found \(value.kind)", name)
            return nil
        }
        guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            report(text.isEmpty ? "is empty" : "holds a control character", name)
            return nil
        }
        return text
    }

    /// A text or a list of texts; null or missing stands for none. Each with its place and line.
    mutating func texts(_ name: String) -> [(text: String, place: String, line: Int)] {
        guard let value = value(name, defaultJSON: "null") else { return [] }
        if case .string = value.content {
            return text(value, name).map { [($0, place(of: name), value.line)] } ?? []
        }
        guard case .array(let elements) = value.content else {
            report("expected a string or a list of strings, found \(value.kind)", name)
            return []
        }
        if elements.isEmpty { report("is empty", name) }
        return elements.enumerated().compactMap { index, element in
            let place = "\(place(of: name))[\(index)]"
            if case .string(let text) = element.content, !text.isEmpty { return (text, place, element.line) }
            collector.report("expected a string, found \(element.kind)", at: place, line: element.line)
            return nil
        }
    }

    /// One of the cases of an enumeration; `later` are those of a coming version.
    mutating func choice<Choice: RawRepresentable & CaseIterable & Equatable>(
        _ name: String, _ standard: Choice, later: [Choice] = []
    ) -> Choice where Choice.RawValue == String {
        guard let text = text(name, standard.rawValue) else { return standard }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            report("\"\(text)\" is not one of \(names)", name)
            return standard
        }
        guard !later.contains(choice) else {
            report("\"\(text)\" is \(OptionReader.notYetText)", name)
            return standard
        }
        return choice
    }

    /// A list of strings, empty by default, each read by `parse`; `what` names the form in the message.
    mutating func list<Element>(_ name: String, _ what: String, _ parse: (String) -> Element?) -> [Element] {
        guard let value = value(name, defaultJSON: "[]") else { return [] }
        guard case .array(let elements) = value.content else {
            report("expected a list, found \(value.kind)", name)
            return []
        }
        return elements.enumerated().compactMap { index, element in
            if case .string(let text) = element.content, let parsed = parse(text) { return parsed }
            collector.report("not \(what)", at: "\(place(of: name))[\(index)]", line: element.line)
            return nil
        }
    }

    /// A list of whole numbers.
    mutating func integers(_ name: String, _ standard: [Int], in range: ClosedRange<Int>) -> [Int] {
        let defaultJSON = "[" + standard.map(String.init).joined(separator: ",") + "]"
        guard let value = value(name, defaultJSON: defaultJSON) else { return standard }
        guard case .array(let elements) = value.content else {
            report("expected a list of whole numbers, found \(value.kind)", name)
            return standard
        }
        return elements.enumerated().compactMap { index, element in
            let place = "\(place(of: name))[\(index)]"
            guard case .number(let number) = element.content, let whole = Int(exactly: number) else {
                collector.report(
                    "expected a whole number, found \(Self.shown(element))", at: place, line: element.line)
                return nil
            }
            if range.contains(whole) { return whole }
            collector.report(
                "\(whole) is outside \(range.lowerBound) to \(range.upperBound)", at: place, line: element.line)
            return nil
        }
    }

    // MARK: Objects

    /// The object of that name; an empty one, and no problem, where it is missing.
    mutating func section(_ name: String) -> OptionReader {
        let value = value(name, defaultJSON: "{}") ?? JSON5Value(.object([]), line: line)
        return OptionReader(value, place: place(of: name), collector: collector)
    }

    /// The objects of a list; empty by default, or one that must be given.
    mutating func sections(_ name: String, isRequired: Bool = false) -> [OptionReader] {
        guard let value = value(name, defaultJSON: isRequired ? nil : "[]") else {
            if isRequired { report("must be given", name) }
            return []
        }
        guard case .array(let elements) = value.content else {
            report("expected a list, found \(value.kind)", name)
            return []
        }
        return elements.enumerated().map { index, element in
            OptionReader(element, place: "\(place(of: name))[\(index)]", collector: collector)
        }
    }

    /// The members of an object whose keys the operator chooses.
    mutating func members(_ name: String) -> [JSON5Value.Member] {
        guard let value = value(name, defaultJSON: "{}") else { return [] }
        guard case .object(let members) = value.content else {
            report("expected an object, found \(value.kind)", name)
            return []
        }
        return members
    }

    /// `channels[2]` → `channels[]`, `adProviders.main` → `adProviders.*`.
    private var sectionPattern: String {
        if let pattern { return pattern }
        if place.hasPrefix("adProviders.") {
            return place.hasSuffix("]") ? "adProviders.*.schedule.ads[]" : "adProviders.*"
        }
        guard let bracket = place.firstIndex(of: "[") else { return place }
        return place[..<bracket] + "[]"
    }
}
