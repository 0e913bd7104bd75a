/// What is odd about a playlist that could be read all the same.
package struct PlaylistFinding: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable {
        case error, warning, note
    }

    /// Number of the rule in the list of HLS rules ("103": the first line is EXTM3U).
    package let rule: Int
    /// Number of the line, the first being 1.
    package let line: Int
    package let severity: Severity
    package let message: String

    package init(rule: Int, line: Int, severity: Severity, message: String) {
        self.rule = rule
        self.line = line
        self.severity = severity
        self.message = message
    }
}

/// A playlist that cannot be read.
package struct PlaylistError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// Nothing, or only blank lines.
        case empty
        /// A web page instead of a playlist.
        case webPage
        /// Text or data without any sign of a playlist.
        case notAPlaylist
        /// A multivariant playlist where a media playlist was asked for, or the other way round.
        case wrongKind
        /// More bytes than can be addressed.
        case tooLarge
        /// A number that exceeds what any playlist can mean.
        case numberOverflow
        /// `{$name}` without a definition before it (rule 1203), or nothing to take a variable's value from (rule 1204).
        case undefinedVariable
        /// EXT-X-DEFINE with none or several of NAME, IMPORT and QUERYPARAM, or an illegal name (rule 1201).
        case invalidDefinition
        /// A variable that is defined twice (rule 1202).
        case duplicateDefinition
        /// A full playlist where a delta update was asked for.
        case notADeltaUpdate
        /// EXT-X-SKIP without a readable number of segments, or twice.
        case invalidSkip
        /// A delta update for a playlist that is itself one, or has ended.
        case notExtensible
        /// A delta update that leaves out segments which the playlist before it does not have.
        case missingSegments
        /// A delta update that lists other segments under the numbers of the playlist before it (rule 404).
        case differingSegments
    }

    package let code: Code
    /// Number of the line, the first being 1.
    package let line: Int
    package let detail: String

    package init(_ code: Code, line: Int, detail: String) {
        self.code = code
        self.line = line
        self.detail = detail
    }

    /// Equal codes are equal errors.
    package static func == (left: PlaylistError, right: PlaylistError) -> Bool {
        left.code == right.code
    }

    package var description: String { "line \(line): \(detail) (\(code.rawValue))" }
}
