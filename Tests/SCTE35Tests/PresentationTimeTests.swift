import Testing

@testable import SCTE35

struct PresentationTimeTests {
    private let last = PresentationTime(ticks: PresentationTime.period - 1)

    @Test func `the clock starts again after 2^33 ticks`() {
        #expect(PresentationTime(ticks: PresentationTime.period + 5) == PresentationTime(ticks: 5))
        #expect(last.adjusted(by: PresentationTime(ticks: 3)) == PresentationTime(ticks: 2))
        #expect(last.advanced(by: .seconds(1)) == PresentationTime(ticks: 89_999))
        let before = PresentationTime(ticks: PresentationTime.period - 90_000)
        #expect(PresentationTime.zero.advanced(by: .seconds(-1)) == before)
    }

    @Test func `a span over the wrap is short, and negative backwards`() {
        let later = PresentationTime(ticks: 89_999)
        #expect(later.duration(since: last) == .seconds(1))
        #expect(last.duration(since: later) == .seconds(-1))
        #expect(later.duration(since: later) == .zero)
    }

    @Test(arguments: [0, 1, 8, 89_999, 90_000, 2_700_001, 1 << 33, (1 << 40) - 1, .max] as [UInt64])
    func `ticks survive the way through a duration`(ticks: UInt64) {
        #expect(UInt64(bitPattern: Duration(presentationTicks: ticks).presentationTicks) == ticks)
        let negative = Duration.zero - Duration(presentationTicks: ticks)
        #expect(UInt64(bitPattern: negative.presentationTicks) == 0 &- ticks)
    }

    @Test func `a duration is rounded to the nearest tick`() {
        #expect(Duration.microseconds(5).presentationTicks == 0)
        #expect(Duration.microseconds(6).presentationTicks == 1)
        #expect(Duration.microseconds(-6).presentationTicks == -1)
        #expect(Duration.milliseconds(29_970).presentationTicks == 2_697_300)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min)])
    func `a span beyond all measure doesn't trap`(span: Duration) {
        #expect(PresentationTime.zero.advanced(by: span).ticks < PresentationTime.period)
    }

    @Test func `a scheduled time is counted from 1980 with leap seconds`() {
        #expect(UTCSpliceTime(seconds: 18).unixSeconds() == 315_964_800)
        #expect(UTCSpliceTime(seconds: 0).unixSeconds(leapSeconds: 0) == 315_964_800)
    }

    @Test func `a time descriptor gives UTC`() {
        let time = TimeDescriptor(atomicSeconds: 1_700_000_037, atomicNanoseconds: 0, utcOffset: 37)
        #expect(time.unixSeconds == 1_700_000_000)
    }
}
