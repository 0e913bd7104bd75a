import HLS
import Stitching
import Transport
import VAST

/// What stops `podstitch stitch`, in words for the person at the terminal.
struct StitchFailure: Error, Equatable {
    var message: String
}

/// Reads the files of a `stitch` command. What a VAST document or a playlist names may also be an http or https URL.
struct StitchInput {
    /// Requests are few and the person waits, so the limits are the client's own.
    private let client: HTTPClient

    init(group: EventLoopGroup) {
        client = HTTPClient(group: group)
    }

    /// The bytes at a path, a file URL or a web URL, and where they were finally found.
    func bytes(at location: String) async throws(StitchFailure) -> (bytes: [UInt8], location: String) {
        if location.hasPrefix("http://") || location.hasPrefix("https://") {
            let response: HTTPClientResponse
            do {
                response = try await client.fetch(HTTPClientRequest(url: location))
            } catch {
                throw StitchFailure(message: "\(location): \(error)")
            }
            guard response.status == 200 else {
                throw StitchFailure(message: "\(location): the answer has status \(response.status)")
            }
            return (response.body, response.finalURL)
        }
        switch InputFile.read(location) {
        case .read(let bytes): return (bytes, location)
        case .failed(let reason): throw StitchFailure(message: "\(InputFile.path(of: location)): \(reason)")
        case .cancelled: throw StitchFailure(message: "\(InputFile.path(of: location)): not read")
        }
    }

    func playlist(at location: String) async throws(StitchFailure) -> (playlist: Playlist, location: String) {
        let (bytes, found) = try await bytes(at: location)
        do {
            return (try Playlist(parsing: bytes), found)
        } catch {
            throw StitchFailure(message: "\(location): \(error)")
        }
    }

    func mediaPlaylist(at location: String) async throws(StitchFailure) -> (playlist: MediaPlaylist, location: String) {
        let (playlist, found) = try await playlist(at: location)
        guard case .media(let media) = playlist else {
            throw StitchFailure(message: "\(location): a multivariant playlist where a media playlist is expected")
        }
        return (media, found)
    }

    /// The content with the playlists of its leading and its wanted rendition.
    func content(_ arguments: StitchArguments) async throws(StitchFailure) -> FileStitcher.Content {
        let (playlist, location) = try await playlist(at: arguments.contentFile)
        switch playlist {
        case .media(let media):
            let catalog = SourceCatalog(mediaPlaylistURL: location)
            let media = media.plain(importing: catalog.variables, uri: location)
            guard arguments.rendition.map({ $0 == catalog.leading.text }) ?? true else {
                throw StitchFailure(message: "--rendition: \(location) is a media playlist and has no renditions")
            }
            return FileStitcher.Content(
                catalog: catalog, wanted: catalog.leading, playlists: [(catalog.leading, media, location)])
        case .multivariant(let multivariant):
            let catalog = SourceCatalog(multivariant, url: location)
            let wanted = arguments.rendition.map { RenditionKey($0) } ?? catalog.leading
            guard catalog.renditions.contains(where: { $0.key == wanted }) else {
                let keys = catalog.renditions.map(\.key.text).joined(separator: ", ")
                throw StitchFailure(message: "--rendition \(wanted): not one of \(keys)")
            }
            var playlists: [(RenditionKey, MediaPlaylist, String)] = []
            for key in wanted == catalog.leading ? [wanted] : [catalog.leading, wanted] {
                guard let rendition = catalog[key] else { continue }
                let (media, found) = try await mediaPlaylist(at: rendition.upstreamURL)
                playlists.append((key, media.plain(importing: catalog.variables, uri: found), found))
            }
            return FileStitcher.Content(catalog: catalog, wanted: wanted, playlists: playlists)
        }
    }

