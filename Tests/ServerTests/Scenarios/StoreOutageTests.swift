import Glibc
import HLS
import Synchronization
import Testing
import Transport

@testable import Server

/// Two servers on one store that goes away for a while (DESIGN §3.9 and §5): every number that both give is the same.
struct StoreOutageTests {
    /// How many entries of ads each rendition has shown.
    private func ads(_ checkers: [String: ReloadChecker]) -> [Int] {
        checkers.values.map { $0.uris.count { $0.contains("/ads/") } }
    }

    /// - Parameter mayLag: while the store is away one server may have a segment less than the other had.
    private func expectNoProblems(_ checkers: [String: ReloadChecker], mayLag: Bool = false) {
        for (name, checker) in checkers {
            let problems = checker.problems.filter { !mayLag || !$0.contains("media sequence falls") }
            #expect(problems.isEmpty, "\(name): \(problems)")
        }
    }

    @Test(arguments: [3, 10, 55], [false, true])
    func `while the store of several servers is away, a break that begins is content on all of them`(
        seconds: Int, isUnreadable: Bool
    ) async throws {
        let pair = await ServerPair()
        var checkers: [String: ReloadChecker] = [:]
        // The break begins at second 140, and is seen two seconds later.
        try await pair.ask(until: 141, &checkers)
        if isUnreadable { pair.away(true) } else { pair.lock(true) }
        try await pair.ask(until: 141 + Double(seconds), &checkers)
        let asked = pair.world.adRequests.count
        #expect(asked == 0)
        pair.away(false)
        pair.lock(false)
        try await pair.notice()
        try await pair.agree(&checkers)
        #expect(ads(checkers).allSatisfy { $0 == 0 })
        try await pair.ask(until: 245, &checkers)
        try await pair.agree(&checkers)
        expectNoProblems(checkers)
        // The break behind it has ads again.
        #expect(ads(checkers).allSatisfy { $0 > 0 })
        for server in 0..<2 {
            #expect(pair.lines("store.failed", server).count == 1)
            #expect(pair.lines("store.back", server).count == 1)
            #expect(pair.lines("session.overruled", server).isEmpty)
            let content = pair.lines("break.content", server).filter { $0.contains("store_away") }
            #expect(content.count == 1, "\(pair.lines("break.content", server))")
            #expect(pair.servers[server].metrics.breaksStoreAway.value == 1)
        }
    }

    @Test func `a store that is back before the decision deadline costs no ads`() async throws {
        let pair = await ServerPair()
        var checkers: [String: ReloadChecker] = [:]
        try await pair.ask(until: 142, &checkers)
        pair.lock(true)
        for server in pair.servers {
            for name in ["v0", "v1"] {
                let text = try await pair.text("/live/news/a/\(name).m3u8", server)
                try checkers["a/\(name)", default: ReloadChecker()].read(text)
                #expect(!text.contains("seg-70."))
            }
            pair.lock(false)
        }
        try await pair.ask(until: 175, &checkers)
        expectNoProblems(checkers)
        #expect(ads(checkers).allSatisfy { $0 > 0 })
    }

    @Test(arguments: [false, true])
    func `a break that was decided before stays as it was, and a server that begins meanwhile shows it, too`(
        isRestarted: Bool
    ) async throws {
        var pair = await ServerPair()
        var checkers: [String: ReloadChecker] = [:]
        try await pair.ask(until: 144, &checkers)
        pair.lock(true)
        // As after kill -9: what it kept in memory is gone.
        if isRestarted { try await pair.restart(1) }
        try await pair.ask(until: 175, &checkers)
        if isRestarted { try await pair.restart(1) }
        try await pair.ask(until: 201, &checkers)
        pair.lock(false)
        try await pair.notice()
        try await pair.agree(&checkers)
        try await pair.ask(until: 245, &checkers)
        expectNoProblems(checkers)
        #expect(ads(checkers).allSatisfy { $0 > 10 })
    }

    @Test func `a server that could not read what another has decided takes it over when the store is back (§5)`()
        async throws
    {
        let pair = await ServerPair()
        var checkers: [String: ReloadChecker] = [:]
        try await pair.ask(until: 141, &checkers)
        // Only one of them has lost the store, and the other one decides.
        pair.stores[1].isAway.withLock { $0 = true }
        pair.world.time.advance(by: .seconds(1))
        for _ in 0..<6 {
            for server in pair.servers { _ = try await pair.text("/live/news/a/v0.m3u8", server) }
            pair.world.time.advance(by: .seconds(1))
        }
        #expect(try await pair.text("/live/news/a/v0.m3u8", pair.servers[0]).contains("/ad10/"))
        #expect(try await !pair.text("/live/news/a/v0.m3u8", pair.servers[1]).contains("/ad10/"))
        pair.stores[1].isAway.withLock { $0 = false }
        try await pair.notice()
        var after: [String: ReloadChecker] = [:]
        try await pair.agree(&after)
        try await pair.ask(until: 245, &after)
        try await pair.agree(&after)
        expectNoProblems(after)
        #expect(after["a/v0"]?.uris.contains { $0.contains("/ad10/") } == true)
        #expect(pair.lines("session.overruled", 1).count == 1)
        #expect(pair.lines("session.overruled", 0).isEmpty)
        #expect(pair.servers[1].metrics.sessionsOverruled.value == 1)
    }

