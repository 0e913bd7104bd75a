import Glibc
import Stitching
import Synchronization
import Testing
import Transport

@testable import Server

/// What is due is sent once, whatever becomes of processes and stores.
struct BeaconOutboxTests {
    enum Kind: CaseIterable { case memory, sqlite }

    /// Processes that share a store and have trackers to call.
    private final class World: Sendable {
        let time = ManualTimeSource(wallNanoseconds: 1_800_000_000_000_000_000)
        let folder: TemporaryFolder
        let kind: Kind
        let memory: MemoryStore
        let output = RecordingLogOutput()
        let sent = Mutex<[String]>([])
        let headers = Mutex<[[String]]>([])

        init(_ kind: Kind) throws {
            folder = try TemporaryFolder()
            self.kind = kind
            memory = MemoryStore(isShared: true, time: time)
        }

        var path: String { "\(folder.path)/s.db" }

        func store() throws -> any BeaconStore {
            switch kind {
            case .memory: memory
            case .sqlite: try SQLiteStore(path: path, time: time, deadline: .seconds(30))
            }
        }

        /// A process.
        ///
        /// - Parameter answers: whether trackers answer it; if not it waits for ever.
        func process(
            _ name: String, store: (any BeaconStore)?, answers: Bool = true, limits: BeaconOutbox.Limits = .init(),
            metrics: Metrics = Metrics(), waitsForStore: Bool = false
        ) -> BeaconOutbox {
            let outbox = BeaconOutbox(
                limits: limits, store: store, holder: name, time: time, log: Log(level: .debug, output: output),
                metrics: metrics, lifetime: { _ in .seconds(300) }, waitsForStore: { waitsForStore },
                start: { job in Task { await job() } })
            let never = SharedWork<Void>()
            _ = outbox.open(
                limits: BeaconQueue.Limits(),
                send: { [self] beacon in
                    sent.withLock { $0.append("\(name) \(beacon.url)") }
                    headers.withLock { $0.append(beacon.headers.map { "\($0.0): \($0.1)" }) }
                    if !answers { _ = await never.value() }
                    return .delivered(status: 200)
                }, report: { _, _ in })
            return outbox
        }

        func attend(_ outbox: BeaconOutbox) async { await outbox.attend { _ in CookieJar() } }
    }

