import Testing

@testable import VAST

struct MacrosTests {
    /// 2026-01-17T08:15:07.127Z, and the numbers 1, 2, 3, ... where randomness is asked for.
    private func context() -> MacroContext {
        let counter = Counter()
        return MacroContext(timeSince1970: .milliseconds(1_768_637_707_127)) { counter.next() }
    }

    private final class Counter: @unchecked Sendable {
        // Used by one test on one thread.
        private var value: UInt64 = 0
        func next() -> UInt64 {
            value += 1
            return value
        }
    }

    private func expand(_ url: String, _ use: MacroUse = .tracker, _ set: (inout MacroContext) -> Void = { _ in })
        -> String
    {
        var context = context()
        set(&context)
        return Macros.expand(url, in: context, for: use)
    }

    @Test func `the required macros are always filled (R-Y3)`() {
        #expect(expand("?[TIMESTAMP]") == "?2026-01-17T08%3A15%3A07.127Z")
        #expect(expand("?[CACHEBUSTING]&[CACHEBUSTING]") == "?00000001&00000002")
        #expect(expand("?[ERRORCODE]", .error(.noAd)) == "?303")
        #expect(expand("?[REASON]", .verificationNotExecuted(reason: 2)) == "?2")
        #expect(expand("?[LIMITADTRACKING]") == "?0")
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_782_400, "2000-02-29T00:00:00.000Z"),
        (4_107_542_399, "2100-02-28T23:59:59.000Z"), (1_735_689_599, "2024-12-31T23:59:59.000Z"),
        (-5, "1970-01-01T00:00:00.000Z"),
    ])
    func `timestamps are civil dates in UTC (R-Y3)`(seconds: Int, wanted: String) {
        #expect(MacroTable.timestamp(.seconds(seconds)) == wanted)
    }

    @Test func `playheads are HH:MM:SS.mmm, encoded exactly once (R70, R-Y2)`() {
        let url = expand("?[CONTENTPLAYHEAD]:[ADPLAYHEAD]") {
            $0.contentPlayhead = .nanoseconds(61_001_110_000)
            $0.ad = AdMacroValues()
            $0.ad?.playhead = .milliseconds(2500)
        }
        #expect(url == "?00%3A01%3A01.001:00%3A00%3A02.500")
    }

    @Test func `fields of the break's message and its asset are encoded, unknown ones are empty`() {
        let url = expand(
            "?e=[scte.event_id]&u=[scte.segmentation_upid]&k=[scte.segmentation_upid.cueData.key]&n=[scte.other]"
                + "&c=[asset.CAID]&g=[asset.genre]&x=[asset.x]"
        ) {
            $0.splice = ["event_id": "7", "segmentation_upid": "AD=7;x", "segmentation_upid.cueData.key": "p b"]
            $0.asset = ["CAID": "0x01", "GENRE": "CV/1"]
        }
        #expect(url == "?e=7&u=AD%3D7%3Bx&k=p%20b&n=&c=0x01&g=CV%2F1&x=")
    }

    @Test func `a value is encoded once, and the rest of the URL is not touched (R70, R-Y2)`() {
        let url = expand("http://h/%2F?a=%3a&u=[ASSETURI]&x=[IFA]") {
            $0.ad = AdMacroValues()
            $0.ad?.mediaURL = "http://m/a?b=c&d=%20:"
            $0.values["IFA"] = .text("a b+c/d")
        }
        #expect(url == "http://h/%2F?a=%3a&u=http%3A%2F%2Fm%2Fa%3Fb%3Dc%26d%3D%2520%3A&x=a%20b%2Bc%2Fd")
    }

    @Test func `what is not known is -1, what is not shared -2, and 0 for page and bundle (R-Y3)`() {
        #expect(
            expand("?[IFA]&[DEVICEIP]&[PAGEURL]&[APPBUNDLE]") { $0.values["DEVICEIP"] = .notShared } == "?-1&-2&0&0")
        #expect(expand("?[DOMAIN]") { $0.values["DOMAIN"] = .text("") } == "?-1")
        #expect(expand("?[PODSEQUENCE]", .adRequest) { $0.ad = AdMacroValues() } == "?-1")
        #expect(expand("?[ERRORCODE]") == "?-1")
    }

    @Test func `brackets that are no macros stay as they stand (R-Y1)`() {
        let url = "http://h/?a[]=1&b[0]=2&[foo]&[Timestamp]&[TIMESTAMP&[X Y]&[DSAREQUIRED]&[other.family]"
        #expect(expand(url) == url)
    }

    @Test func `lists keep bare commas (R-Y2)`() {
        let url = expand("?[VASTVERSIONS]&[UNIVERSALADID]") {
            $0.ad = AdMacroValues()
            $0.ad?.universalAdIDs = [
                UniversalAdID(registry: "ad-id.org", value: "A,1"), UniversalAdID(registry: nil, value: "B"),
            ]
        }
        #expect(url == "?2,3,5,6,7,8,11,12,13,14,15,16&ad-id.org%20A%2C1,unknown%20B")
    }

    @Test func `other spellings are filled only where that is switched on (V45, R-Y4)`() {
        let url = "?%%CACHEBUSTING%%&%5BCACHEBUSTING%5D&${CACHEBUSTING}&{CACHEBUSTING}&[random]"
        #expect(expand(url) == url)
        #expect(
            expand(url) { $0.acceptsOtherForms = true } == "?00000001&00000002&00000003&00000004&00000005")
    }

    @Test func `macros are filled in every request of a chain, anew (R68, R-Y1)`() {
        var script = AdServerScript([:])
        let tags = ["http://ads.test/1?c=[CACHEBUSTING]", "http://ads.test/2?c=[CACHEBUSTING]&t=[TIMESTAMP]"]
        script.answers[tags[0]] = .body(Array(Sample.vast(Sample.wrapper("w", to: tags[1])).utf8), finalURL: nil)
        script.answers[tags[1]] = .body(Array(Sample.vast(Sample.inLine("1")).utf8), finalURL: nil)
        var resolution = AdResolution(url: tags[0])
        #expect(script.run(&resolution).pod.count == 1)
        let context = context()
        #expect(
            script.asked.map { Macros.requestURL($0, in: context, for: .adRequest) } == [
                "http://ads.test/1?c=00000001", "http://ads.test/2?c=00000002&t=2026-01-17T08%3A15%3A07.127Z",
            ])
    }

    @Test func `the operator's names are filled from the session (R-Y4)`() {
        let url = expand(
            """
            http://h/?d=[session.avail_duration_secs]&m=[session.avail_duration_ms]&ip=[session.client_ip]\
            &s=[player_params.section]&i=[avail.index]&r=[avail.random]&none=[player_params.none]&n2=[session.x]
            """, .adRequest
        ) {
            $0.availDuration = .milliseconds(29_600)
            $0.session = ["client_ip": "2001:db8::1"]
            $0.playerParameters = ["section": "a&b=#c d"]
            $0.avail = ["index": "3"]
        }
        #expect(
            url == "http://h/?d=30&m=29600&ip=2001%3Adb8%3A%3A1&s=a%26b%3D%23c%20d&i=3&r=1&none=&n2=")
    }

    @Test func `a viewer's value brings in no host, no control and no length (R-Y5)`() {
        func fill(_ url: String, _ value: String) -> String {
            expand(url, .adRequest) {
                $0.playerParameters = ["x": value]
                $0.valueLimit = 20
            }
        }
        #expect(fill("http://[player_params.x].ads.test/", "evil.com/") == "http://evilcom.ads.test/")
        #expect(fill("http://h/[player_params.x]", "a\r\nX: y") == "http://h/aX%3A%20y")
        #expect(fill("http://h/?[player_params.x]", String(repeating: "a", count: 99)).utf8.count == 30)
        #expect(fill("http://h/?u=http://[player_params.x]/", "a.b") == "http://h/?u=http://a.b/")
    }

    @Test func `a URL for the client keeps what only the client knows (R-K6)`() {
        let url = "?[SERVERSIDE]&[ADPLAYHEAD]&[CACHEBUSTING]&[PODSEQUENCE]&[PLAYERSTATE]"
        let filled = expand(url, .client) {
            $0.ad = AdMacroValues()
            $0.ad?.sequence = 2
            $0.ad?.playhead = .zero
        }
        #expect(filled == "?0&[ADPLAYHEAD]&[CACHEBUSTING]&2&[PLAYERSTATE]")
        #expect(expand("?[SERVERSIDE]") == "?2")
    }

    @Test func `break macros tell position and room`() {
        let url = expand("?[BREAKPOSITION]&[BREAKMAXDURATION]&[TRANSACTIONID]", .adRequest) {
            $0.breakPosition = .midRoll
            $0.availDuration = .milliseconds(90_900)
            $0.transactionID = "t-1"
        }
        #expect(url == "?2&90&t-1")
    }
}
