package import HLS

/// The renditions of a source, content or ad, from its multivariant playlist; and that playlist as a session gets it.
package struct SourceCatalog: Sendable {
    package private(set) var renditions: [MediaRendition]
    /// The first video variant when the source was first seen: breaks and returns are chosen on its timeline.
    package let leading: RenditionKey
    /// The leading rendition is listed no more: it is among ``renditions`` as it last was.
    package let isLeadingGone: Bool
    /// Those that were not known by name.
    package let new: [MediaRendition]
    /// What the media playlists may import with EXT-X-DEFINE.
    package let variables: PlaylistVariables
    /// Which of the source's origins it is of.
    package var origin = 0
    private let multivariant: MultivariantPlaylist?
    private let base: BaseURI
    /// Keys by the URI's place in the playlist.
    private let keys: [Int: RenditionKey]

    /// - Parameters:
    ///   - url: where the playlist was finally fetched from.
    ///   - names: what the source's renditions were called before.
    package init(_ received: MultivariantPlaylist, url: String, names: RenditionNames = RenditionNames()) {
        // The upstream's address fills its variables, and players ask for ours: they get plain text (rule 1204).
        let playlist: MultivariantPlaylist
        (playlist, variables) = received.plain(uri: url)
        multivariant = playlist
        base = BaseURI(url)
        var builder = CatalogBuilder(playlist, base: base, names: names)
        builder.build()
        keys = builder.keys
        new = builder.new
        let listed = builder.renditions
        leading = names.leading ?? builder.leading
        let gone =
            listed.contains { [leading] in $0.key == leading }
            ? nil : names.known.first { [leading] in $0.key == leading }
        renditions = listed + (gone.map { [$0] } ?? [])
        isLeadingGone = gone != nil
    }

    /// A source that is one media playlist.
    package init(mediaPlaylistURL url: String) {
        multivariant = nil
        variables = PlaylistVariables()
        base = BaseURI(url)
        keys = [:]
        leading = RenditionKey("v0")
        isLeadingGone = false
        new = []
        renditions = [MediaRendition(key: leading, kind: .variant, upstreamURL: url)]
    }

    package subscript(key: RenditionKey) -> MediaRendition? {
        renditions.first { $0.key == key }
    }

    /// The rendition that takes the place of another origin's: the one of its key, else the one like it with the nearest bandwidth.
    package func twin(of other: MediaRendition) -> MediaRendition? {
        if let same = self[other.key], same.kind == other.kind { return same }
        return renditions.filter { $0.kind == other.kind && $0.language == other.language }
            .min { ($0.bandwidth - other.bandwidth).magnitude < ($1.bandwidth - other.bandwidth).magnitude }
    }

    /// Without its I-frame playlists, where sessions with ads are not given them.
    package func withoutIFrames() -> SourceCatalog {
        var copy = self
        copy.renditions.removeAll { $0.kind == .iFrames }
        return copy
    }

    /// The multivariant playlist for a session: its media playlists are ours, all else is absolute.
    ///
    /// - Parameter isStitched: whether the session gets ads. Then content steering, which would lead players past us (rule 1109),
    ///   goes; so do playlists of images, whose files hold a grid of many that no break can cut, and I-frame playlists that are not
    ///   among the renditions: they would show content where ads are (rule 1106).
    package func multivariantPlaylist(isStitched: Bool, uri: (RenditionKey) -> String) -> [UInt8] {
        guard let multivariant else {
            var output = PlaylistText()
            output.append("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000\n")
            output.append(uri(leading))
            output.endLine()
            return output.bytes
        }
        let hasIFrames = renditions.contains { $0.kind == .iFrames }
        var editor = PlaylistEditor(multivariant)
        for place in multivariant.uris {
            if isStitched {
                if place.kind == .imageStreamInformation || place.kind == .contentSteering { continue }
                if place.kind == .iFrameStreamInformation, !hasIFrames { continue }
            }
            if let key = keys[place.range.lowerBound] {
                editor.replace(place, with: uri(key))
            } else {
                editor.replace(place, with: base.resolve(multivariant.source.text(in: place.range)))
            }
        }
        if isStitched {
            for line in multivariant.lines {
                switch line.kind {
                case .imageStreamInformation, .contentSteering: editor.remove(line)
                case .iFrameStreamInformation where !hasIFrames: editor.remove(line)
                default: break
                }
            }
        }
        return editor.applied()
    }
}
