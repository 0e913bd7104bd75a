internal import Conditioning
internal import HLS
internal import Stitching

/// HLS that is not like a channel: its segments, put together to the files that they were cut from, are what something else is made of.
extension CreativeDownload {
    private typealias Fetched = (playlist: Playlist, url: String)

    /// Segments of one media playlist.
    private static let segmentLimit = 2_000
    /// More lines than a screen of this height has are only made fewer again.
    private static let usualHeight = 1_080
    /// No file is longer.
    private static let longestFile = Int64(1) << 40

    func fetchPlaylist(_ media: MediaDownload, write: Write) async -> Result<FetchedMedia, ConditioningFailure> {
        var room = media.byteLimit
        do throws(ConditioningFailure) {
            let first = try await playlist(at: media.source.url, for: media)
            switch first.playlist {
            case .media(let only):
                let plain = only.plain(importing: PlaylistVariables(), uri: first.url)
                let length = try await fetch(plain, at: first.url, for: media, room: &room) { await write(.main, $0) }
                return .success(FetchedMedia(duration: length))
            case .multivariant(let multivariant):
                let catalog = SourceCatalog(multivariant, url: first.url)
                let (video, audio) = try Self.best(of: catalog)
                let length = try await fetch(video, in: catalog, for: media, room: &room) { await write(.main, $0) }
                guard let audio else { return .success(FetchedMedia(duration: length)) }
                _ = try await fetch(audio, in: catalog, for: media, room: &room) { await write(.sound, $0) }
                return .success(FetchedMedia(hasSound: true, duration: length))
            }
        } catch {
            return .failure(error)
        }
    }

    /// The best variant that is no larger than it need be, and its main sound where that has a playlist of its own.
    static func best(
        of catalog: SourceCatalog
    ) throws(ConditioningFailure) -> (variant: MediaRendition, audio: MediaRendition?) {
        let variants = catalog.renditions.filter { $0.kind == .variant }
        let pictures = variants.filter { !$0.isAudioOnlyVariant }
        let usual = pictures.filter { $0.resolution.map { $0.height <= Self.usualHeight } ?? true }
        func height(_ rendition: MediaRendition) -> Int { rendition.resolution?.height ?? 0 }
        let best =
            usual.max { (height($0), $0.bandwidth) < (height($1), $1.bandwidth) }
            ?? pictures.min { (height($0), $0.bandwidth) < (height($1), $1.bandwidth) }
            ?? variants.max { $0.bandwidth < $1.bandwidth }
        guard let best else { throw ConditioningFailure(.unusable, "its multivariant playlist has no variant") }
        guard best.hasSeparateAudio else { return (best, nil) }
        let group = catalog.renditions.filter { $0.kind == .audio && $0.groupID == best.audioGroup }
        return (best, group.first { $0.isDefault } ?? group.first)
    }

    private func fetch(
        _ rendition: MediaRendition, in catalog: SourceCatalog, for media: MediaDownload, room: inout Int,
        write: @Sendable ([UInt8]) async -> Bool
    ) async throws(ConditioningFailure) -> Duration {
        let fetched = try await playlist(at: rendition.upstreamURL, for: media)
        guard case .media(let playlist) = fetched.playlist else {
            throw ConditioningFailure(.unusable, "a multivariant playlist where a media playlist is expected")
        }
        let plain = playlist.plain(importing: catalog.variables, uri: fetched.url)
        return try await fetch(plain, at: fetched.url, for: media, room: &room, write: write)
    }

    /// Fetches the segments of a media playlist.
    ///
    /// - Returns: how long they last.
    private func fetch(
        _ playlist: MediaPlaylist, at url: String, for media: MediaDownload, room: inout Int,
        write: @Sendable ([UInt8]) async -> Bool
    ) async throws(ConditioningFailure) -> Duration {
        let length = try Self.check(playlist, longest: media.longest)
        if let map = playlist.maps.first {
            try await fetch(playlist.text(map.uri), map.byteRange, url, for: media, room: &room, write: write)
        }
        for segment in playlist.segments {
            try await fetch(playlist.text(segment.uri), segment.byteRange, url, for: media, room: &room, write: write)
        }
        return length
    }

    /// Whether segments put together are a file.
    static func check(_ playlist: MediaPlaylist, longest: Duration) throws(ConditioningFailure) -> Duration {
        func unusable(_ reason: String) -> ConditioningFailure { ConditioningFailure(.unusable, reason) }
        guard playlist.hasEndList else { throw unusable("its playlist has no EXT-X-ENDLIST") }
        guard !playlist.segments.isEmpty, playlist.segments.count <= Self.segmentLimit else {
            throw unusable("its playlist has \(playlist.segments.count) segments")
        }
        guard playlist.segments.allSatisfy({ !$0.isGap }) else { throw unusable("parts of it are missing") }
        guard playlist.keyGroups.allSatisfy({ $0.keys.allSatisfy { $0.method == .none } }) else {
            throw ConditioningFailure(.encrypted, "its segments are encrypted")
        }
        let isFragmented = playlist.segments.contains { $0.map != nil }
        if isFragmented {
            let maps = Set(playlist.maps.map { "\(playlist.text($0.uri)) \($0.byteRange?.offset ?? -1)" })
            guard maps.count == 1, playlist.segments.allSatisfy({ $0.map != nil && $0.discontinuityCount == 0 }) else {
                throw unusable("its fragments begin anew within it")
            }
        }
        let length = playlist.segments.reduce(Duration.zero) { $0 + $1.duration }
        guard length <= longest else { throw unusable("longer than \(longest)") }
        return length
    }

    private func fetch(
        _ reference: String, _ place: ByteRange?, _ base: String, for media: MediaDownload, room: inout Int,
        write: @Sendable ([UInt8]) async -> Bool
    ) async throws(ConditioningFailure) {
        let address = URIReference.resolve(reference, against: base)
        guard Self.isHTTP(address) else { throw ConditioningFailure(.unusable, "a segment's address is not HTTP") }
        var range: Range<Int>?
        if let place {
            guard place.offset >= 0, place.length > 0, place.offset <= Self.longestFile,
                place.length <= Self.longestFile
            else { throw ConditioningFailure(.unusable, "a segment is no part of a file") }
            range = Int(place.offset)..<Int(place.offset + place.length)
        }
        if let failure = await fetch(address, in: range, for: media, room: &room, write: write) { throw failure }
    }

    static func isHTTP(_ url: String) -> Bool {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        return scheme == "http" || scheme == "https"
    }

    private func playlist(at url: String, for media: MediaDownload) async throws(ConditioningFailure) -> Fetched {
        switch await playlist(url, !media.isOperators) {
        case .body(let bytes, let finalURL, _, _):
            do {
                return (try Playlist(parsing: bytes), finalURL)
            } catch {
                throw ConditioningFailure(.unusable, "no playlist: \(error)")
            }
        case .failure(.timeout): throw ConditioningFailure(.slow, "its playlist did not come in time")
        case .failure(.notAPlaylist(let detail)): throw ConditioningFailure(.unusable, "no playlist: \(detail)")
        case .failure(let failure): throw ConditioningFailure(.notFound, failure.reason)
        case .notModified: throw ConditioningFailure(.unusable, "status 304 without a condition")
        }
    }
}
