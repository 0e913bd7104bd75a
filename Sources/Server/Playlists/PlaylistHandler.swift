internal import Stitching
internal import Transport

/// Turns viewers' HTTP requests into calls of the playlist service, and what it answers into HTTP.
struct PlaylistHandler: HTTPHandler {
    static let playlistType = "application/vnd.apple.mpegurl"

    var service: PlaylistService
    var options: ServerOptions
    var log: Log
    var metrics: Metrics
    /// What was made of ads; nil where nothing is.
    var creativeFiles: CreativeFileHandler?

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        if let creativeFiles, request.pathSegments.first == CreativeFileHandler.folder {
            return await creativeFiles.respond(to: request)
        }
        do {
            return try await answer(request)
        } catch {
            return failure(error, request)
        }
    }

    private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        let streamID = request.queryValue("stream_id")
        let route: Route
        do throws(Route.Failure) {
            route = try Route(segments: request.pathSegments, streamID: streamID)
        } catch {
            throw ServerError(error == .badStreamID ? .badStreamID : .notFound)
        }
        if request.method == .options { return Self.options(of: route) }
        guard route.methods.contains(request.method) else {
            throw ServerError(.methodNotAllowed, place: request.method.rawValue)
        }
        switch route {
        case .sessionStart(let name): return try await startSession(name, request)
        case .tracking(let key): return try await tracking(key, request)
        case .trackingOf(let id): return try await tracking(service.session(of: id), request)
        case .relay(let key, let event): return try await relay(event, of: key, request)
        case .multivariant(let source, nil): return try newStream(of: source, request)
        case .multivariant(let source, let id?):
            return try await multivariant(
                SessionKey(source: source, streamID: id), hasIDInQuery: streamID != nil, request)
        case .media(let key, let rendition):
            let playlist = try await service.media(
                key, RenditionKey(rendition), try playlistRequest(request, key.source))
            return self.playlist(playlist.bytes)
        case .adSegment(let key, let path):
            guard let (segment, rendition) = AdSegmentAddress.read(path) else { throw ServerError(.notFound) }
            return Self.redirect(
                to: try await service.adSegment(key, segment, rendition, isLoaded: request.method == .get))
        case .subtitlePiece(let key, let path):
            guard let (rendition, piece) = SubtitlePieces.read(path) else { throw ServerError(.notFound) }
            return HTTPResponse(
                headers: [("Content-Type", EmptySubtitles.contentType), ("Cache-Control", "private, max-age=3600")],
                body: try await service.subtitles(key, piece, of: rendition))
        case .emptySubtitles(let source, let timestamp):
            _ = try service.source(source)
            return HTTPResponse(
                headers: [("Content-Type", EmptySubtitles.contentType), ("Cache-Control", "public, max-age=86400")],
                body: EmptySubtitles.body(timestamp))
        }
    }

    /// What may be asked of an address, told to who asks.
    private static func options(of route: Route) -> HTTPResponse {
        HTTPResponse(status: 204, headers: [("Allow", route.allow), ("Cache-Control", "no-store")], entityTag: .none)
    }

    // MARK: Playlists

    private func multivariant(
        _ key: SessionKey, hasIDInQuery: Bool, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        // From `…/master.m3u8?stream_id=…` the session's playlists lie one folder deeper.
        let folder = hasIDInQuery && request.pathSegments.count == 3 ? "\(key.streamID.escaped)/" : ""
        let body = try await service.multivariant(key, try playlistRequest(request, key.source)) { rendition in
            "\(folder)\(percentEscaped(rendition.text)).m3u8"
        }
        return playlist(body)
    }

    /// Gives a viewer without a stream ID a new one.
    private func newStream(of source: SourceID, _ request: HTTPRequest) throws(ServerError) -> HTTPResponse {
        _ = try service.source(source)
        var generator = SystemRandomNumberGenerator()
        let id = StreamID.random(using: &generator)
        let query = request.rawQuery.map { $0.isEmpty ? "" : "&\($0)" } ?? ""
        return Self.redirect(to: "\(Route.multivariantName)?stream_id=\(id.escaped)\(query)")
    }

    /// A playlist is one viewer's own: nobody else may be given it (rule 1503).
    private func playlist(_ body: [UInt8]) -> HTTPResponse {
        metrics.playlists.increment()
        return HTTPResponse(
            headers: [("Content-Type", Self.playlistType), ("Cache-Control", "private, no-cache")], body: body)
    }

    private static func redirect(to location: String) -> HTTPResponse {
        HTTPResponse(status: 302, headers: [("Location", location), ("Cache-Control", "no-store")], entityTag: .none)
    }

    private func playlistRequest(
        _ request: HTTPRequest, _ source: SourceID
    ) throws(ServerError) -> PlaylistRequest {
        let allowed = service.sources[source]?.options.originParameters ?? []
        return PlaylistRequest(
            playerParameters: try PlayerParameters.parameters(query: request.query, origin: allowed),
            originParameters: try OriginParameters(request.query, allowed: allowed), viewer: viewer(request))
    }

    private func viewer(_ request: HTTPRequest) -> Viewer {
        Viewer(
            address: Viewer.address(
                peer: request.peerAddress, forwardedFor: request.headers.values("X-Forwarded-For"),
                trustedProxies: options.trustedProxies),
            userAgent: request.headers["User-Agent"], referer: request.headers["Referer"],
            acceptLanguage: request.headers["Accept-Language"])
    }

    // MARK: Sessions as players written for MediaTailor ask for them

    private func startSession(_ name: String, _ request: HTTPRequest) async throws -> HTTPResponse {
        let parameters: [String: String]
        switch request.method {
        case .post:
            parameters = try PlayerParameters.parameters(sessionQuery: request.query)
                .merging(try PlayerParameters.parameters(sessionBody: request.body)) { $1 }
        default: parameters = try PlayerParameters.parameters(sessionQuery: request.query)
        }
        let live = SourceID(kind: .live, name: name)
        let source = service.sources[live] != nil ? live : SourceID(kind: .vod, name: name)
        let origin = try OriginParameters(
            request.query, allowed: try service.source(source).options.originParameters)
        var generator = SystemRandomNumberGenerator()
        let key = SessionKey(source: source, streamID: StreamID.random(using: &generator))
        try await service.begin(
            key,
            PlaylistRequest(playerParameters: parameters, originParameters: origin, viewer: viewer(request)))
        return HTTPResponse(
            headers: [("Content-Type", MediaTailorSession.contentType), ("Cache-Control", "no-store")],
            body: MediaTailorSession(key, publicURL: options.publicURL).body, entityTag: .none)
    }

    // MARK: Tracking by players

    private func tracking(_ key: SessionKey, _ request: HTTPRequest) async throws -> HTTPResponse {
        var token = TrackingToken.text(query: request.query)
        if token == nil, request.method == .post { token = try TrackingToken.text(body: request.body) }
        let text = try await service.tracking(key, after: token)
        return HTTPResponse(
            headers: [("Content-Type", TrackingDocument.contentType), ("Cache-Control", "no-store")],
            body: Array(text.utf8), entityTag: .none)
    }

    private func relay(_ event: RelayedEvent, of key: SessionKey, _ request: HTTPRequest) async throws -> HTTPResponse {
        // Who only looks reports nothing.
        try await service.relay(
            event, of: key, code: request.queryValue("errorCode").flatMap { Int($0) }, isReport: request.method != .head
        )
        return HTTPResponse(status: 204, headers: [("Cache-Control", "no-store")], entityTag: .none)
    }

    // MARK: Errors

    private static func route(_ request: HTTPRequest) -> Route? {
        try? Route(segments: request.pathSegments, streamID: request.queryValue("stream_id"))
    }

    private func failure(_ error: any Error, _ request: HTTPRequest) -> HTTPResponse {
        let response = ErrorResponse(error)
        if response.status >= 500 {
            metrics.serverErrors.increment()
            let detail = (error as? ServerError)?.description ?? "\(error)"
            log.warning("request.failed", reason: detail, ["status": .number(response.status)])
        } else {
            metrics.clientErrors.increment()
            log.debug("request.refused", reason: "\(error)", ["status": .number(response.status)])
        }
        var headers = [("Content-Type", ErrorResponse.contentType), ("Cache-Control", "no-store")]
        if response.status == 405, let route = Self.route(request) { headers.append(("Allow", route.allow)) }
        if response.status == 503 { headers.append(("Retry-After", "1")) }
        return HTTPResponse(status: response.status, headers: headers, body: response.body, entityTag: .none)
    }
}
