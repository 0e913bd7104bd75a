/// An EXT-X-CUE-OUT-CONT or EXT-X-CUE-SPAN: the next segment lies inside a break.
package struct CueOutContinued: Hashable, Sendable {
    package let line: PlaylistLine
    /// The time of the break that has passed before the next segment.
    package let elapsed: Duration?
    /// The break's whole length.
    package let duration: Duration?
    /// Everything the tag says: SCTE35, CAID and the like.
    package let attributes: CueAttributes

    /// What names the break, where the tag says it.
    package var id: String? { attributes.breakID }
    /// The splice information section of an SCTE35 attribute.
    package var scte35: [UInt8]? { attributes.base64("SCTE35") }

    /// What is left of the break from the next segment on; nil where it cannot be told.
    package var remaining: Duration? {
        guard let elapsed, let duration else { return nil }
        return max(duration - elapsed, .zero)
    }

    /// Reads all spellings: `10/30`, ` 8.308/30`, `ElapsedTime=..,Duration=..,SCTE35=..` in any order, `Duration=30`, `10`
    /// (elapsed), `TIMEFROMSIGNAL=PT10S`, nothing.
    init(_ bytes: Span<UInt8>, line: PlaylistLine) {
        self.line = line
        let attributes = CueAttributes(bytes, in: line.valueRange(in: bytes))
        self.attributes = attributes
        var elapsed = attributes.duration("ElapsedTime") ?? attributes.duration("Elapsed")
        elapsed = elapsed ?? attributes.duration("TIMEFROMSIGNAL")
        var duration = attributes.duration("Duration")
        if let first = attributes.pairs.first, first.name.isEmpty {
            let (before, after) = Self.split(first.value)
            elapsed = elapsed ?? before
            duration = duration ?? after
        }
        self.elapsed = elapsed
        self.duration = duration
    }

    /// `elapsed/duration`; either may be missing.
    static func split(_ text: String) -> (Duration?, Duration?) {
        let bytes = Array(text.utf8)
        let slash = bytes.firstIndex(of: 0x2F) ?? bytes.count
        let span = bytes.span
        return (
            CueAttributes.duration(span, in: 0..<slash),
            slash < bytes.count ? CueAttributes.duration(span, in: slash + 1..<bytes.count) : nil
        )
    }
}
