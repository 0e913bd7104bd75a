/// An EXT-OATCLS-SCTE35 or EXT-X-SPLICEPOINT-SCTE35: a splice information section in base64 and nothing else. Whether it
/// begins a break, ends one or only tells of it is in the section.
package struct SpliceMessage: Hashable, Sendable {
    package let line: PlaylistLine
    /// The tag's value as spelled, without blanks around it.
    package let text: String
    /// The splice information section; nil where the text is no base64.
    package let section: [UInt8]?

    init(_ bytes: Span<UInt8>, line: PlaylistLine) {
        self.line = line
        let value = line.valueRange(in: bytes)
        text = bytes.string(value)
        section = Base64Text.decoded(bytes, in: value)
    }
}
