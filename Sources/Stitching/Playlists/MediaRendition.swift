package import HLS

/// The stable, URL-safe name of one rendition of a source: `v0`, `a-audio-en`.
///
/// A key is made from what the multivariant playlist says of the rendition (its kind, group, name or position) when it is first seen, and
/// stays with it: ``RenditionNames``.
package struct RenditionKey: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) { self.text = text }

    package var description: String { text }

    package static func < (left: RenditionKey, right: RenditionKey) -> Bool { left.text < right.text }

    package var isSubtitles: Bool { text.hasPrefix("s-") }
    /// A variant stream.
    var isVariant: Bool { text.hasPrefix("v") }

    /// Subtitles and I-frame playlists of a title may have a target duration of their own (rule 308).
    package var mayDifferInTargetDuration: Bool {
        isSubtitles || text.hasPrefix("i") && text.dropFirst().first?.isNumber ?? false
    }
}

/// What a multivariant playlist says of one media playlist, of the content or of an ad.
package struct MediaRendition: Sendable, Equatable, Codable {
    package enum Kind: Sendable, Equatable, Codable {
        /// A variant stream: video, or audio alone, with or without muxed audio.
        case variant
        /// An EXT-X-MEDIA rendition with its own playlist.
        case audio, video, subtitles
        case iFrames
    }

    package var key: RenditionKey
    package var kind: Kind
    /// Absolute address of the media playlist upstream.
    package var upstreamURL: String
    /// BANDWIDTH, bits per second; 0 where nothing says it.
    package var bandwidth: Int
    package var resolution: Resolution?
    /// The members of CODECS, as spelled; empty where nothing says them.
    package var codecs: [String]
    package var groupID: String?
    package var name: String?
    package var language: String?
    package var isDefault: Bool
    /// The audio group of a variant.
    package var audioGroup: String?
    /// The variant's audio comes from playlists of its own, so its own segments must hold none.
    package var hasSeparateAudio: Bool
    /// FRAME-RATE, as the time that so many frames of a second's length would last.
    package var frameRate: Duration?
    /// VIDEO-RANGE, as spelled.
    package var videoRange: String?
    /// STABLE-VARIANT-ID or STABLE-RENDITION-ID.
    package var stableID: String?

    package init(
        key: RenditionKey, kind: Kind, upstreamURL: String, bandwidth: Int = 0, resolution: Resolution? = nil,
        codecs: [String] = [], groupID: String? = nil, name: String? = nil, language: String? = nil,
        isDefault: Bool = false, audioGroup: String? = nil, hasSeparateAudio: Bool = false
    ) {
        self.key = key
        self.kind = kind
        self.upstreamURL = upstreamURL
        self.bandwidth = bandwidth
        self.resolution = resolution
        self.codecs = codecs
        self.groupID = groupID
        self.name = name
        self.language = language
        self.isDefault = isDefault
        self.audioGroup = audioGroup
        self.hasSeparateAudio = hasSeparateAudio
    }

    /// A variant whose CODECS name audio formats only.
    package var isAudioOnlyVariant: Bool {
        kind == .variant && resolution == nil && !codecs.isEmpty && codecs.allSatisfy(Codec.isAudio)
    }
}

/// What the first characters of a CODECS member tell. RFC 6381.
package enum Codec {
    package static func isAudio(_ name: String) -> Bool {
        audioFamilies.contains(family(of: name))
    }

    package static func isVideo(_ name: String) -> Bool {
        videoFamilies.contains(family(of: name))
    }

    /// The part before the first dot, with spellings of one format brought together.
    package static func family(of name: String) -> String {
        let head = name.prefix { $0 != "." }.lowercased()
        switch head {
        case "avc3": return "avc1"
        case "hev1", "dvh1", "dvhe": return "hvc1"
        default: return head
        }
    }

    private static let audioFamilies: Set<String> = [
        "mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac", "mp3", "dtsc",
    ]
    private static let videoFamilies: Set<String> = ["avc1", "hvc1", "av01", "vp09", "vp8", "mp4v"]
}
