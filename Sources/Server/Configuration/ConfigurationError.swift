/// One thing wrong with the configuration: where, and what.
package struct ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
    /// Name of the file as the operator gave it.
    package var file: String
    /// Line in the file, from 1; nil when the problem is the file itself.
    package var line: Int?
    /// Path of the option, for example `channels[2].origin`; empty for the document.
    package var place: String
    package var detail: String

    /// `podstitch.json5:12: channels[2].origin: not a URL`
    package var description: String {
        let start = line.map { "\(file):\($0)" } ?? file
        return place.isEmpty ? "\(start): \(detail)" : "\(start): \(place): \(detail)"
    }
}

/// Everything wrong with a configuration, in the order of the file's lines.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    package var problems: [ConfigurationProblem]

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
