internal import HLS
internal import Synchronization
internal import Transport

/// A playlist of an origin, and how the origin wants to be asked.
struct OriginAddress: Hashable, Sendable {
    var url: String
    var headers: [HeaderOption] = []
    var http2 = false
}

/// What the origin cache asks of the network.
struct UpstreamRequest: Sendable {
    var address: OriginAddress
    var etag: String?
    var lastModified: String?
    /// How often the usual time it may take.
    var patience = 1
}

/// What the network answers.
enum UpstreamAnswer: Sendable {
    case notModified
    case body([UInt8], finalURL: String, etag: String?, lastModified: String?)
    case failure(OriginFailure)
}

/// The origin's playlists: one request per address and refresh, whatever the number of viewers; parsed once.
///
/// When the origin fails the last good version serves on for a while, and the origin is left alone with growing pauses. When it is slow
/// nobody waits for long who can be given an older version: the request runs on behind, and after a target duration another one is made
/// beside it. Of several answers the one that was asked for last counts.
final class OriginCache: Sendable {
    struct Limits: Sendable {
        /// Playlists kept.
        var entries = 4_096
        /// Longest wait of a request that has an older version to fall back on; a quarter of a target duration where that is less.
        var patience = Duration.milliseconds(300)
        /// Longest wait of a request that has none.
        var timeout = Duration.seconds(8)
        /// How long a live playlist is served on while the origin fails, at least; three target durations otherwise.
        var liveStaleness = Duration.seconds(60)
        /// The same of a playlist that has ended. A multivariant playlist is served on as long as it is kept.
        var endedStaleness = Duration.seconds(600)
        /// How often a playlist that does not slide is looked at again.
        var otherInterval = Duration.seconds(15)
        /// A playlist nobody asked for in this time is forgotten.
        var idle = Duration.seconds(300)
        /// Requests for one playlist at one time.
        var flights = 4
    }

    private typealias Flight = SharedWork<Result<OriginSnapshot, OriginFailure>>

    private struct Entry {
        var snapshot: OriginSnapshot?
        var etag: String?
        var lastModified: String?
        /// Monotonic time of the last finished request.
        var checkedAt: Duration = .zero
        var lastCheckBroughtNews = false
        var flight: Flight?
        /// Requests on their way, and the monotonic time at which the last of them began.
        var flights = 0
        var startedAt: Duration = .zero
        /// When the request began whose answer is kept.
        var keptSince: Duration = .zero
        var failure: OriginFailure?
        var backOff = BackOff(first: .milliseconds(500), longest: .seconds(8))
        var usedAt: Duration
        /// Nobody had asked for so long that what is kept tells nothing of the live edge: the answer is worth a wait.
        var isAwaited = false
    }

    /// What there is to fall back on, and how long a request waits for better.
    private struct Fallback {
        var snapshot: OriginSnapshot?
        var patience: Duration
    }

    private enum Step {
        case answer(Result<OriginSnapshot, OriginFailure>)
        case wait(Flight, Fallback)
        case fetch(Flight, UpstreamRequest, since: Duration, Fallback)
    }

    private let limits: Limits
    private let time: any TimeSource
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let fetch: @Sendable (UpstreamRequest) async -> UpstreamAnswer
    private let failed: @Sendable (OriginAddress, OriginFailure) -> Void
    private let state = Mutex<(entries: [OriginAddress: Entry], version: UInt64)>(([:], 0))

    /// - Parameters:
    ///   - start: runs a job in the background.
    ///   - fetch: makes one request; has its own deadline.
    ///   - failed: hears of each request that failed, for the log.
    init(
        limits: Limits = Limits(), time: any TimeSource,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void,
        fetch: @escaping @Sendable (UpstreamRequest) async -> UpstreamAnswer,
        failed: @escaping @Sendable (OriginAddress, OriginFailure) -> Void
    ) {
        self.limits = limits
        self.time = time
        self.start = start
        self.fetch = fetch
        self.failed = failed
    }

    /// The newest version of the playlist at an address that can be had in time.
    func snapshot(of address: OriginAddress) async throws(OriginFailure) -> OriginSnapshot {
        let result: Result<OriginSnapshot, OriginFailure>
        switch nextStep(for: address) {
        case .answer(let known): result = known
        case .wait(let flight, let fallback): result = await outcome(of: flight, fallback)
        case .fetch(let flight, let request, let since, let fallback):
            start { await self.refresh(request, flight, since: since) }
            result = await outcome(of: flight, fallback)
        }
        return try result.get()
    }

