// Whether EXT-X-PRELOAD-HINT kept its promise: rule 1005.
extension ReloadLint {
    /// Where a partial segment lies, or what a hint says of the next one.
    private struct Place {
        let playlist: MediaPlaylist
        let uri: Range<Int>
        /// Where it begins in its resource; nil where the playlist does not say so, and it is all of it.
        let offset: Int64?

        init?(_ part: PartialSegment, in playlist: MediaPlaylist) {
            guard let uri = part.attributes["URI"]?.range else { return nil }
            self.playlist = playlist
            self.uri = uri
            offset = part.byteRange?.offset
        }

        init?(_ hint: PreloadHint, in playlist: MediaPlaylist) {
            guard let uri = hint.attributes["URI"]?.range else { return nil }
            self.playlist = playlist
            self.uri = uri
            offset = hint.attributes["BYTERANGE-START"]?.integer
        }

        func isSame(as other: Place) -> Bool {
            ReloadLint.areEqual(playlist, uri, other.playlist, other.uri) && offset ?? 0 == other.offset ?? 0
        }

        var shown: String { playlist.shown(uri) + (offset.map { " from byte \($0)" } ?? "") }
    }

    /// The next partial segment is the one that was hinted at.
    func checkHint(_ old: Version, _ new: Version, _ report: inout ReloadReport) {
        guard let hint = old.playlist.preloadHint(.part).flatMap({ Place($0, in: old.playlist) }) else { return }
        let index = Int(old.end &- new.first)
        let position = old.playlist.trailerParts.count
        let parts = new.playlist.parts(ofSegmentAt: index)
        var next: PartialSegment?
        if parts.count > position {
            next = parts[position]
        } else if new.end > old.end, position == 0 || parts.count == position {
            // The segment ended with the parts it had; the next part begins the next segment.
            next = new.playlist.parts(ofSegmentAt: index + 1).first
        }
        guard let next = next.flatMap({ Place($0, in: new.playlist) }), !hint.isSame(as: next) else { return }
        report.add(
            1005, at: next.uri.lowerBound, "EXT-X-PRELOAD-HINT promised \(hint.shown), but \(next.shown) came")
    }
}
