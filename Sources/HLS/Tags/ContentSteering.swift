/// An EXT-X-CONTENT-STEERING, RFC 8216bis §4.4.6.6.
package struct ContentSteering: Sendable {
    package let line: PlaylistLine
    package let attributes: AttributeList

    init(_ source: [UInt8], line: PlaylistLine) {
        self.line = line
        attributes = AttributeList(source, line: line)
    }

    /// The URI of the steering manifest as spelled.
    package var serverURI: String { attributes["SERVER-URI"]?.text ?? "" }
    /// The pathway to begin with; "." where it is not given.
    package var pathwayID: String { attributes["PATHWAY-ID"]?.text ?? "." }
}
