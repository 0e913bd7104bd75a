import HLS
import Testing

@testable import Stitching

/// What is announced lies in the order of its times, however it comes.
struct BreakAnnouncementsTests {
    private func announcement(_ key: Int, at seconds: Int, isChange: Bool = false) -> BreakAnnouncement {
        var signals = SegmentSignals()
        signals.out = SegmentSignals.Out(names: [.dateRange("\(key)")])
        return BreakAnnouncement(
            source: .dateRange(key: "\(key)"), time: DateTime(nanoseconds: Int64(seconds) * 1_000_000_000),
            signals: signals, isChange: isChange)
    }

    private func times(_ announcements: BreakAnnouncements) -> [Int64] {
        announcements.waiting.compactMap { $0.time.map { $0.nanoseconds / 1_000_000_000 } }
    }

    @Test func `a change takes the place of what was said before, and a cancellation counts for what came before it`() {
        var announcements = BreakAnnouncements()
        announcements.insert(announcement(1, at: 30))
        announcements.insert(announcement(2, at: 20))
        announcements.insert(announcement(1, at: 10, isChange: true))
        #expect(times(announcements) == [10, 20])
        announcements.settle()
        announcements.cancel([.dateRange("2")])
        announcements.insert(announcement(2, at: 40))
        announcements.insert(announcement(1, at: 50, isChange: true))
        #expect(times(announcements) == [40, 50])
        announcements.cancel([.dateRange("1"), .dateRange("2")])
        #expect(announcements.waiting.isEmpty)
    }

    @Test func `a hundred thousand of falling dates, each changed and half of them cancelled, are read in one pass`() {
        var announcements = BreakAnnouncements()
        let clock = ContinuousClock()
        let time = clock.measure {
            for key in 0..<60_000 { announcements.insert(announcement(key, at: 1_000_000 - key)) }
            for key in 0..<60_000 { announcements.insert(announcement(key, at: 900_000 - key, isChange: true)) }
            for key in 0..<30_000 { announcements.cancel([.dateRange("\(key)")]) }
            announcements.settle()
        }
        #expect(times(announcements) == (30_000..<60_000).reversed().map { Int64(900_000 - $0) })
        // Each by itself would take minutes.
        #expect(time < .seconds(30))
    }
}
