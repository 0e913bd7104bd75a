import Server

struct StitchArguments: Equatable {
    /// A break to make: where, and how much of the content it replaces.
    struct Break: Equatable {
        /// From the start of the content.
        var offset: Duration
        /// Content that goes; zero inserts.
        var length: Duration = .zero
    }

    var contentFile: String
    /// Ad playlists in their order.
    var adFiles: [String] = []
    var vastFile: String?
    var breaks: [Break] = []
    /// Of a multivariant content; nil for the leading one.
    var rendition: String?

    static let syntax = CommandSyntax(
        name: "stitch",
        summary: "Stitches ads into a playlist: files in, playlist out, no server.",
        operands: [.init(name: "CONTENT", summary: "Media or multivariant playlist of the content.")],
        options: [
            .init(
                name: "--ad", value: "FILE", summary: "Playlist of an ad; several in their order.",
                isRepeatable: true),
            .init(name: "--vast", value: "FILE", summary: "VAST document whose HLS media files are the ads."),
            .init(
                name: "--break", value: "OFFSET[+LENGTH]",
                summary: "A break at OFFSET seconds of a title; with LENGTH it replaces that much content.",
                isRepeatable: true),
            .init(
                name: "--rendition", value: "KEY", summary: "Which rendition to write, like v0; a wrong one lists them."
            ),
        ],
        notes: """
            Without --break, the breaks are those that the content marks, or a pre-roll in a title that marks none. Every
            break gets the ads from the first on. A live playlist is stitched as for a viewer who was there when its breaks
            began. The playlist goes to standard output, what became of breaks and ads to standard error. Files may also be
            http and https URLs.
            """)

    init(_ arguments: ParsedArguments) throws(UsageError) {
        contentFile = arguments.operands[0]
        adFiles = arguments.all("--ad")
        vastFile = arguments["--vast"]
        rendition = arguments["--rendition"]
        for text in arguments.all("--break") {
            guard let parsed = Self.parsedBreak(text) else {
                throw UsageError(message: "--break \(text): not seconds, or seconds+seconds", command: Self.syntax)
            }
            breaks.append(parsed)
        }
        guard adFiles.isEmpty != (vastFile == nil) else {
            throw UsageError(message: "give either --ad or --vast", command: Self.syntax)
        }
    }

    static func parsedBreak(_ text: String) -> Break? {
        let parts = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false).map {
            seconds(String($0))
        }
        guard let offset = parts[0] else { return nil }
        guard parts.count == 2 else { return Break(offset: offset) }
        return parts[1].map { Break(offset: offset, length: $0) }
    }

    /// `12`, `12.5`: plain decimal seconds, milliseconds at the finest.
    static func seconds(_ text: String) -> Duration? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard areDigits, let whole = Int64(parts[0]), whole < 1_000_000_000 else { return nil }
        guard parts.count == 2 else { return .seconds(whole) }
        guard parts[1].utf8.count <= 3,
            let fraction = Int64(parts[1] + String(repeating: "0", count: 3 - parts[1].utf8.count))
        else { return nil }
        return .seconds(whole) + .milliseconds(fraction)
    }
}
