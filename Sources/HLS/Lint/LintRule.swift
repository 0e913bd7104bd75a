/// A rule that lint checks. Numbers are those of the list of HLS rules; findings cite them.
package struct LintRule: Hashable, Sendable {
    /// How binding the rule is.
    package enum Level: String, Hashable, Sendable {
        /// The standard's MUST.
        case must
        /// The standard's SHOULD.
        case should
        /// No rule of the standard, but players stop or misbehave.
        case practice
        /// Worth knowing, nothing to mend.
        case note

        /// What a finding of the rule weighs where nothing else is said.
        package var severity: PlaylistFinding.Severity {
            switch self {
            case .must: .error
            case .should, .practice: .warning
            case .note: .note
            }
        }
    }

    /// What has to be looked at to see that a rule is broken.
    package struct Checks: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// One playlist.
        package static let playlist = Checks(rawValue: 1 << 0)
        /// The same playlist loaded several times.
        package static let reload = Checks(rawValue: 1 << 1)
        /// The playlists of all renditions.
        package static let renditions = Checks(rawValue: 1 << 2)
        /// The HTTP answers.
        package static let http = Checks(rawValue: 1 << 3)
    }

    package let number: Int
    package let level: Level
    package let checks: Checks
    package let title: String

    init(_ number: Int, _ level: Level, _ checks: Checks, _ title: String) {
        self.number = number
        self.level = level
        self.checks = checks
        self.title = title
    }

    /// Every rule that can be checked, ordered by number.
    package static let all: [LintRule] =
        (fileRules + versionRules + durationRules + sequenceRules + discontinuityRules + encryptionRules
        + resourceRules + dateRules + dateRangeRules + playlistTypeRules + lowLatencyRules + multivariantRules
        + variableRules + httpRules).sorted { $0.number < $1.number }

    private static let byNumber = Dictionary(all.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })

    /// The rule of a number; nil where no such rule can be checked.
    package static func numbered(_ number: Int) -> LintRule? { byNumber[number] }
}
