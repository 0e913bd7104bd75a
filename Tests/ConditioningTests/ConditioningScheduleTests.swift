import Testing

@testable import Conditioning

@Suite struct ConditioningScheduleTests {
    typealias Schedule = ConditioningSchedule<String, String>

    private func answer(_ schedule: inout Schedule, _ key: String, _ job: String, at now: Duration) -> String {
        kind(schedule.request(key, of: "host", job, at: now))
    }

    private func kind(_ answer: Schedule.Answer) -> String {
        switch answer {
        case .run(let job): "run \(job)"
        case .inProgress: "inProgress"
        case .failed(let failure): "failed \(failure.kind)"
        case .full: "full"
        }
    }

    private static var limits: Schedule.Limits {
        var limits = Schedule.Limits()
        limits.running = 1
        limits.waiting = 1
        limits.failures = 10
        return limits
    }

    @Test func `a job is begun once, others wait, and more are refused`() {
        var schedule = Schedule(limits: Self.limits)
        let found1 = answer(&schedule, "a", "A", at: .zero)
        #expect(found1 == "run A")
        let found2 = answer(&schedule, "a", "A", at: .zero)
        #expect(found2 == "inProgress")
        let found3 = answer(&schedule, "b", "B", at: .zero)
        #expect(found3 == "inProgress")
        let found4 = answer(&schedule, "b", "B", at: .zero)
        #expect(found4 == "inProgress")
        let found5 = answer(&schedule, "c", "C", at: .zero)
        #expect(found5 == "full")
        let next = schedule.finished("a", nil, at: .zero)
        #expect(next == ["B"])
        #expect(schedule.runningCount == 1 && schedule.waitingCount == 0)
        let none = schedule.finished("b", nil, at: .zero)
        #expect(none.isEmpty)
        let found6 = answer(&schedule, "c", "C", at: .zero)
        #expect(found6 == "run C")
    }

    @Test func `a failure is remembered, for longer each time`() {
        var schedule = Schedule(limits: Self.limits)
        let failure = ConditioningFailure(.notFound, "status 404")
        _ = schedule.request("a", of: "host", "A", at: .zero)
        _ = schedule.finished("a", failure, at: .zero)
        let found7 = answer(&schedule, "a", "A", at: .seconds(29))
        #expect(found7 == "failed notFound")
        let found8 = answer(&schedule, "a", "A", at: .seconds(30))
        #expect(found8 == "run A")
        _ = schedule.finished("a", failure, at: .seconds(30))
        let found9 = answer(&schedule, "a", "A", at: .seconds(89))
        #expect(found9 == "failed notFound")
        let found10 = answer(&schedule, "a", "A", at: .seconds(90))
        #expect(found10 == "run A")
        _ = schedule.finished("a", nil, at: .seconds(95))
        let found11 = answer(&schedule, "a", "A", at: .seconds(96))
        #expect(found11 == "run A")
    }

    @Test func `a file that cannot be used is left alone for longer, but not for ever`() {
        var schedule = Schedule(limits: Self.limits)
        let failure = ConditioningFailure(.unusable, "no pictures")
        var now = Duration.zero
        for _ in 0..<40 {
            let found12 = answer(&schedule, "a", "A", at: now)
            #expect(found12 == "run A")
            _ = schedule.finished("a", failure, at: now)
            let found13 = answer(&schedule, "a", "A", at: now + .seconds(599))
            #expect(found13 == "failed unusable")
            now += .seconds(21_600)
        }
    }

    @Test func `the memory of failures is bounded`() {
        var schedule = Schedule(limits: Self.limits)
        let failure = ConditioningFailure(.unusable, "no pictures")
        for number in 0..<100 {
            _ = schedule.request("\(number)", of: "host", "", at: .seconds(number))
            _ = schedule.finished("\(number)", failure, at: .seconds(number))
        }
        let remembered = (0..<100).filter { number in
            var copy = schedule
            return kind(copy.request("\(number)", of: "host", "", at: .seconds(100))).hasPrefix("failed")
        }
        #expect(remembered.count <= 10)
        #expect(remembered.contains(99))
    }

    @Test func `nothing that waits begins once the server stops`() {
        var schedule = Schedule(limits: Self.limits)
        _ = schedule.request("a", of: "host", "A", at: .zero)
        _ = schedule.request("b", of: "host", "B", at: .zero)
        schedule.dropWaiting()
        let next = schedule.finished("a", nil, at: .zero)
        #expect(next.isEmpty)
    }

    private static var shared: Schedule.Limits {
        var limits = Schedule.Limits()
        limits.running = 3
        limits.runningOfHost = 2
        limits.waiting = 4
        return limits
    }

    @Test func `a host that many files are wanted of keeps no other one waiting`() {
        var schedule = Schedule(limits: Self.shared)
        for name in ["s1", "s2", "s3", "s4", "s5", "s6"] { _ = schedule.request(name, of: "slow", name, at: .zero) }
        #expect(schedule.runningCount == 2 && schedule.waitingCount == 4)
        // There is a place that the slow host may not have.
        let other = kind(schedule.request("a", of: "a", "A", at: .zero))
        #expect(other == "run A")
        // All places to wait are taken: the last of the slow host gives way.
        let waiting = kind(schedule.request("b", of: "b", "B", at: .zero))
        #expect(waiting == "inProgress" && schedule.waitingCount == 4)
        let next = schedule.finished("a", nil, at: .zero)
        #expect(next == ["B"])
        let refused = kind(schedule.request("s7", of: "slow", "s7", at: .zero))
        #expect(refused == "inProgress")
        let full = kind(schedule.request("s8", of: "slow", "s8", at: .zero))
        #expect(full == "full")
    }

    @Test func `hosts have their turns`() {
        var limits = Self.shared
        limits.running = 1
        limits.waiting = 10
        var schedule = Schedule(limits: limits)
        for name in ["a1", "a2", "a3", "b1", "b2"] {
            _ = schedule.request(name, of: String(name.prefix(1)), name, at: .zero)
        }
        var order: [String] = []
        var running = "a1"
        while let next = schedule.finished(running, nil, at: .zero).first {
            order.append(next)
            running = next
        }
        #expect(order == ["a2", "b1", "a3", "b2"] || order == ["b1", "a2", "b2", "a3"])
        #expect(schedule.runningCount == 0 && schedule.waitingCount == 0)
    }
}
