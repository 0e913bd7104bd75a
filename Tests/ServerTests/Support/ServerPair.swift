import Synchronization
import Testing
import Transport

@testable import Server

/// Two servers that know of each other, each with its own way to one store.
struct ServerPair {
    let world: FakeWorld
    private(set) var stores: [FragileStore] = []
    private let ways: [any StateStore]
    var servers: [TestServer] = []
    private let executor: CountingExecutor
    private let change: (inout Configuration) -> Void

    /// - Parameter areKnown: they were there, and could tell each other, before the store went away.
    init(
        _ channel: LiveChannelModel = LiveChannelModel(), areKnown: Bool = true,
        _ change: @escaping (inout Configuration) -> Void = { _ in }
    ) async {
        let world = Self.world(channel)
        let first = FragileStore(time: world.time)
        let stores = [first, FragileStore(beside: first)]
        self.init(world, stores, CountingExecutor(), change)
        self.stores = stores
        if areKnown { await announce() }
    }

    /// - Parameter open: opens a server's own way to the store.
    init(opening open: (FakeWorld) throws -> SQLiteStore) async throws {
        let world = Self.world(LiveChannelModel())
        let executor = CountingExecutor()
        self.init(world, try (0..<2).map { _ in CountedStore(try open(world), executor) }, executor) { _ in }
        await announce()
    }

    private init(
        _ world: FakeWorld, _ ways: [any StateStore], _ executor: CountingExecutor,
        _ change: @escaping (inout Configuration) -> Void
    ) {
        self.world = world
        self.ways = ways
        self.executor = executor
        self.change = change
        servers = ways.map { TestServer(world, store: $0, executor: executor, change) }
    }

    private static func world(_ channel: LiveChannelModel) -> FakeWorld {
        let world = FakeWorld(channel)
        // Each asks for other ads, so that a decision that is not shared shows.
        world.answer(
            with: FakeAds.vast("ad10", "ad6", tag: "a"), FakeAds.vast("ad6", "ad10", tag: "b"),
            FakeAds.vast("ad20", tag: "c"), FakeAds.vast("ad5", "ad5", tag: "d"), FakeAds.vast("ad6", "ad6", tag: "e"))
        return world
    }

    func announce() async {
        for _ in 0..<2 { for server in servers { await server.store.announce() } }
    }

    /// A server ends, and another one begins that knows nothing but the store.
    mutating func restart(_ place: Int) async throws {
        servers[place] = TestServer(world, store: ways[place], executor: executor, change)
        await servers[place].store.announce()
    }

    /// The same with another way to the store.
    mutating func begin(_ place: Int, opening open: (FakeWorld) throws -> SQLiteStore) async throws {
        let way = CountedStore(try open(world), executor)
        servers[place] = TestServer(world, store: way, executor: executor, change)
        await servers[place].store.announce()
    }

    func lock(_ isLocked: Bool) { for store in stores { store.isLocked.withLock { $0 = isLocked } } }
    func away(_ isAway: Bool) { for store in stores { store.isAway.withLock { $0 = isAway } } }

    /// The store is noticed to be back.
    func notice() async throws {
        for server in servers {
            while server.store.isBehind { await pass(.milliseconds(100)) }
        }
        await pass(StoreHealth.settling)
    }

    private func pass(_ duration: Duration) async {
        world.time.advance(by: duration)
        await executor.becomesIdle()
    }

    /// What a server answers; the clock goes on as long as it waits for something on it.
    func text(_ target: String, _ server: TestServer) async throws -> String {
        let answer = SharedWork<Result<String, any Error>>()
        Task(executorPreference: executor) {
            do { answer.finish(with: .success(try await server.text(target))) } catch {
                answer.finish(with: .failure(error))
            }
        }
        while true {
            await executor.becomesIdle()
            if let done = answer.valueIfDone { return try done.get() }
            world.time.advance(by: .milliseconds(50))
        }
    }

    /// Asks both servers in turn, each second, until the second `end` of the channel.
    func ask(of session: String = "a", until end: Double, _ checkers: inout [String: ReloadChecker]) async throws {
        while world.second < end {
            let turn = Int(world.second) % 2
            for (place, name) in ["v0", "v1"].enumerated() {
                let target = "/live/news/\(session)/\(name).m3u8"
                for number in servers.indices {
                    let server = servers[(turn + place + number) % servers.count]
                    try checkers["\(session)/\(name)", default: ReloadChecker()].read(await text(target, server))
                }
            }
            let next = world.second.rounded(.down) + 1
            world.time.advance(by: .milliseconds(Int64((next - world.second) * 1_000 + 0.5)))
        }
    }

    /// Both answer the same, byte for byte, and with the numbers that were shown.
    func agree(on session: String = "a", _ checkers: inout [String: ReloadChecker]) async throws {
        for name in ["v0", "v1"] {
            let target = "/live/news/\(session)/\(name).m3u8"
            // What one has seen of the origin the other learns with its next answer.
            _ = try await text(target, servers[0])
            let answers = [try await text(target, servers[1]), try await text(target, servers[0])]
            #expect(answers[0] == answers[1], "\(name)")
            try checkers["\(session)/\(name)", default: ReloadChecker()].read(answers[0])
        }
    }

    func lines(_ event: String, _ server: Int) -> [String] {
        servers[server].output.lines.filter { $0.contains("\"event\":\"\(event)\"") }
    }
}
