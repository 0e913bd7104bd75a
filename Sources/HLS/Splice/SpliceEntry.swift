/// One segment that is listed in place of a playlist's own: of an ad, of a slate. Shared by all copies.
package final class SpliceEntry: Sendable, Codable {
    package let duration: Duration
    /// A discontinuity stands before it: the first segment of an ad, or a break in the ad's own timestamps.
    package let isJoint: Bool
    /// As it is to be listed.
    package let uri: String
    /// EXTINF as its playlist spells it, EXT-X-BYTERANGE with its offset, EXT-X-GAP.
    package let tags: [UInt8]
    /// EXT-X-KEY lines in force, IVs written out; empty where the entry is clear.
    package let keys: [UInt8]
    /// The EXT-X-MAP line in force; empty where there is none.
    package let map: [UInt8]
    /// Its date; nil: the time that it replaces.
    package let date: DateTime?
    /// Its EXT-X-BITRATE, kbit/s.
    package let bitrate: Int64?
    /// EXT-X-VERSION that the entry's lines need (rule 201).
    package let neededVersion: Int

    /// - Parameters:
    ///   - tags: whole lines.
    ///   - keys: whole lines.
    ///   - map: whole lines.
    package init(
        duration: Duration, isJoint: Bool, uri: String, tags: [UInt8], keys: [UInt8] = [], map: [UInt8] = [],
        date: DateTime? = nil, bitrate: Int64? = nil, neededVersion: Int = 3
    ) {
        self.duration = duration
        self.isJoint = isJoint
        self.uri = uri
        self.tags = tags
        self.keys = keys
        self.map = map
        self.date = date
        self.bitrate = bitrate
        self.neededVersion = neededVersion
    }

    /// - Parameters:
    ///   - durationText: EXTINF's number as it is to be spelled; nil where it is none.
    ///   - keys: EXT-X-KEY lines without line ends; their IVs have to be written out.
    ///   - map: an EXT-X-MAP line without line end.
    package convenience init?(
        uri: String, durationText: String, title: String = "", isJoint: Bool = false, byteRange: ByteRange? = nil,
        isGap: Bool = false, keys: [String] = [], map: String? = nil, date: DateTime? = nil, bitrate: Int64? = nil
    ) {
        guard let duration = DecimalText.duration(durationText), duration >= .zero else { return nil }
        self.init(
            duration: duration, isJoint: isJoint, uri: uri,
            tags: Self.tags(Array(durationText.utf8), Array(title.utf8), byteRange, isGap: isGap),
            keys: Array(keys.map { $0 + "\n" }.joined().utf8), map: Array((map.map { $0 + "\n" } ?? "").utf8),
            date: date, bitrate: bitrate,
            neededVersion: Self.version(byteRange, hasKeys: !keys.isEmpty, hasMap: map != nil))
    }

    fileprivate static func tags(
        _ durationText: [UInt8], _ title: [UInt8], _ byteRange: ByteRange?, isGap: Bool
    ) -> [UInt8] {
        var tags = PlaylistText()
        tags.append("#EXTINF:")
        tags.append(durationText)
        tags.append(",")
        tags.append(title)
        tags.endLine()
        if let byteRange { tags.append(SegmentTextReader.line(byteRange)) }
        if isGap { tags.append("#EXT-X-GAP\n") }
        return tags.bytes
    }

    fileprivate static func version(_ byteRange: ByteRange?, hasKeys: Bool, hasMap: Bool) -> Int {
        if hasMap { return 6 }
        if hasKeys { return 5 }
        return byteRange == nil ? 3 : 4
    }
}

extension MediaPlaylist {
    /// The playlist's segments as entries of others: header tags, dates and cues are not taken over; the first is a joint.
    ///
    /// - Parameter base: makes URIs absolute; nil: they stay as they are.
    package func spliceEntries(base: BaseURI?) -> [SpliceEntry] {
        let copier = LineCopier(source, base: base)
        return segments.map { spliceEntry($0, copier) }
    }

    private func spliceEntry(_ segment: MediaSegment, _ copier: LineCopier) -> SpliceEntry {
        var uri = PlaylistText()
        if let base = copier.base {
            base.appendResolved(source, in: segment.uri, to: &uri)
        } else {
            uri.append(source, in: segment.uri)
        }
        let inForce = keyGroups.indices.contains(segment.keyGroup) ? keyGroups[segment.keyGroup].keys : []
        let keys = lines(of: inForce, segment, copier)
        let map = mapLines(segment, keys: inForce, copier)
        return SpliceEntry(
            duration: min(segment.duration, .seconds(86_400)),
            isJoint: segment.index == 0 || segment.discontinuityCount > 0, uri: uri.string,
            tags: SpliceEntry.tags(
                Array(source[segment.durationText]), Array(source[segment.title]), segment.byteRange,
                isGap: segment.isGap),
            keys: keys, map: map, bitrate: segment.bitrate,
            neededVersion: SpliceEntry.version(segment.byteRange, hasKeys: !keys.isEmpty, hasMap: !map.isEmpty))
    }

    /// The lines of keys, IVs written out with the segment's own number (rule 605).
    private func lines(of keys: [EncryptionKey], _ segment: MediaSegment, _ copier: LineCopier) -> [UInt8] {
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
    private func mapLines(_ segment: MediaSegment, keys: [EncryptionKey], _ copier: LineCopier) -> [UInt8] {
        guard let index = segment.map, maps.indices.contains(index) else { return [] }
        let map = maps[index]
        let line = copier.text(of: map.line) + [0x0A]
        guard map.isEncryptedOtherwise(than: keys, in: source) else { return line }
        let none = Array("#EXT-X-KEY:METHOD=NONE\n".utf8)
        let own = lines(of: map.keys, segment, copier)
        let theirs = lines(of: keys, segment, copier)
        return (own.isEmpty ? none : own) + line + (theirs.isEmpty ? none : theirs)
    }
}
