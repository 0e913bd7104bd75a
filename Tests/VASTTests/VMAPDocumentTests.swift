import Testing

@testable import VAST

struct VMAPDocumentTests {
    private func schedule(_ breaks: String, namespace: String = "http://www.iab.net/videosuite/vmap") throws
        -> VMAPDocument
    {
        let text = "<vmap:VMAP xmlns:vmap=\"\(namespace)\" version=\"1.0\">\(breaks)</vmap:VMAP>"
        return try VMAPDocument(parsing: Array(text.utf8))
    }

    private let tag = "<vmap:AdSource><vmap:AdTagURI templateType=\"vast3\"> http://a/ </vmap:AdTagURI></vmap:AdSource>"

    @Test(arguments: [
        "http://www.iab.net/videosuite/vmap", "https://www.iab.net/videosuite/vmap", "http://www.iab.net/vmap-1.0",
        "//www.iab.net/vmap-1.0",
    ])
    func `every namespace seen is read (V06, V08, R-V6)`(namespace: String) throws {
        let one = try schedule("<vmap:AdBreak timeOffset=\"start\">\(tag)</vmap:AdBreak>", namespace: namespace)
        #expect(one.breaks.first?.source?.content == .adTagURI("http://a/", templateType: "vast3"))
    }

    @Test func `children without the prefix and an unbound prefix are read (V07, R-V6)`() throws {
        let mixed = "<vmap:AdSource><AdTagURI>http://a/</AdTagURI></vmap:AdSource>"
        #expect(
            try schedule("<vmap:AdBreak timeOffset=\"start\">\(mixed)</vmap:AdBreak>").breaks.first?.source?.content
                == .adTagURI("http://a/", templateType: nil))
        let unbound = "<vmap:VMAP><vmap:AdBreak timeOffset=\"end\"/></vmap:VMAP>"
        #expect(try VMAPDocument(parsing: Array(unbound.utf8)).breaks.map(\.timeOffset) == [.end])
    }

    @Test func `a leading blank in an ad tag does no harm (V02)`() throws {
        let source = "<vmap:AdSource><vmap:AdTagURI><![CDATA[ https://h/x]]></vmap:AdTagURI></vmap:AdSource>"
        #expect(
            try schedule("<vmap:AdBreak timeOffset=\"start\">\(source)</vmap:AdBreak>").breaks.first?.source?.content
                == .adTagURI("https://h/x", templateType: nil))
    }

    @Test func `one bad offset costs that break only (V09, R-V1)`() throws {
        let breaks = ["", "x", "#0", "101%", "15", "start"].map {
            "<vmap:AdBreak timeOffset=\"\($0)\">\(tag)</vmap:AdBreak>"
        }
        let all = try schedule(breaks.joined() + "<vmap:AdBreak>\(tag)</vmap:AdBreak>").breaks
        #expect(all.map(\.timeOffset) == [.invalid, .invalid, .invalid, .invalid, .invalid, .start, .invalid])
    }

    @Test(arguments: [
        ("start", BreakOffset.start), ("end", .end), ("00:00:10.500", .time(.milliseconds(10_500))),
        ("50%", .fraction(millionths: 500_000)), ("33.3%", .fraction(millionths: 333_000)), ("#2", .position(2)),
        ("99:00:00", .time(.seconds(356_400))),
    ])
    func `all kinds of offsets are read (V10 to V13, R-V2)`(text: String, wanted: BreakOffset) {
        #expect(BreakOffset(parsing: text) == wanted)
    }

    @Test func `percent of a known duration is a time (V10, R-V2)`() {
        #expect(BreakOffset(parsing: "50%").time(in: .seconds(90)) == .seconds(45))
        #expect(BreakOffset(parsing: "0%").time(in: nil) == .zero)
        #expect(BreakOffset(parsing: "50%").time(in: nil) == nil)
        #expect(BreakOffset(parsing: "end").time(in: .seconds(90)) == .seconds(90))
        #expect(BreakOffset(parsing: "#1").time(in: .seconds(90)) == nil)
    }

    @Test func `several breaks at one place are all kept in order (V12, V14, R-V2)`() throws {
        let one = "<vmap:AdBreak timeOffset=\"00:05:00\" breakId=\"a\"/>"
        let other = "<vmap:AdBreak timeOffset=\"00:05:00.000\" breakId=\"b\"/>"
        let all = try schedule(one + other).breaks
        #expect(all.map(\.breakID) == ["a", "b"])
        #expect(all.map(\.timeOffset) == [.time(.seconds(300)), .time(.seconds(300))])
    }

    @Test func `types, repeats, trackers and extensions are read (R-V3, R-V5, R-V7)`() throws {
        let all = try schedule(
            """
            <vmap:AdBreak timeOffset="start" breakType="linear, display" repeatAfter="00:10:00"><vmap:TrackingEvents>\
            <vmap:Tracking event="breakStart">http://t/s</vmap:Tracking><vmap:Tracking event="error">http://t/e\
            </vmap:Tracking></vmap:TrackingEvents><vmap:Extensions><vmap:Extension type="bumper"/></vmap:Extensions>\
            </vmap:AdBreak><vmap:AdBreak timeOffset="end" breakType="nonlinear" repeatAfter="00:00:00"/>
            """
        ).breaks
        #expect(all.first?.breakTypes == ["linear", "display"])
        #expect(all.map(\.isLinear) == [true, false])
        #expect(all.map(\.repeatAfter) == [.seconds(600), nil])
        #expect(all.first?.trackers("breakStart") == ["http://t/s"])
        #expect(all.first?.trackers("error") == ["http://t/e"])
        #expect(all.first?.extensions.map(\.type) == ["bumper"])
    }

    @Test func `inline VAST is read as elements and as text (R-V4)`() throws {
        let document = Sample.vast(Sample.inLine("1"))
        for data in [document, "<![CDATA[\(document)]]>"] {
            let source = "<vmap:AdSource><vmap:VASTAdData>\(data)</vmap:VASTAdData></vmap:AdSource>"
            let all = try schedule("<vmap:AdBreak timeOffset=\"start\">\(source)</vmap:AdBreak>").breaks
            let given = try #require(all.first?.source)
            var resolution = AdResolution(source: given, url: nil)
            var script = AdServerScript([:])
            #expect(script.run(&resolution).pod.map(\.id) == ["1"])
            #expect(given.isVASTInText == data.hasPrefix("<!"))
        }
    }

    @Test func `an empty source is an empty break, not an error (R-V4)`() throws {
        for source in ["<vmap:AdSource/>", "<vmap:AdSource><vmap:VASTAdData/></vmap:AdSource>"] {
            let all = try schedule("<vmap:AdBreak timeOffset=\"start\">\(source)</vmap:AdBreak>").breaks
            #expect(all.first?.source?.content == AdSource.Content.none)
        }
    }

    @Test func `a source that allows one ad takes the first of its pod (R-V4, R-W5)`() throws {
        let pod = Sample.vast(Sample.inLine("1", sequence: 1), Sample.inLine("2", sequence: 2))
        func ids(_ attributes: String) throws -> [String?] {
            let source = "<vmap:AdSource \(attributes)><vmap:VASTAdData>\(pod)</vmap:VASTAdData></vmap:AdSource>"
            let all = try schedule("<vmap:AdBreak timeOffset=\"start\">\(source)</vmap:AdBreak>").breaks
            let given = try #require(all.first?.source)
            var resolution = AdResolution(source: given, url: nil)
            var script = AdServerScript([:])
            return script.run(&resolution).pod.map(\.id)
        }
        #expect(try ids("allowMultipleAds=\"false\"") == ["1"])
        #expect(try ids("") == ["1", "2"])
    }

    @Test func `where one break was asked for, the first with an ad is taken (V16)`() {
        let vmap = """
            <VMAP><AdBreak timeOffset="start"/><AdBreak timeOffset="end" breakType="linear"><AdSource>\
            <AdTagURI>next</AdTagURI></AdSource></AdBreak></VMAP>
            """
        let ads = AdServerScript.resolve(vmap, ["http://ads.test/next": Sample.vast(Sample.inLine("1"))])
        #expect(ads.pod.map(\.id) == ["1"])
        #expect(AdServerScript.resolve("<VMAP/>").log.contains { $0.code == .schema })
    }
}
