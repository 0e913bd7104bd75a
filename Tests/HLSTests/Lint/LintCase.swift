import Testing

@testable import HLS

/// A playlist that breaks one rule of lint, or keeps it.
struct LintCase: Sendable, CustomTestStringConvertible {
    let rule: Int
    let name: String
    let source: [UInt8]
    /// The line of the finding; nil where the rule is kept.
    let breaksAt: Int?

    init(_ rule: Int, _ name: String, _ playlist: String, breaksAt: Int? = nil) {
        self.init(rule, name, bytes: Array(playlist.utf8), breaksAt: breaksAt)
    }

    init(_ rule: Int, _ name: String, bytes: [UInt8], breaksAt: Int? = nil) {
        self.rule = rule
        self.name = name
        source = bytes
        self.breaksAt = breaksAt
    }

    var testDescription: String { "\(rule) \(breaksAt == nil ? "kept" : "broken"): \(name)" }

    func lint() throws -> [PlaylistFinding] {
        switch try Playlist(parsing: source) {
        case .media(let playlist): playlist.lint()
        case .multivariant(let playlist): playlist.lint()
        }
    }
}

/// The cases of all rules.
enum LintCases {
    /// One playlist: those of media and of multivariant playlists, by chapter.
    static let playlist: [LintCase] = media + multivariant

    static let media: [LintCase] =
        fileCases + attributeCases + versionCases + durationCases + segmentCases + dateCases + presentationCases

    static let multivariant: [LintCase] = multivariantCases
}

/// That a rule has a case: which way of checking it, and whether the case breaks or keeps it.
struct LintCoverage: Hashable, CustomStringConvertible {
    let rule: Int
    let check: LintRule.Checks
    let breaks: Bool

    var description: String { "rule \(rule), checks \(check.rawValue), \(breaks ? "broken" : "kept")" }

    /// What the cases of all kinds of checks cover.
    static var all: Set<LintCoverage> {
        var result: Set<LintCoverage> = []
        for lintCase in LintCases.playlist {
            result.insert(LintCoverage(rule: lintCase.rule, check: .playlist, breaks: lintCase.breaksAt != nil))
        }
        for reloadCase in reloadCases {
            result.insert(LintCoverage(rule: reloadCase.rule, check: .reload, breaks: reloadCase.breaksAt != nil))
        }
        for example in renditionsCases {
            result.insert(LintCoverage(rule: example.rule, check: .renditions, breaks: example.breaksAt != nil))
        }
        return result
    }
}
