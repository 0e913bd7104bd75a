internal import Conditioning
internal import FoundationEssentials
internal import Glibc
internal import Transport

/// The parts that make ads out of files; there are none where that is switched off or ffmpeg is missing.
struct ConditioningWiring: Sendable {
    let conditioner: Conditioner
    let creatives: ConditionedCreatives
    let files: CreativeFileHandler

    /// Where ffmpeg is, if it is wanted. Where it is missing the log says so.
    static func tools(_ options: ConditioningOptions, log: Log) -> MediaTools? {
        guard options.isEnabled else { return nil }
        let searchPath = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        if let tools = MediaTools.find(options.ffmpeg, searchPath: searchPath) { return tools }
        log.warning(
            "conditioning.off",
            reason: "\(options.ffmpeg), or ffprobe beside it, is not there: ads without HLS are not shown",
            ["option": .text("conditioning.ffmpeg")])
        return nil
    }

    init(
        _ options: ConditioningOptions, tools: MediaTools, publicURL: String?, upstream: any Upstream,
        time: any TimeSource, log: Log, metrics: Metrics,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
    ) {
        let folder =
            options.folder.hasPrefix("/")
            ? options.folder : "\(FileManager.default.currentDirectoryPath)/\(options.folder)"
        var limits = CreativeStore.Limits(bytes: options.maxStoredBytes)
        limits.freeBytes = options.minFreeBytes
        limits.use = Self.use
        let store = CreativeStore(
            folder: folder, limits: limits,
            process: "\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 36))",
            now: { time.monotonic() })
        var settings = Conditioner.Options()
        settings.jobs = options.jobs
        settings.downloads = options.downloads
        settings.jobsOfHost = options.jobsOfHost
        settings.waiting = options.maxQueuedJobs
        settings.timeLimit = options.timeLimit
        settings.sourceBytes = options.maxSourceBytes
        settings.plan.longest = options.longestAd
        settings.threads = options.threads ?? max(Self.processors / 2 / options.jobs, 1)
        let download = CreativeDownload(
            playlist: { await upstream.creative($0, isNamedByAnswer: $1) }, part: { await upstream.part($0) },
            now: { time.monotonic() },
            leastRate: HTTPClientRequest.LeastRate(bytesPerSecond: options.leastSourceRate, time: options.stallTime))
        conditioner = Conditioner(
            options: settings, tools: tools, store: store, now: { time.monotonic() }, start: start,
            fetch: { await download.fetch($0, write: $1) },
            report: { Self.record($0, log: log, metrics: metrics) })
        let prober = SourceProber(
            tools: tools, store: store, threads: conditioner.threads,
            playlist: { await upstream.playlist(UpstreamRequest(address: $0)) },
            bytes: { await upstream.sample(ofContent: $0, from: $1, count: $2) }, loudness: options.loudness)
        let prefix = options.urlPrefix ?? "\(publicURL ?? "")/\(CreativeFileHandler.folder)"
        creatives = ConditionedCreatives(
            conditioner: conditioner, prober: prober, address: prefix, time: time, metrics: metrics,
            start: start)
        files = CreativeFileHandler(store: store, threads: conditioner.threads, time: time, metrics: metrics)
    }

    /// What a playlist lists is there at least as long as players take to ask for it.
    private static let use = Duration.seconds(900)

    private static var processors: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }

    private static func record(_ report: Conditioner.Report, log: Log, metrics: Metrics) {
        switch report {
        case .made(let key, let duration, let elapsed, let evicted):
            metrics.creativesMade.increment()
            metrics.creativesEvicted.increment(by: evicted)
            log.info(
                "creative.made",
                [
                    "creative": .text(key.text), "durationMilliseconds": .span(duration),
                    "elapsedMilliseconds": .span(elapsed), "evicted": .number(evicted),
                ])
        case .failed(let key, let failure):
            metrics.creativesFailed[failure.kind.rawValue].increment()
            log.warning(
                "creative.failed", reason: failure.reason,
                ["creative": .text(key.text), "kind": .text(failure.kind.rawValue)])
        case .elsewhere(let key): log.debug("creative.elsewhere", ["creative": .text(key.text)])
        }
    }
}