    @Test(arguments: ["content", "slate", "fit", "preroll"])
    func `sessions that begin while the store is away have the content on all servers, and ads when it is back`(
        opening: String
    ) async throws {
        let pair = await ServerPair { configuration in
            configuration.channels[0].join = opening == "slate" ? .slate : opening == "fit" ? .fit : .content
            configuration.channels[0].slate = "http://o/ads/ad20/master.m3u8"
            if opening == "preroll" { configuration.channels[0].preroll = ["main"] }
        }
        var checkers: [String: ReloadChecker] = [:]
        pair.lock(true)
        // One begins before the break, one inside.
        try await pair.ask(until: 143, &checkers)
        try await pair.ask(of: "b", until: 150, &checkers)
        pair.lock(false)
        try await pair.notice()
        for session in ["a", "b"] { try await pair.agree(on: session, &checkers) }
        #expect(ads(checkers).allSatisfy { $0 == 0 })
        try await pair.ask(until: 151, &checkers)
        try await pair.ask(of: "b", until: 245, &checkers)
        try await pair.agree(on: "b", &checkers)
        expectNoProblems(checkers, mayLag: true)
        #expect(checkers["b/v0"]?.uris.contains { $0.contains("/ads/") } == true)
    }

    @Test func `a title that begins while the store is away is its content on all servers, and stays so`() async throws
    {
        let pair = await ServerPair()
        pair.world.answer(with: FakeAds.vmap(("start", ["ad6"]), ("00:00:20", ["ad10"])))
        pair.lock(true)
        var texts: Set<String> = []
        for server in pair.servers { texts.insert(try await pair.text("/vod/film/a/v0.m3u8", server)) }
        pair.lock(false)
        try await pair.notice()
        for server in pair.servers { texts.insert(try await pair.text("/vod/film/a/v0.m3u8", server)) }
        #expect(texts.count == 1)
        #expect(texts.first?.contains("ad/") == false)
        #expect(pair.world.adRequests.isEmpty)
        #expect(try await pair.text("/vod/film/b/v0.m3u8", pair.servers[0]).contains("ad/"))
    }

    @Test func `servers that never had the store show the same when it comes (what differed till then is told)`()
        async throws
    {
        let pair = await ServerPair(areKnown: false)
        pair.away(true)
        var apart: [String: ReloadChecker] = [:]
        try await pair.ask(until: 165, &apart)
        // Nobody knew that the store is shared: each has its own ads.
        #expect(ads(apart).allSatisfy { $0 > 0 })
        pair.away(false)
        try await pair.notice()
        await pair.announce()
        var checkers: [String: ReloadChecker] = [:]
        try await pair.agree(&checkers)
        try await pair.ask(until: 245, &checkers)
        try await pair.agree(&checkers)
        expectNoProblems(checkers)
        #expect((0..<2).map { pair.lines("session.overruled", $0).count }.reduce(0, +) == 1)
    }

    @Test(arguments: [false, true])
    func `one server alone keeps its ads, and the store has them when it is back`(isUnreadable: Bool) async throws {
        var pair = await ServerPair(areKnown: false)
        pair.servers.removeLast()
        await pair.announce()
        var checkers: [String: ReloadChecker] = [:]
        try await pair.ask(until: 141, &checkers)
        if isUnreadable { pair.away(true) } else { pair.lock(true) }
        try await pair.ask(until: 170, &checkers)
        #expect(ads(checkers).allSatisfy { $0 > 0 })
        pair.away(false)
        pair.lock(false)
        try await pair.notice()
        try await pair.restart(0)
        try await pair.ask(until: 245, &checkers)
        expectNoProblems(checkers)
    }

    @Test func `beacons that fall due while the store is away are sent once, when it is back`() async throws {
        let pair = await ServerPair()
        var checkers: [String: ReloadChecker] = [:]
        try await pair.ask(until: 144, &checkers)
        pair.lock(true)
        for second in 145..<190 {
            try await pair.ask(until: Double(second), &checkers)
            for server in pair.servers { await server.beaconsAreSent() }
        }
        #expect(pair.world.sent.isEmpty)
        pair.lock(false)
        try await pair.notice()
        for _ in 0..<10 {
            pair.world.time.advance(by: .milliseconds(200))
            for server in pair.servers { await server.beaconsAreSent() }
        }
        let wanted = (["impression"] + FakeAds.events).flatMap { event in ["\(event) 0", "\(event) 1"] }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(20)
        while pair.world.sent.count < wanted.count, clock.now < end {
            pair.world.time.advance(by: .milliseconds(200))
            await Task.yield()
        }
        let sent = pair.world.sent.map { "\($0.event) \($0.parameter("ad") ?? "")" }
        #expect(sent.sorted() == wanted.sorted())
    }

