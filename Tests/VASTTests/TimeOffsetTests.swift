import Testing

@testable import VAST

struct TimeOffsetTests {
    @Test(arguments: [
        ("00:00:10", 10_000), ("00:00:10.500", 10_500), ("00:00:01.5", 1_500), ("00:00:02,250", 2_250),
        ("0:1:5", 65_000),
        ("120", 120_000), ("12.5", 12_500), ("100:00:00", 360_000_000), ("00:00:00.1234567891234", 123),
        (" 00:00:30 ", 30_000), ("00:00:00", 0),
    ])
    func `durations are read leniently (V11, V25, V26, R-T1)`(text: String, milliseconds: Int) throws {
        let duration = try #require(TimeText.duration(text))
        #expect(abs((duration - .milliseconds(milliseconds)).components.attoseconds) < 1_000_000_000_000_000)
        #expect((duration - .milliseconds(milliseconds)).components.seconds == 0)
    }

    @Test(arguments: [
        "", "10:30", "00:60:00", "00:00:60", "-00:00:10", "-5", "ten", "00:00:1a", "1000:00:00", ":", "1e3",
    ])
    func `what cannot be trusted is unknown, and the ad stays (V27, R-T1)`(text: String) {
        #expect(TimeText.duration(text) == nil)
    }

    @Test func `an ad with an empty duration is kept (V27)`() {
        let ad = Sample.inLine("1").replacing("<Duration>00:00:10</Duration>", with: "<Duration/>")
        let ads = AdServerScript.resolve(Sample.vast(ad))
        #expect(ads.pod.map(\.duration) == [nil])
    }

    @Test func `a duration of nothing is unknown to nobody: the ad is kept (V26, R-T4)`() {
        let ad = Sample.inLine("1").replacing("00:00:10", with: "00:00:00")
        #expect(AdServerScript.resolve(Sample.vast(ad)).pod.map(\.duration) == [.zero])
    }

    @Test func `offsets keep milliseconds and fractions of a percent (V23, V24, R-T2)`() {
        #expect(TimeOffset(parsing: "00:00:02.500")?.time(in: nil) == .milliseconds(2500))
        #expect(TimeOffset(parsing: "33.3%")?.time(in: .seconds(20)) == .milliseconds(6660))
        #expect(TimeOffset(parsing: "33%")?.time(in: .seconds(30)) == .milliseconds(9900))
        #expect(TimeOffset(parsing: "100%")?.time(in: .seconds(7)) == .seconds(7))
        #expect(TimeOffset(parsing: "25%")?.time(in: nil) == nil)
        for bad in ["101%", "", "%", "-1%", "x", "1%%"] { #expect(TimeOffset(parsing: bad) == nil) }
    }

    @Test func `skipoffset takes percent, and beyond the end means not skippable (V28, R-T3)`() throws {
        func skip(_ text: String) throws -> Duration? {
            let ad = Sample.inLine("1").replacing("<Linear>", with: "<Linear skipoffset=\"\(text)\">")
            return AdServerScript.resolve(Sample.vast(ad)).pod.first?.skipTime(in: .seconds(20))
        }
        #expect(try skip("25%") == .seconds(5))
        #expect(try skip("00:00:20") == nil)
        #expect(try skip("0") == .zero)
        #expect(try skip("soon") == nil)
    }

    @Test func `a bad offset drops that tracker's firing only (R-T2)`() {
        #expect(TrackingEvent(event: "progress", url: "http://t/", offsetText: "101%").offset == nil)
        #expect(TrackingEvent(event: "progress", url: "http://t/", offsetText: "5").offset == .time(.seconds(5)))
    }

    @Test func `playheads are written with milliseconds (R70)`() {
        #expect(TimeText.formatted(.milliseconds(3_723_004)) == "01:02:03.004")
        #expect(TimeText.formatted(.nanoseconds(1_109_999)) == "00:00:00.001")
    }
}
