/// An EXT-X-START: where playback should begin. RFC 8216bis §4.4.2.2.
package struct PlaylistStart: Hashable, Sendable, Codable {
    /// From the start of the playlist; negative: from its end.
    package let timeOffset: Duration
    package let isPrecise: Bool

    package init(timeOffset: Duration, isPrecise: Bool) {
        self.timeOffset = timeOffset
        self.isPrecise = isPrecise
    }

    /// Nil without a readable TIME-OFFSET.
    init?(_ bytes: Span<UInt8>, in value: Range<Int>) {
        var offset: Duration?
        var isPrecise = false
        var scanner = AttributeScanner(value)
        while let attribute = scanner.next(in: bytes) {
            if bytes.equals("TIME-OFFSET", in: attribute.name) {
                offset = DecimalText.duration(bytes, in: attribute.value)
            } else if bytes.equals("PRECISE", in: attribute.name) {
                isPrecise = bytes.equals("YES", in: attribute.value)
            }
        }
        guard let offset else { return nil }
        self.init(timeOffset: offset, isPrecise: isPrecise)
    }
}
