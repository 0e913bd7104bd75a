import HLS

/// Where the file of a subtitle segment lies, and which media play at its start: by their timestamps its cues are placed.
package struct SubtitlePlace: Sendable, Equatable {
    /// A segment of the leading rendition.
    package struct Media: Sendable, Equatable {
        package var url: String
        package var offset: Int64
        package var initialization: String?
        package var initializationOffset: Int64
        package var isEncrypted: Bool
        /// From its start to that of the subtitle segment, in ticks of 90 kHz; may be negative.
        package var lead: Int64
    }

    package var url: String
    package var media: Media?
    /// From the start of a title; nil for a channel, which has none.
    package var elapsed: Duration?
}

extension BreakLedger {
    /// Nil where the segment is not known any more.
    package func place(ofSegment number: Int64, in key: RenditionKey) -> SubtitlePlace? {
        guard let rendition = renditions[key], let segment = rendition.segment(numbered: number),
            let url = segment.text.uri
        else { return nil }
        var place = SubtitlePlace(url: url)
        if settings.kind == .vod, let start = rendition.segments.first?.time {
            place.elapsed = start.duration(to: segment.time)
        }
        guard let leading = renditions[leading], !leading.segments.isEmpty else { return place }
        let index = min(leading.index(covering: segment.time), leading.segments.count - 1)
        place.media = leading.segments[index].media(at: segment.time)
        return place
    }
}

extension LedgerSegment {
    fileprivate func media(at time: DateTime) -> SubtitlePlace.Media? {
        guard let url = text.uri else { return nil }
        let map = text.state.map
        let attributes = map.firstIndex(of: 0x3A).map { AttributeList(map, in: ($0 + 1)..<map.count) }
        let isEncrypted = text.state.keys.contains { key in
            guard let colon = key.line.firstIndex(of: 0x3A) else { return false }
            let method = AttributeList(key.line, in: (colon + 1)..<key.line.count)["METHOD"]?.text
            // With the other methods only samples are encrypted, and what stands around them is in the clear.
            return method == "AES-128" || method == "AES-256-GCM"
        }
        return SubtitlePlace.Media(
            url: url, offset: text.byteRange?.offset ?? 0, initialization: attributes?["URI"]?.text,
            initializationOffset: attributes?["BYTERANGE"].flatMap { ByteRange($0.text)?.offset } ?? 0,
            isEncrypted: isEncrypted, lead: self.time.duration(to: time).ticks)
    }
}

extension SegmentText {
    /// The address of the segment.
    var uri: String? {
        let bytes = bytes
        for line in lines.reversed() where line.role == .media {
            let text = bytes[line.range].filter { $0 > 0x20 }
            if text.first != 0x23, !text.isEmpty { return String(decoding: text, as: UTF8.self) }
        }
        return nil
    }

    /// Nil where the segment is a file of its own.
    var byteRange: ByteRange? {
        var text = explicitByteRange[...]
        if text.isEmpty, let line = lines.last(where: { $0.role == .byteRange }) { text = bytes[line.range] }
        guard let colon = text.firstIndex(of: 0x3A) else { return nil }
        return ByteRange(String(decoding: text[(colon + 1)...].filter { $0 > 0x20 }, as: UTF8.self))
    }
}

extension ByteRange {
    /// `length@offset`; nil without an offset.
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: "@")
        guard parts.count == 2, let length = Int64(parts[0]), let offset = Int64(parts[1]), length >= 0, offset >= 0
        else { return nil }
        self.init(offset: offset, length: length)
    }
}
