import HLS

/// Gives every rendition its key: what it had, else kind and position for variants, group and language for renditions.
struct CatalogBuilder {
    let playlist: MultivariantPlaylist
    let base: BaseURI
    let names: RenditionNames
    private(set) var renditions: [MediaRendition] = []
    private(set) var new: [MediaRendition] = []
    private(set) var keys: [Int: RenditionKey] = [:]
    /// By rendition: where its address stands.
    private var places: [Int] = []
    private var taken: Set<RenditionKey>
    /// The number that the next key of a name that is taken tries first.
    private var nextNumbers: [String: Int] = [:]
    /// Audio groups that are wholly in playlists of their own; and the codecs of the first variant of each group.
    private let separateGroups: Set<String>
    private let groupCodecs: [String: [String]]

    init(_ playlist: MultivariantPlaylist, base: BaseURI, names: RenditionNames) {
        self.playlist = playlist
        self.base = base
        self.names = names
        taken = Set(names.known.map(\.key))
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
        addVariants()
        addRenditions()
        addIFrames()
        giveKeys()
    }

    private mutating func addVariants() {
        for (index, variant) in playlist.variants.enumerated() {
            guard let line = variant.uriLine else { continue }
            let group = variant.audioGroup
            var rendition = MediaRendition(
                key: RenditionKey("v\(index)"), kind: .variant, upstreamURL: base.resolve(variant.uri),
                bandwidth: Int(clamping: variant.bandwidth ?? 0), resolution: variant.resolution,
                codecs: variant.codecList, audioGroup: group,
                hasSeparateAudio: group.map { separateGroups.contains($0) } ?? false)
            rendition.frameRate = variant.attributes["FRAME-RATE"]?.duration
            rendition.videoRange = variant.attributes["VIDEO-RANGE"]?.text
            rendition.stableID = variant.stableVariantID
            add(rendition, at: line.range.lowerBound)
        }
    }

    private mutating func addRenditions() {
        for rendition in playlist.renditions {
            guard let uri = rendition.attributes["URI"], !uri.range.isEmpty, let kind = Self.kind(rendition.type) else {
                continue
            }
            let codecs = groupCodecs[rendition.groupID] ?? []
            var added = MediaRendition(
                key: RenditionKey(""), kind: kind, upstreamURL: base.resolve(uri.text),
                codecs: kind == .audio ? codecs.filter(Codec.isAudio) : [], groupID: rendition.groupID,
                name: rendition.name, language: rendition.language, isDefault: rendition.isDefault)
            added.stableID = rendition.stableRenditionID
            added.key = RenditionKey(added.family)
            add(added, at: uri.range.lowerBound)
        }
    }

    private mutating func addIFrames() {
        for (index, variant) in playlist.iFrameVariants.enumerated() {
            guard let uri = variant.attributes["URI"], !uri.range.isEmpty else { continue }
            var rendition = MediaRendition(
                key: RenditionKey("i\(index)"), kind: .iFrames, upstreamURL: base.resolve(uri.text),
                bandwidth: Int(clamping: variant.bandwidth ?? 0), resolution: variant.resolution,
                codecs: variant.codecList)
            rendition.stableID = variant.attributes["STABLE-VARIANT-ID"]?.text
            add(rendition, at: uri.range.lowerBound)
        }
    }

    private mutating func add(_ rendition: MediaRendition, at place: Int) {
        renditions.append(rendition)
        places.append(place)
    }

    // MARK: - Keys

    /// Renditions come with the keys that they would have where nothing was known.
    private mutating func giveKeys() {
        var families: [String: [Int]] = [:]
        for (index, rendition) in renditions.enumerated() { families[rendition.family, default: []].append(index) }
        let known = Dictionary(grouping: names.known, by: \.family)
        var found: [Int: RenditionKey] = [:]
        for (family, members) in families {
            guard let known = known[family] else { continue }
            for (index, key) in zip(members, RenditionNaming(members.map { renditions[$0] }, known: known).keys) {
                found[index] = key
            }
        }
        for index in renditions.indices {
            if let key = found[index] {
                renditions[index].key = key
            } else {
                let family = renditions[index].family
                renditions[index].key = key(renditions[index].key.text, behind: known[family] ?? [], in: family)
                if names.known.count + new.count < RenditionNames.limit { new.append(renditions[index]) }
            }
            keys[places[index]] = renditions[index].key
        }
    }

    /// A key that nothing has had yet.
    private mutating func key(_ name: String, behind known: [MediaRendition], in family: String) -> RenditionKey {
        let isCounted = family.utf8.count == 1
        var key = RenditionKey(name)
        if isCounted, !known.isEmpty {
            let number =
                nextNumbers[family] ?? (known.compactMap { Int($0.key.text.dropFirst()) }.max() ?? 0) &+ 1
            key = RenditionKey("\(family)\(number)")
            nextNumbers[family] = number &+ 1
        }
        while !taken.insert(key).inserted {
            let number = nextNumbers[name] ?? 2
            key = RenditionKey("\(name)-\(number)")
            nextNumbers[name] = number + 1
        }
        return key
    }

    private static func kind(_ type: EnumeratedValue<Rendition.MediaType>?) -> MediaRendition.Kind? {
        switch type?.known {
        case .audio: .audio
        case .subtitles: .subtitles
        case .video: .video
        case .closedCaptions, nil: nil
        }
    }
}

extension MediaRendition {
    /// What keys of its kind begin with: `v` and `i`, behind which a number follows; else kind, group and language.
    var family: String {
        let letter =
            switch kind {
            case .variant: "v"
            case .iFrames: "i"
            case .audio: "a"
            case .subtitles: "s"
            case .video: "x"
            }
        guard kind != .variant, kind != .iFrames else { return letter }
        return "\(letter)-\(Self.slug(groupID ?? ""))-\(Self.slug(language ?? name ?? ""))"
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
