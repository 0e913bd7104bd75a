/// An EXT-X-MEDIA, RFC 8216bis §4.4.6.1.
package struct Rendition: Sendable {
    package enum MediaType: String, Hashable, Sendable {
        case audio = "AUDIO"
        case video = "VIDEO"
        case subtitles = "SUBTITLES"
        case closedCaptions = "CLOSED-CAPTIONS"
    }

    package let line: PlaylistLine
    package let attributes: AttributeList

    init(_ source: [UInt8], line: PlaylistLine) {
        self.line = line
        attributes = AttributeList(source, line: line)
    }

    /// Nil for a type that is not in the standard.
    package var type: MediaType? { attributes["TYPE"].flatMap { MediaType(rawValue: $0.text) } }
    package var groupID: String { attributes["GROUP-ID"]?.text ?? "" }
    package var name: String { attributes["NAME"]?.text ?? "" }
    /// The URI as spelled; nil where the media is in the variant itself.
    package var uri: String? { attributes["URI"]?.text }
    package var language: String? { attributes["LANGUAGE"]?.text }
    package var associatedLanguage: String? { attributes["ASSOC-LANGUAGE"]?.text }
    package var isDefault: Bool { attributes["DEFAULT"]?.isYes ?? false }
    package var isAutoselect: Bool { attributes["AUTOSELECT"]?.isYes ?? false }
    package var isForced: Bool { attributes["FORCED"]?.isYes ?? false }
    package var characteristics: String? { attributes["CHARACTERISTICS"]?.text }
    /// CHANNELS as spelled: "2", "6", "16/JOC".
    package var channels: String? { attributes["CHANNELS"]?.text }
    /// The number of audio channels, the first parameter of CHANNELS.
    package var channelCount: Int? {
        guard let value = attributes["CHANNELS"] else { return nil }
        let bytes = attributes.source.span
        let end = bytes.firstIndex(of: 0x2F, in: value.range) ?? value.range.upperBound
        return DecimalText.integer(bytes, in: value.range.lowerBound..<end).map { Int(clamping: $0) }
    }
    package var instreamID: String? { attributes["INSTREAM-ID"]?.text }
    package var stableRenditionID: String? { attributes["STABLE-RENDITION-ID"]?.text }
}