    /// The version that is known now, without any wait. Where it is old, or there is none, one is fetched for later.
    func known(_ address: OriginAddress) -> OriginSnapshot? {
        switch nextStep(for: address) {
        case .answer(let known): return try? known.get()
        case .wait(_, let fallback): return fallback.snapshot
        case .fetch(let flight, let request, let since, let fallback):
            start { await self.refresh(request, flight, since: since) }
            return fallback.snapshot
        }
    }

    private func nextStep(for address: OriginAddress) -> Step {
        let now = time.monotonic()
        return state.withLock { state in
            if state.entries[address] == nil { makeRoom(in: &state.entries, now: now) }
            var entry = state.entries[address] ?? Entry(usedAt: now)
            defer { state.entries[address] = entry }
            if let snapshot = entry.snapshot, let media = snapshot.media, !media.hasEndList, entry.failure == nil,
                now - entry.usedAt > Self.target(of: snapshot) * 3
            {
                entry.isAwaited = true
            }
            entry.usedAt = now
            if let snapshot = entry.snapshot, entry.failure == nil, now - entry.checkedAt < interval(for: entry) {
                return .answer(.success(snapshot))
            }
            let older = entry.snapshot.flatMap { isServable($0, at: now) ? $0 : nil }
            let fallback = Fallback(snapshot: older, patience: patience(for: entry, older))
            if let flight = entry.flight, !isOverdue(entry, at: now) { return .wait(flight, fallback) }
            if entry.flight == nil, let failure = entry.failure, !entry.backOff.allows(at: now),
                now - entry.checkedAt < pause(for: entry)
            {
                return .answer(older.map { .success($0) } ?? .failure(failure))
            }
            let flight = entry.flight ?? Flight()
            entry.flight = flight
            entry.flights += 1
            entry.startedAt = now
            // Nobody waits for it: it may bring late what it brings.
            let request = UpstreamRequest(
                address: address, etag: entry.etag, lastModified: entry.lastModified, patience: older == nil ? 1 : 3)
            return .fetch(flight, request, since: now, fallback)
        }
    }

    private func patience(for entry: Entry, _ older: OriginSnapshot?) -> Duration {
        guard let older else { return limits.timeout }
        let target = Self.target(of: older)
        return entry.isAwaited ? min(target, limits.timeout) : min(limits.patience, target / 4)
    }

    private func outcome(of flight: Flight, _ fallback: Fallback) async -> Result<OriginSnapshot, OriginFailure> {
        let result = await flight.value(within: fallback.patience, on: time)
        if case .success(let snapshot) = result { return .success(snapshot) }
        if let older = fallback.snapshot { return .success(older) }
        return result ?? .failure(.timeout)
    }

    /// - Parameter since: when the request began.
    private func refresh(_ request: UpstreamRequest, _ flight: Flight, since: Duration) async {
        let answer = await fetch(request)
        let parsed = Self.parsed(answer)
        let now = time.monotonic()
        let result = state.withLock { state -> Result<OriginSnapshot, OriginFailure>? in
            // The entry may have been dropped meanwhile: the answer still serves those who wait.
            var entry = state.entries[request.address] ?? Entry(usedAt: now)
            defer { state.entries[request.address] = entry }
            entry.flights = max(entry.flights - 1, 0)
            var parsed = parsed
            let good = entry.snapshot.flatMap { isServable($0, at: now) ? $0 : nil }
            if case .success(let new?) = parsed, let fault = Self.fault(of: new.playlist, after: good) {
                parsed = .failure(fault)
            }
            switch parsed {
            case .success where since < entry.keptSince:
                // Overtaken by one that was asked for later.
                return entry.snapshot.map { .success($0) } ?? .failure(.timeout)
            case .failure where entry.flights > 0 && entry.flight === flight:
                // Another one is on its way.
                return nil
            default: break
            }
            if entry.flight === flight { entry.flight = nil }
            entry.checkedAt = now
            entry.isAwaited = false
            if case .success = parsed { entry.keptSince = since }
            switch parsed {
            case .failure(let failure):
                entry.failure = failure
                entry.backOff.failed(at: now)
                return .failure(failure)
            case .success(nil):
                guard var snapshot = entry.snapshot else {
                    // Said "not modified" to a request without a condition.
                    entry.etag = nil
                    entry.lastModified = nil
                    return .failure(.status(304))
                }
                snapshot.confirmedAt = now
                entry.lastCheckBroughtNews = false
                return .success(keep(snapshot, in: &entry))
            case .success(let new?):
                entry.etag = new.etag
                entry.lastModified = new.lastModified
                if var same = entry.snapshot, same.finalURL == new.finalURL, same.playlist.source == new.playlist.source
                {
                    same.confirmedAt = now
                    entry.lastCheckBroughtNews = false
                    return .success(keep(same, in: &entry))
                }
                state.version += 1
                entry.lastCheckBroughtNews = true
                let snapshot = OriginSnapshot(
                    finalURL: new.finalURL, playlist: new.playlist, version: state.version, confirmedAt: now)
                return .success(keep(snapshot, in: &entry))
            }
        }
        if case .failure(let failure)? = result { failed(request.address, failure) }
        if let result { flight.finish(with: result) }
    }

