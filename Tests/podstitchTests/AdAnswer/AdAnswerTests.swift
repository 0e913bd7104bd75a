import FoundationEssentials
import Server
import Synchronization
import Testing
import Transport
import VAST

@testable import podstitch

/// A clock that stands still.
private struct StandingTimeSource: TimeSource {
    func now() -> Int64 { 1_800_000_000_000_000_000 }
    func monotonic() -> Duration { .zero }
    func sleep(for duration: Duration) async throws {
        while !Task.isCancelled { await Task.yield() }
        throw CancellationError()
    }
}

/// Answers by path.
private final class FakeAdServer: AdAnswerLoading {
    private let answers: [String: String]
    private let asked = Mutex<[(url: String, isNamedByAnswer: Bool)]>([])

    init(_ answers: [String: String]) { self.answers = answers }

    var requests: [(url: String, isNamedByAnswer: Bool)] { asked.withLock { $0 } }

    func fetch(_ url: String, isNamedByAnswer: Bool) async -> AdResolution.FetchResult {
        asked.withLock { $0.append((url, isNamedByAnswer)) }
        let path = url.split(separator: "?").first.map(String.init) ?? url
        guard let text = answers[path] else { return .failure(.status(404)) }
        return .body(Array(text.utf8), finalURL: url)
    }
}

struct AdAnswerTests {
    private static let inLine = """
        <VAST version="4.2"><Ad id="a1" sequence="1"><InLine><AdSystem version="2">S</AdSystem><AdTitle>T</AdTitle>
        <Impression>http://t/i?c=[CACHEBUSTING]&amp;p=[PODSEQUENCE]</Impression><Error>http://t/e?[ERRORCODE]</Error>
        <Creatives><Creative id="c1"><Linear skipoffset="25%"><Duration>00:00:20</Duration>
        <AdParameters><![CDATA[{"k": "<v>"}]]></AdParameters>
        <TrackingEvents><Tracking event="midpoint">http://t/m?[ADPLAYHEAD]</Tracking>
        <Tracking event="start">http://t/s</Tracking><Tracking event="pause">http://t/p</Tracking></TrackingEvents>
        <MediaFiles><MediaFile type="application/x-mpegURL" delivery="streaming" width="1" height="1">http://m/a.m3u8</MediaFile>
        </MediaFiles></Linear></Creative><Creative><CompanionAds><Companion id="k" width="300" height="250">
        <StaticResource creativeType="image/png">http://m/c.png</StaticResource></Companion></CompanionAds></Creative>
        </Creatives><Extensions><Extension type="x"><Y z="1"/></Extension></Extensions></InLine></Ad>
        <Ad id="a2" sequence="2"><InLine><AdSystem>S</AdSystem><AdTitle>U</AdTitle><Impression>http://t/j</Impression>
        <Error>http://t/f?[ERRORCODE]</Error><Creatives><Creative><Linear><Duration>00:00:10</Duration><MediaFiles>
        <MediaFile type="application/javascript" apiFramework="VPAID">http://m/v.js</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
        """

    private static func wrapper(_ target: String) -> String {
        """
        <VAST version="3.0"><Ad id="w"><Wrapper><AdSystem>W</AdSystem><Impression>http://w/i</Impression>
        <VASTAdTagURI>\(target)</VASTAdTagURI></Wrapper></Ad></VAST>
        """
    }

    private func report(
        _ answers: [String: String], _ change: (inout AdAnswerArguments) -> Void = { _ in }
    ) async -> (report: AdAnswerReport, server: FakeAdServer) {
        var arguments = AdAnswerArguments(source: "http://ads/tag?d=[session.avail_duration_secs]&s=[player_params.s]")
        change(&arguments)
        let server = FakeAdServer(answers)
        let run = AdAnswerRun(arguments, loader: server, time: StandingTimeSource(), random: { 7 })
        return (await run.run(), server)
    }

    @Test func `the request bears the macros that the command line fills`() async {
        let (report, server) = await report(["http://ads/tag": Self.inLine]) {
            $0.availDuration = .milliseconds(29_600)
            $0.playerParameters = ["s": "a b"]
        }
        #expect(server.requests.map(\.url) == ["http://ads/tag?d=30&s=a%20b"])
        #expect(report.requests.map(\.url) == ["http://ads/tag?d=30&s=a%20b"])
        #expect(report.status == 0)
    }

