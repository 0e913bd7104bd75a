internal import Synchronization

/// Makes ads into a channel's renditions, in the background, a bounded number at one time, and keeps what was made.
package final class Conditioner: Sendable {
    package struct Options: Sendable {
        /// Jobs at one time, and those that wait for one.
        package var jobs = 1
        package var waiting = 100
        /// Of one job: download and all programs.
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
        /// Addresses of its files, the best one first. The next one is tried where one cannot be used.
        package var sources: [String]
        /// The operator named them, and no answer of an ad server.
        package var isOperators: Bool

        package init(key: ContentKey, ladder: ConditioningLadder, sources: [String], isOperators: Bool = false) {
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
    }

    /// A file that is to be downloaded.
    package struct Download: Sendable {
        package var url: String
        package var isOperators: Bool
        /// The most that it may have.
        package var byteLimit: Int
        /// When it is to be there, monotonic.
        package var deadline: Duration

        package init(url: String, isOperators: Bool, byteLimit: Int, deadline: Duration) {
            self.url = url
            self.isOperators = isOperators
            self.byteLimit = byteLimit
            self.deadline = deadline
        }
    }

    /// Downloads a file, and hands the bytes to what says whether to go on.
    package typealias Fetch =
        @Sendable (_ file: Download, _ write: @escaping @Sendable ([UInt8]) async -> Bool) async -> ConditioningFailure?

    /// The media playlist in the folder of each output.
    package static let playlistName = EncodingArguments.playlist

    package let store: CreativeStore
    /// For whoever reads what is stored.
    package let threads = FileThreads(count: 4, limit: 4_096)
    private let options: Options
    private let tools: MediaTools
    private let now: @Sendable () -> Duration
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let fetch: Fetch
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
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void, fetch: @escaping Fetch,
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
        limits.running = options.jobs
        limits.waiting = options.waiting
        schedule = Mutex(ConditioningSchedule(limits: limits))
        jobThreads = FileThreads(count: options.jobs, limit: options.jobs * 2)
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
        switch schedule.withLock({ $0.request(request.key, request, at: now()) }) {
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

    private func begin(_ first: Request) {
        start { [self] in
            var next: Request? = first
            while let request = next {
                let outcome = await make(request)
                let failure: ConditioningFailure? = if case .failed(_, let failure) = outcome { failure } else { nil }
                next = schedule.withLock { $0.finished(request.key, failure, at: now())?.job }
                report(outcome)
            }
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

    private func make(_ request: Request) async -> Report {
        let store = store
        guard let made = await threads.run({ store.makeWorkFolder() }), let folder = made else {
            return .failed(request.key, ConditioningFailure(.machine, "no folder can be made in the store"))
        }
        let began = now()
        var outcome = Report.failed(request.key, ConditioningFailure(.notFound, "no file"))
        for source in request.sources.prefix(3) {
            outcome = await make(request, from: source, in: folder, began: began)
            // Another file helps only where this one was at fault.
            guard case .failed(_, let failure) = outcome, failure.kind == .notFound || failure.kind == .unusable else {
                break
            }
        }
        _ = await threads.run { store.discardWorkFolder(folder) }
        return outcome
    }

    private func make(
        _ request: Request, from source: String, in folder: String, began: Duration
    ) async -> Report {
        let failed: (ConditioningFailure.Kind, String) -> Report = {
            .failed(request.key, ConditioningFailure($0, $1))
        }
        let file = "\(folder)/\(EncodingArguments.source)"
        let cancelled = cancelled
        let threads = threads
        let result = "\(folder)/\(EncodingArguments.result)"
        guard
            await threads.run({
                CreativeStore.removeTree(result)
                return CreativeStore.write([], to: file, isNew: true)
            }) == true
        else { return failed(.machine, "the store cannot be written to") }
        let deadline = began + options.timeLimit
        let download = Download(
            url: source, isOperators: request.isOperators, byteLimit: options.sourceBytes, deadline: deadline)
        let failure = await fetch(download) { bytes in
            guard !cancelled.isSet else { return false }
            return await threads.run { CreativeStore.write(bytes, to: file, isNew: false) } ?? false
        }
        if let failure { return .failed(request.key, failure) }
        let rest = deadline - now()
        guard rest > .zero else { return failed(.timeout, "its download took too long") }
        let job = ConditioningJob(
            tools: tools, folder: folder, ladder: request.ladder, limits: options.plan, threads: options.threads,
            cancelled: cancelled, deadline: ContinuousClock.now + rest)
        let outcome = await jobThreads.run { () -> Result<EncodingPlan, ConditioningFailure> in
            do throws(ConditioningFailure) {
                return .success(try job.run())
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let plan)?:
            let store = store
            guard let evicted = await threads.run({ store.publish(result, as: request.key) }), let evicted else {
                return failed(.machine, "what was made cannot be put in its place")
            }
            return .made(request.key, duration: plan.duration, elapsed: now() - began, evicted: evicted)
        case .failure(let failure)?: return .failed(request.key, failure)
        case nil: return failed(.machine, "no thread")
        }
    }
}
