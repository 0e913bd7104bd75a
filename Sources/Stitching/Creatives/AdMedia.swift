package import HLS

/// An ad's media: one rendition for each of its media playlists. Made once for all sessions.
package struct AdMedia: Sendable {
    /// The address of the media file, which names the ad's media everywhere.
    package let id: String
    package let renditions: [AdRendition]

    /// One of the ad's media playlists, as fetched.
    package struct Source: Sendable {
        package var description: MediaRendition
        package var playlist: MediaPlaylist
        /// Where it was finally fetched from.
        package var url: String

        package init(description: MediaRendition, playlist: MediaPlaylist, url: String) {
            self.description = description
            self.playlist = playlist
            self.url = url
        }
    }

    /// Why media cannot be used in any break.
    package enum Problem: Error, Sendable, Equatable {
        case noSegments(RenditionKey)
        case notVOD(RenditionKey)
        case iFramesOnly(RenditionKey)
        /// The renditions have unlike numbers of discontinuities.
        case unlikeDiscontinuities
        case nothingUsable

        package var text: String {
            switch self {
            case .noSegments(let key): "rendition \(key) has no segments"
            case .notVOD(let key): "rendition \(key) has no EXT-X-ENDLIST"
            case .iFramesOnly(let key): "rendition \(key) has I-frames only"
            case .unlikeDiscontinuities: "its renditions differ in their discontinuities"
            case .nothingUsable: "no usable rendition"
            }
        }
    }

    /// Reads the playlists: subtitles and I-frame playlists among them are left out, header tags, dates and cues are not
    /// taken over.
    package init(id: String, sources: [Source]) throws(Problem) {
        self.id = id
        var renditions: [AdRendition] = []
        for source in sources where source.description.kind == .variant || source.description.kind == .audio {
            let key = source.description.key
            guard !source.playlist.segments.isEmpty else { throw .noSegments(key) }
            guard !source.playlist.isIFramesOnly else { throw .iFramesOnly(key) }
            renditions.append(AdRenditionReader(source).rendition())
        }
        guard let first = renditions.first else { throw .nothingUsable }
        guard renditions.allSatisfy({ $0.jointCount == first.jointCount }) else { throw .unlikeDiscontinuities }
        self.renditions = renditions
    }

    init(id: String, renditions: [AdRendition]) {
        self.id = id
        self.renditions = renditions
    }
}

/// Makes fill entries of an ad's media playlist.
struct AdRenditionReader {
    private let source: AdMedia.Source
    private let copier: LineCopier

    init(_ source: AdMedia.Source) {
        self.source = source
        copier = LineCopier(source: source.playlist.source, base: BaseURI(source.url))
    }

    func rendition() -> AdRendition {
        let playlist = source.playlist
        var entries: [FillEntry] = []
        entries.reserveCapacity(playlist.segments.count)
        for segment in playlist.segments {
            entries.append(entry(segment, isFirst: entries.isEmpty))
        }
        let container: Container = playlist.segments.contains { $0.map != nil } ? .fragmentedMP4 : .selfInitializing
        return AdRendition(description: source.description, container: container, entries: entries)
    }

    private func entry(_ segment: MediaSegment, isFirst: Bool) -> FillEntry {
        let playlist = source.playlist
        let duration = min(max(segment.duration, .zero), .seconds(86_400))
        var version = 3
        var tags = PlaylistText()
        tags.append("#EXTINF:")
        tags.append(playlist.source, in: segment.durationText)
        tags.append(",")
        tags.append(playlist.source, in: segment.title)
        tags.endLine()
        if let range = segment.byteRange {
            tags.append("#EXT-X-BYTERANGE:")
            tags.append(range.length)
            tags.append("@")
            tags.append(range.offset)
            tags.endLine()
            version = max(version, 4)
        }
        if segment.isGap { tags.append("#EXT-X-GAP\n") }
        var uri = PlaylistText()
        copier.base.appendResolved(playlist.source, in: segment.uri, to: &uri)
        let groups = playlist.keyGroups
        let inForce = groups.indices.contains(segment.keyGroup) ? groups[segment.keyGroup].keys : []
        let keys = lines(of: inForce, segment)
        if !keys.isEmpty { version = max(version, 5) }
        let map = mapLines(segment, keys: inForce)
        if !map.isEmpty { version = max(version, 6) }
        return FillEntry(
            duration: duration, isJoint: isFirst || segment.discontinuityCount > 0, uri: uri.string, tags: tags.bytes,
            keys: keys, map: map, neededVersion: version)
    }

    /// The lines of keys, IVs written out with the ad's own number (rule 605).
    private func lines(of keys: [EncryptionKey], _ segment: MediaSegment) -> [UInt8] {
        var output = PlaylistText()
        for key in keys where key.method != .none {
            output.append(copier.text(of: key.line))
            if key.hasImplicitIV {
                output.append(",IV=")
                output.append(hexadecimal: UInt64(bitPattern: segment.number), digits: 32)
            }
            output.endLine()
        }
        return output.bytes
    }

    /// The map's line; between its own keys and the segment's, where those differ (rule 610).
    private func mapLines(_ segment: MediaSegment, keys: [EncryptionKey]) -> [UInt8] {
        guard let index = segment.map, source.playlist.maps.indices.contains(index) else { return [] }
        let map = source.playlist.maps[index]
        let line = copier.text(of: map.line) + [0x0A]
        guard map.isEncryptedOtherwise(than: keys, in: source.playlist.source) else { return line }
        let none = Array("#EXT-X-KEY:METHOD=NONE\n".utf8)
        let own = lines(of: map.keys, segment)
        let theirs = lines(of: keys, segment)
        return (own.isEmpty ? none : own) + line + (theirs.isEmpty ? none : theirs)
    }
}