    private static func beacon(_ name: String, session: String = "s", kind: SourceKind = .live, due: Int64 = 0) throws
        -> Beacon
    {
        let key = SessionKey(source: SourceID(kind: kind, name: "news"), streamID: try #require(StreamID(session)))
        return Beacon(
            event: "start", adBreak: BreakID("b"), lane: .init(session: key, host: "t"),
            url: "http://t/\(name)?secret=7",
            headers: [("User-Agent", "TV"), ("X-Device-IP", "192.0.2.1")], cookies: CookieJar(), name: name, due: due)
    }

    private static func sent(_ process: String, _ names: String...) -> [String] {
        names.map { "\(process) http://t/\($0)?secret=7" }
    }

    @Test(arguments: Kind.allCases)
    func `of two processes that see a beacon fall due one sends it`(kind: Kind) async throws {
        let world = try World(kind)
        let a = world.process("a", store: try world.store())
        let b = world.process("b", store: try world.store())
        for _ in 0..<2 {
            a.submit([try Self.beacon("1"), try Self.beacon("2")])
            await a.becomesIdle()
            b.submit([try Self.beacon("2"), try Self.beacon("3")])
            await b.becomesIdle()
        }
        #expect(world.sent.withLock { $0 } == Self.sent("a", "1", "2") + Self.sent("b", "3"))
        #expect(a.count == 0 && b.count == 0)
    }

    @Test(arguments: Kind.allCases)
    func `what a killed process had not sent another one sends, once, in order, with its headers`(kind: Kind)
        async throws
    {
        let world = try World(kind)
        let metrics = Metrics()
        do {
            // Of the first it never learns what became of it.
            let killed = world.process("a", store: try world.store(), answers: false)
            await killed.submitted([try Self.beacon("1"), try Self.beacon("2"), try Self.beacon("3")])
            while world.sent.withLock({ $0.isEmpty }) { await Task.yield() }
        }
        let next = world.process("b", store: try world.store(), metrics: metrics)
        await world.attend(next)
        await next.becomesIdle()
        // For all it knows the other one lives.
        #expect(world.sent.withLock { $0 } == Self.sent("a", "1"))
        world.time.advance(by: .seconds(16))
        let third = world.process("c", store: try world.store())
        for outbox in [next, third, next] {
            await world.attend(outbox)
            await outbox.becomesIdle()
        }
        // The price: what was on its way is sent again.
        #expect(world.sent.withLock { $0 } == Self.sent("a", "1") + Self.sent("b", "1", "2", "3"))
        #expect(world.headers.withLock { $0.last } == ["User-Agent: TV", "X-Device-IP: 192.0.2.1"])
        #expect(metrics.beaconsAdopted.value == 3)
        world.time.advance(by: .seconds(60))
        await world.attend(third)
        await third.becomesIdle()
        #expect(world.sent.withLock { $0.count } == 4)
        #expect(!world.output.lines.contains { $0.contains("secret") || $0.contains("http") })
    }

    @Test(arguments: Kind.allCases)
    func `a process that lives keeps what is its own`(kind: Kind) async throws {
        let world = try World(kind)
        let slow = world.process("a", store: try world.store(), answers: false)
        await slow.submitted([try Self.beacon("1"), try Self.beacon("2")])
        let other = world.process("b", store: try world.store())
        for _ in 0..<10 {
            world.time.advance(by: BeaconOutbox.renewal)
            await world.attend(slow)
            await world.attend(other)
        }
        await other.becomesIdle()
        #expect(world.sent.withLock { $0 }.allSatisfy { $0.hasPrefix("a ") })
    }

    @Test(arguments: Kind.allCases)
    func `one that stops in good order leaves what it has not sent to the next at once`(kind: Kind) async throws {
        let world = try World(kind)
        let first = world.process("a", store: try world.store())
        let later = world.time.now() + 30_000_000_000
        await first.submitted([try Self.beacon("1"), try Self.beacon("2", due: later)])
        await first.becomesIdle()
        await first.drain(within: .seconds(1))
        let next = world.process("b", store: try world.store())
        await world.attend(next)
        await next.becomesIdle()
        #expect(world.sent.withLock { $0 } == Self.sent("a", "1"))
        while world.sent.withLock({ $0.count }) < 2 {
            if world.time.sleeperCount > 0 { world.time.advance(by: .seconds(1)) }
            await Task.yield()
        }
        #expect(world.sent.withLock { $0 } == Self.sent("a", "1") + Self.sent("b", "2"))
        #expect(world.time.now() >= later)
    }

    @Test(arguments: Kind.allCases)
    func `what is too late for anybody is given up, and counted`(kind: Kind) async throws {
        let world = try World(kind)
        let metrics = Metrics()
        let killed = world.process("a", store: try world.store(), answers: false)
        await killed.submitted([
            try Self.beacon("1"), try Self.beacon("2"),
        ])
        while world.sent.withLock({ $0.isEmpty }) { await Task.yield() }
        world.time.advance(by: .seconds(700))
        let next = world.process("b", store: try world.store(), metrics: metrics)
        await world.attend(next)
        await next.becomesIdle()
        #expect(world.sent.withLock { $0.count } == 1)
        #expect(metrics.beaconsLost.value == 2)
    }

    @Test func `there is room for so many beacons and bytes; what finds none is lost, and counted`() async throws {
        let world = try World(.memory)
        let metrics = Metrics()
        var limits = BeaconOutbox.Limits()
        limits.beacons = 3
        let few = world.process("a", store: world.memory, answers: false, limits: limits, metrics: metrics)
        few.submit(try (0..<5).map { try Self.beacon("\($0)") })
        #expect(metrics.beaconsLost.value == 2)
        limits.beacons = 100
        limits.bytes = try Self.beacon("x").cost * 2
        let small = world.process("b", store: world.memory, answers: false, limits: limits, metrics: metrics)
        small.submit(try (5..<9).map { try Self.beacon("\($0)") })
        #expect(metrics.beaconsLost.value == 4)
        #expect(small.count == 2)
    }

    @Test func `without a store each is sent as it comes`() async throws {
        let world = try World(.memory)
        let outbox = world.process("a", store: nil)
        outbox.submit([try Self.beacon("1"), try Self.beacon("1"), try Self.beacon("2")])
        await outbox.becomesIdle()
        #expect(world.sent.withLock { $0 } == Self.sent("a", "1", "1", "2"))
        #expect(outbox.count == 0)
    }

    @Test func `a store that is away holds up nothing of a server that uses it alone`() async throws {
        let world = try World(.sqlite)
        // A folder is no file: it can never be opened.
        let broken = try SQLiteStore(path: world.folder.path, time: world.time, deadline: .seconds(30))
        let metrics = Metrics()
        let outbox = world.process("a", store: broken, metrics: metrics)
        outbox.submit([try Self.beacon("1"), try Self.beacon("2")])
        await outbox.becomesIdle()
        #expect(world.sent.withLock { $0 } == Self.sent("a", "1", "2"))
        #expect(metrics.storeFailures.value > 0)
        #expect(world.output.lines.contains { $0.contains("beacons.unkept") })
    }

    @Test func `of several servers none sends what the store has not taken`() async throws {
        let world = try World(.sqlite)
        let broken = try SQLiteStore(path: world.folder.path, time: world.time, deadline: .seconds(30))
        let metrics = Metrics()
        let outbox = world.process("a", store: broken, metrics: metrics, waitsForStore: true)
        outbox.submit([try Self.beacon("1")])
        while metrics.beaconsLost.value == 0 {
            if world.time.sleeperCount > 0 { world.time.advance(by: .seconds(1)) }
            await Task.yield()
        }
        #expect(world.sent.withLock { $0.isEmpty })
        #expect(metrics.beaconsLost.value == 1)
    }

    @Test(arguments: Kind.allCases)
    func `names of a title's beacons are remembered as long as its session lives, a channel's for an hour`(kind: Kind)
        async throws
    {
        let world = try World(kind)
        let store = try world.store()
        let sessions = try #require(store as? any StateStore)
        let film = try Self.beacon("film", kind: .vod)
        let until = world.time.now() + 10_000_000_000_000
        _ = try await sessions.setIfAbsent(
            [StoreEntry(name: "record", value: [])], of: SessionArchive.owner(film.lane.session), until: until)
        let outbox = world.process("a", store: store)
        func submit() async throws -> Int {
            outbox.submit([film, try Self.beacon("news")])
            await outbox.becomesIdle()
            return world.sent.withLock { $0.count }
        }
        #expect(try await submit() == 2)
        world.time.advance(by: .seconds(3_500))
        await outbox.removeSent()
        #expect(try await submit() == 2)
        world.time.advance(by: .seconds(200))
        await outbox.removeSent()
        #expect(try await submit() == 3)
    }

    @Test func `nobody but its owner may read the file, nor what stands beside it, also one that is there`()
        async throws
    {
        let world = try World(.sqlite)
        func modes() throws -> [UInt32] {
            try ["", "-wal", "-shm"].map { suffix in
                var status = stat()
                try #require(stat(world.path + suffix, &status) == 0)
                return status.st_mode & 0o777
            }
        }
        umask(0o022)
        let outbox = world.process("a", store: try world.store())
        await outbox.submitted([try Self.beacon("1")])
        #expect(try modes() == [0o600, 0o600, 0o600])
        for suffix in ["", "-wal", "-shm"] { chmod(world.path + suffix, 0o644) }
        let other = world.process("b", store: try world.store())
        await other.submitted([try Self.beacon("2")])
        #expect(try modes() == [0o600, 0o600, 0o600])
    }

    @Test(.timeLimit(.minutes(5)))
    func `ten thousand sessions with six beacons each are kept, sent and marked`() async throws {
        let world = try World(.sqlite)
        let metrics = Metrics()
        let outbox = world.process("a", store: try world.store(), metrics: metrics)
        let clock = ContinuousClock()
        let begin = clock.now
        for event in 0..<6 {
            for session in 0..<10_000 { outbox.submit([try Self.beacon("b/0/\(event)", session: "\(session)")]) }
        }
        let submitted = clock.now - begin
        await outbox.becomesIdle()
        let all = clock.now - begin
        print("60,000 beacons: taken in \(submitted), kept, sent and marked in \(all)")
        #expect(world.sent.withLock { Set($0).count } == 6)
        #expect(world.sent.withLock { $0.count } == 60_000)
        #expect(metrics.beaconsLost.value == 0 && metrics.storeFailures.value == 0)
    }
}
