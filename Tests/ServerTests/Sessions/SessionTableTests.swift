import Stitching
import Testing
import Transport

@testable import Server

struct SessionTableTests {
    private let time = ManualTimeSource()
    private let store = MemoryStore()
    private let source = SourceID(kind: .live, name: "news")

    private func table(limit: Int = 100) -> SessionTable {
        SessionTable(
            store: store, limit: limit, time: time, metrics: Metrics(), lifetime: { _ in .seconds(60) },
            settings: { _ in .init() })
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
        let first = try await table.session(key) { record(key, "one") }
        let second = try await table.session(key) { record(key, "two") }
        #expect(first === second)
        #expect(second.record.playerParameters == ["section": "one"])
    }

    @Test func `a session ends when nobody asked for it for its lifetime`() async throws {
        let table = table()
        let key = try key("a")
        _ = try await table.session(key) { record(key, "one") }
        time.advance(by: .seconds(59))
        _ = try await table.session(key) { record(key, "two") }
        time.advance(by: .seconds(59))
        await table.removeExpired()
        #expect(table.count == 1)
        time.advance(by: .seconds(2))
        await table.removeExpired()
        #expect(table.count == 0)
        #expect(await store.session(key) == nil)
    }

    @Test func `beyond the bound the session not seen for longest goes`() async throws {
        let table = table(limit: 3)
        for id in ["a", "b", "c", "d"] {
            time.advance(by: .seconds(1))
            let key = try key(id)
            _ = try await table.session(key) { record(key, id) }
        }
        #expect(table.count == 3)
        #expect(table.known(try key("a")) == nil)
        #expect(table.known(try key("d")) != nil)
    }

    @Test func `of two decisions on a break the first stays, for everybody`() async throws {
        let key = try key("a")
        let adBreak = BreakID("b1")
        _ = await store.create(record(key, "x"))
        let first = await store.decide(.content(.noAds), for: adBreak, in: key)
        let second = await store.decide(.content(.deadline), for: adBreak, in: key)
        guard case .content(.noAds) = first, case .content(.noAds) = second else {
            Issue.record("\(first) \(second)")
            return
        }
    }

    @Test func `a break is decided by one, and all who ask meanwhile wait for the same`() async throws {
        let key = try key("a")
        let session = Session(record: record(key, "x"), settings: .init(), decisions: [:], seenAt: .zero)
        let adBreak = BreakID("b1")
        let (work, isNew) = session.claim(adBreak)
        let (same, isNewToo) = session.claim(adBreak)
        #expect(isNew)
        #expect(!isNewToo)
        #expect(work === same)
        session.settle(adBreak, .content(.noAds))
        session.settle(adBreak, .content(.deadline))
        guard case .content(.noAds) = session.decision(for: adBreak) else {
            Issue.record("changed")
            return
        }
        #expect(work.valueIfDone != nil)
        #expect(!session.claim(adBreak).isNew)
    }
}
