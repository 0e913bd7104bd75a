package import HLS

/// The renditions of a source, content or ad, from its multivariant playlist; and that playlist as a session gets it.
package struct SourceCatalog: Sendable {
    package private(set) var renditions: [MediaRendition]
    /// The first video variant: breaks and returns are chosen on its timeline.
    package let leading: RenditionKey
    /// What the media playlists may import with EXT-X-DEFINE.
    package let variables: PlaylistVariables
    /// Which of the source's origins it is of.
    package var origin = 0
    private let multivariant: MultivariantPlaylist?
    private let base: BaseURI
    /// Keys by the URI's place in the playlist.
    private let keys: [Int: RenditionKey]

    /// - Parameter url: where the playlist was finally fetched from.
    package init(_ received: MultivariantPlaylist, url: String) {
        // The upstream's address fills its variables, and players ask for ours: they get plain text (rule 1204).
        let playlist: MultivariantPlaylist
        (playlist, variables) = received.plain(uri: url)
        multivariant = playlist
        base = BaseURI(url)
        var builder = CatalogBuilder(playlist, base: base)
        builder.build()
        renditions = builder.renditions
        keys = builder.keys
        leading = builder.leading
    }

    /// A source that is one media playlist.
    package init(mediaPlaylistURL url: String) {
        multivariant = nil
        variables = PlaylistVariables()
        base = BaseURI(url)
        keys = [:]
        leading = RenditionKey("v0")
        renditions = [MediaRendition(key: leading, kind: .variant, upstreamURL: url)]
    }

    package subscript(key: RenditionKey) -> MediaRendition? {
        renditions.first { $0.key == key }
    }

    /// The rendition that takes the place of another origin's: the one of its key, else the one like it with the nearest bandwidth.
    package func twin(of other: MediaRendition) -> MediaRendition? {
        if let same = self[other.key], same.kind == other.kind { return same }
        return renditions.filter { $0.kind == other.kind && $0.language == other.language }
            .min { ($0.bandwidth - other.bandwidth).magnitude < ($1.bandwidth - other.bandwidth).magnitude }
    }

    /// Without its I-frame playlists, where sessions with ads are not given them.
    package func withoutIFrames() -> SourceCatalog {
        var copy = self
        copy.renditions.removeAll { $0.kind == .iFrames }
        return copy
    }

    /// The multivariant playlist for a session: its media playlists are ours, all else is absolute.
    ///
    /// - Parameter isStitched: whether the session gets ads. Then content steering, which would lead players past us (rule 1109),
    ///   goes; so do playlists of images, whose files hold a grid of many that no break can cut, and I-frame playlists that are not
    ///   among the renditions: they would show content where ads are (rule 1106).
    package func multivariantPlaylist(isStitched: Bool, uri: (RenditionKey) -> String) -> [UInt8] {
        guard let multivariant else {
            var output = PlaylistText()
            output.append("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000\n")
            output.append(uri(leading))
            output.endLine()
            return output.bytes
        }
        let hasIFrames = renditions.contains { $0.kind == .iFrames }
        var editor = PlaylistEditor(multivariant)
        for place in multivariant.uris {
            if isStitched {
                if place.kind == .imageStreamInformation || place.kind == .contentSteering { continue }
                if place.kind == .iFrameStreamInformation, !hasIFrames { continue }
            }
            if let key = keys[place.range.lowerBound] {
                editor.replace(place, with: uri(key))
            } else {
                editor.replace(place, with: base.resolve(multivariant.source.text(in: place.range)))
            }
        }
        if isStitched {
            for line in multivariant.lines {
                switch line.kind {
                case .imageStreamInformation, .contentSteering: editor.remove(line)
                case .iFrameStreamInformation where !hasIFrames: editor.remove(line)
                default: break
                }
            }
        }
        return editor.applied()
    }
}

/// Gives every rendition its key: kind and position for variants, group and name for renditions.
private struct CatalogBuilder {
    let playlist: MultivariantPlaylist
    let base: BaseURI
    private(set) var renditions: [MediaRendition] = []
    private(set) var keys: [Int: RenditionKey] = [:]
    private var taken: Set<RenditionKey> = []
    /// The number that the next key of a name that is taken tries first.
    private var nextNumbers: [String: Int] = [:]
    /// Audio groups that are wholly in playlists of their own; and the codecs of the first variant of each group.
    private let separateGroups: Set<String>
    private let groupCodecs: [String: [String]]