    private func keep(_ snapshot: OriginSnapshot, in entry: inout Entry) -> OriginSnapshot {
        entry.snapshot = snapshot
        entry.failure = nil
        entry.backOff.succeeded()
        return snapshot
    }

    private typealias Parsed = (playlist: Playlist, finalURL: String, etag: String?, lastModified: String?)

    /// Parses outside of the lock; `nil` for "not modified".
    private static func parsed(_ answer: UpstreamAnswer) -> Result<Parsed?, OriginFailure> {
        switch answer {
        case .notModified: return .success(nil)
        case .failure(let failure): return .failure(failure)
        case .body(let bytes, let finalURL, let etag, let lastModified):
            do {
                return .success((try Playlist(parsing: bytes), finalURL, etag, lastModified))
            } catch {
                return .failure(.notAPlaylist("\(error)"))
            }
        }
    }

    /// What is wrong with a playlist whose version before may still be served: cut off on its way into some cache, or another thing altogether.
    private static func fault(of playlist: Playlist, after known: OriginSnapshot?) -> OriginFailure? {
        guard let known else { return nil }
        if (known.media == nil) != (playlist.media == nil) {
            return .notAPlaylist("another kind of playlist than before")
        }
        guard let before = known.media, let media = playlist.media, !media.hasEndList else { return nil }
        if !before.segments.isEmpty, media.segments.isEmpty { return .notAPlaylist("without a segment") }
        let endsLine = { (bytes: [UInt8]) in bytes.last == UInt8(ascii: "\n") || bytes.last == UInt8(ascii: "\r") }
        return endsLine(before.source) && !endsLine(media.source) ? .notAPlaylist("cut off within a line") : nil
    }

    /// The request on its way has been for so long that another one is worth a try.
    private func isOverdue(_ entry: Entry, at now: Duration) -> Bool {
        let target = entry.snapshot.map(Self.target) ?? .seconds(2)
        return entry.flights < limits.flights && now - entry.startedAt >= target
    }

    /// Half a target duration after news, a quarter while the next version is due.
    private func interval(for entry: Entry) -> Duration {
        guard let snapshot = entry.snapshot, let media = snapshot.media, !media.hasEndList else {
            return limits.otherInterval
        }
        let target = Self.target(of: snapshot)
        let interval = entry.lastCheckBroughtNews ? target / 2 : target / 4
        return min(max(interval, .milliseconds(200)), .seconds(3))
    }

    /// A live playlist is asked for once in a target duration, as a player would, however long the origin has failed: its viewers
    /// have no more than their buffers.
    private func pause(for entry: Entry) -> Duration {
        guard let snapshot = entry.snapshot, let media = snapshot.media, !media.hasEndList else {
            return entry.backOff.longest
        }
        return Self.target(of: snapshot)
    }

    private static func target(of snapshot: OriginSnapshot) -> Duration {
        .seconds(max(1, min(snapshot.media?.targetDuration ?? 6, 60)))
    }

    private func isServable(_ snapshot: OriginSnapshot, at now: Duration) -> Bool {
        // Without it there are no renditions to ask for; whether those live their own playlists tell.
        guard let media = snapshot.media else { return true }
        guard !media.hasEndList else { return now - snapshot.confirmedAt <= limits.endedStaleness }
        return now - snapshot.confirmedAt <= max(limits.liveStaleness, Self.target(of: snapshot) * 3)
    }

    /// Playlists that are kept.
    var count: Int { state.withLock { $0.entries.count } }

    /// Forgets what nobody has asked for in a while.
    func removeIdle() {
        let now = time.monotonic()
        state.withLock { state in
            state.entries = state.entries.filter { $0.value.flights > 0 || now - $0.value.usedAt < limits.idle }
        }
    }

    /// Drops what was used longest ago.
    private func makeRoom(in entries: inout [OriginAddress: Entry], now: Duration) {
        while entries.count >= limits.entries {
            guard let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt }) else { return }
            entries[oldest.key] = nil
        }
    }
}
