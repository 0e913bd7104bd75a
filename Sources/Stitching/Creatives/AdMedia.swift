package import HLS

/// An ad's media: one rendition for each of its media playlists. Made once for all sessions.
package struct AdMedia: Sendable, Codable {
    /// The address of the media file, which names the ad's media everywhere.
    package let id: String
    package let renditions: [AdRendition]
    /// When the media begin on their own clock, after each discontinuity (90 kHz, 33 bits); nil where it is not known.
    package let timestamps: [Int64?]?

    /// One of the ad's media playlists, as fetched.
    package struct Source: Sendable {
        package var description: MediaRendition
        package var playlist: MediaPlaylist
        /// Where it was finally fetched from.
        package var url: String
        /// When its media begin on their own clock, after each discontinuity; empty where nobody has looked.
        package var timestamps: [Int64?] = []

        package init(description: MediaRendition, playlist: MediaPlaylist, url: String) {
            self.description = description
            self.playlist = playlist
            self.url = url
        }
    }

    /// Why media cannot be used in any break.
    package enum Problem: Error, Sendable, Equatable {
        case noSegments(RenditionKey)
        case notVOD(RenditionKey)
        case iFramesOnly(RenditionKey)
        /// The renditions have unlike numbers of discontinuities.
        case unlikeDiscontinuities
        case nothingUsable

        package var text: String {
            switch self {
            case .noSegments(let key): "rendition \(key) has no segments"
            case .notVOD(let key): "rendition \(key) has no EXT-X-ENDLIST"
            case .iFramesOnly(let key): "rendition \(key) has I-frames only"
            case .unlikeDiscontinuities: "its renditions differ in their discontinuities"
            case .nothingUsable: "no usable rendition"
            }
        }
    }

    /// Reads the playlists: subtitles among them are left out, and I-frame playlists that are not like the others; header tags,
    /// dates and cues are not taken over.
    package init(id: String, sources: [Source]) throws(Problem) {
        self.id = id
        var renditions: [AdRendition] = []
        for source in sources where source.description.kind == .variant || source.description.kind == .audio {
            let key = source.description.key
            guard !source.playlist.segments.isEmpty else { throw .noSegments(key) }
            guard !source.playlist.isIFramesOnly else { throw .iFramesOnly(key) }
            renditions.append(source.rendition)
        }
        guard let first = renditions.first else { throw .nothingUsable }
        guard renditions.allSatisfy({ $0.jointCount == first.jointCount }) else { throw .unlikeDiscontinuities }
        for source in sources where source.description.kind == .iFrames && source.playlist.isIFramesOnly {
            let rendition = source.rendition
            if rendition.jointCount == first.jointCount { renditions.append(rendition) }
        }
        self.renditions = renditions
        timestamps = sources.first { !$0.timestamps.isEmpty }?.timestamps
    }

    init(id: String, renditions: [AdRendition], timestamps: [Int64?]? = nil) {
        self.id = id
        self.renditions = renditions
        self.timestamps = timestamps
    }
}

extension AdMedia {
    /// The same media up to a time: whole entries, one at least, up to the first discontinuity. All of it where it is not longer.
    package func beginning(upTo limit: Duration) -> AdMedia {
        guard renditions.contains(where: { $0.duration > limit }) else { return self }
        return AdMedia(
            id: "\(id)#\(limit.wholeNanoseconds / 1_000_000)", renditions: renditions.map { $0.beginning(upTo: limit) },
            timestamps: timestamps)
    }
}

extension AdRendition {
    fileprivate func beginning(upTo limit: Duration) -> AdRendition {
        var sum = Duration.zero
        let count = entries.enumerated().prefix { index, entry in
            sum += entry.duration
            return index == 0 || sum <= limit && !entry.isJoint
        }.count
        return AdRendition(description: description, container: container, entries: Array(entries.prefix(count)))
    }
}

extension AdMedia.Source {
    /// The playlist's segments, ready to be listed.
    fileprivate var rendition: AdRendition {
        let container: Container = playlist.segments.contains { $0.map != nil } ? .fragmentedMP4 : .selfInitializing
        return AdRendition(
            description: description, container: container, entries: playlist.spliceEntries(base: BaseURI(url)))
    }
}
