import Stitching
import Synchronization
import Testing
import Transport

@testable import Server

struct BeaconQueueTests {
    private final class Recorder: Sendable {
        let sent = Mutex<[String]>([])
        let reported = Mutex<[String]>([])
        let running = Mutex<(now: Int, most: Int)>((0, 0))
    }

    private func beacon(_ url: String, session: String = "s", host: String = "h") -> Beacon {
        var generator = SystemRandomNumberGenerator()
        let key = SessionKey(
            source: SourceID(kind: .live, name: "news"), streamID: StreamID(session) ?? .random(using: &generator))
        return Beacon(
            event: "start", adBreak: BreakID("b"), lane: .init(session: key, host: host), url: url, headers: [],
            cookies: CookieJar())
    }

    private func queue(
        _ recorder: Recorder, limits: BeaconQueue.Limits = .init(), time: any TimeSource = ManualTimeSource(),
        outcome: @escaping @Sendable (String, Int) -> BeaconOutcome = { _, _ in .delivered(status: 200) }
    ) -> BeaconQueue {
        BeaconQueue(
            limits: limits, time: time, start: { job in Task { await job() } },
            send: { beacon in
                recorder.running.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                await Task.yield()
                let url = beacon.url
                let attempt = recorder.sent.withLock { sent in
                    sent.append(url)
                    return sent.filter { $0 == url }.count
                }
                recorder.running.withLock { $0.now -= 1 }
                return outcome(url, attempt)
            },
            report: { beacon, _ in recorder.reported.withLock { $0.append(beacon.url) } })
    }

    @Test func `beacons of one session to one host arrive in their order, each once`() async {
        let recorder = Recorder()
        let queue = queue(recorder)
        let urls = (0..<200).map { "u\($0)" }
        queue.enqueue(urls.prefix(100).map { beacon($0) })
        queue.enqueue(urls.dropFirst(100).map { beacon($0) })
        await queue.becomesIdle()
        #expect(recorder.sent.withLock { $0 } == urls)
        #expect(recorder.reported.withLock { $0 } == urls)
        #expect(queue.counts.waiting == 0)
    }

    @Test func `a host gets no more requests at once than allowed, and all lanes get their turn`() async {
        let recorder = Recorder()
        var limits = BeaconQueue.Limits()
        limits.perHost = 2
        let queue = queue(recorder, limits: limits)
        queue.enqueue((0..<50).map { beacon("u\($0)", session: "s\($0 % 10)") })
        await queue.becomesIdle()
        #expect(recorder.running.withLock { $0.most } <= 2)
        #expect(Set(recorder.sent.withLock { $0 }).count == 50)
    }

    @Test func `only what certainly did not arrive is tried again (R-K8)`() async {
        let recorder = Recorder()
        let time = ManualTimeSource()
        let queue = queue(recorder, time: time) { url, attempt in
            switch url {
            case "refused-once": attempt == 1 ? .notSent(reason: "connection refused") : .delivered(status: 200)
            case "timeout": .unknown(reason: "timeout")
            default: .delivered(status: 500)
            }
        }
        queue.enqueue([beacon("timeout"), beacon("error"), beacon("refused-once"), beacon("after")])
        await time.waitForSleepers(1)
        #expect(recorder.sent.withLock { $0 } == ["timeout", "error", "refused-once"])
        time.advance(by: .seconds(2))
        await queue.becomesIdle()
        #expect(recorder.sent.withLock { $0 } == ["timeout", "error", "refused-once", "refused-once", "after"])
    }

    @Test func `what does not fit is lost and counted`() async {
        let recorder = Recorder()
        var limits = BeaconQueue.Limits()
        limits.waiting = 3
        let queue = queue(recorder, limits: limits)
        queue.enqueue((0..<5).map { beacon("u\($0)") })
        #expect(queue.counts.lost == 2)
        await queue.becomesIdle()
        #expect(recorder.sent.withLock { $0 } == ["u0", "u1", "u2"])
    }

    @Test func `a drained queue takes nothing more`() async {
        let recorder = Recorder()
        let queue = queue(recorder)
        queue.enqueue([beacon("a")])
        await queue.drain(within: .seconds(10))
        queue.enqueue([beacon("b")])
        #expect(recorder.sent.withLock { $0 } == ["a"])
        #expect(queue.counts.lost == 1)
    }

    @Test func `hosts have their turns, however many lanes wait for one of them`() async throws {
        let recorder = Recorder()
        var limits = BeaconQueue.Limits()
        limits.perHost = 2
        limits.atOnce = 3
        let gate = SharedWork<Void>()
        let queue = BeaconQueue(
            limits: limits, time: ManualTimeSource(), start: { job in Task { await job() } },
            send: { beacon in
                if beacon.lane.host == "slow" { _ = await gate.value() }
                recorder.sent.withLock { $0.append(beacon.url) }
                return .delivered(status: 200)
            }, report: { _, _ in })
        queue.enqueue((0..<200).map { beacon("slow\($0)", session: "s\($0)", host: "slow") })
        queue.enqueue((0..<50).map { beacon("fast\($0)", session: "f\($0)", host: "fast") })
        while recorder.sent.withLock({ $0.count }) < 50 { await Task.yield() }
        #expect(recorder.sent.withLock { $0.allSatisfy { $0.hasPrefix("fast") } })
        gate.finish(with: ())
        await queue.becomesIdle()
        let sent = recorder.sent.withLock { $0 }
        #expect(sent.count == 250 && Set(sent).count == 250)
    }
}
