import HLS
import Synchronization
import Testing
import Transport

@testable import Server

struct OriginCacheTests {
    private final class Origin: Sendable {
        let requests = Mutex<[UpstreamRequest]>([])
        let answer = Mutex<UpstreamAnswer>(.failure(.timeout))
        let gate = Mutex<SharedWork<Void>?>(nil)

        func playlist(_ first: Int, etag: String? = nil) {
            let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first)\n#EXTINF:4,\na\(first).ts\n"
            answer.withLock { $0 = .body(Array(text.utf8), finalURL: "http://o/x.m3u8", etag: etag, lastModified: nil) }
        }

        var count: Int { requests.withLock { $0.count } }
    }

    private let time = ManualTimeSource()
    private let origin = Origin()

    private func cache(_ limits: OriginCache.Limits = .init()) -> OriginCache {
        OriginCache(
            limits: limits, time: time, start: { job in Task { await job() } },
            fetch: { [origin] request in
                origin.requests.withLock { $0.append(request) }
                let gate = origin.gate.withLock { $0 }
                _ = await gate?.value()
                return origin.answer.withLock { $0 }
            }, failed: { _, _ in })
    }

    @Test func `any number of viewers make one request in a refresh interval`() async throws {
        let cache = cache()
        origin.playlist(1)
        let snapshots = try await withThrowingTaskGroup(of: UInt64.self) { group in
            for _ in 0..<50 { group.addTask { try await cache.snapshot(of: .init(url: "u")).version } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(snapshots).count == 1)
        #expect(origin.count == 1)
        time.advance(by: .milliseconds(1_900))
        _ = try await cache.snapshot(of: .init(url: "u"))
        #expect(origin.count == 1)
        time.advance(by: .milliseconds(200))
        origin.playlist(2)
        #expect(try await cache.snapshot(of: .init(url: "u")).media?.mediaSequence == 2)
        #expect(origin.count == 2)
    }

    @Test func `the same bytes are the same version, and are asked for sooner again`() async throws {
        let cache = cache()
        origin.playlist(1)
        let first = try await cache.snapshot(of: .init(url: "u"))
        time.advance(by: .seconds(2))
        #expect(try await cache.snapshot(of: .init(url: "u")).version == first.version)
        time.advance(by: .seconds(1))
        _ = try await cache.snapshot(of: .init(url: "u"))
        #expect(origin.count == 3)
    }

    @Test func `requests are conditional once there is a validator`() async throws {
        let cache = cache()
        origin.playlist(1, etag: "\"e1\"")
        let first = try await cache.snapshot(of: .init(url: "u"))
        origin.answer.withLock { $0 = .notModified }
        time.advance(by: .seconds(3))
        let second = try await cache.snapshot(of: .init(url: "u"))
        #expect(origin.requests.withLock { $0.last?.etag } == "\"e1\"")
        #expect(second.version == first.version)
        #expect(second.confirmedAt == .seconds(3))
    }

    @Test func `a failing origin is bridged by the last good version for a while, and left alone between`() async throws
    {
        let cache = cache()
        origin.playlist(1)
        _ = try await cache.snapshot(of: .init(url: "u"))
        origin.answer.withLock { $0 = .failure(.status(500)) }
        time.advance(by: .seconds(3))
        for _ in 0..<5 { #expect(try await cache.snapshot(of: .init(url: "u")).media?.mediaSequence == 1) }
        #expect(origin.count == 2)
        time.advance(by: .seconds(62))
        await #expect(throws: OriginFailure.status(500)) { try await cache.snapshot(of: .init(url: "u")) }
    }

    @Test func `a live playlist is asked for again in each target duration, however long its origin has failed`()
        async throws
    {
        let cache = cache()
        origin.playlist(1)
        _ = try await cache.snapshot(of: .init(url: "u"))
        origin.answer.withLock { $0 = .failure(.status(500)) }
        for _ in 0..<40 {
            time.advance(by: .milliseconds(500))
            _ = try? await cache.snapshot(of: .init(url: "u"))
        }
        origin.playlist(2)
        time.advance(by: .seconds(4))
        #expect(try await cache.snapshot(of: .init(url: "u")).media?.mediaSequence == 2)
        #expect(origin.count <= 10)
    }

    @Test func `a slow origin costs a viewer no more than the patience while there is an older version`() async throws {
        let cache = cache()
        origin.playlist(1)
        _ = try await cache.snapshot(of: .init(url: "u"))
        let gate = SharedWork<Void>()
        origin.gate.withLock { $0 = gate }
        origin.playlist(2)
        time.advance(by: .seconds(2))
        async let waiting = cache.snapshot(of: .init(url: "u"))
        await time.waitForSleepers(1)
        time.advance(by: .milliseconds(300))
        #expect(try await waiting.media?.mediaSequence == 1)
        gate.finish(with: ())
    }

    @Test
    func `beside a request that takes longer than a target duration another one is made, and the newest answer counts`()
        async throws
    {
        let cache = cache()
        origin.playlist(1)
        _ = try await cache.snapshot(of: .init(url: "u"))
        let gates = (0..<3).map { _ in SharedWork<Void>() }
        for (index, gate) in gates.enumerated() {
            origin.gate.withLock { $0 = gate }
            time.advance(by: .seconds(4))
            async let answer = cache.snapshot(of: .init(url: "u"))
            await time.waitForSleepers(1)
            while origin.count < index + 2 { await Task.yield() }
            time.advance(by: .milliseconds(300))
            #expect(try await answer.media?.mediaSequence == 1)
        }
        #expect(origin.count == 4)
        #expect(origin.requests.withLock { $0.last?.patience } == 3)
        // The second one answers first; the first one, which is older, comes to nothing.
        origin.playlist(3)
        gates[1].finish(with: ())
        while try await cache.snapshot(of: .init(url: "u")).media?.mediaSequence != 3 { await Task.yield() }
        origin.playlist(2)
        gates[0].finish(with: ())
        for _ in 0..<50 { await Task.yield() }
        #expect(try await cache.snapshot(of: .init(url: "u")).media?.mediaSequence == 3)
        origin.playlist(4)
        gates[2].finish(with: ())
        while try await cache.snapshot(of: .init(url: "u")).media?.mediaSequence != 4 { await Task.yield() }
    }

    @Test(arguments: [
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:2\n#EXTINF:4,\na2",
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:2\n",
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv0.m3u8\n", "\u{1F}\u{8B}\u{8}",
    ])
    func `a playlist that is cut off, empty or of another kind does not take the place of a good one`(
        body: String
    ) async throws {
        let cache = cache()
        origin.playlist(1)
        _ = try await cache.snapshot(of: .init(url: "u"))
        origin.answer.withLock { $0 = .body(Array(body.utf8), finalURL: "u", etag: nil, lastModified: nil) }
        time.advance(by: .seconds(3))
        #expect(try await cache.snapshot(of: .init(url: "u")).media?.mediaSequence == 1)
        origin.playlist(2)
        time.advance(by: .seconds(5))
        #expect(try await cache.snapshot(of: .init(url: "u")).media?.mediaSequence == 2)
    }

    @Test func `an origin that goes on as another packager is believed when what it was may be served no more`()
        async throws
    {
        let cache = cache()
        origin.playlist(1)
        _ = try await cache.snapshot(of: .init(url: "u"))
        let body = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:9\n#EXTINF:4,\na9.ts"
        origin.answer.withLock { $0 = .body(Array(body.utf8), finalURL: "u", etag: nil, lastModified: nil) }
        for _ in 0..<14 {
            time.advance(by: .seconds(4))
            #expect(try await cache.snapshot(of: .init(url: "u")).media?.mediaSequence == 1)
        }
        time.advance(by: .seconds(8))
        #expect(try await cache.snapshot(of: .init(url: "u")).media?.mediaSequence == 9)
    }

    @Test func `a multivariant playlist that cannot be had any more is served on`() async throws {
        let cache = cache()
        let body = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv0.m3u8\n"
        origin.answer.withLock { $0 = .body(Array(body.utf8), finalURL: "u", etag: nil, lastModified: nil) }
        _ = try await cache.snapshot(of: .init(url: "u"))
        origin.answer.withLock { $0 = .failure(.status(403)) }
        time.advance(by: .seconds(3_600))
        #expect(try await cache.snapshot(of: .init(url: "u")).multivariant != nil)
    }

    @Test func `what nobody asks for any more is forgotten`() async throws {
        let cache = cache()
        origin.playlist(1)
        for number in 0..<10 { _ = try await cache.snapshot(of: .init(url: "u\(number)")) }
        time.advance(by: .seconds(299))
        _ = try await cache.snapshot(of: .init(url: "u3"))
        time.advance(by: .seconds(2))
        cache.removeIdle()
        #expect(cache.count == 1)
    }

    @Test(arguments: [
        "<!DOCTYPE html><html></html>", "", "not a playlist",
    ])
    func `an answer that is no playlist is a failure, not a playlist`(body: String) async {
        let cache = cache()
        origin.answer.withLock { $0 = .body(Array(body.utf8), finalURL: "u", etag: nil, lastModified: nil) }
        do {
            _ = try await cache.snapshot(of: .init(url: "u"))
            Issue.record("took \(body)")
        } catch {
            guard case .notAPlaylist = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func `who comes when nobody has asked for long waits for a slow origin, and is not given the edge of then`()
        async throws
    {
        let cache = cache()
        origin.playlist(1)
        _ = try await cache.snapshot(of: .init(url: "u"))
        time.advance(by: .seconds(13))
        let gate = SharedWork<Void>()
        origin.gate.withLock { $0 = gate }
        origin.playlist(4)
        async let first = cache.snapshot(of: .init(url: "u"))
        async let second = cache.snapshot(of: .init(url: "u"))
        await time.waitForSleepers(2)
        time.advance(by: .milliseconds(1_500))
        gate.finish(with: ())
        #expect(try await first.media?.mediaSequence == 4)
        #expect(try await second.media?.mediaSequence == 4)
    }

    @Test func `the cache is bounded`() async throws {
        var limits = OriginCache.Limits()
        limits.entries = 3
        let cache = cache(limits)
        origin.playlist(1)
        for number in 0..<10 {
            time.advance(by: .milliseconds(1))
            _ = try await cache.snapshot(of: .init(url: "u\(number)"))
        }
        let before = origin.count
        _ = try await cache.snapshot(of: .init(url: "u9"))
        #expect(origin.count == before)
        _ = try await cache.snapshot(of: .init(url: "u0"))
        #expect(origin.count == before + 1)
    }
}
