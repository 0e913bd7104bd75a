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

    static let syntax = CommandSyntax(
        name: "stitch",
        summary: "Stitches ads into a playlist: files in, playlist out, no server.",
        operands: [.init(name: "CONTENT", summary: "Media playlist of the content.")],
        options: [
            .init(
                name: "--ad", value: "FILE", summary: "Media playlist of an ad; several in their order.",
                isRepeatable: true),
            .init(name: "--vast", value: "FILE", summary: "VAST document whose HLS media files are the ads."),
            .init(
                name: "--break", value: "OFFSET[+LENGTH]",
                summary: "A break at OFFSET seconds of a title; with LENGTH it replaces that much content.",
                isRepeatable: true),
        ],
        notes: """
            Without --break, the breaks are those that the content marks. A title gets all its breaks; a live playlist
            is stitched as a viewer who was there before it would see it.
            """)

    init(_ arguments: ParsedArguments) throws(UsageError) {
        contentFile = arguments.operands[0]
        adFiles = arguments.all("--ad")
        vastFile = arguments["--vast"]
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
