/// The rules over all media playlists of a presentation, fetched at about the same time.
///
/// Live playlists are fetched one after another, so their windows differ; what is compared is where they overlap.
package struct RenditionsLint: Sendable {
    /// A media playlist as it was fetched.
    package struct Source: Sendable {
        package let reference: MediaPlaylistReference
        /// Where it was finally fetched from, for the URIs in it.
        package let url: String
        /// Nil where it could not be loaded or read.
        package let playlist: MediaPlaylist?

        package init(_ reference: MediaPlaylistReference, url: String, playlist: MediaPlaylist?) {
            self.reference = reference
            self.url = url
            self.playlist = playlist
        }
    }

    /// A finding, and the playlist whose line it names.
    package struct Finding: Hashable, Sendable {
        /// Place in the list of sources; nil for the multivariant playlist.
        package let source: Int?
        package let finding: PlaylistFinding
    }

    let multivariant: MultivariantPlaylist?
    let url: String
    let sources: [Source]

    /// - Parameter multivariant: the playlist that led to the sources; `url` is where it was finally fetched from.
    package init(_ multivariant: MultivariantPlaylist?, url: String, sources: [Source]) {
        self.multivariant = multivariant
        self.url = url
        self.sources = sources
    }

    /// What is broken: findings of the multivariant playlist first, then those of each source, by line.
    package func findings() -> [Finding] {
        var report = RenditionsReport(self)
        checkLoading(&report)
        checkHeaders(&report)
        checkTimes(&report)
        checkDateRanges(&report)
        checkKeys(&report)
        return report.sorted()
    }

    /// Rule 1114.
    private func checkLoading(_ report: inout RenditionsReport) {
        for source in sources where source.playlist == nil {
            report.add(1114, line: source.reference.line, "\(source.reference.shownURI) could not be loaded")
        }
    }
}

extension MediaPlaylistReference {
    /// The URI for messages: without its query, which may hold secrets, and not endless.
    var shownURI: String {
        let path = uri.utf8.prefix { $0 != 0x3F }.prefix(100)
        return String(decoding: path, as: UTF8.self) + (path.count < uri.utf8.count ? "…" : "")
    }
}

/// Findings of several playlists.
struct RenditionsReport {
    private var ofMultivariant = LintReport()
    private var ofSources: [ReloadReport?]

    init(_ lint: RenditionsLint) {
        ofSources = lint.sources.map { $0.playlist.map(ReloadReport.init) }
    }

    /// In the multivariant playlist.
    mutating func add(_ rule: Int, line: Int, _ message: String, severity: PlaylistFinding.Severity? = nil) {
        ofMultivariant.report(rule, line, message, severity: severity)
    }

    /// In a source, at the first line of a tag; at the first line where it is missing.
    mutating func add(
        _ rule: Int, source: Int, tag: TagKind, _ message: String, severity: PlaylistFinding.Severity? = nil
    ) {
        ofSources[source]?.add(rule, tag: tag, message, severity: severity)
    }

    /// In a source, at the line that has the byte at `offset`.
    mutating func add(
        _ rule: Int, source: Int, at offset: Int, _ message: String, severity: PlaylistFinding.Severity? = nil
    ) {
        ofSources[source]?.add(rule, at: offset, message, severity: severity)
    }

    func sorted() -> [RenditionsLint.Finding] {
        var result = ofMultivariant.sorted().map { RenditionsLint.Finding(source: nil, finding: $0) }
        for (index, report) in ofSources.enumerated() {
            guard let report else { continue }
            result += report.sorted().map { RenditionsLint.Finding(source: index, finding: $0) }
        }
        return result
    }
}
