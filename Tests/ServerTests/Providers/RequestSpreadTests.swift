import Stitching
import Testing

@testable import Server

struct RequestSpreadTests {
    private func delays(_ sessions: Int, isAhead: Bool = false, room: Duration) throws -> [Duration] {
        try (0..<sessions).map { number in
            let key = SessionKey(
                source: SourceID(kind: .live, name: "news"), streamID: try #require(StreamID("viewer-\(number)")))
            return RequestSpread(sessions: sessions).delay(
                of: key, for: BreakID("b1"), isAhead: isAhead, room: room)
        }
    }

    @Test func `a few sessions ask at once`() throws {
        #expect(try delays(16, room: .seconds(2)).allSatisfy { $0 == .zero })
        #expect(try delays(16, isAhead: true, room: .seconds(30)).allSatisfy { $0 == .zero })
    }

    @Test func `a crowd is spread evenly over a quarter of the deadline, each session always at its own time`() throws {
        let found = try delays(10_000, room: .seconds(2))
        #expect(found == (try delays(10_000, room: .seconds(2))))
        #expect(found.allSatisfy { $0 >= .zero && $0 < .milliseconds(500) })
        // In each tenth of the time about a tenth of them.
        for tenth in 0..<10 {
            let slot = Duration.milliseconds(50) * tenth..<Duration.milliseconds(50) * (tenth + 1)
            let count = found.filter { slot.contains($0) }.count
            #expect((900...1_100).contains(count), "\(tenth): \(count)")
        }
    }

    @Test func `a smaller crowd takes less time`() throws {
        #expect(try delays(100, room: .seconds(2)).allSatisfy { $0 < .milliseconds(50) })
    }

    @Test func `before an announced break there is more time, half of what is left at most`() throws {
        #expect(try delays(10_000, isAhead: true, room: .seconds(40)).allSatisfy { $0 < .seconds(20) })
        #expect(try delays(10_000, isAhead: true, room: .seconds(40)).contains { $0 > .seconds(19) })
        #expect(try delays(100, isAhead: true, room: .seconds(40)).allSatisfy { $0 < .seconds(1) })
    }

    @Test func `where no time is left nobody waits`() throws {
        #expect(try delays(100, room: .zero).allSatisfy { $0 == .zero })
        #expect(try delays(100, room: .seconds(-1)).allSatisfy { $0 == .zero })
    }
}
