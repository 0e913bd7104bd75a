import Testing

@testable import Transport

@Suite struct TimeSourceTests {
    @Test func `a manual clock wakes sleepers when it is advanced past them`() async throws {
        let clock = ManualTimeSource(wallNanoseconds: 1_000)
        let first = Task { try await clock.sleep(for: .seconds(1)) }
        let second = Task { try await clock.sleep(for: .seconds(3)) }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        try await first.value
        #expect(clock.sleeperCount == 1)
        #expect(clock.monotonic() == .seconds(2))
        #expect(clock.now() == 2_000_001_000)
        clock.advance(by: .seconds(1))
        try await second.value
        try await clock.sleep(for: .zero)
        clock.jumpWall(toNanoseconds: 5)
        #expect(clock.now() == 5)
        #expect(clock.monotonic() == .seconds(3))
    }

    @Test func `cancelling ends a sleep on a manual clock`() async {
        let clock = ManualTimeSource()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            try await clock.sleep(for: .seconds(1))
        }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }
    }

    @Test func `the system's clocks run`() async throws {
        let clock = SystemTimeSource()
        let start = clock.monotonic()
        try await clock.sleep(for: .milliseconds(2))
        #expect(clock.monotonic() - start >= .milliseconds(2))
        #expect(clock.now() > 1_700_000_000_000_000_000)
    }
}
