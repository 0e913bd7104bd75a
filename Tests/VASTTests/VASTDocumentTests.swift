import Testing

@testable import VAST

struct VASTDocumentTests {
    private func creative(_ attributes: String, _ inside: String) throws -> Creative? {
        let document = try VASTDocument(
            "<VAST><Ad><InLine><Creatives><Creative \(attributes)>\(inside)</Creative></Creatives></InLine></Ad></VAST>"
        )
        return document.onlyInLine?.elements.creatives.first
    }

    @Test(arguments: [nil, "1.0.1", "3.0.0", "4", "99"])
    func `the version never decides how to read (R-E1)`(version: String?) throws {
        let attribute = version.map { " version=\"\($0)\"" } ?? ""
        let document = try VASTDocument("<VAST\(attribute)>\(Sample.inLine("1"))</VAST>")
        #expect(document.version == version)
        #expect(document.ads.count == 1)
    }

    @Test(arguments: ["adId", "adID", "AdID"])
    func `all spellings of adId are read (V32, R-C1)`(name: String) throws {
        #expect(try creative("\(name)=\"x\"", "")?.adID == "x")
    }

    @Test func `every UniversalAdId is kept, from text or attribute (V33, R-C3)`() throws {
        let ids = try creative(
            "",
            """
            <UniversalAdId idRegistry="ad-id.org">A/1</UniversalAdId>\
            <UniversalAdId idRegistry="r" idValue="B"></UniversalAdId>
            """)?.universalAdIDs
        #expect(ids == [UniversalAdID(registry: "ad-id.org", value: "A/1"), UniversalAdID(registry: "r", value: "B")])
    }

    @Test func `only minimum and maximum bit rate give the mean (V29, R-M3)`() throws {
        func rate(_ attributes: String) throws -> Int? {
            let file = "<MediaFile type=\"video/mp4\" \(attributes)>http://m/a.mp4</MediaFile>"
            return try creative("", "<Linear><MediaFiles>\(file)</MediaFiles></Linear>")?.linear?.mediaFiles.first?
                .bitsPerSecond
        }
        #expect(try rate("minBitrate=\"1000\" maxBitrate=\"3000\"") == 2_000_000)
        #expect(try rate("bitrate=\"1500\"") == 1_500_000)
        #expect(try rate("bitrate=\"2500000\"") == 2_500_000)
        #expect(try rate("bitrate=\"500kbps\"") == nil)
        #expect(try rate("bitrate=\"0\"") == nil)
    }

    @Test(arguments: [
        ("application/x-mpegURL", "http://m/x", MediaUse.hls), ("application/vnd.apple.mpegurl", "http://m/x", .hls),
        (" APPLICATION/X-MPEGURL; x=1", "http://m/x", .hls), ("vnd.apple.mpegurl", "http://m/x", .hls),
        ("application/dash+xml", "http://m/x", .dash), ("video/mp4; codecs=avc1", "http://m/x", .progressive),
        ("audio/mpeg", "http://m/x", .progressive), ("", "http://m/a.M3U8?x=.mp4", .hls),
        ("text/plain", "http://m/a.mp4#f", .progressive), ("application/javascript", "http://m/a.js", .executable),
        ("application/x-shockwave-flash", "http://m/a.swf", .executable), ("video/x-flv", "http://m/a.flv", .other),
        ("", "http://m/noextension", .other), ("video/mp4", "", .blank),
    ])
    func `media files are sorted by type, then by the path's end (V30, V31, R-M1, R-M2)`(
        type: String, url: String, wanted: MediaUse
    ) {
        #expect(MediaFile.use(type: type, apiFramework: nil, url: url) == wanted)
    }

    @Test func `an executable file is never stitched, whatever its type (R-M1)`() {
        #expect(MediaFile.use(type: "video/mp4", apiFramework: "vpaid", url: "http://m/a.mp4") == .executable)
        #expect(MediaFile.use(type: "video/mp4", apiFramework: "VAST", url: "http://m/a.mp4") == .progressive)
        let media = "<MediaFile type=\"video/mp4\" apiFramework=\"VPAID\">http://m/a.mp4</MediaFile>"
        let ads = AdServerScript.resolve(Sample.vast(Sample.inLine("1", media: media)))
        #expect(ads.pod.isEmpty)
        #expect(ads.errors.map(\.code) == [.mediaFileUnsupported])
    }

    @Test func `HLS is found whatever its place, best bit rate first (V30, R-M3)`() {
        let media = """
            <MediaFile type="video/mp4" bitrate="9000">http://m/a.mp4</MediaFile>\
            <MediaFile type="application/x-mpegURL" bitrate="500">http://m/low.m3u8</MediaFile>\
            <MediaFile type="application/x-mpegURL" bitrate="2500">http://m/high.m3u8</MediaFile>
            """
        let ad = AdServerScript.resolve(Sample.vast(Sample.inLine("1", media: media))).pod.first
        #expect(ad?.hlsMediaFiles.map(\.url) == ["http://m/high.m3u8", "http://m/low.m3u8"])
        #expect(ad?.progressiveMediaFiles.map(\.url) == ["http://m/a.mp4"])
    }

