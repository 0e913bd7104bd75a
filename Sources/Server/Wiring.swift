internal import Conditioning
internal import Stitching
internal import Transport
internal import VAST

/// Puts the parts together.
struct Wiring {
    let service: PlaylistService
    let sessions: SessionTable
    let tracker: BeaconTracker
    let queue: BeaconQueue
    let outbox: BeaconOutbox
    let debugger: AdDebugger
    let origins: OriginCache
    /// Nil where nothing is made of files.
    let conditioning: ConditioningWiring?

    /// - Parameters:
    ///   - tools: with which ads are made of files; nil makes none.
    ///   - start: runs a job in the background.
    ///   - encode: runs what takes too long for an event loop.
    init(
        configuration: Configuration, log: Log, time: any TimeSource, upstream: any Upstream, metrics: Metrics,
        store: ResilientStore, tools: MediaTools? = nil,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void,
        encode: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = startThread
    ) {
        var macros = SessionMacros(
            now: { time.now() },
            random: {
                var generator = SystemRandomNumberGenerator()
                return generator.next()
            }, serverUserAgent: PodstitchServer.userAgent)
        macros.acceptsOtherForms = configuration.server.otherMacroForms
        let debugger = AdDebugger(options: configuration.server.adDebugging, time: time)
        self.debugger = debugger
        let journal: @Sendable (SourceOptions, OriginParameters) -> LedgerJournal? = { options, window in
            guard store.isShared, options.kind == .live else { return nil }
            let id = SourceID(kind: options.kind, name: options.name)
            return LedgerJournal(
                id, window: window, store: store, time: time,
                lifetime: max(options.sessionTimeout * 2, .seconds(3_600)), start: start, encode: encode
            ) { key, observation in log.odd(observation, of: key, id, time) }
        }
        let register: @Sendable (SourceOptions, OriginParameters) -> RenditionRegister = { options, window in
            // A title's list is what it was when its sessions began, in all that matters.
            RenditionRegister(
                SourceID(kind: options.kind, name: options.name), window: window,
                store: store.isShared && options.kind == .live ? store : nil, time: time,
                lifetime: max(options.sessionTimeout * 2, .seconds(3_600)))
        }
        let made = tools.map { tools in
            ConditioningWiring(
                configuration.conditioning, tools: tools, publicURL: configuration.server.publicURL,
                upstream: upstream, time: time, log: log, metrics: metrics, start: start)
        }
        conditioning = made
        let slates = CreativeReader(
            fetch: { await upstream.creative($0, isNamedByAnswer: false) },
            beginning: { await upstream.beginning(ofMedia: $0, from: $1, isNamedByAnswer: false) })
        let slate: (String, String?, SourceOptions) -> Slate? = { name, url, options in
            url.map { url in
                Slate(
                    name, of: SourceID(kind: options.kind, name: options.name), at: url,
                    making: made == nil ? .never : ConditionedCreatives.isFile(url) ? .always : .whereUnfit,
                    time: time, log: log,
                    read: { url, subject in
                        guard let made, let subject else { return await slates.media(at: url) }
                        return await made.creatives.media(
                            of: MediaSource(url, isPlaylist: !ConditionedCreatives.isFile(url)), for: subject,
                            within: configuration.network.upstreamTimeout)
                    }, start: start)
            }
        }
        let sources = Self.sources(
            configuration, time: time, macros: macros, metrics: metrics, debugger: debugger, upstream: upstream,
            slate: slate, journal: journal, register: register)
        let archive = SessionArchive(store: store, time: time, log: log) {
            sources[$0]?.options.sessionTimeout ?? .seconds(60)
        }

        var originLimits = OriginCache.Limits()
        originLimits.liveStaleness = configuration.network.staleIfError
        originLimits.timeout = configuration.network.upstreamTimeout + .milliseconds(500)
        origins = OriginCache(
            limits: originLimits, time: time, start: start, fetch: { await upstream.playlist($0) },
            failed: { address, failure in
                // Once a minute, not once a request.
                log.once(
                    "\(address.url)/\(failure)/\(time.monotonic().components.seconds / 60)", .warning, "origin.failed",
                    reason: failure.reason, ["url": .text(redactedURL(address.url))])
            })

        var outboxLimits = BeaconOutbox.Limits()
        outboxLimits.beacons = configuration.network.maxQueuedBeacons
        outboxLimits.bytes = configuration.network.maxQueuedBeaconBytes
        outboxLimits.age = configuration.network.maxBeaconAge
        outbox = BeaconOutbox(
            limits: outboxLimits, store: store.beacons, holder: hexadecimal(macros.random()), time: time, log: log,
            metrics: metrics, lifetime: archive.lifetime, waitsForStore: { store.isOneOfSeveral }, start: start)
        queue = outbox.open(
            limits: BeaconQueue.Limits(), send: { await upstream.send($0) },
            report: { beacon, outcome in Self.record(beacon, outcome, log: log, metrics: metrics, debugger: debugger) })
        tracker = BeaconTracker(
            outbox: outbox, macros: macros, time: time, isOneOfSeveral: { store.isOneOfSeveral })

        sessions = SessionTable(
            archive: archive, limit: configuration.server.maxSessions, time: time, metrics: metrics,
            settings: { sources[$0]?.sessionSettings ?? StitchingSession.Settings() }, start: start)
        let creatives = CreativeLibrary(
            time: time, start: start, fetch: { await upstream.creative($0, isNamedByAnswer: true) },
            beginning: { await upstream.beginning(ofMedia: $0, from: $1, isNamedByAnswer: true) })
        let operatorsCreatives = CreativeLibrary(
            time: time, start: start, fetch: { await upstream.creative($0, isNamedByAnswer: false) },
            beginning: { await upstream.beginning(ofMedia: $0, from: $1, isNamedByAnswer: false) })
        let desk = DecisionDesk(
            archive: archive, creatives: creatives, operatorsCreatives: operatorsCreatives,
            conditioned: conditioning?.creatives, tracker: tracker,
            handouts: HandoutMaker(macros: macros, log: log), process: hexadecimal(macros.random()), time: time,
            reports: DecisionReports(log: log, metrics: metrics, debugger: debugger),
            crowd: { [sessions] in sessions.count(of: $0) }, start: start)
        service = PlaylistService(
            sources: sources, sessions: sessions,
            contents: ContentReader(origin: origins, time: time, log: log, start: start),
            titles: TitlePlanner(desk: desk, time: time, log: log, start: start),
            channels: ChannelPlanner(desk: desk, time: time), tracker: tracker,
            subtitles: SubtitlePieces(
                time: time, patience: configuration.network.upstreamTimeout, start: start,
                fetch: { await upstream.playlist($0) },
                beginning: { await upstream.beginning(ofContent: $0, from: $1) }),
            macros: macros, publicURL: configuration.server.publicURL, time: time)
    }

