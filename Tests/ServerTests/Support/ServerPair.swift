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
    private let change: (inout Configuration) -> Void

    /// - Parameter areKnown: they were there, and could tell each other, before the store went away.
    init(
        _ channel: LiveChannelModel = LiveChannelModel(), areKnown: Bool = true,
        _ change: @escaping (inout Configuration) -> Void = { _ in }
    ) async {
        let world = Self.world(channel)
        let first = FragileStore(time: world.time)
        let stores = [first, FragileStore(beside: first)]
        self.init(world, stores, change)
        self.stores = stores
        if areKnown { await announce() }
    }

    /// - Parameter open: opens a server's own way to the store.
    init(opening open: (FakeWorld) throws -> any StateStore) async throws {
        let world = Self.world(LiveChannelModel())
        self.init(world, try (0..<2).map { _ in try open(world) }) { _ in }
        await announce()
    }

    private init(_ world: FakeWorld, _ ways: [any StateStore], _ change: @escaping (inout Configuration) -> Void) {
        self.world = world
        self.ways = ways
        self.change = change
        servers = ways.map { TestServer(world, store: $0, change) }
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
        servers[place] = TestServer(world, store: ways[place], change)
        await servers[place].store.announce()
    }

    /// The same with another way to the store.
    mutating func begin(_ place: Int, opening open: (FakeWorld) throws -> any StateStore) async throws {
        servers[place] = TestServer(world, store: try open(world), change)
        await servers[place].store.announce()
    }

    func lock(_ isLocked: Bool) { for store in stores { store.isLocked.withLock { $0 = isLocked } } }
    func away(_ isAway: Bool) { for store in stores { store.isAway.withLock { $0 = isAway } } }

    /// The store is noticed to be back.
    func notice() async throws {
        for server in servers {
            while server.store.isBehind { try await pass(.milliseconds(100)) }
        }
        try await pass(StoreHealth.settling)
    }

    private func pass(_ duration: Duration) async throws {
        world.time.advance(by: duration)
        for _ in 0..<2_000 { await Task.yield() }
    }

    /// What a server answers; the clock goes on as long as it waits for something on it.
    func text(_ target: String, _ server: TestServer) async throws -> String {
        let answer = SharedWork<Result<String, any Error>>()
        Task {
            do { answer.finish(with: .success(try await server.text(target))) } catch {
                answer.finish(with: .failure(error))
            }
        }
        let clock = ContinuousClock()
        while true {
            // What needs no clock is done by then.
            let end = clock.now + .milliseconds(20)
            var turns = 0
            while answer.valueIfDone == nil, clock.now < end || turns < 500 {
                await Task.yield()
                turns += 1
            }
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