    init(_ playlist: MultivariantPlaylist, base: BaseURI) {
        self.playlist = playlist
        self.base = base
        // Once for each group: a playlist may have very many variants and renditions of one.
        separateGroups = Set(
            playlist.groups(.audio).filter { group in
                playlist.renditions(.audio, group: group).allSatisfy { !($0.uri ?? "").isEmpty }
            })
        var codecs: [String: [String]] = [:]
        for variant in playlist.variants {
            guard let group = variant.audioGroup, codecs[group] == nil else { continue }
            codecs[group] = variant.codecList
        }
        groupCodecs = codecs
    }

    var leading: RenditionKey {
        let variants = renditions.filter { $0.kind == .variant }
        return (variants.first { !$0.isAudioOnlyVariant } ?? variants.first ?? renditions.first)?.key
            ?? RenditionKey("v0")
    }

    mutating func build() {
        for (index, variant) in playlist.variants.enumerated() {
            guard let line = variant.uriLine else { continue }
            let group = variant.audioGroup
            renditions.append(
                MediaRendition(
                    key: key("v\(index)", at: line.range.lowerBound), kind: .variant,
                    upstreamURL: base.resolve(variant.uri),
                    bandwidth: Int(clamping: variant.bandwidth ?? 0), resolution: variant.resolution,
                    codecs: variant.codecList, audioGroup: group,
                    hasSeparateAudio: group.map { separateGroups.contains($0) } ?? false))
            renditions[renditions.count - 1].frameRate = variant.attributes["FRAME-RATE"]?.duration
            renditions[renditions.count - 1].videoRange = variant.attributes["VIDEO-RANGE"]?.text
        }
        for rendition in playlist.renditions {
            guard let uri = rendition.attributes["URI"], !uri.range.isEmpty,
                let (kind, letter) = Self.kind(rendition.type)
            else { continue }
            let name = "\(letter)-\(Self.slug(rendition.groupID))-\(Self.slug(rendition.language ?? rendition.name))"
            let codecs = groupCodecs[rendition.groupID] ?? []
            renditions.append(
                MediaRendition(
                    key: key(name, at: uri.range.lowerBound), kind: kind, upstreamURL: base.resolve(uri.text),
                    codecs: kind == .audio ? codecs.filter(Codec.isAudio) : [], groupID: rendition.groupID,
                    name: rendition.name, language: rendition.language, isDefault: rendition.isDefault))
        }
        for (index, variant) in playlist.iFrameVariants.enumerated() {
            guard let uri = variant.attributes["URI"], !uri.range.isEmpty else { continue }
            renditions.append(
                MediaRendition(
                    key: key("i\(index)", at: uri.range.lowerBound), kind: .iFrames,
                    upstreamURL: base.resolve(uri.text),
                    bandwidth: Int(clamping: variant.bandwidth ?? 0), resolution: variant.resolution,
                    codecs: variant.codecList))
        }
    }

    private mutating func key(_ name: String, at place: Int) -> RenditionKey {
        var key = RenditionKey(name)
        while !taken.insert(key).inserted {
            let number = nextNumbers[name] ?? 2
            key = RenditionKey("\(name)-\(number)")
            nextNumbers[name] = number + 1
        }
        keys[place] = key
        return key
    }

    private static func kind(_ type: EnumeratedValue<Rendition.MediaType>?) -> (MediaRendition.Kind, String)? {
        switch type?.known {
        case .audio: (.audio, "a")
        case .subtitles: (.subtitles, "s")
        case .video: (.video, "x")
        case .closedCaptions, nil: nil
        }
    }

    /// Letters and digits of ASCII in lower case, anything else a hyphen.
    private static func slug(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(32) {
            switch scalar {
            case "a"..."z", "0"..."9": result.unicodeScalars.append(scalar)
            case "A"..."Z": result += String(scalar).lowercased()
            default: if result.last != "-" { result += "-" }
            }
        }
        while result.last == "-" { result.removeLast() }
        while result.first == "-" { result.removeFirst() }
        return result.isEmpty ? "x" : result
    }
}
