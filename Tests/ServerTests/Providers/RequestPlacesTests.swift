import Synchronization
import Testing
import Transport

@testable import Server

struct RequestPlacesTests {
    private final class Order: Sendable {
        let turns = Mutex<[Int]>([])
    }

    private let time = ManualTimeSource()

    private func waiting(_ count: Int, for places: RequestPlaces) async {
        while places.waitingCount < count { await Task.yield() }
    }

    @Test func `who finds no place waits, and the first who came has the next one`() async {
        let places = RequestPlaces(2, time: time)
        #expect(await places.take(within: .zero))
        #expect(await places.take(within: .zero))
        let order = Order()
        await withTaskGroup(of: Void.self) { group in
            for turn in 0..<3 {
                group.addTask {
                    guard await places.take(within: .seconds(1)) else { return }
                    order.turns.withLock { $0.append(turn) }
                    places.give()
                }
                await waiting(turn + 1, for: places)
            }
            places.give()
        }
        #expect(order.turns.withLock { $0 } == [0, 1, 2])
        #expect(places.waitingCount == 0)
    }

    @Test func `who has waited long enough goes without, and takes nobody's place`() async {
        let places = RequestPlaces(1, time: time)
        #expect(await places.take(within: .zero))
        async let late = places.take(within: .seconds(1))
        await waiting(1, for: places)
        await time.waitForSleepers(1)
        async let patient = places.take(within: .seconds(5))
        await waiting(2, for: places)
        await time.waitForSleepers(2)
        time.advance(by: .seconds(1))
        #expect(await !late)
        places.give()
        #expect(await patient)
        places.give()
        #expect(await places.take(within: .zero))
    }

    @Test func `no more than so many wait, and without time nobody does`() async {
        let places = RequestPlaces(1, lineLimit: 1, time: time)
        #expect(await places.take(within: .zero))
        #expect(await !places.take(within: .zero))
        async let first = places.take(within: .seconds(1))
        await waiting(1, for: places)
        #expect(await !places.take(within: .seconds(1)))
        places.give()
        #expect(await first)
    }

    @Test func `who is cancelled gives up the place that was just given`() async {
        let places = RequestPlaces(1, time: time)
        #expect(await places.take(within: .zero))
        let task = Task { await places.take(within: .seconds(1)) }
        await waiting(1, for: places)
        task.cancel()
        #expect(await !task.value)
        places.give()
        #expect(await places.take(within: .zero))
    }

    @Test func `those who have given up are forgotten, also while no place comes free`() async {
        let places = RequestPlaces(1, time: time)
        #expect(await places.take(within: .zero))
        for _ in 0..<3_000 {
            let task = Task { await places.take(within: .seconds(1)) }
            await waiting(1, for: places)
            task.cancel()
            #expect(await !task.value)
        }
        #expect(places.lineCount < 1_100)
    }
}
