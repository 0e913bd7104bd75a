/// The value of `_HLS_skip`, by which a player asks for a delta update. RFC 8216bis §6.2.5.1.
package enum SkipDirective: String, Hashable, Sendable {
    /// Segments are left out.
    case segments = "YES"
    /// Date ranges are left out too.
    case dateRanges = "v2"
}

extension MediaPlaylist {
    /// The delta update of this full playlist for `_HLS_skip=YES`: segments further from the end than the skip boundary are
    /// left out with all their tags but date ranges. Offsets of byte ranges that would continue what is left out are written
    /// out (rule 704), and the version is raised to what EXT-X-SKIP needs (rule 201).
    ///
    /// Nil where the full playlist has to be served: nothing is far enough from the end, the playlist has ended, offers no
    /// delta updates, or is one itself (rules 1007, 1008).
    package func deltaUpdate() -> [UInt8]? {
        DeltaWriter(self, recentlyRemoved: nil)?.bytes { _ in false }
    }

    /// The delta update for `_HLS_skip=v2`, which leaves out date ranges too. As ``deltaUpdate()`` where the playlist does
    /// not offer this (CAN-SKIP-DATERANGES).
    ///
    /// - Parameters:
    ///   - recentlyRemoved: IDs of the date ranges that left the playlist within the skip boundary before the request.
    ///   - isOld: Whether a date range was added longer ago than the skip boundary, counted from the request.
    package func deltaUpdate(recentlyRemoved: [String], isOld: (DateRange) -> Bool) -> [UInt8]? {
        guard serverControl?.canSkipDateRanges == true else { return deltaUpdate() }
        return DeltaWriter(self, recentlyRemoved: recentlyRemoved)?.bytes(isOld: isOld)
    }
}

/// Writes a delta update of a full playlist.
struct DeltaWriter {
    private let playlist: MediaPlaylist
    /// Segments left out.
    private let count: Int
    private let recentlyRemoved: [String]?

    /// Nil where there is none.
    init?(_ playlist: MediaPlaylist, recentlyRemoved: [String]?) {
        guard !playlist.hasEndList, let boundary = playlist.serverControl?.canSkipUntil, playlist.skip == nil else {
            return nil
        }
        var distance = Duration.zero
        var count = playlist.segments.count
        while count > 0, distance <= boundary {
            count -= 1
            distance += playlist.segments[count].duration
        }
        // The last segment looked at begins beyond the boundary, but does not end there.
        guard count > 0, distance > boundary else { return nil }
        self.count = count
        self.playlist = playlist
        self.recentlyRemoved = recentlyRemoved
    }

    func bytes(isOld: (DateRange) -> Bool) -> [UInt8] {
        let source = playlist.source
        var output = PlaylistText(reservingBytes: source.count / 2)
        for line in playlist.headerLines { output.append(source, in: line.fullRange) }
        let lineEnd = playlist.lineEnd
        var kept = PlaylistText()
        for index in 0..<count {
            let contents = playlist.segments[index].contents
            guard !contents.isDisjoint(with: [.dateRange, .misplaced]) else { continue }
            for line in playlist.lines(ofSegmentAt: index) {
                if line.kind.isMediaPlaylistTag { output.append(source, in: line.fullRange) }
                if isKept(line, isOld) { kept.append(source, in: line.fullRange) }
            }
        }
        output.append("#EXT-X-SKIP:SKIPPED-SEGMENTS=\(count)")
        if let recentlyRemoved { output.append(",RECENTLY-REMOVED-DATERANGES=\"\(Self.list(recentlyRemoved))\"") }
        output.append(lineEnd)
        output.append(kept.bytes)
        for index in count..<playlist.segments.count {
            appendListed(playlist.segments[index], lineEnd, isOld, to: &output)
        }
        append(playlist.trailerLines, isOld, to: &output)
        let lines = PlaylistLines(all: output.bytes)
        return VersionedText.text(output.bytes, lines, needed: recentlyRemoved == nil ? 9 : 10)
    }

    private func appendListed(
        _ segment: MediaSegment, _ lineEnd: String, _ isOld: (DateRange) -> Bool, to output: inout PlaylistText
    ) {
        guard !segment.contents.isDisjoint(with: [.dateRange, .byteRange]) else {
            output.append(playlist.source, in: segment.range)
            return
        }
        for line in playlist.lines(ofSegmentAt: segment.index) {
            if line.kind == .byteRange,
                let text = ExplicitByteRange.text(of: segment, line, in: playlist, first: count)
            {
                output.append(text)
                output.append(lineEnd)
            } else if line.kind != .dateRange || isKept(line, isOld) {
                output.append(playlist.source, in: line.fullRange)
            }
        }
    }

    private func append(_ lines: PlaylistLines, _ isOld: (DateRange) -> Bool, to output: inout PlaylistText) {
        for line in lines where line.kind != .dateRange || isKept(line, isOld) {
            output.append(playlist.source, in: line.fullRange)
        }
    }

    private func isKept(_ line: PlaylistLine, _ isOld: (DateRange) -> Bool) -> Bool {
        line.kind == .dateRange && (recentlyRemoved == nil || !isOld(DateRange(playlist.source, line: line)))
    }

    /// IDs with tabs between them; one that cannot stand in a quoted string cannot have been the ID of a date range.
    private static func list(_ ids: [String]) -> String {
        ids.filter { id in !id.utf8.contains { $0 == 0x22 || $0 < 0x20 } }.joined(separator: "\t")
    }
}
