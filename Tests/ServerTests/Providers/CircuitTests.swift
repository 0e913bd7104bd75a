import Testing
import Transport

@testable import Server

/// When an ad server is asked that has failed.
struct CircuitTests {
    private var circuit = Circuit()

    /// Makes a request that ends at once; false where there is no leave.
    @discardableResult
    private mutating func ask(_ outcome: Circuit.Outcome, at second: Int) -> Bool {
        let now = Duration.seconds(second)
        guard let permit = circuit.permit(at: now, until: now + .seconds(2)) else { return false }
        circuit.ended(permit, outcome, at: now)
        return true
    }

    @Test mutating func `three failures and nothing else open it; then one request is let through after a second`() {
        for _ in 0..<2 { #expect(ask(.failed, at: 0)) }
        #expect(!circuit.isOpen)
        #expect(ask(.failed, at: 0))
        #expect(circuit.isOpen)
        #expect(!ask(.failed, at: 0))
        #expect(ask(.failed, at: 1))
        // The wait has doubled.
        #expect(!ask(.failed, at: 2))
        #expect(ask(.answered, at: 3))
        #expect(!circuit.isOpen)
        #expect(ask(.failed, at: 3) && ask(.failed, at: 3))
    }

    @Test mutating func `a server that answers one request in three is asked on`() {
        for turn in 0..<300 { #expect(ask(turn % 3 == 0 ? .answered : .failed, at: 0), "\(turn)") }
        #expect(!circuit.isOpen)
    }

    @Test mutating func `one that was well is left alone after fourteen failures`() {
        for _ in 0..<100 { ask(.answered, at: 0) }
        var failures = 0
        while ask(.failed, at: 0) { failures += 1 }
        #expect(failures == 14)
    }

    @Test mutating func `while it is tried nobody else asks, and a request that never ends is not waited for`() {
        for _ in 0..<3 { ask(.failed, at: 0) }
        #expect(circuit.permit(at: .seconds(1), until: .seconds(3)) != nil)
        #expect(circuit.permit(at: .seconds(2), until: .seconds(4)) == nil)
        #expect(!circuit.mayAsk(at: .seconds(2)))
        #expect(circuit.permit(at: .seconds(3), until: .seconds(5)) != nil)
    }

    @Test mutating func `of many under way when it opens none makes the wait longer, and one that is answered ends it`()
    {
        let permits = (0..<100).compactMap { _ in circuit.permit(at: .zero, until: .seconds(2)) }
        for permit in permits.dropLast() { circuit.ended(permit, .failed, at: .seconds(2)) }
        #expect(!circuit.mayAsk(at: .milliseconds(2_999)))
        #expect(circuit.mayAsk(at: .seconds(3)))
        if let last = permits.last { circuit.ended(last, .answered, at: .seconds(2)) }
        #expect(!circuit.isOpen)
    }

    @Test mutating func `the wait is never longer than fifteen seconds`() {
        for _ in 0..<3 { ask(.failed, at: 0) }
        var second = 0
        var waits: [Int] = []
        for _ in 0..<6 {
            let last = second
            while !ask(.failed, at: second) { second += 1 }
            waits.append(second - last)
        }
        #expect(waits == [1, 2, 4, 8, 15, 15])
    }

    @Test mutating func `a probe of which nothing was learned makes room for the next one`() {
        for _ in 0..<3 { ask(.failed, at: 0) }
        #expect(ask(.unknown, at: 1))
        #expect(ask(.failed, at: 1))
    }
}
