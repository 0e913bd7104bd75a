import HLS
import Stitching
import Testing
import Transport

@testable import Server

/// What operators may ask about sessions stays within its bounds.
struct AdDebuggerTests {
    private let news = SourceID(kind: .live, name: "news")

    private func key(_ number: Int) throws -> SessionKey {
        SessionKey(source: news, streamID: try #require(StreamID("viewer-\(number)")))
    }

    private func request(_ debugger: AdDebugger, _ adBreak: String, _ key: SessionKey, body: String = "") {
        debugger.requested(
            "http://a/vast?x=1", for: BreakID(adBreak), key, isNamedByAnswer: false, began: 0, elapsed: .zero,
            outcome: "answered", body: Array(body.utf8))
    }

    @Test func `sessions that began first make room`() throws {
        let debugger = AdDebugger(
            options: AdDebuggingOptions(bytes: 200_000, keepsBodies: true), time: ManualTimeSource())
        let body = String(repeating: "x", count: 10_000)
        for number in 0..<5_000 { request(debugger, "b", try key(number), body: body) }
        let kept = debugger.latest(10_000)
        #expect(kept.count > 10 && kept.count < 20)
        #expect(debugger.reports(of: "viewer-4999", in: [news]).count == 1)
        #expect(debugger.reports(of: "viewer-0", in: [news]).isEmpty)
    }

    @Test func `sessions of several sources with one stream ID are told apart by their names`() throws {
        let debugger = AdDebugger(
            options: AdDebuggingOptions(bytes: 1 << 20, keepsBodies: false), time: ManualTimeSource())
        let film = SourceID(kind: .vod, name: "film")
        let keys = try [news, film].map { SessionKey(source: $0, streamID: try #require(StreamID("viewer-1"))) }
        for key in keys { request(debugger, "b", key) }
        let names = keys.map(\.publicName)
        #expect(debugger.reports(of: "viewer-1", in: [news, film]).map(\.name) == names)
        for name in names { #expect(debugger.reports(of: name, in: [news, film]).map(\.name) == [name]) }
    }

    @Test func `a session's breaks, requests, bodies and beacons are bounded, and what is left out is counted`() throws
    {
        let debugger = AdDebugger(
            options: AdDebuggingOptions(bytes: 1 << 30, keepsBodies: true), time: ManualTimeSource())
        let viewer = try key(1)
        for number in 0..<250 { request(debugger, "b\(number)", viewer) }
        for _ in 0..<70 { request(debugger, "b249", viewer, body: String(repeating: "x", count: 100_000)) }
        let report = try #require(debugger.reports(of: viewer.publicName, in: []).first)
        #expect(report.breaks.count == 200 && report.dropped == 50)
        #expect(report.breaks.first?.id == BreakID("b50"))
        let last = try #require(report.breaks.last)
        #expect(last.requests.count == 50 && last.dropped == 21)
        #expect(last.requests.last?.bytes == 100_000)
        #expect(last.requests.last?.body?.utf8.count == 65_536)
    }

    @Test func `what ad servers say takes no more room than is counted`() throws {
        let debugger = AdDebugger(options: AdDebuggingOptions(bytes: 200_000), time: ManualTimeSource())
        let long = String(repeating: "x", count: 100_000)
        for number in 0..<1_000 {
            debugger.decided(.content(.providerFailed(long)), for: BreakID("b"), try key(number))
        }
        let report = try #require(debugger.reports(of: "viewer-999", in: [news]).first)
        #expect(report.breaks.first?.decision?.reason?.utf8.count == 1_000)
        // Each costs its thousand bytes and some hundred more.
        let kept = debugger.latest(10_000).count
        #expect(kept > 100 && kept < 200)
        debugger.learned(
            (0..<500).map { SkippedAd(id: "\($0)\(long)", reason: long) }, Array(repeating: long, count: 500),
            for: BreakID("b"), try key(999))
        let told = try #require(debugger.reports(of: "viewer-999", in: [news]).first?.breaks.first)
        #expect(told.ads.count == 100 && told.notes.count == 100)
        #expect(told.ads.allSatisfy { $0.id.utf8.count < 510 && ($0.skipped ?? "").utf8.count < 510 })
        #expect(told.notes.allSatisfy { $0.utf8.count < 510 })
        #expect(debugger.latest(10_000).count < kept)
    }

    @Test func `nothing is kept where it is switched off`() throws {
        let debugger = AdDebugger(options: AdDebuggingOptions(bytes: 0), time: ManualTimeSource())
        request(debugger, "b", try key(1))
        debugger.decided(.content(.noAds), for: BreakID("b"), try key(1))
        #expect(debugger.latest(10).isEmpty)
    }

    @Test(arguments: [
        ("http://a/p?k=v&SECRET&q=a=b#f", "http://a/p?k=…&…&q=…"), ("http://u:p@a/p?k=v", "http://a/p?k=…"),
        ("http://a/p", "http://a/p"), ("http://a/p?", "http://a/p?"),
        ("http://user:\(String(repeating: "A", count: 600))@a/p", "http://a/p"),
    ])
    func `the values of a query are masked`(url: String, shown: String) { #expect(maskedURL(url) == shown) }
}
