/// A media playlist that a multivariant playlist leads to.
package struct MediaPlaylistReference: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case video, audio, subtitles, iFrames
    }

    /// As spelled.
    package let uri: String
    package let kind: Kind
    /// Number of the first line that names it, the first being 1.
    package let line: Int

    package init(uri: String, kind: Kind, line: Int) {
        self.uri = uri
        self.kind = kind
        self.line = line
    }
}

extension MultivariantPlaylist {
    /// The media playlists of its variants, renditions and I-frame variants, each URI once, in the order of their lines.
    /// Image playlists, which are private, are not among them.
    package var mediaPlaylistReferences: [MediaPlaylistReference] {
        var kinds: [Int: (uri: String, kind: MediaPlaylistReference.Kind)] = [:]
        for variant in variants {
            let isAudio = variant.attributes["RESOLUTION"] == nil && variant.hasOnlyAudioCodecs
            kinds[variant.uriLine?.fullRange.lowerBound ?? 0] = (variant.uri, isAudio ? .audio : .video)
        }
        for variant in iFrameVariants { kinds[variant.line.fullRange.lowerBound] = (variant.uri, .iFrames) }
        for rendition in renditions {
            guard let uri = rendition.uri, let kind = rendition.type?.known?.referenceKind else { continue }
            kinds[rendition.line.fullRange.lowerBound] = (uri, kind)
        }
        var result: [MediaPlaylistReference] = []
        var seen: Set<String> = []
        var number = 0
        for line in lines {
            number += 1
            guard let found = kinds[line.fullRange.lowerBound], !found.uri.isEmpty, seen.insert(found.uri).inserted
            else { continue }
            result.append(MediaPlaylistReference(uri: found.uri, kind: found.kind, line: number))
        }
        return result
    }
}

extension Rendition.MediaType {
    /// The kind of the media playlists of its type; none for captions, which are in the video.
    fileprivate var referenceKind: MediaPlaylistReference.Kind? {
        switch self {
        case .audio: .audio
        case .video: .video
        case .subtitles: .subtitles
        case .closedCaptions: nil
        }
    }
}

extension Variant {
    /// Whether CODECS names formats, and each is known to be one of audio.
    var hasOnlyAudioCodecs: Bool {
        let codecs = codecList
        return !codecs.isEmpty && codecs.allSatisfy { CodecKind($0) == .audio }
    }
}
