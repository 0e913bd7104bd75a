import Synchronization
import Testing

@testable import Transport

@Suite struct EventLoopTests {
    @Test func `a task that prefers a loop runs on it, also after suspending`() async throws {
        let group = try EventLoopGroup(count: 2)
        let loop = group.loops[1]
        let places = await Task(executorPreference: loop) {
            var places = [loop.isCurrent]
            await Task.yield()
            places.append(loop.isCurrent)
            try? await SystemTimeSource().sleep(for: .milliseconds(1))
            places.append(loop.isCurrent)
            try? await Task.sleep(for: .milliseconds(1))
            places.append(loop.isCurrent && EventLoop.current === loop && group.preferred() === loop)
            return places
        }.value
        #expect(places == [true, true, true, true])
        #expect(EventLoop.current == nil)
        await group.shutdown()
    }

    @Test func `work is run in order and refused after the end`() async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        let seen = Mutex<[Int]>([])
        let numbers = await withCheckedContinuation { (continuation: CheckedContinuation<[Int], Never>) in
            for number in 0..<5_000 { loop.execute { seen.withLock { $0.append(number) } } }
            loop.execute { continuation.resume(returning: seen.withLock { $0 }) }
        }
        #expect(numbers == Array(0..<5_000))
        await group.shutdown()
        await group.shutdown()
        #expect(!loop.execute {})
    }

    @Test func `tasks outlive their loop`() async throws {
        let group = try EventLoopGroup(count: 1)
        let released = Flag()
        let task = Task(executorPreference: group.loops[0]) {
            while !released.isSet { await Task.yield() }
            try? await SystemTimeSource().sleep(for: .milliseconds(1))
            return 7
        }
        await group.shutdown()
        released.set()
        #expect(await task.value == 7)
    }

    @Test func `sleeping ends with the loop or the task`() async throws {
        let group = try EventLoopGroup(count: 1)
        let tasks = (0..<2).map { _ in
            Task(executorPreference: group.loops[0]) { try await SystemTimeSource().sleep(for: .seconds(60)) }
        }
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        // So that the second one surely sleeps.
        await withCheckedContinuation { continuation in group.loops[0].execute { continuation.resume() } }
        await group.shutdown()
        await #expect(throws: (any Error).self) { try await withTimeLimit { try await tasks[1].value } }
    }

    @Test func `timers fire in order of their deadlines, cancelled ones do not`() {
        var timers = TimerHeap()
        var fired: [Int] = []
        var generator = SplitMix(state: 1)
        var ids: [TimerHeap.ID] = []
        for number in 0..<1_000 {
            ids.append(timers.add(at: generator.next() % 500) { fired.append(number) })
        }
        for index in stride(from: 0, to: 1_000, by: 3) { timers.cancel(ids[index]) }
        #expect(timers.count == 666)
        var last: UInt64 = 0
        while let deadline = timers.nextDeadline() {
            #expect(deadline >= last)
            last = deadline
            timers.popDue(now: deadline)?()
        }
        #expect(fired.count == 666)
        #expect(!fired.contains { $0 % 3 == 0 })
        #expect(timers.popDue(now: .max) == nil)
    }

    @Test func `a thousand timers of cancelled deadlines do not pile up`() {
        var timers = TimerHeap()
        for _ in 0..<100_000 { timers.cancel(timers.add(at: .max) {}) }
        #expect(timers.count == 0)
        #expect(timers.heapCount < 200)
    }
}

/// Fails instead of waiting for ever.
func withTimeLimit<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: .seconds(5))
            throw CancellationError()
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
    }
}
