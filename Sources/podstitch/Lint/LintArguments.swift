import HLS
import Server

/// `podstitch lint`: what to check, how often, and what counts as failed.
struct LintArguments: Equatable {
    /// A path, a URL, or `-` for standard input; nil with `--rules`.
    var source: String?
    var listsRules = false
    var isJSON = false
    /// How often the playlists are loaded.
    var loads = 1
    /// Between loads; nil for what RFC 8216bis §6.3.4 asks of players.
    var interval: Duration?
    /// Whether a multivariant playlist's media playlists are checked too.
    var followsRenditions = true
    /// The mildest finding that makes the exit status 1.
    var failLevel = PlaylistFinding.Severity.error
    /// The rules that are told of; empty for all.
    var rules: Set<Int> = []
    var ignored: Set<Int> = []

    static let syntax = CommandSyntax(
        name: "lint",
        summary: "Checks an HLS stream by the rules of RFC 8216bis: playlists, reloads, renditions, HTTP answers.",
        operands: [
            .init(name: "FILE|URL", summary: "A playlist of either kind; - reads standard input.", isRequired: false)
        ],
        options: [
            .init(name: "--poll", value: "N", summary: "Load it N times and check what changes (1)."),
            .init(
                name: "--interval", value: "SECONDS",
                summary: "Between loads (the target duration, half of it where nothing changed)."),
            .init(
                name: "--renditions", summary: "Check the media playlists of a multivariant playlist too (the default)."
            ),
            .init(name: "--no-renditions", summary: "Check the multivariant playlist alone."),
            .init(
                name: "--fail-on", value: "LEVEL",
                summary: "Exit with 1 from this level on: error, warning, note (error)."),
            .init(name: "--rule", value: "N", summary: "Tell of this rule only.", isRepeatable: true),
            .init(name: "--ignore", value: "N", summary: "Do not tell of this rule.", isRepeatable: true),
            .init(name: "--json", summary: "Write one JSON document."),
            .init(name: "--rules", summary: "List the rules and how each is checked."),
        ],
        notes: """
            A finding is a line: where, line number, level, rule and what is wrong. Ends with 0 where nothing at or above
            the level was found, 1 where something was, 2 where the playlist could not be read. Ctrl-C ends --poll with
            what was found so far.
            """)

    init(source: String) { self.source = source }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        source = arguments.operands.first
        listsRules = arguments.switches.contains("--rules")
        isJSON = arguments.switches.contains("--json")
        guard source != nil || listsRules else { throw Self.failure("FILE|URL is missing") }
        if source != nil, listsRules { throw Self.failure("--rules takes no FILE|URL") }
        followsRenditions = !arguments.switches.contains("--no-renditions")
        if !followsRenditions, arguments.switches.contains("--renditions") {
            throw Self.failure("give either --renditions or --no-renditions")
        }
        if let text = arguments["--poll"] {
            guard let count = Int(text), count >= 1, count <= 1_000_000, !text.hasPrefix("+") else {
                throw Self.failure("--poll \(text): not a number of loads, 1 or more")
            }
            guard source != "-" || count == 1 else {
                throw Self.failure("--poll: standard input can be read only once")
            }
            loads = count
        }
        if let text = arguments["--interval"] {
            guard let interval = DecimalText.duration(text), interval > .zero, interval <= .seconds(86_400) else {
                throw Self.failure("--interval \(text): not seconds, like 2 or 0.5")
            }
            self.interval = interval
        }
        if let text = arguments["--fail-on"] {
            guard let level = PlaylistFinding.Severity(rawValue: text) else {
                let meant =
                    likelyMeant(text, among: ["error", "warning", "note"]).map { ", did you mean \($0)?" } ?? ""
                throw Self.failure("--fail-on \(text): not one of error, warning, note\(meant)")
            }
            failLevel = level
        }
        rules = try Self.rules("--rule", arguments)
        ignored = try Self.rules("--ignore", arguments)
    }

    private static func rules(_ name: String, _ arguments: ParsedArguments) throws(UsageError) -> Set<Int> {
        var rules: Set<Int> = []
        for text in arguments.all(name) {
            guard let number = Int(text), LintRule.numbered(number) != nil else {
                throw failure("\(name) \(text): no such rule; podstitch lint --rules lists them")
            }
            rules.insert(number)
        }
        return rules
    }

    private static func failure(_ message: String) -> UsageError { UsageError(message: message, command: syntax) }

    /// Whether findings of a rule are told of.
    func tells(of rule: Int) -> Bool {
        (rules.isEmpty || rules.contains(rule)) && !ignored.contains(rule)
    }
}

extension PlaylistFinding.Severity {
    /// Higher is worse.
    var weight: Int {
        switch self {
        case .error: 2
        case .warning: 1
        case .note: 0
        }
    }
}
