import Conditioning
import HLS
import Synchronization
import Testing
import Transport

@testable import Server

/// The server's parts on a fake world, asked without a socket.
struct TestServer {
    let world: FakeWorld
    let store: ResilientStore
    let wiring: Wiring
    let handler: PlaylistHandler
    let output = RecordingLogOutput()
    let metrics = Metrics()

    /// - Parameters:
    ///   - store: what several servers, or one before and after a restart, have in common.
    ///   - tools: that make ads of files; nil makes none.
    ///   - executor: runs what goes on in the background.
    init(
        _ world: FakeWorld, store: (any StateStore)? = nil, tools: MediaTools? = nil,
        executor: CountingExecutor? = nil,
        _ change: (inout Configuration) -> Void = { _ in }
    ) {
        self.world = world
        let start: @Sendable (@escaping @Sendable () async -> Void) -> Void = { job in
            Task(executorPreference: executor) { await job() }
        }
        let encode: @Sendable (@escaping @Sendable () -> Void) -> Void = { job in
            if executor == nil { startThread(job) } else { job() }
        }
        var configuration = Configuration()
        configuration.channels = [
            SourceOptions(kind: .live, name: "news", origin: "http://o/live/master.m3u8", ads: "main")
        ]
        configuration.titles = [
            SourceOptions(kind: .vod, name: "film", origin: "http://o/vod/master.m3u8", ads: "main")
        ]
        configuration.adProviders = [
            "main": .vast(
                VASTProviderOptions(
                    url: "http://a/vast?dur=[session.avail_duration_secs]&sec=[player_params.section]&cb=[CACHEBUSTING]"
                ))
        ]
        change(&configuration)
        let log = Log(level: .debug, output: output)
        self.store = ResilientStore(
            store ?? MemoryStore(time: world.time), time: world.time, log: log, metrics: metrics, start: start)
        wiring = Wiring(
            configuration: configuration, log: log, time: world.time, upstream: world, metrics: metrics,
            store: self.store, tools: tools, start: start,
            encode: encode)
        handler = PlaylistHandler(
            service: wiring.service, options: configuration.server, log: log, metrics: metrics,
            creativeFiles: wiring.conditioning?.files)
    }

    func get(_ target: String, headers: [(String, String)] = []) async throws -> HTTPResponse {
        let request = try #require(HTTPRequest(target: target, headers: headers))
        return await handler.respond(to: request)
    }

    func text(_ target: String) async throws -> String {
        let response = try await get(target)
        try #require(
            response.status == 200, "\(target): \(response.status) \(String(decoding: response.body, as: UTF8.self))")
        return String(decoding: response.body, as: UTF8.self)
    }

    /// Waits until no beacon is on its way, and the clock that wakes them sleeps again.
    func beaconsAreSent() async {
        while wiring.tracker.isTicking && world.time.sleeperCount == 0 { await Task.yield() }
        await wiring.outbox.becomesIdle()
    }
}

/// Checks the reloads of one media playlist against each other (rules 303, 307, 403 to 406, 502 to 507).
struct ReloadChecker {
    struct Entry: Equatable {
        var uri: String
        var duration: Duration
        var discontinuity: Int64
    }

    private(set) var problems: [String] = []
    private(set) var entries: [Int64: Entry] = [:]
    private var mediaSequence: Int64 = .min
    private var discontinuitySequence: Int64 = .min
    private var target: Int?
    private(set) var count = 0

    /// URIs of all entries seen, in the order of their numbers.
    var uris: [String] { entries.keys.sorted().compactMap { entries[$0]?.uri } }

    mutating func read(_ text: String) throws {
        count += 1
        let playlist = try MediaPlaylist(parsing: Array(text.utf8))
        if playlist.mediaSequence < mediaSequence { problems.append("\(count): media sequence falls (403)") }
        mediaSequence = max(mediaSequence, playlist.mediaSequence)
        guard let sequence = playlist.discontinuitySequence else {
            problems.append("\(count): no discontinuity sequence (503)")
            return
        }
        if sequence < discontinuitySequence { problems.append("\(count): discontinuity sequence falls (502)") }
        discontinuitySequence = max(discontinuitySequence, sequence)
        if let target, target != playlist.targetDuration { problems.append("\(count): target duration changes (307)") }
        target = playlist.targetDuration
        var discontinuity = sequence
        for segment in playlist.segments {
            discontinuity += Int64(segment.discontinuityCount)
            if segment.discontinuityCount > 1 { problems.append("\(count): two discontinuity tags (506)") }
            let uri = playlist.text(segment.uri)
            if segment.duration > .milliseconds((target ?? 0) * 1_000 + 499) {
                problems.append("\(count): \(uri) too long (303)")
            }
            let entry = Entry(uri: uri, duration: segment.duration, discontinuity: discontinuity)
            if let before = entries[segment.number], before != entry {
                problems.append("\(count): number \(segment.number) was \(before), is \(entry) (404)")
            }
            entries[segment.number] = entry
        }
        let numbers = entries.keys.sorted()
        if let first = numbers.first, let last = numbers.last, last - first + 1 != Int64(numbers.count) {
            problems.append("\(count): numbers with gaps (405)")
        }
    }
}
