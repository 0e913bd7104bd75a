import HLS

/// Finds for each content rendition the rendition of an ad that is listed in its place.
package struct RenditionMatcher: Sendable {
    /// What is known of a content rendition.
    package struct Content: Sendable {
        package var rendition: MediaRendition
        /// Nil while the rendition's playlist was not seen.
        package var traits: RenditionTraits?

        package init(rendition: MediaRendition, traits: RenditionTraits?) {
            self.rendition = rendition
            self.traits = traits
        }

        package init(rendition: MediaRendition, container: Container?) {
            self.init(rendition: rendition, traits: container.map { RenditionTraits(container: $0) })
        }
    }

    /// Why an ad cannot be shown in a source.
    package enum Mismatch: Error, Sendable, Equatable {
        case container(RenditionKey)
        /// The content has audio playlists of its own, and the ad's audio is muxed into its video.
        case muxedAdInDemuxedContent(RenditionKey)
        /// The content's audio is muxed, and the ad's is not.
        case demuxedAdInMuxedContent(RenditionKey)
        /// A muxed ad without audio stalls players.
        case adWithoutAudio
        /// The ad's video is of another codec than the content's, where both are said.
        case videoCodec(RenditionKey)
        /// Subtitles in fragments: a playlist that has a MAP cannot go on with text files (rule 705).
        case fragmentedSubtitles(RenditionKey)
        /// Subtitle segments far longer than those of the leading rendition that cannot be cut at a joint: encrypted, or ranges of
        /// one file. With a pod at their nearest boundary they would come late by its length (rule 1115).
        case uncuttableSubtitles(RenditionKey)
        case noRendition(RenditionKey)

        package var text: String {
            switch self {
            case .container(let key): "no ad rendition in the container of \(key)"
            case .muxedAdInDemuxedContent(let key): "\(key) needs an ad with separate audio"
            case .demuxedAdInMuxedContent(let key): "\(key) needs an ad with audio in its video"
            case .adWithoutAudio: "the ad has no audio"
            case .videoCodec(let key): "no ad rendition with the video codec of \(key)"
            case .fragmentedSubtitles(let key): "there is no filler for subtitles in fragments (\(key))"
            case .uncuttableSubtitles(let key): "the long segments of \(key) cannot be cut at a break"
            case .noRendition(let key): "no ad rendition for \(key)"
            }
        }
    }

    let media: AdMedia

    package init(_ media: AdMedia) { self.media = media }

    /// The match of every content rendition; throws the first reason why there is none.
    ///
    /// - Parameter container: of renditions whose playlists were not seen yet.
    package func matches(
        for content: [Content], container: Container
    ) throws(Mismatch) -> [RenditionKey: AdMatch] {
        var result: [RenditionKey: AdMatch] = [:]
        for item in content where item.rendition.kind != .iFrames && item.rendition.kind != .subtitles {
            result[item.rendition.key] = .rendition(
                try index(for: item.rendition, container: item.traits?.container ?? container))
        }
        // Subtitles and I-frame playlists take the lengths of a video rendition.
        let model = content.first { $0.rendition.kind == .variant }.flatMap { result[$0.rendition.key] }
        guard case .rendition(let index)? = model else { return result }
        let target = content.first { $0.rendition.kind == .variant }?.traits?.targetDuration
        for item in content {
            switch item.rendition.kind {
            case .subtitles:
                try checkSubtitles(item, target: target)
                result[item.rendition.key] = .emptySubtitles(like: index)
            case .iFrames: result[item.rendition.key] = iFrames(for: item, container: container, like: index)
            default: break
            }
        }
        return result
    }

    private func checkSubtitles(_ content: Content, target: Duration?) throws(Mismatch) {
        guard let traits = content.traits else { return }
        if traits.container == .fragmentedMP4 { throw .fragmentedSubtitles(content.rendition.key) }
        if !traits.canBeCut, let target, traits.targetDuration > target * 2 {
            throw .uncuttableSubtitles(content.rendition.key)
        }
    }

    /// The ad's own I-frames where they are as long as its video; else nothing is shown while the ad lasts, rather than the content
    /// that it replaces (rule 1106).
    private func iFrames(for content: Content, container: Container, like model: Int) -> AdMatch {
        let video = media.renditions[model]
        let wanted = content.traits?.container ?? container
        var candidates = media.renditions.indices.filter { index in
            let own = media.renditions[index]
            return own.description.kind == .iFrames && own.container == wanted
                && own.jointCount == video.jointCount
                && (own.duration - video.duration).magnitude <= .milliseconds(100)
                && own.longestEntry.roundedToSeconds <= max(video.longestEntry.roundedToSeconds, .seconds(1))
        }
        candidates = candidates.filter { mayShareVideoCodec(media.renditions[$0].description, content.rendition) }
        guard !candidates.isEmpty else { return .gaps(like: model) }
        return .rendition(nearest(to: content.rendition, among: candidates))
    }

    private func index(for content: MediaRendition, container: Container) throws(Mismatch) -> Int {
        switch content.kind {
        case .audio: return try audioIndex(for: content, container: container)
        case .variant where content.isAudioOnlyVariant: return try audioIndex(for: content, container: container)
        default: return try videoIndex(for: content, container: container)
        }
    }

    private func videoIndex(for content: MediaRendition, container: Container) throws(Mismatch) -> Int {
        var candidates = media.renditions.indices.filter {
            media.renditions[$0].description.kind == .variant && !media.renditions[$0].description.isAudioOnlyVariant
        }
        guard !candidates.isEmpty else { throw .noRendition(content.key) }
        candidates = candidates.filter { media.renditions[$0].container == container }
        guard !candidates.isEmpty else { throw .container(content.key) }
        if content.hasSeparateAudio {
            candidates = candidates.filter { !mayHaveAudio($0) }
            guard !candidates.isEmpty else { throw .muxedAdInDemuxedContent(content.key) }
        } else {
            candidates = candidates.filter { !media.renditions[$0].description.hasSeparateAudio }
            guard !candidates.isEmpty else { throw .demuxedAdInMuxedContent(content.key) }
            candidates = candidates.filter(mayHaveAudio)
            guard !candidates.isEmpty else { throw .adWithoutAudio }
        }
        candidates = candidates.filter { mayShareVideoCodec(media.renditions[$0].description, content) }
        guard !candidates.isEmpty else { throw .videoCodec(content.key) }
        return nearest(to: content, among: preferred(candidates, for: content))
    }

    /// Those with the content's dynamic range, and of them those with its frame rate, where there are any: a change of either at a
    /// joint makes displays switch.
    private func preferred(_ candidates: [Int], for content: MediaRendition) -> [Int] {
        var chosen = candidates
        if let range = content.videoRange {
            let alike = chosen.filter { (media.renditions[$0].description.videoRange ?? "SDR") == range }
            if !alike.isEmpty { chosen = alike }
        }
        if let rate = content.frameRate, rate > .zero {
            // 29.97 and 30 are alike.
            let alike = chosen.filter { index in
                media.renditions[index].description.frameRate.map { ($0 - rate).magnitude * 50 <= rate } ?? false
            }
            if !alike.isEmpty { chosen = alike }
        }
        return chosen
    }

    private func audioIndex(for content: MediaRendition, container: Container) throws(Mismatch) -> Int {
        let audio = media.renditions.indices.filter {
            media.renditions[$0].description.kind == .audio || media.renditions[$0].description.isAudioOnlyVariant
        }
        guard !audio.isEmpty else {
            throw media.renditions.indices.contains(where: mayHaveAudio)
                ? .muxedAdInDemuxedContent(content.key) : .adWithoutAudio
        }
        let fitting = audio.filter { media.renditions[$0].container == container }
        guard !fitting.isEmpty else { throw .container(content.key) }
        let byLanguage = fitting.filter {
            content.language != nil && Self.isSameLanguage(media.renditions[$0].description.language, content.language)
        }
        let usable = byLanguage.isEmpty ? fitting : byLanguage
        let byCodec = usable.filter { sharesCodec(media.renditions[$0].description, content) }
        let chosen = byCodec.isEmpty ? usable : byCodec
        return chosen.first { media.renditions[$0].description.isDefault } ?? chosen[0]
    }

    /// Whether the segments of the variant may hold audio: where nothing is said they do.
    private func mayHaveAudio(_ index: Int) -> Bool {
        let description = media.renditions[index].description
        if description.hasSeparateAudio { return false }
        return description.codecs.isEmpty || description.codecs.contains(where: Codec.isAudio)
    }

    private func sharesCodec(_ ad: MediaRendition, _ content: MediaRendition) -> Bool {
        let families = Set(content.codecs.map(Codec.family))
        return ad.codecs.contains { families.contains(Codec.family(of: $0)) }
    }

    /// Where one of them does not say its codec they are taken to be alike.
    private func mayShareVideoCodec(_ ad: MediaRendition, _ content: MediaRendition) -> Bool {
        let own = ad.codecs.filter(Codec.isVideo)
        let wanted = Set(content.codecs.filter(Codec.isVideo).map(Codec.family))
        return own.isEmpty || wanted.isEmpty || own.contains { wanted.contains(Codec.family(of: $0)) }
    }

    /// The nearest lower bandwidth, the lowest where all are higher; ties by resolution.
    private func nearest(to content: MediaRendition, among pool: [Int]) -> Int {
        let lower = pool.filter { media.renditions[$0].description.bandwidth <= content.bandwidth }
        let best =
            lower.isEmpty
            ? pool.map { media.renditions[$0].description.bandwidth }.min()
            : lower.map { media.renditions[$0].description.bandwidth }.max()
        let tied = pool.filter { media.renditions[$0].description.bandwidth == best }
        return tied.min { height(distance: $0, to: content) < height(distance: $1, to: content) } ?? pool[0]
    }

    private func height(distance index: Int, to content: MediaRendition) -> Int {
        guard let wanted = content.resolution?.height, let own = media.renditions[index].description.resolution?.height
        else { return .max }
        return wanted > own ? wanted &- own : own &- wanted
    }

    private static func isSameLanguage(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return false }
        let leftPrimary = left.lowercased().prefix { $0 != "-" }
        let rightPrimary = right.lowercased().prefix { $0 != "-" }
        return leftPrimary == rightPrimary
    }
}
