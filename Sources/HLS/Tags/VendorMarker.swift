/// An ad marker without known meaning of its parts: the text and the key/value pairs as they stand.
package struct VendorMarker: Hashable, Sendable {
    package let line: PlaylistLine
    /// The tag's value as spelled, without blanks around it.
    package let text: String
    /// The value as pairs.
    package let attributes: CueAttributes

    init(_ bytes: Span<UInt8>, line: PlaylistLine) {
        self.line = line
        let value = line.valueRange(in: bytes)
        text = bytes.string(value)
        attributes = CueAttributes(bytes, in: value)
    }
}
