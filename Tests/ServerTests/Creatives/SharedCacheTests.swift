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

    private func cache(limit: Int = 10) -> SharedCache<String, Int, Failed> {
        SharedCache(
            limit: limit, lifetime: .seconds(60), failureLifetime: .seconds(5), time: time,
            start: { job in Task { await job() } },
            make: { [maker] key in
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
}
