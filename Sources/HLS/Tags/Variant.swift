/// An EXT-X-STREAM-INF with its URI line, or an EXT-X-I-FRAME-STREAM-INF with its URI attribute. RFC 8216bis §4.4.6.2-3.
package struct Variant: Sendable {
    package let line: PlaylistLine
    /// The line after EXT-X-STREAM-INF; nil for I-frame variants.
    package let uriLine: PlaylistLine?
    package let attributes: AttributeList

    init(_ source: [UInt8], line: PlaylistLine, uriLine: PlaylistLine?) {
        self.line = line
        self.uriLine = uriLine
        attributes = AttributeList(source, line: line)
    }

    /// The URI as spelled.
    package var uri: String {
        if let uriLine { return attributes.source.text(in: uriLine.range) }
        return attributes["URI"]?.text ?? ""
    }

    /// Peak bits per second.
    package var bandwidth: Int64? { attributes["BANDWIDTH"]?.integer }
    package var averageBandwidth: Int64? { attributes["AVERAGE-BANDWIDTH"]?.integer }
    package var resolution: Resolution? { attributes["RESOLUTION"]?.resolution }
    /// Frames per second.
    package var frameRate: Duration? { attributes["FRAME-RATE"]?.duration }
    package var codecs: String? { attributes["CODECS"]?.text }
    package var supplementalCodecs: String? { attributes["SUPPLEMENTAL-CODECS"]?.text }
    package var videoRange: String? { attributes["VIDEO-RANGE"]?.text }
    package var hdcpLevel: String? { attributes["HDCP-LEVEL"]?.text }
    package var name: String? { attributes["NAME"]?.text }
    package var stableVariantID: String? { attributes["STABLE-VARIANT-ID"]?.text }
    package var pathwayID: String? { attributes["PATHWAY-ID"]?.text }
    package var score: Duration? { attributes["SCORE"]?.duration }
    package var audioGroup: String? { attributes["AUDIO"]?.text }
    package var videoGroup: String? { attributes["VIDEO"]?.text }
    package var subtitlesGroup: String? { attributes["SUBTITLES"]?.text }
    /// The group of closed captions; nil also for NONE.
    package var closedCaptionsGroup: String? {
        guard let value = attributes["CLOSED-CAPTIONS"], value.isQuoted || value.text != "NONE" else { return nil }
        return value.text
    }

    /// The single formats of CODECS, blanks trimmed.
    package var codecList: [String] {
        guard let value = attributes["CODECS"] else { return [] }
        let bytes = attributes.source.span
        var result: [String] = []
        var start = value.range.lowerBound
        while start <= value.range.upperBound {
            let comma = bytes.firstIndex(of: 0x2C, in: start..<value.range.upperBound) ?? value.range.upperBound
            let codec = bytes.trimmed(start..<comma)
            if !codec.isEmpty { result.append(bytes.string(codec)) }
            start = comma + 1
        }
        return result
    }
}