    /// What things are at now, for operators.
    var measures: [Measure] {
        var measures: [Measure] = [
            .gauge("sessions", sessions.count, "Sessions in memory."),
            .gauge("beacons_waiting", queue.counts.waiting, "Beacons that wait to be sent."),
        ]
        guard let conditioner = conditioning?.conditioner else { return measures }
        measures += [
            .gauge("creative_jobs_running", conditioner.runningCount, "Ads being downloaded or made into HLS."),
            .gauge("creative_jobs_waiting", conditioner.waitingCount, "Ads that wait to be made into HLS."),
            .gauge("creatives_stored", conditioner.store.count, "Made ads on disk."),
            .gauge("creatives_stored_bytes", conditioner.store.totalBytes, "Bytes of made ads on disk."),
        ]
        return measures
    }

    private static func sources(
        _ configuration: Configuration, time: any TimeSource, macros: SessionMacros, metrics: Metrics,
        debugger: AdDebugger, upstream: any Upstream, slate: (String, String?, SourceOptions) -> Slate?,
        journal: @escaping @Sendable (SourceOptions, OriginParameters) -> LedgerJournal?,
        register: @escaping @Sendable (SourceOptions, OriginParameters) -> RenditionRegister
    ) -> [SourceID: Source] {
        func vast(_ options: VASTProviderOptions) -> (provider: any AdProvider, time: Duration?) {
            let provider = VASTProvider(
                options: options, maxAnswerBytes: configuration.network.maxAdResponseBytes, time: time, macros: macros,
                metrics: metrics, debugger: debugger, fetch: { await upstream.ads($0, http2: options.http2) })
            return (provider, options.timeout)
        }
        var providers: [String: (provider: any AdProvider, time: Duration?)] = [:]
        for (name, options) in configuration.adProviders {
            switch options {
            case .none: providers[name] = (NoAdProvider(), nil)
            case .vast(let options): providers[name] = vast(options)
            case .schedule(let options):
                // Its media have to be read, as an ad server's.
                providers[name] = (ListedAdsProvider(options: options), VASTProviderOptions(url: "").timeout)
            }
        }
        var sources: [SourceID: Source] = [:]
        for options in configuration.channels + configuration.titles {
            let id = SourceID(kind: options.kind, name: options.name)
            func chain(_ names: [String]) -> (chain: ProviderChain, time: Duration?) {
                // A name, or an ad tag of its own. Who has no time is never asked.
                let known = names.compactMap { name in
                    name.contains("://") ? vast(VASTProviderOptions(url: name)) : providers[name]
                }.filter { $0.time != nil }
                let time = known.compactMap(\.time).reduce(Duration.zero, +)
                return (
                    ProviderChain(providers: known.map(\.provider), leastLeft: options.leastForNextProvider),
                    known.isEmpty ? nil : time
                )
            }
            let (ads, preroll) = (chain(options.ads), chain(options.preroll))
            let decisionTime = (ads.time ?? preroll.time).map { min($0, options.decisionDeadline) }
            let filler = slate("slate", options.slate, options)
            let bumpers = (
                start: slate("startBumper", options.startBumper, options),
                end: slate("endBumper", options.endBumper, options)
            )
            let make: @Sendable (OriginParameters, SourceWindows?) -> Source = { parameters, windows in
                Source(
                    id: id, options: options, providers: ads.chain, preroll: preroll.chain, decisionTime: decisionTime,
                    slate: filler, bumpers: bumpers, journal: journal(options, parameters),
                    register: register(options, parameters), parameters: parameters, windows: windows)
            }
            let windows =
                options.originParameters.isEmpty
                ? nil
                : SourceWindows(limit: options.maxOriginWindows, idle: options.sessionTimeout) { make($0, nil) }
            sources[id] = make(OriginParameters(), windows)
        }
        return sources
    }

    private static func record(
        _ beacon: Beacon, _ outcome: BeaconOutcome, log: Log, metrics: Metrics, debugger: AdDebugger
    ) {
        debugger.sent(beacon, outcome: outcome.text)
        switch outcome {
        case .delivered(let status):
            metrics.beaconsSent.increment()
            log.debug(
                "beacon.sent", session: beacon.lane.session.publicName,
                ["name": .text(beacon.event), "host": .text(beacon.lane.host), "status": .number(status)])
        case .notSent(let reason), .unknown(let reason), .refused(let reason):
            metrics.beaconsFailed.increment()
            log.warning(
                "beacon.failed", session: beacon.lane.session.publicName, reason: reason,
                ["name": .text(beacon.event), "host": .text(beacon.lane.host)])
        }
    }
}