    @Test func `each ad is told with its fate, and the calls that playing makes, in order and filled in`() async {
        let (report, _) = await report(["http://ads/tag": Self.inLine])
        #expect(
            report.text.contains(
                """
                  ad 1 of 1: "a1" S T 20.000 s, HLS: can be stitched
                    media hls application/x-mpegURL http://m/a.m3u8
                    call impression at 0.000 http://t/i?c=00000007&p=1
                    call start at 0.000 http://t/s
                    call midpoint at 10.000 http://t/m?00%3A00%3A10.000

                """))
        #expect(!report.text.contains("http://t/p"))
    }

    @Test func `an ad that cannot play is told with its code, and the error call that it costs`() async {
        let (report, _) = await report(["http://ads/tag": Self.inLine])
        #expect(report.text.contains("skipped a2 (code 403): "))
        #expect(
            report.text.contains(
                "  error 403 of \"a2\": no media file of a kind that can be played\n    call error http://t/f?403\n"))
    }

    @Test func `an ad without media that can be stitched costs its error, and is not told as played`() async {
        let (report, _) = await report([
            "http://ads/tag": Self.inLine.replacing("application/x-mpegURL", with: "video/mp4").replacing(
                "a.m3u8", with: "a.mp4")
        ])
        #expect(report.status == 1)
        #expect(report.text.contains("files without HLS: made into HLS, and skipped until then\n"))
        #expect(!report.text.contains("    call impression"))
        #expect(report.text.contains("    then call impression at 0.000 http://t/i?c=00000007&p=1\n"))
        #expect(report.text.contains("    call error http://t/e?407\n"))
    }

    @Test func `wrappers are asked as an answer's, and their trackers are called too`() async {
        let answers = ["http://ads/tag": Self.wrapper("http://other/next"), "http://other/next": Self.inLine]
        let (report, server) = await report(answers)
        #expect(server.requests.map(\.isNamedByAnswer) == [false, true])
        #expect(report.requests.map(\.depth) == [0, 1])
        #expect(report.text.contains("    behind 1 wrapper: W\n"))
        #expect(report.text.contains("call impression at 0.000 http://w/i\n"))
    }

    @Test func `a wrapper that leads nowhere is told with its request`() async {
        let (report, _) = await report(["http://ads/tag": Self.wrapper("http://other/gone")])
        #expect(report.status == 1)
        #expect(report.text.contains("request http://other/gone: status 404, 0.000 s\n"))
        #expect(report.text.contains("  no ads\n"))
    }

    @Test func `every break of a VMAP is told, the ones that a stitcher passes over too`() async {
        let vmap = """
            <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
            <vmap:AdBreak timeOffset="start" breakType="linear" breakId="pre"><vmap:AdSource id="1">
            <vmap:AdTagURI templateType="vast3"><![CDATA[http://ads/pre]]></vmap:AdTagURI></vmap:AdSource></vmap:AdBreak>
            <vmap:AdBreak timeOffset="00:10:00.000" breakType="nonlinear" breakId="over"/>
            <vmap:AdBreak timeOffset="sometime" breakType="linear"/></vmap:VMAP>
            """
        let (report, _) = await report(["http://ads/tag": vmap, "http://ads/pre": Self.inLine])
        #expect(report.form == .vmap(version: "1.0"))
        #expect(report.breaks.count == 3)
        #expect(report.text.contains("break \"pre\" at start, linear\n  ad 1 of 1: \"a1\""))
        #expect(
            report.text.contains(
                "break \"over\" at 00:10:00.000, nonlinear\n  skipped: it is for overlays, which players show that report themselves (--client)\n"
            ))
        #expect(report.text.contains("break at sometime, linear\n  skipped: its offset cannot be read\n"))
    }

    @Test func `the JSON holds what the ad carries, its parameters byte for byte`() async throws {
        let (report, _) = await report(["http://ads/tag": Self.inLine])
        let text = report.json.formatted
        for part in [
            "\"form\": \"VAST\"", "\"version\": \"4.2\"", "\"vastAdId\": \"a1\"", "\"adSystemVersion\": \"2\"",
            "\"skipOffset\": \"00:00:05\"",
            "\"adParameters\": \"{\\\"k\\\": \\\"<v>\\\"}\"", "\"durationInSeconds\": 20",
            "\"use\": \"hls\"", "\"eventType\": \"pause\"", "\"staticResource\": \"http://m/c.png\"",
            "\"content\": \"<Y z=\\\"1\\\"/>\"",
            "\"vastAdId\": \"a2\"", "\"code\": 403", "\"reason\": \"no media file of a kind that can be played\"",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }

    @Test func `what cannot be read, or asked for, ends with 2 and says why`() async {
        let (page, _) = await report(["http://ads/tag": "<html><body>no</body></html>"])
        #expect(page.status == 2)
        #expect(page.problem?.hasPrefix("the answer cannot be read: 101 ") == true)
        let (gone, _) = await report([:])
        #expect(gone.status == 2)
        #expect(gone.problem == "the ad request failed: status 404")
        let (file, _) = await report([:]) { $0.source = "/nowhere/x.xml" }
        #expect(file.problem == "/nowhere/x.xml: no such file")
    }

    @Test func `an answer does not speak to the terminal`() async {
        let answer = Self.inLine.replacing("<AdTitle>T", with: "<AdTitle>T&#x9;U&#x9b;2J&#x202e;V")
        let (report, _) = await report(["http://ads/tag": answer])
        #expect(report.text.contains("T U 2J V"))
    }

    @Test func `the command line is read, and refused where it is wrong`() throws {
        let words = [
            "vast", "http://a/t", "--json", "--duration", "30", "--param", "a=b=c", "--user-agent", "UA", "--ip",
            "192.0.2.1", "--header", "X-Key: v", "--timeout", "2.5", "--wrappers", "3", "--allow-private",
        ]
        guard case .vast(let arguments) = try Command(words) else {
            Issue.record("another command")
            return
        }
        #expect(arguments.isJSON && arguments.allowsPrivateAddresses)
        #expect(arguments.availDuration == .seconds(30))
        #expect(arguments.playerParameters == ["a": "b=c"])
        #expect(arguments.viewer.userAgent == "UA" && arguments.viewer.address == "192.0.2.1")
        #expect(arguments.headers.map(\.name) == ["X-Key"] && arguments.headers.map(\.value) == ["v"])
        #expect(arguments.timeout == .milliseconds(2_500) && arguments.wrapperLimit == 3)
        for wrong in [
            ["--duration", "x"], ["--timeout", "0"], ["--wrappers", "21"], ["--param", "=v"], ["--header", "x"],
            ["--ip", "host"],
        ] {
            #expect(throws: UsageError.self) { try Command(["vast", "f"] + wrong) }
        }
        #expect(throws: UsageError.self) { try Command(["vast"]) }
    }
}
