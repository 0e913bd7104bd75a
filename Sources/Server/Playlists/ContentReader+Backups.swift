internal import HLS
internal import Stitching
internal import Synchronization
internal import Transport

/// Several origins of one source: another one takes the place of one that fails or brings nothing new, and gives it back.
extension ContentReader {
    /// What was found at the origin in use, unless it is time for another one; then what is found there.
    func elsewhere(
        _ rendition: MediaRendition, of source: Source, in catalog: SourceCatalog,
        unless result: Result<BreakLedger, ServerError>
    ) async throws(ServerError) -> BreakLedger {
        let now = time.monotonic()
        let ledger = source.ledger
        let target = ledger?.targetDuration ?? .seconds(6)
        guard catalog.origin == source.origin else { return try await again(rendition, of: source, result) }
        let silence = source.health.withLock { health in
            health.asked(edge: ledger?.heldEdge, at: now)
            return health.silence(at: now)
        }
        var candidates: [Int] = []
        var reason = "nothing new for \(silence.components.seconds) s"
        if case .failure(let error) = result, await hasFailed(catalog, of: source) {
            candidates = source.origins(behind: catalog.origin)
            reason = error.detail
        } else if source.id.kind == .live, !(ledger?.renditions[source.leading(in: catalog).key]?.hasEnded ?? false) {
            if silence >= source.options.failoverAfter ?? target * 3 {
                candidates = source.origins(behind: catalog.origin)
            } else if catalog.origin != 0 {
                probe(source, every: target, patience: target * 3)
                if source.health.withLock({ $0.wellness(at: now) }) >= source.options.failbackAfter {
                    candidates = [0]
                    reason = "the first origin is well again"
                }
            }
        }
        for candidate in candidates {
            guard let other = try? await self.catalog(of: source, at: candidate), let twin = other.twin(of: rendition),
                await hasPlaylist(other, source)
            else { continue }
            await change(source, to: candidate, other, reason: reason)
            if case .success(let ledger) = await newest(twin, of: source, in: other) { return ledger }
        }
        return try result.get()
    }

    /// Another request has gone over to another origin meanwhile.
    private func again(
        _ rendition: MediaRendition, of source: Source, _ result: Result<BreakLedger, ServerError>
    ) async throws(ServerError) -> BreakLedger {
        guard let other = try? await self.catalog(of: source, at: source.origin), let twin = other.twin(of: rendition)
        else { return try result.get() }
        return try await newest(twin, of: source, in: other).get()
    }

    func change(_ source: Source, to origin: Int, _ catalog: SourceCatalog, reason: String) async {
        await source.use(origin: origin, leading: source.leading(in: catalog).key)
        log.warning(
            "origin.changed", reason: reason,
            ["source": .text(source.id.name), "url": .text(redactedURL(source.origins[origin]))])
    }

    /// The origin has nothing to begin with. One rendition that fails is no reason to leave a channel's origin, the leading one is.
    private func hasFailed(_ catalog: SourceCatalog, of source: Source) async -> Bool {
        if source.id.kind == .vod || source.ledger?.heldEdge == nil { return true }
        return await !hasPlaylist(catalog, source)
    }

    private func hasPlaylist(_ catalog: SourceCatalog, _ source: Source) async -> Bool {
        guard case .success(let snapshot) = await found(of: source, in: catalog) else { return false }
        return snapshot.media?.segments.isEmpty == false
    }

    /// Of the leading rendition, for which none stands in while it is listed.
    private func found(of source: Source, in catalog: SourceCatalog) async -> Result<OriginSnapshot, ServerError> {
        catalog.isLeadingGone
            ? await leadingResult(of: source, in: catalog)
            : await result(of: source.leading(in: catalog).upstreamURL, source)
    }

    /// Looks at the first origin behind the back of who asks.
    private func probe(_ source: Source, every interval: Duration, patience: Duration) {
        let now = time.monotonic()
        guard source.health.withLock({ $0.claimProbe(every: interval, at: now) }) else { return }
        start { [self] in
            var version: UInt64?
            if let catalog = try? await catalog(of: source, at: 0),
                case .success(let snapshot) = await found(of: source, in: catalog),
                snapshot.media?.segments.isEmpty == false,
                // A slow origin's answer is the one to the look before.
                time.monotonic() - snapshot.confirmedAt <= interval * 2
            {
                version = snapshot.version
            }
            let now = time.monotonic()
            source.health.withLock { $0.probed(version: version, patience: patience, at: now) }
        }
    }
}

extension Source {
    /// The other origins, in the order in which they are tried.
    func origins(behind origin: Int) -> [Int] {
        origins.indices.map { (origin + $0) % origins.count }.filter { $0 != origin }
    }
}
