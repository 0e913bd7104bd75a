import HLS

/// What a rendition's segments are like, for those who decide what can stand among them.
package struct RenditionTraits: Sendable, Equatable, Codable {
    package var container: Container
    /// Text files of their own, in the clear, of which parts can be listed (subtitles).
    package var canBeCut: Bool
    package var targetDuration: Duration

    package init(container: Container, canBeCut: Bool = true, targetDuration: Duration = .zero) {
        self.container = container
        self.canBeCut = canBeCut
        self.targetDuration = targetDuration
    }

    init(_ playlist: MediaPlaylist) {
        container = playlist.segments.contains { $0.map != nil } ? .fragmentedMP4 : .selfInitializing
        canBeCut = playlist.segments.allSatisfy { segment in
            let keys =
                playlist.keyGroups.indices.contains(segment.keyGroup) ? playlist.keyGroups[segment.keyGroup].keys : []
            return segment.map == nil && segment.byteRange == nil && keys.allSatisfy { $0.method == .none }
        }
        targetDuration = BreakLedger.targetDuration(of: playlist)
    }
}
