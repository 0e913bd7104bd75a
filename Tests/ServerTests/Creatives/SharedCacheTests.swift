import Synchronization
import Testing
import Transport

@testable import Server

struct SharedCacheTests {
    private struct Failed: Error, Equatable {}

    private final class Maker: Sendable {
        let calls = Mutex<[String]>([])
        let fails = Mutex(false)
    }

    private let time = ManualTimeSource()
    private let maker = Maker()

    private func cache(
        limit: Int = 10, longestFailure: Duration? = nil, gate: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> SharedCache<String, Int, Failed> {
        SharedCache(
            limit: limit, lifetime: .seconds(60), failureLifetime: .seconds(5), longestFailureLifetime: longestFailure,
            time: time, start: { job in Task { await job() } },
            make: { [maker] key in
                await gate(maker.calls.withLock { $0.count })
                let count = maker.calls.withLock {
                    $0.append(key)
                    return $0.count
                }
                return maker.fails.withLock { $0 } ? .failure(Failed()) : .success(count)
            })
    }

    @Test func `a value is made once for all who ask, and again when it is old`() async throws {
        let cache = cache()
        async let first = cache.value(for: "a", within: .seconds(1))
        async let second = cache.value(for: "a", within: .seconds(1))
        #expect(try await first?.get() == 1)
        #expect(try await second?.get() == 1)
        time.advance(by: .seconds(61))
        #expect(try await cache.value(for: "a", within: .seconds(1))?.get() == 2)
    }

    @Test func `a failure is remembered for a shorter time`() async throws {
        let cache = cache()
        maker.fails.withLock { $0 = true }
        await #expect(throws: Failed.self) { try await cache.value(for: "a", within: .seconds(1))?.get() }
        maker.fails.withLock { $0 = false }
        await #expect(throws: Failed.self) { try await cache.value(for: "a", within: .seconds(1))?.get() }
        time.advance(by: .seconds(6))
        #expect(try await cache.value(for: "a", within: .seconds(1))?.get() == 2)
    }

    @Test func `it is bounded, and what was used last stays`() async throws {
        let cache = cache(limit: 3)
        for key in ["a", "b", "c", "d"] {
            time.advance(by: .seconds(1))
            _ = await cache.value(for: key, within: .seconds(1))
        }
        _ = await cache.value(for: "d", within: .seconds(1))
        #expect(maker.calls.withLock { $0 } == ["a", "b", "c", "d"])
        _ = await cache.value(for: "a", within: .seconds(1))
        #expect(maker.calls.withLock { $0 } == ["a", "b", "c", "d", "a"])
    }

    @Test func `each further failure is remembered twice as long, up to the longest, and a success ends that`()
        async throws
    {
        let cache = cache(longestFailure: .seconds(20))
        maker.fails.withLock { $0 = true }
        var calls: [Int] = []
        for second in 0..<80 {
            let before = maker.calls.withLock { $0.count }
            if second == 70 { maker.fails.withLock { $0 = false } }
            _ = await cache.value(for: "a", within: .seconds(1))
            if maker.calls.withLock({ $0.count }) > before { calls.append(second) }
            time.advance(by: .seconds(1))
        }
        #expect(calls == [0, 5, 15, 35, 55, 75])
        maker.fails.withLock { $0 = true }
        time.advance(by: .seconds(60))
        _ = await cache.value(for: "a", within: .seconds(1))
        time.advance(by: .seconds(5))
        _ = await cache.value(for: "a", within: .seconds(1))
        #expect(maker.calls.withLock { $0.count } == 8)
    }

    @Test func `nobody waits again for what took long to fail: the failure is told while it is tried again`()
        async throws
    {
        let gates = [SharedWork<Void>(), SharedWork<Void>()]
        let cache = cache { _ = await gates[min($0, 1)].value() }
        maker.fails.withLock { $0 = true }
        async let first = cache.value(for: "a", within: .seconds(5))
        await time.waitForSleepers(1)
        time.advance(by: .seconds(1))
        gates[0].finish(with: ())
        guard case .failure? = await first else { throw Failed() }
        time.advance(by: .seconds(6))
        maker.fails.withLock { $0 = false }
        for _ in 0..<3 {
            guard case .failure? = await cache.value(for: "a", within: .zero) else { throw Failed() }
        }
        gates[1].finish(with: ())
        while true {
            if case .success(2)? = await cache.value(for: "a", within: .zero) { break }
            await Task.yield()
        }
        #expect(maker.calls.withLock { $0.count } == 2)
    }
}
