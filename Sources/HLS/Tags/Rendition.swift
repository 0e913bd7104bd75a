/// An EXT-X-MEDIA, RFC 8216bis §4.4.6.1.
package struct Rendition: Sendable {
    package enum MediaType: String, Hashable, Sendable, CaseIterable {
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

    /// TYPE; nil where it is missing.
    package var type: EnumeratedValue<MediaType>? { attributes["TYPE"]?.enumerated() }
    package var groupID: String { attributes["GROUP-ID"]?.text ?? "" }
    package var name: String { attributes["NAME"]?.text ?? "" }
    /// The URI as spelled; nil where the media is in the variant itself.
    package var uri: String? { attributes["URI"]?.text }
    /// The language's tag by RFC 5646.
    package var language: String? { attributes["LANGUAGE"]?.text }
    /// A language that is associated with it: another script, or that of the spoken words.
    package var associatedLanguage: String? { attributes["ASSOC-LANGUAGE"]?.text }
    package var isDefault: Bool { attributes["DEFAULT"]?.isYes ?? false }
    package var isAutoselect: Bool { attributes["AUTOSELECT"]?.isYes ?? false }
    /// Whether the subtitles are essential to play.
    package var isForced: Bool { attributes["FORCED"]?.isYes ?? false }
    /// The rendition's name that stays while the URI changes.
    package var stableRenditionID: String? { attributes["STABLE-RENDITION-ID"]?.text }
    /// What the media is for: "public.accessibility.describes-video" and the like.
    package var characteristics: [String] { attributes["CHARACTERISTICS"]?.list() ?? [] }
    /// Bits of each audio sample.
    package var bitDepth: Int64? { attributes["BIT-DEPTH"]?.integer }
    /// Audio samples per second.
    package var sampleRate: Int64? { attributes["SAMPLE-RATE"]?.integer }
    package var channels: AudioChannels? { attributes["CHANNELS"].map(AudioChannels.init) }
    /// The number of audio channels, the first parameter of CHANNELS.
    package var channelCount: Int? { channels?.count }
    /// Which of the media within the variant's segments it is.
    package var instreamID: InstreamID? { attributes["INSTREAM-ID"].map { InstreamID($0.text) } }
}

/// CHANNELS of an audio rendition: parameters that are parted by slashes.
package struct AudioChannels: Hashable, Sendable {
    /// One of the special uses that the third parameter names.
    package enum Usage: Hashable, Sendable {
        /// Made for headphones.
        case binaural
        /// Not to be played with the listener's head followed.
        case immersive
        /// Mixed down on playback.
        case downmix
        /// BED-n: channels that belong to a fixed place.
        case bed(Int)
        /// DOF-n: degrees of freedom of the listener.
        case degreesOfFreedom(Int)
        case unknown(String)
    }

    /// The value as spelled: "2", "16/JOC", "12/-/BINAURAL".
    package let text: String
    /// How many channels, or simultaneous objects, there are at most; nil where it is no number.
    package let count: Int?
    /// The codings of spatial audio: "JOC", "ATMOS"; none for "-".
    package let spatialCodings: [String]
    package let usages: [Usage]

    init(_ value: AttributeValue) {
        text = value.text
        // Not all items: an empty parameter counts as one.
        let parameters = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let bytes = value.source.span
        let slash = bytes.firstIndex(of: 0x2F, in: value.range) ?? value.range.upperBound
        count = DecimalText.integer(bytes, in: value.range.lowerBound..<slash).map { Int(clamping: $0) }
        spatialCodings = parameters.count > 1 ? Self.items(parameters[1]).map(String.init) : []
        usages = parameters.count > 2 ? Self.items(parameters[2]).map(Self.usage) : []
    }

    private static func items(_ parameter: Substring) -> [Substring] {
        parameter == "-" ? [] : parameter.split(separator: ",").map { $0.drop { $0 == " " } }
    }

    private static func usage(_ text: Substring) -> Usage {
        switch text {
        case "BINAURAL": return .binaural
        case "IMMERSIVE": return .immersive
        case "DOWNMIX": return .downmix
        default:
            if text.hasPrefix("BED-"), let number = Int(text.dropFirst(4)), number >= 0 { return .bed(number) }
            if text.hasPrefix("DOF-"), let number = Int(text.dropFirst(4)), number >= 0 {
                return .degreesOfFreedom(number)
            }
            return .unknown(String(text))
        }
    }
}

/// INSTREAM-ID: closed captions, or since protocol version 13 a medium of another type, within the segments of a variant.
package enum InstreamID: Hashable, Sendable {
    /// CC1 to CC4: a channel of line 21 captions.
    case line21(Int)
    /// SERVICE1 to SERVICE63: a caption service of digital television.
    case service(Int)
    /// Another text, as spelled.
    case other(String)

    package init(_ text: String) {
        if text.utf8.count == 3, text.hasPrefix("CC"), let number = Self.number(text.dropFirst(2)), number <= 4 {
            self = .line21(number)
        } else if text.hasPrefix("SERVICE"), let number = Self.number(text.dropFirst(7)), number <= 63 {
            self = .service(number)
        } else {
            self = .other(text)
        }
    }

    /// A number from 1 as it is written: no sign, no leading zero.
    private static func number(_ text: Substring) -> Int? {
        guard let first = text.utf8.first, first != 0x30, first.isDigit else { return nil }
        return Int(text)
    }

    package var text: String {
        switch self {
        case .line21(let number): "CC\(number)"
        case .service(let number): "SERVICE\(number)"
        case .other(let text): text
        }
    }
}
