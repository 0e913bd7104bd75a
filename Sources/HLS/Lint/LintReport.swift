/// Collects the findings of lint: bounded, each once, ordered by line.
package struct LintReport: Sendable {
    /// Findings kept of one rule. A playlist that breaks a rule everywhere is understood from fewer.
    package static let limitOfRule = 64
    /// Findings kept in all.
    package static let limit = 1_024
    /// Number of the last note, which says how many findings are not listed.
    package static let omissionRule = 0

    private struct Key: Hashable {
        var rule: Int
        var line: Int
        var message: String
    }

    private var findings: [PlaylistFinding] = []
    private var seen: Set<Key> = []
    private var kept: [Int: Int] = [:]
    private var omitted: [Int: Int] = [:]
    private var lastLine = 1

    package init() {}

    /// Whether nothing has been found.
    package var isEmpty: Bool { findings.isEmpty }

    /// Adds a finding. Its severity is that of the rule's level unless another is given.
    package mutating func report(
        _ rule: Int, _ line: Int, _ message: @autoclosure () -> String, severity: PlaylistFinding.Severity? = nil
    ) {
        lastLine = max(lastLine, line)
        guard kept[rule, default: 0] < Self.limitOfRule, findings.count < Self.limit else {
            omitted[rule, default: 0] += 1
            return
        }
        let text = message()
        guard seen.insert(Key(rule: rule, line: line, message: text)).inserted else { return }
        kept[rule, default: 0] += 1
        let severity = severity ?? LintRule.numbered(rule)?.level.severity ?? .error
        findings.append(PlaylistFinding(rule: rule, line: line, severity: severity, message: text))
    }

    /// The findings by line, those of one line by rule; last, if there were more, a note that counts them.
    package func sorted() -> [PlaylistFinding] {
        var result = findings.enumerated().sorted {
            ($0.element.line, $0.element.rule, $0.offset) < ($1.element.line, $1.element.rule, $1.offset)
        }.map(\.element)
        if !omitted.isEmpty {
            let counts = omitted.sorted { $0.key < $1.key }
            let text = counts.map { "\($0.value) of rule \($0.key)" }.joined(separator: ", ")
            result.append(
                PlaylistFinding(
                    rule: Self.omissionRule, line: lastLine, severity: .note, message: "not listed: \(text)"))
        }
        return result
    }
}
