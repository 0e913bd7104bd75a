import Testing
import Transport

@testable import Server

struct SharedWorkTests {
    @Test func `everybody who waits gets the one value`() async {
        let work = SharedWork<Int>()
        async let first = work.value()
        async let second = work.value()
        work.finish(with: 1)
        work.finish(with: 2)
        #expect(await first == 1)
        #expect(await second == 1)
        #expect(work.valueIfDone == 1)
    }

    @Test func `who has no more patience goes on without it, the work does not`() async {
        let time = ManualTimeSource()
        let work = SharedWork<Int>()
        async let impatient = work.value(within: .milliseconds(300), on: time)
        await time.waitForSleepers(1)
        time.advance(by: .milliseconds(300))
        #expect(await impatient == nil)
        #expect(await work.value(within: .zero, on: time) == nil)
        work.finish(with: 7)
        #expect(await work.value(within: .zero, on: time) == 7)
    }

    @Test func `a cancelled waiter is let go`() async {
        let work = SharedWork<Int>()
        let waiter = Task { await work.value() }
        waiter.cancel()
        #expect(await waiter.value == nil)
    }

    @Test func `a back-off doubles with each failure in a row up to its longest`() {
        var backOff = BackOff(first: .seconds(1), longest: .seconds(5))
        #expect(backOff.allows(at: .zero))
        backOff.failed(at: .zero)
        #expect(!backOff.allows(at: .milliseconds(999)))
        #expect(backOff.allows(at: .seconds(1)))
        backOff.failed(at: .seconds(1))
        #expect(backOff.retryAt == .seconds(3))
        backOff.failed(at: .seconds(3))
        backOff.failed(at: .seconds(7))
        #expect(backOff.retryAt == .seconds(12))
        backOff.succeeded()
        #expect(backOff.allows(at: .zero))
    }
}
