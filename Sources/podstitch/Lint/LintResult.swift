import FoundationEssentials
import HLS

/// What a lint run found: what is printed, and the exit status.
struct LintResult: Sendable {
    struct Entry: Sendable {
        /// Index of the playlist.
        var playlist: Int
        var finding: PlaylistFinding
        /// In how many loads.
        var count: Int
    }

    let source: String
    let playlists: [LintedPlaylist]
    /// Those that the command tells of, by playlist, line and rule.
    let findings: [Entry]
    /// Findings beyond what is kept of one playlist.
    let omitted: Int
    let isUnreadable: Bool
    let wasStopped: Bool
    let status: Int32

    init(_ arguments: LintArguments, _ playlists: [LintedPlaylist], isUnreadable: Bool, wasStopped: Bool) {
        source = arguments.source ?? "-"
        self.playlists = playlists
        self.isUnreadable = isUnreadable
        self.wasStopped = wasStopped
        var findings: [Entry] = []
        for (index, playlist) in playlists.enumerated() {
            let told = playlist.findings.entries.filter { entry in
                // Why nothing could be checked is told whatever rules were asked for.
                isUnreadable && entry.finding.severity == .error || arguments.tells(of: entry.finding.rule)
            }
            let sorted = told.enumerated().sorted {
                ($0.element.finding.line, $0.element.finding.rule, $0.offset)
                    < ($1.element.finding.line, $1.element.finding.rule, $1.offset)
            }
            findings += sorted.map { Entry(playlist: index, finding: $0.element.finding, count: $0.element.count) }
        }
        self.findings = findings
        omitted = playlists.reduce(0) { $0 + $1.findings.omitted }
        let isFailed = findings.contains { $0.finding.severity.weight >= arguments.failLevel.weight }
        status = isUnreadable ? 2 : isFailed ? 1 : 0
    }

    func count(_ severity: PlaylistFinding.Severity) -> Int {
        findings.count { $0.finding.severity == severity }
    }

    // MARK: Text

    /// A line for each finding, and a summary.
    var text: String {
        var lines = findings.map { entry in
            let finding = entry.finding
            let rule = finding.rule == LintReport.omissionRule ? "" : " \(finding.rule)"
            let times = entry.count > 1 ? " (in \(entry.count) loads)" : ""
            let place = "\(Self.printable(playlists[entry.playlist].shown)):\(finding.line)"
            return "\(place): \(finding.severity.rawValue)\(rule): \(Self.printable(finding.message))\(times)"
        }
        if omitted > 0 { lines.append("\(omitted) more findings are not listed") }
        lines.append(summary)
        return lines.joined(separator: "\n") + "\n"
    }

    private var summary: String {
        let loads = playlists.reduce(0) { $0 + $1.loads }
        let subject = "\(Self.counted(playlists.count, "playlist")), \(Self.counted(loads, "load"))"
        let found = [PlaylistFinding.Severity.error, .warning, .note].map { Self.counted(count($0), $0.rawValue) }
        let end = isUnreadable ? "; not checked" : wasStopped ? "; stopped early" : ""
        return "\(subject): \(found.joined(separator: ", "))\(end)"
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    /// What a stream says must not steer the terminal, nor turn the direction of the text behind it.
    private static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    default: scalar.properties.isBidiControl ? "\u{FFFD}" : scalar
                    }
                }))
    }

    // MARK: JSON

    /// The same as one document.
    var json: String {
        let document = Document(
            source: source,
            playlists: playlists.map { playlist in
                Document.Playlist(
                    url: playlist.shown, kind: playlist.kind.rawValue, name: playlist.name, loads: playlist.loads,
                    versions: playlist.versions)
            },
            findings: findings.map { entry in
                let rule = LintRule.numbered(entry.finding.rule)
                return Document.Finding(
                    playlist: entry.playlist, line: entry.finding.line, rule: entry.finding.rule,
                    level: rule?.level.rawValue, severity: entry.finding.severity.rawValue,
                    message: entry.finding.message, title: rule?.title, loads: entry.count)
            },
            counts: ["error": count(.error), "warning": count(.warning), "note": count(.note), "omitted": omitted],
            stopped: wasStopped, exit: status)
        return Self.encode(document)
    }

    private struct Document: Encodable {
        struct Playlist: Encodable {
            var url: String
            var kind: String
            var name: String?
            var loads: Int
            var versions: Int
        }

        struct Finding: Encodable {
            var playlist: Int
            var line: Int
            var rule: Int
            var level: String?
            var severity: String
            var message: String
            var title: String?
            var loads: Int
        }

        var source: String
        var playlists: [Playlist]
        var findings: [Finding]
        var counts: [String: Int]
        var stopped: Bool
        var exit: Int32
    }

    fileprivate static func encode(_ document: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(document) else { return "{}\n" }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}

/// The list of rules as `--rules` prints it.
enum LintRuleList {
    static func text(_ rules: [LintRule]) -> String {
        let rows = rules.map { rule in
            let number = "\(rule.number)"
            let level = rule.level.rawValue
            let checks = rule.checks.names.joined(separator: ",")
            return number + String(repeating: " ", count: max(6 - number.count, 1)) + level
                + String(repeating: " ", count: max(10 - level.count, 1)) + checks
                + String(repeating: " ", count: max(20 - checks.count, 1)) + rule.title
        }
        return rows.joined(separator: "\n") + "\n"
    }

    static func json(_ rules: [LintRule]) -> String {
        struct Row: Encodable {
            var rule: Int
            var level: String
            var severity: String
            var checks: [String]
            var title: String
        }
        return LintResult.encode(
            rules.map {
                Row(
                    rule: $0.number, level: $0.level.rawValue, severity: $0.level.severity.rawValue,
                    checks: $0.checks.names, title: $0.title)
            })
    }
}

extension LintRule.Checks {
    /// What has to be looked at, in words.
    var names: [String] {
        var names: [String] = []
        if contains(.playlist) { names.append("playlist") }
        if contains(.reload) { names.append("reload") }
        if contains(.renditions) { names.append("renditions") }
        if contains(.http) { names.append("http") }
        return names
    }
}
