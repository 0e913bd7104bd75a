/// An ad marker of which the text and the key/value pairs are given as they stand.
package struct VendorMarker: Hashable, Sendable {
    package let line: PlaylistLine
    /// The tag's value as spelled, without blanks around it.
    package let text: String
    /// The value as pairs; for raw base64 one pair without name.
    package let attributes: CueAttributes

    init(_ bytes: Span<UInt8>, line: PlaylistLine) {
        self.line = line
        let value = line.valueRange(in: bytes)
        text = bytes.string(value)
        attributes = CueAttributes(bytes, in: value)
    }
}
