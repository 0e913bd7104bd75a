/// Replaces segments of a media playlist by others, or inserts or removes some, and writes the playlist anew.
///
/// At each joint it writes what a player needs there (``SegmentWriter``); IVs that followed from numbers that change are written out
/// (rule 605), offsets of byte ranges behind a joint too (rules 703, 704); EXT-X-BITRATE holds for the entries or goes wholly (rule
/// 1301); the version rises where the result needs it. What stands before replaced segments goes with them, but for date ranges
/// that mark no ad (rule 819) and tags of the whole playlist. All else stays byte for byte.
///
/// A MAP cannot be taken back (rule 705): content without needs entries without. Playlist delta updates are to be merged before.
package struct PlaylistSplice: Sendable {
    private struct Replacement {
        var range: Range<Int>
        var entries: [SpliceEntry]
    }

    private let playlist: MediaPlaylist
    /// In the order of the playlist, none overlapping another.
    private var replacements: [Replacement] = []

    /// EXT-X-MEDIA-SEQUENCE of the result; nil: as it is.
    package var mediaSequence: Int64?
    /// EXT-X-DISCONTINUITY-SEQUENCE of the result; nil: as it is.
    package var discontinuitySequence: Int64?
    /// EXT-X-TARGETDURATION of the result; nil: as it is, but no less than the entries need (rule 303).
    package var targetDuration: Int64?
    /// A discontinuity stands before an entry that is the playlist's first segment: something came before it once.
    package var beginsWithDiscontinuity = false
    /// Markers of the break stay at the segment that follows upon it.
    package var keepsMarkers = false

    package init(_ playlist: MediaPlaylist) {
        self.playlist = playlist
    }

    /// Puts `entries` in place of the segments of `range`: an empty range inserts before its bound, no entries remove.
    ///
    /// - Returns: false where the range is none of the playlist's, or overlaps one that was replaced before; nothing is done then.
    @discardableResult
    package mutating func replace(_ range: Range<Int>, with entries: [SpliceEntry]) -> Bool {
        guard range.lowerBound >= 0, range.upperBound <= playlist.segments.count else { return false }
        guard !range.isEmpty || !entries.isEmpty else { return true }
        // The place behind all that begins before it, and behind what was inserted there.
        var place = replacements.count
        while place > 0, replacements[place - 1].range.lowerBound > range.lowerBound { place -= 1 }
        if place > 0, replacements[place - 1].range.upperBound > range.lowerBound { return false }
        if place < replacements.count, replacements[place].range.lowerBound < range.upperBound { return false }
        replacements.insert(Replacement(range: range, entries: entries), at: place)
        return true
    }

    /// The new playlist.
    package func bytes() -> [UInt8] {
        guard !replacements.isEmpty || mediaSequence != nil || discontinuitySequence != nil || targetDuration != nil
        else { return playlist.source }
        var body = SpliceBody(playlist, mediaSequence: mediaSequence, keepsMarkers: keepsMarkers)
        let hasUnrated = playlist.storage.states.contains { $0.bitrate < 0 }
        body.dropsBitrates = hasUnrated || replacements.contains { $0.entries.contains { $0.bitrate == nil } }
        body.beginsWithDiscontinuity = beginsWithDiscontinuity
        var index = 0
        for replacement in replacements {
            body.appendContent(index..<replacement.range.lowerBound)
            body.append(replacement.entries, replacing: replacement.range)
            index = replacement.range.upperBound
        }
        body.appendContent(index..<playlist.segments.count)
        body.appendTrailer()
        let longest = replacements.reduce(0) { longest, replacement in
            replacement.entries.reduce(longest) { max($0, Int64($1.duration.roundedSeconds)) }
        }
        let header = SpliceHeader(
            playlist, version: body.neededVersion,
            targetDuration: targetDuration ?? max(longest, Int64(playlist.targetDuration ?? 0)),
            mediaSequence: mediaSequence, discontinuitySequence: discontinuitySequence)
        return header.bytes(before: body)
    }
}

/// The header of a spliced playlist: the lines as they are, but for those whose value is another.
struct SpliceHeader {
    private let playlist: MediaPlaylist
    private let version: Int64?
    private let targetDuration: Int64?
    private let mediaSequence: Int64?
    private let discontinuitySequence: Int64?

    init(
        _ playlist: MediaPlaylist, version: Int, targetDuration: Int64, mediaSequence: Int64?,
        discontinuitySequence: Int64?
    ) {
        self.playlist = playlist
        self.version = version > playlist.version ? Int64(version) : nil
        self.targetDuration = targetDuration != playlist.targetDuration.map(Int64.init) ? targetDuration : nil
        self.mediaSequence =
            mediaSequence == playlist.mediaSequence && playlist.hasMediaSequence ? nil : mediaSequence
        self.discontinuitySequence =
            discontinuitySequence == playlist.discontinuitySequence ? nil : discontinuitySequence
    }

    /// The playlist of this header and `body`.
    func bytes(before body: SpliceBody) -> [UInt8] {
        let source = playlist.source
        // Where the first segment stays as it is, its lines may stand between those of the header.
        let end = body.isFirstKept ? playlist.segments.first?.range.upperBound : nil
        var output = PlaylistText(reservingBytes: (end ?? 0) + body.output.count + 256)
        // A byte order mark is not written (rule 102).
        var position = source.span.textStart
        var missing = values
        for line in playlist.headerLines {
            if end == nil { position = line.fullRange.lowerBound }
            guard let place = missing.firstIndex(where: { $0.kind == line.kind }) else {
                if end == nil { output.append(source, in: line.fullRange) }
                continue
            }
            if end != nil { output.append(source, in: position..<line.fullRange.lowerBound) }
            append(missing.remove(at: place), to: &output)
            position = line.fullRange.upperBound
        }
        if let end { output.append(source, in: position..<end) }
        insert(missing, into: &output)
        if output.count > 0, body.output.count > 0, !output.endsLine { output.endLine() }
        output.append(body.output.bytes)
        return output.bytes
    }

    private typealias Value = (kind: TagKind, tag: StaticString, number: Int64)

    private var values: [Value] {
        var values: [Value] = []
        if let version { values.append((.version, "#EXT-X-VERSION:", version)) }
        if let targetDuration { values.append((.targetDuration, "#EXT-X-TARGETDURATION:", targetDuration)) }
        if let mediaSequence { values.append((.mediaSequence, "#EXT-X-MEDIA-SEQUENCE:", mediaSequence)) }
        if let discontinuitySequence {
            values.append((.discontinuitySequence, "#EXT-X-DISCONTINUITY-SEQUENCE:", discontinuitySequence))
        }
        return values
    }

    private func append(_ value: Value, to output: inout PlaylistText) {
        output.append(value.tag)
        output.append(value.number)
        output.endLine()
    }

    /// Puts tags that the header has not behind its first line.
    private func insert(_ missing: [Value], into output: inout PlaylistText) {
        guard !missing.isEmpty else { return }
        let written = output.bytes
        let isSigned = written.span.matches("#EXTM3U", at: 0)
        let end = isSigned ? min(written.span.lineFeed(from: 0, to: written.count) + 1, written.count) : 0
        var result = PlaylistText(reservingBytes: written.count + 128)
        if isSigned { result.append(written, in: 0..<end) } else { result.append("#EXTM3U") }
        if !result.endsLine { result.endLine() }
        for value in missing { append(value, to: &result) }
        result.append(written, in: end..<written.count)
        output = result
    }
}