    @Test func `a companion in front does not hide the linear, nor lend it its trackers (V39, V52, R-C1)`() {
        let tracking = "<TrackingEvents><Tracking event=\"start\">http://t.test/companion</Tracking></TrackingEvents>"
        let ad = Sample.inLine("1").replacing(
            "<Creatives>",
            with:
                "<Creatives><Creative><CompanionAds required=\"all\"><Companion id=\"k\">\(tracking)</Companion></CompanionAds></Creative>"
        )
        let resolved = AdServerScript.resolve(Sample.vast(ad)).pod.first
        #expect(resolved?.trackers("start") == ["http://t.test/1/start"])
        #expect(resolved?.companionAds.first?.companions.map(\.id) == ["k"])
    }

    @Test func `AdParameters are unescaped once and handed on with their flag (V40, R-M8)`() throws {
        let encoded = try creative("", "<Linear><AdParameters xmlEncoded=\"true\"> &lt;a&gt; </AdParameters></Linear>")
        #expect(encoded?.linear?.adParameters?.text == "<a>")
        #expect(encoded?.linear?.adParameters?.xmlEncoded == true)
        let inCDATA = try creative("", "<Linear><AdParameters><![CDATA[&lt;a&gt;]]></AdParameters></Linear>")
        #expect(inCDATA?.linear?.adParameters?.text == "&lt;a&gt;")
        #expect(try creative("", "<Linear><AdParameters/></Linear>")?.linear?.adParameters?.text == "")
    }

    @Test func `several TrackingEvents below one linear are all read (R-K4)`() throws {
        let linear = try creative(
            "",
            """
            <Linear><TrackingEvents><Tracking event="start">http://t/1</Tracking></TrackingEvents><TrackingEvents>\
            <Tracking event="start">http://t/1</Tracking><Tracking>http://t/2</Tracking></TrackingEvents></Linear>
            """)?.linear
        #expect(linear?.trackingEvents.events.map(\.url) == ["http://t/1", "http://t/1"])
        #expect(linear?.trackingEvents.unnamed == 1)
    }

    @Test func `old event names mean the new ones (spec section 8)`() {
        #expect(TrackingEvent(event: "fullscreen", url: "u").canonicalName == "playerExpand")
        #expect(TrackingEvent(event: "collapse", url: "u").canonicalName == "adCollapse")
        #expect(TrackingEvent(event: "custom", url: "u").canonicalName == "custom")
    }

    @Test func `an Error URL that ends in a macro inside CDATA is whole (spec section 9)`() throws {
        let document = try VASTDocument(
            "<VAST><Error><![CDATA[http://t/?c=[ERRORCODE]]]></Error><Error>http://t/2</Error></VAST>")
        #expect(document.errors == ["http://t/?c=[ERRORCODE]", "http://t/2"])
    }

    @Test func `nothing that is required and missing costs a playable ad (R63, R-E3)`() {
        let bare = """
            <VAST version="2.0"><Ad><InLine><AdTitle></AdTitle><Creatives><Creative><Linear><Duration>00:00:10</Duration>\
            <MediaFiles><MediaFile type="application/x-mpegURL">http://m/a.m3u8</MediaFile></MediaFiles></Linear>\
            </Creative></Creatives></InLine></Ad></VAST>
            """
        let ads = AdServerScript.resolve(bare)
        #expect(ads.pod.count == 1)
        #expect(ads.errors.isEmpty)
        #expect(ads.pod.first?.title == "")
    }

    @Test func `of two linears the first playable one is taken with its own trackers (R-C2)`() {
        let media = "<MediaFile type=\"video/x-flv\">http://m/a.flv</MediaFile>"
        let second = """
            </Linear></Creative><Creative id="c2"><Linear><Duration>00:00:07</Duration><TrackingEvents>\
            <Tracking event="start">http://t.test/second</Tracking></TrackingEvents><MediaFiles>\
            <MediaFile type="application/x-mpegURL">http://m/b.m3u8</MediaFile></MediaFiles></Linear></Creative>
            """
        let ad = Sample.inLine("1", media: media).replacing("</Linear></Creative>", with: second)
        let resolved = AdServerScript.resolve(Sample.vast(ad)).pod.first
        #expect(resolved?.creativeID == "c2")
        #expect(resolved?.duration == .seconds(7))
        #expect(resolved?.trackers("start") == ["http://t.test/second"])
        #expect(resolved?.unusedLinears.count == 1)
    }

    @Test func `the key for media is never shared by two ids (R-C3)`() {
        func key(_ id: String) -> String? {
            let ad = Sample.inLine("1").replacing(
                "<Linear>", with: "<UniversalAdId idRegistry=\"r\">\(id)</UniversalAdId><Linear>")
            return AdServerScript.resolve(Sample.vast(ad)).pod.first?.mediaKey
        }
        #expect(key("A-1") != key("A1"))
        #expect(key("unknown") == "c:c-1|http://m.test/1.m3u8")
    }
}
