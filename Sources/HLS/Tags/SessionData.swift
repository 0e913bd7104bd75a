/// An EXT-X-SESSION-DATA, RFC 8216bis §4.4.6.4.
package struct SessionData: Sendable {
    /// FORMAT of what the URI leads to.
    package enum Format: String, Hashable, Sendable {
        case json = "JSON"
        case raw = "RAW"
    }

    package let line: PlaylistLine
    package let attributes: AttributeList

    init(_ source: [UInt8], line: PlaylistLine) {
        self.line = line
        attributes = AttributeList(source, line: line)
    }

    package var dataID: String { attributes["DATA-ID"]?.text ?? "" }
    package var value: String? { attributes["VALUE"]?.text }
    /// The URI as spelled.
    package var uri: String? { attributes["URI"]?.text }
    /// JSON where it is not given.
    package var format: EnumeratedValue<Format> { attributes["FORMAT"]?.enumerated() ?? .known(.json) }
    package var language: String? { attributes["LANGUAGE"]?.text }
}
