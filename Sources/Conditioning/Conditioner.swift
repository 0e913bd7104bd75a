internal import Synchronization

/// Makes ads into a channel's renditions, in the background, a bounded number at one time, and keeps what was made.
package final class Conditioner: Sendable {
    package struct Options: Sendable {
        /// Ads that are encoded at one time.
        package var jobs = 1
        /// Ads that are downloaded beside them, or wait for an encoder with their file there.
        package var downloads = 3
        /// Of these together, those whose files are of one host.
        package var jobsOfHost = 2
        /// Ads that wait for all that.
        package var waiting = 100
        /// Of one ad: download and all programs, but not the wait for an encoder.
        package var timeLimit = Duration.seconds(600)
        package var sourceBytes = 256 << 20
        package var plan = EncodingPlan.Limits()
        /// Of each encoder.
        package var threads = 1

        package init() {}
    }

    /// An ad that is wanted.
    package struct Request: Sendable {
        package var key: ContentKey
        package var ladder: ConditioningLadder
        /// Its files, the best one first. The next one is tried where one cannot be used.
        package var sources: [MediaSource]
        /// The operator named them, and no answer of an ad server.
        package var isOperators: Bool

        package init(
            key: ContentKey, ladder: ConditioningLadder, sources: [MediaSource], isOperators: Bool = false
        ) {
            self.key = key
            self.ladder = ladder
            self.sources = sources
            self.isOperators = isOperators
        }
    }

    package enum Answer: Hashable, Sendable {
        case ready
        /// It is being made, or waits for that.
        case inProgress
        case failed(ConditioningFailure)
        /// Too many are waiting.
        case full
    }

    /// What became of a job, for logs and counts.
    package enum Report: Sendable {
        case made(ContentKey, duration: Duration, elapsed: Duration, evicted: Int)
        case failed(ContentKey, ConditioningFailure)
        /// Another process makes it.
        case elsewhere(ContentKey)
    }

    /// The media playlist in the folder of each output.
    package static let playlistName = EncodingArguments.playlist

    package let store: CreativeStore
    /// For whoever reads what is stored.
    package let threads = FileThreads(count: 4, limit: 4_096)
    private let options: Options
    private let tools: MediaTools
    private let now: @Sendable () -> Duration
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let fetch: FetchMedia
    private let report: @Sendable (Report) -> Void
    private let schedule: Mutex<ConditioningSchedule<ContentKey, Request>>
    private let jobThreads: FileThreads
    private let idleWaiters = Mutex<[CheckedContinuation<Void, Never>]>([])
    private let cancelled = CancellationFlag()

    /// - Parameters:
    ///   - now: monotonic.
    ///   - start: runs a job in the background.
    package init(
        options: Options, tools: MediaTools, store: CreativeStore, now: @escaping @Sendable () -> Duration,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void, fetch: @escaping FetchMedia,
        report: @escaping @Sendable (Report) -> Void
    ) {
        self.options = options
        self.tools = tools
        self.store = store
        self.now = now
        self.start = start
        self.fetch = fetch
        self.report = report
        var limits = ConditioningSchedule<ContentKey, Request>.Limits()
        limits.running = options.jobs + options.downloads
        limits.runningOfHost = options.jobsOfHost
        limits.waiting = options.waiting
        schedule = Mutex(ConditioningSchedule(limits: limits))
        jobThreads = FileThreads(count: options.jobs, limit: limits.running)
    }

    /// Takes in what earlier processes made.
    package func open() async {
        let store = store
        _ = await threads.run { store.open() }
    }

    package var runningCount: Int { schedule.withLock { $0.runningCount } }
    package var waitingCount: Int { schedule.withLock { $0.waitingCount } }

    /// Whether an ad is there; if not, it will be made unless it failed a while ago.
    package func request(_ request: Request) async -> Answer {
        let store = store
        guard let isThere = await threads.run({ store.find(request.key) }) else { return .full }
        if isThere { return .ready }
        guard !cancelled.isSet else { return .full }
        let host = request.sources.first?.host ?? ""
        switch schedule.withLock({ $0.request(request.key, of: host, request, at: now()) }) {
        case .run(let job):
            begin(job)
            return .inProgress
        case .inProgress: return .inProgress
        case .failed(let failure): return .failed(failure)
        case .full: return .full
        }
    }

    /// Begins nothing more, and ends the programs that run: when it returns there are none, or they took a second to go.
    package func stop() async {
        cancelled.set()
        schedule.withLock { $0.dropWaiting() }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(1)
        while !jobThreads.isIdle, clock.now < end { try? await clock.sleep(for: .milliseconds(10)) }
    }

    private func begin(_ request: Request) {
        start { [self] in
            let outcome = await make(request)
            let failure: ConditioningFailure? = if case .failed(_, let failure) = outcome { failure } else { nil }
            let next = schedule.withLock { $0.finished(request.key, failure, at: now()) }
            report(outcome)
            for request in next { begin(request) }
            let idle = idleWaiters.withLock { waiters -> [CheckedContinuation<Void, Never>] in
                guard runningCount == 0 else { return [] }
                defer { waiters = [] }
                return waiters
            }
            for waiter in idle { waiter.resume() }
        }
    }

    /// Waits until nothing is being made, or waits to be.
    package func becomesIdle() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isIdle = idleWaiters.withLock { waiters in
                guard runningCount > 0 else { return true }
                waiters.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    // MARK: One ad

    private func make(_ request: Request) async -> Report {
        let (store, key) = (store, request.key)
        let failed = { (kind: ConditioningFailure.Kind, reason: String) in
            Report.failed(key, ConditioningFailure(kind, reason))
        }
        guard let claimed = await threads.run({ store.claim(key) }), let claim = claimed else { return .elsewhere(key) }
        defer { withExtendedLifetime(claim) {} }
        // Another process may have made it while this one waited.
        guard await threads.run({ store.find(key) }) != true else { return .elsewhere(key) }
        guard await threads.run({ store.hasFreeSpace() }) == true else {
            return failed(.machine, "the disk is full, or its folder cannot be made")
        }
        guard let made = await threads.run({ store.makeWorkFolder() }), let folder = made else {
            return failed(.machine, "no folder can be made in the store")
        }
        let began = now()
        var outcome = failed(.notFound, "no file")
        for source in request.sources.prefix(3) {
            outcome = await make(request, from: source, in: folder, began: began)
            // Another file helps only where this one, or its server, was at fault.
            guard case .failed(_, let failure) = outcome,
                [.notFound, .unusable, .slow, .encrypted].contains(failure.kind)
            else { break }
        }
        _ = await threads.run { store.discardWorkFolder(folder) }
        return outcome
    }

    private func make(
        _ request: Request, from source: MediaSource, in folder: String, began: Duration
    ) async -> Report {
        let (store, threads, cancelled) = (store, threads, cancelled)
        let failed = { (kind: ConditioningFailure.Kind, reason: String) in
            Report.failed(request.key, ConditioningFailure(kind, reason))
        }
        let result = "\(folder)/\(EncodingArguments.result)"
        _ = await threads.run {
            for name in [result] + MediaTrack.allCases.map({ "\(folder)/\($0.rawValue)" }) {
                CreativeStore.removeTree(name)
            }
        }
        let download = MediaDownload(
            source: source, isOperators: request.isOperators, byteLimit: options.sourceBytes,
            longest: options.plan.longest, deadline: began + options.timeLimit)
        let fetched: FetchedMedia
        switch await fetch(
            download,
            { track, bytes in
                guard !cancelled.isSet else { return false }
                let file = "\(folder)/\(track.rawValue)"
                return await threads.run { CreativeStore.write(bytes, to: file, isNew: false) } ?? false
            })
        {
        case .success(let media): fetched = media
        case .failure(let failure): return .failed(request.key, failure)
        }
        let rest = began + options.timeLimit - now()
        guard rest > .zero else { return failed(.timeout, "its download took too long") }
        let (tools, options) = (tools, options)
        let outcome = await jobThreads.run { () -> Result<EncodingPlan, ConditioningFailure> in
            let job = ConditioningJob(
                tools: tools, folder: folder, media: fetched, ladder: request.ladder, limits: options.plan,
                threads: options.threads, cancelled: cancelled, deadline: ContinuousClock.now + rest)
            do throws(ConditioningFailure) {
                return .success(try job.run())
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let plan)?:
            switch await threads.run({ store.publish(result, as: request.key) }) {
            case .done(let evicted)?:
                return .made(request.key, duration: plan.duration, elapsed: now() - began, evicted: evicted)
            case .noRoom?: return failed(.machine, "all that is kept is in use, there is no room for more")
            case .failed?, nil: return failed(.machine, "what was made cannot be put in its place")
            }
        case .failure(let failure)?: return .failed(request.key, failure)
        case nil: return failed(.machine, "no thread")
        }
    }
}