    /// The ads with their playlists; those that cannot be used come back as notes.
    func ads(_ arguments: StitchArguments) async throws(StitchFailure) -> (ads: [PodCandidate], notes: [String]) {
        if let file = arguments.vastFile { return try await ads(ofVAST: file) }
        var ads: [PodCandidate] = []
        for file in arguments.adFiles { ads.append(PodCandidate(id: file, media: try await media(at: file))) }
        return (ads, [])
    }

    private func media(at location: String) async throws(StitchFailure) -> AdMedia {
        let (playlist, found) = try await playlist(at: location)
        var sources: [AdMedia.Source] = []
        switch playlist {
        case .media(let media):
            let catalog = SourceCatalog(mediaPlaylistURL: found)
            for rendition in catalog.renditions {
                let plain = media.plain(importing: catalog.variables, uri: found)
                sources.append(AdMedia.Source(description: rendition, playlist: plain, url: found))
            }
        case .multivariant(let multivariant):
            let catalog = SourceCatalog(multivariant, url: found)
            for rendition in catalog.renditions where rendition.kind == .variant || rendition.kind == .audio {
                let (media, url) = try await mediaPlaylist(at: rendition.upstreamURL)
                let plain = media.plain(importing: catalog.variables, uri: url)
                sources.append(AdMedia.Source(description: rendition, playlist: plain, url: url))
            }
        }
        do throws(AdMedia.Problem) {
            return try AdMedia(id: location, sources: sources)
        } catch {
            throw StitchFailure(message: "\(location): \(error.text)")
        }
    }

    // MARK: VAST

    private func ads(ofVAST file: String) async throws(StitchFailure) -> (ads: [PodCandidate], notes: [String]) {
        let (bytes, location) = try await bytes(at: file)
        let answer: AdAnswer
        do {
            answer = try AdAnswer(parsing: bytes)
        } catch {
            throw StitchFailure(message: "\(file): \(error)")
        }
        guard case .vast(let document) = answer else {
            throw StitchFailure(message: "\(file): VMAP is laid out by the server alone; give the VAST of one break")
        }
        let resolved = await resolve(AdResolution(document: document, url: location))
        var notes = resolved.log.map { "\($0.adID ?? "ad"): \($0.text)" }
        var ads: [PodCandidate] = []
        for (index, ad) in resolved.pod.enumerated() {
            let id = ad.id ?? "ad \(index + 1)"
            do throws(StitchFailure) {
                let media = try await self.media(of: ad, base: location)
                ads.append(PodCandidate(id: id, media: media, tracking: AdTracking(ad)))
            } catch {
                notes.append("\(id): \(error.message)")
            }
        }
        return (ads, notes)
    }

    /// The first HLS media file that can be read.
    private func media(of ad: ResolvedAd, base: String) async throws(StitchFailure) -> AdMedia {
        var failure = StitchFailure(message: "no HLS media file")
        for file in ad.mediaFiles where file.use == .hls {
            do throws(StitchFailure) {
                return try await media(at: URIReference.resolve(URLText.escaped(file.url), against: base))
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Follows wrappers, one request after the other.
    private func resolve(_ start: AdResolution) async -> ResolvedAds {
        var resolution = start
        var macros = MacroContext(
            timeSince1970: .nanoseconds(SystemTimeSource().now()), random: { UInt64.random(in: 0...UInt64.max) })
        macros.acceptsOtherForms = true
        while true {
            switch resolution.next() {
            case .finished(let ads): return ads
            case .fetch(let requests):
                // Nothing runs beside this loop, so a pause in the flow cannot end.
                if requests.isEmpty { resolution.deadline() }
                for request in requests {
                    let url = Macros.requestURL(request.url, in: macros, for: .adRequest)
                    do throws(StitchFailure) {
                        let (bytes, location) = try await bytes(at: url)
                        resolution.receive(.body(bytes, finalURL: location), for: request.id)
                    } catch {
                        resolution.receive(.failure(.connection), for: request.id)
                    }
                }
            }
        }
    }
}
