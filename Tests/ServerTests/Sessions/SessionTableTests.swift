import Stitching
import Synchronization
import Testing
import Transport

@testable import Server

struct SessionTableTests {
    private let time = ManualTimeSource()
    private let source = SourceID(kind: .live, name: "news")

    private func table(
        limit: Int = 100, store: (any StateStore)? = nil,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void = { job in Task { await job() } }
    ) -> SessionTable {
        SessionTable(
            archive: archive(store ?? MemoryStore(time: time)), limit: limit, time: time, metrics: Metrics(),
            settings: { _ in .init() }, start: start)
    }

    private func archive(_ store: any StateStore, log: Log = .silent) -> SessionArchive {
        SessionArchive(
            store: ResilientStore(store, time: time, log: log, metrics: Metrics()), time: time, log: log
        ) { _ in .seconds(60) }
    }

    private func key(_ id: String) throws -> SessionKey {
        SessionKey(source: source, streamID: try #require(StreamID(id)))
    }

    private func record(_ key: SessionKey, _ section: String) -> SessionRecord {
        SessionRecord(
            key: key, startedAt: 0, playerParameters: ["section": section], viewer: Viewer(address: "192.0.2.1"))
    }

    @Test func `the first request makes the session, later ones find it`() async throws {
        let table = table()
        let key = try key("a")
        let first = await table.session(key) { record(key, "one") }
        let second = await table.session(key) { record(key, "two") }
        #expect(first === second)
        #expect(second.record.playerParameters == ["section": "one"])
    }

    @Test func `a session ends when nobody asked for it for its lifetime`() async throws {
        let table = table()
        let key = try key("a")
        _ = await table.session(key) { record(key, "one") }
        time.advance(by: .seconds(59))
        _ = await table.session(key) { record(key, "two") }
        time.advance(by: .seconds(59))
        await table.removeExpired()
        #expect(table.count == 1)
        time.advance(by: .seconds(2))
        await table.removeExpired()
        #expect(table.count == 0)
        #expect(table.count(of: source) == 0)
    }

    @Test func `beyond the bound the session not seen for longest goes`() async throws {
        let table = table(limit: 3)
        for id in ["a", "b", "c", "d"] {
            time.advance(by: .seconds(1))
            let key = try key(id)
            _ = await table.session(key) { record(key, id) }
        }
        #expect(table.count == 3)
        #expect(table.count(of: source) == 3)
        #expect(table.count(of: SourceID(kind: .vod, name: "news")) == 0)
        #expect(table.known(try key("a")) == nil)
        #expect(table.known(try key("d")) != nil)
    }

    @Test func `a session lives on in a shared store, and ends there too`() async throws {
        let store = MemoryStore(isShared: true, time: time)
        let key = try key("a")
        let work = BackgroundWork()
        let here = table(store: store, start: work.start)
        let there = table(store: store, start: work.start)
        _ = await here.session(key) { record(key, "one") }
        #expect(await there.session(key) { record(key, "two") }.record.playerParameters == ["section": "one"])
        // As long as one process is asked for it.
        for _ in 0..<10 {
            time.advance(by: .seconds(20))
            _ = await here.find(key)
            await work.finished()
            await here.removeExpired()
            await there.removeExpired()
        }
        #expect(there.count == 0)
        #expect(await there.session(key) { record(key, "three") }.record.playerParameters == ["section": "one"])
        time.advance(by: .seconds(100))
        await here.removeExpired()
        await there.removeExpired()
        #expect(await here.session(key) { record(key, "four") }.record.playerParameters == ["section": "four"])
    }

    @Test func `of two decisions on a break the first stays, for everybody`() async throws {
        let store = MemoryStore(isShared: true, time: time)
        let key = try key("a")
        let adBreak = BreakID("b1")
        let first = await archive(store).decide(KeptDecision(decision: .content(.noAds)), for: adBreak, in: key)
        let second = await archive(store).decide(KeptDecision(decision: .content(.deadline)), for: adBreak, in: key)
        guard case .content(.noAds)? = first?.decision, case .content(.noAds)? = second?.decision else {
            Issue.record("\(String(describing: first)) \(String(describing: second))")
            return
        }
    }

    @Test func `the decision of a break is read, and of no other one`() async throws {
        let archive = archive(MemoryStore(isShared: true, time: time))
        let key = try key("a")
        _ = await archive.decide(KeptDecision(decision: .content(.deadline)), for: BreakID("b10"), in: key)
        #expect(await archive.decision(for: BreakID("b1"), in: key) == nil)
        _ = await archive.decide(KeptDecision(decision: .content(.noAds)), for: BreakID("b1"), in: key)
        #expect(await archive.decision(for: BreakID("b1"), in: key)?.decision.reason == .noAds)
        #expect(await archive.decision(for: BreakID("b10"), in: key)?.decision.reason == .deadline)
        #expect(await archive.decision(for: BreakID("b10"), in: try self.key("b")) == nil)
    }

    @Test func `what another process has kept and cannot be read is told, and its break has no other ads`() async throws
    {
        let store = MemoryStore(isShared: true, time: time)
        let output = RecordingLogOutput()
        let archive = archive(store, log: Log(level: .debug, output: output))
        let key = try key("a")
        let entries = ["breaks", "d/b1", "record"].map { StoreEntry(name: $0, value: [255]) }
        _ = await store.setIfAbsent(entries, of: SessionArchive.owner(key), until: .max)
        let pod = Pod(ads: [], leading: RenditionKey("v0"), dateShortening: 0, matches: [:])
        let held = await archive.decide(KeptDecision(decision: .ads(pod)), for: BreakID("b1"), in: key)
        guard case .content(.unreadable)? = held?.decision else {
            Issue.record("\(String(describing: held))")
            return
        }
        #expect(await archive.add([], key).isEmpty)
        #expect(await archive.create(record(key, "x")).playerParameters == ["section": "x"])
        #expect(await archive.session(key) == nil)
        #expect(output.lines.filter { $0.contains("store.unreadable") }.count == 4)
    }

    @Test func `a break is decided by one, and all who ask meanwhile wait for the same`() async throws {
        let key = try key("a")
        let session = Session(KeptSession(record: record(key, "x")), settings: .init(), seenAt: .zero)
        let adBreak = BreakID("b1")
        let (work, isNew) = session.claim(adBreak)
        let (same, isNewToo) = session.claim(adBreak)
        #expect(isNew)
        #expect(!isNewToo)
        #expect(work === same)
        session.settle(adBreak, KeptDecision(decision: .content(.noAds)))
        session.settle(adBreak, KeptDecision(decision: .content(.deadline)))
        guard case .content(.noAds) = session.decision(for: adBreak) else {
            Issue.record("changed")
            return
        }
        #expect(work.valueIfDone != nil)
        #expect(!session.claim(adBreak).isNew)
    }

    @Test func `who waits for a break goes on when another process is found to have decided it`() async throws {
        let key = try key("a")
        let session = Session(KeptSession(record: record(key, "x")), settings: .init(), seenAt: .zero)
        let (decided, open) = (session.claim(BreakID("b1")).work, session.claim(BreakID("b2")).work)
        var kept = KeptSession(record: record(key, "x"))
        kept.decisions = [BreakID("b1"): KeptDecision(decision: .content(.noAds))]
        session.resume(kept)
        #expect(decided.valueIfDone != nil && open.valueIfDone == nil)
        session.finish(BreakID("b2"))
        #expect(open.valueIfDone != nil)
        #expect(session.claim(BreakID("b2")).isNew)
    }
}

/// Jobs in the background that a test waits for.
private final class BackgroundWork: Sendable {
    private let tasks = Mutex<[Task<Void, Never>]>([])

    @Sendable func start(_ job: @escaping @Sendable () async -> Void) {
        let task = Task { await job() }
        tasks.withLock { $0.append(task) }
    }

    func finished() async {
        for task in tasks.withLock({ $0 }) { await task.value }
    }
}