    /// The file itself, locked by a third connection, or with no room for more.
    @Test(arguments: ["locked", "full"])
    func `two servers on one file that does not take anything show the same, before and after`(what: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/s.db"
        let pair = try await ServerPair { world in
            try SQLiteStore(path: path, time: world.time, deadline: .seconds(30), pageLimit: 200)
        }
        var checkers: [String: ReloadChecker] = [:]
        try await pair.ask(until: 141, &checkers)
        let other = try SQLiteConnection(path: path, patience: .seconds(10))
        if what == "locked" {
            try other.run("BEGIN EXCLUSIVE")
        } else {
            try other.run("CREATE TABLE filler (bytes BLOB)")
            try other.run("INSERT INTO filler VALUES (zeroblob(1000000))")
        }
        try await pair.ask(until: 151, &checkers)
        #expect(ads(checkers).allSatisfy { $0 == 0 })
        if what == "locked" { try other.run("COMMIT") } else { try other.run("DROP TABLE filler") }
        try await pair.notice()
        try await pair.agree(&checkers)
        try await pair.ask(until: 222, &checkers)
        try await pair.agree(&checkers)
        expectNoProblems(checkers, mayLag: true)
        #expect(ads(checkers).allSatisfy { $0 > 0 })
        for server in 0..<2 {
            #expect(pair.lines("session.overruled", server).isEmpty)
            // What is small still finds room here and there in a full file.
            guard what == "locked" else { continue }
            #expect(pair.lines("break.content", server).count { $0.contains("store_away") } == 1)
        }
    }

    @Test(arguments: ["replaced", "damaged"])
    func `a new file in the place of theirs is given what two servers go on with, and who comes later finds it`(
        what: String
    ) async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/s.db"
        var pair = try await ServerPair { world in
            try SQLiteStore(path: path, time: world.time, deadline: .seconds(30), retryInterval: .zero)
        }
        var checkers: [String: ReloadChecker] = [:]
        try await pair.ask(until: 146, &checkers)
        if what == "replaced" { try await Self.replace(path) } else { try Self.damage(path) }
        try await pair.ask(until: 152, &checkers)
        try await pair.notice()
        try await pair.begin(1) { world in try SQLiteStore(path: path, time: world.time, deadline: .seconds(30)) }
        try await pair.ask(until: 222, &checkers)
        try await pair.agree(&checkers)
        expectNoProblems(checkers, mayLag: true)
        #expect(ads(checkers).allSatisfy { $0 > 10 })
        #expect(pair.lines("session.overruled", 0).isEmpty)
        #expect((access("\(path).damaged", F_OK) == 0) == (what == "damaged"))
    }

    /// Puts a file that holds nothing in the place of a store's.
    private static func replace(_ path: String) async throws {
        let empty = "\(path).empty"
        let other = try SQLiteStore(path: empty, deadline: .seconds(30))
        try await other.extend([], until: 0)
        await other.close()
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        rename(empty, path)
    }

    /// Overwrites all but the first page of a store's file.
    private static func damage(_ path: String) throws {
        let connection = try SQLiteConnection(path: path, patience: .seconds(10))
        try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
        // What others have read before is read anew.
        try connection.run("PRAGMA user_version = \(connection.run("PRAGMA user_version").first?.first?.integer ?? 0)")
        try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
        let size = Int(try connection.run("PRAGMA page_count").first?.first?.integer ?? 0) * 4_096
        let file = open(path, O_WRONLY)
        defer { close(file) }
        let noise = [UInt8](repeating: 0xA5, count: size - 4_096)
        try #require(pwrite(file, noise, noise.count, 4_096) == noise.count)
    }

    @Test func `two servers on a file that is deleted go on with it, and who comes later finds all of it`() async throws
    {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/s.db"
        var pair = try await ServerPair { world in
            try SQLiteStore(path: path, time: world.time, deadline: .seconds(30), retryInterval: .zero)
        }
        var checkers: [String: ReloadChecker] = [:]
        try await pair.ask(until: 146, &checkers)
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        try await pair.ask(until: 170, &checkers)
        try await pair.notice()
        try await pair.begin(1) { world in try SQLiteStore(path: path, time: world.time, deadline: .seconds(30)) }
        try await pair.ask(until: 222, &checkers)
        try await pair.agree(&checkers)
        expectNoProblems(checkers, mayLag: true)
        #expect(ads(checkers).allSatisfy { $0 > 10 })
        #expect(pair.lines("session.overruled", 0).isEmpty)
    }
}
