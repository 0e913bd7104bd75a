import Testing

@testable import Server

/// A tracking answer as a player reads it.
struct TrackingAnswer: Equatable {
    struct Event: Equatable {
        var id: String
        var type: String
        var urls: [String]
        var start: Double
        var duration: Double
        var date: String?
    }

    struct Ad: Equatable {
        var id: String
        var vastID: String
        var start: Double
        var duration: Double
        var date: String?
        var events: [Event]

        func event(_ type: String) -> Event? { events.first { $0.type == type } }
    }

    struct Avail: Equatable {
        var id: String
        var start: Double
        var duration: Double
        var date: String?
        var markerDuration: String?
        var ads: [Ad]
        var events: [Event]
    }

    let avails: [Avail]
    let nextToken: String?
    let json: JSON5Value

    init(_ text: String) throws {
        json = try JSON5Parser.parse(Array(text.utf8))
        nextToken = json["nextToken"]?.string
        avails = try #require(json["avails"]?.list).map { avail in
            Avail(
                id: avail.string("availId"), start: avail.number("startTimeInSeconds"),
                duration: avail.number("durationInSeconds"), date: avail["availProgramDateTime"]?.string,
                markerDuration: avail["adMarkerDuration"]?.string,
                ads: avail.list("ads").map { ad in
                    Ad(
                        id: ad.string("adId"), vastID: ad.string("vastAdId"), start: ad.number("startTimeInSeconds"),
                        duration: ad.number("durationInSeconds"), date: ad["adProgramDateTime"]?.string,
                        events: Self.events(ad, "trackingEvents"))
                }, events: Self.events(avail, "adBreakTrackingEvents"))
        }
    }

    private static func events(_ value: JSON5Value, _ name: String) -> [Event] {
        value.list(name).map { event in
            Event(
                id: event.string("eventId"), type: event.string("eventType"),
                urls: event.list("beaconUrls").compactMap(\.string), start: event.number("startTimeInSeconds"),
                duration: event.number("durationInSeconds"), date: event["eventProgramDateTime"]?.string)
        }
    }

    /// All addresses that a player would call.
    var urls: [String] { avails.flatMap { $0.ads.flatMap(\.events) + $0.events }.flatMap(\.urls) }
}

extension JSON5Value {
    var string: String? { if case .string(let text) = content { text } else { nil } }
    var list: [JSON5Value] { if case .array(let values) = content { values } else { [] } }

    func string(_ name: String) -> String { self[name]?.string ?? "?" }
    func list(_ name: String) -> [JSON5Value] { self[name]?.list ?? [] }
    func number(_ name: String) -> Double { if case .number(let number) = self[name]?.content { number } else { -999 } }

    /// One member a line, for tests to be read.
    func formatted(_ indentation: String = "") -> String {
        let inner = indentation + "  "
        switch content {
        case .null: return "null"
        case .bool(let flag): return "\(flag)"
        case .number(let number): return Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .string(let text): return "\"\(text)\""
        case .array(let values):
            if values.allSatisfy({ $0.string != nil }) {
                return "[\(values.map { $0.formatted() }.joined(separator: ", "))]"
            }
            return "[\n\(values.map { inner + $0.formatted(inner) }.joined(separator: ",\n"))\n\(indentation)]"
        case .object(let members):
            return "{\n"
                + members.map { "\(inner)\($0.name): \($0.value.formatted(inner))" }.joined(separator: "\n")
                + "\n\(indentation)}"
        }
    }
}

extension TestServer {
    static func tracked(
        _ world: FakeWorld, by mode: SourceOptions.Tracking = .client, store: (any StateStore)? = nil,
        _ change: (inout Configuration) -> Void = { _ in }
    ) -> TestServer {
        TestServer(world, store: store) {
            $0.channels[0].tracking = mode
            $0.titles[0].tracking = mode
            change(&$0)
        }
    }

    func tracking(_ session: String, _ query: String = "") async throws -> TrackingAnswer {
        try TrackingAnswer(await text("/v1/tracking/\(session)\(query)"))
    }
}

extension FakeAds {
    /// An ad as interactive ones come: parameters, a companion, an overlay, an icon, a measurement script, clicks, and what a viewer does.
    static let interactive = """
        <VAST version="4.2"><Ad id="x1" sequence="1"><InLine><AdSystem>trueX</AdSystem><AdTitle>Choose &amp; win</AdTitle>
        <Error><![CDATA[http://track/error?code=[ERRORCODE]]]></Error>
        <Impression><![CDATA[http://track/imp?cb=[CACHEBUSTING]&side=[SERVERSIDE]&pos=[BREAKPOSITION]&n=[ADCOUNT]&who=[PLAYERSTATE]]]></Impression>
        <AdVerifications><Verification vendor="v.example-omid"><JavaScriptResource apiFramework="omid" browserOptional="true"><![CDATA[https://v/omid.js]]></JavaScriptResource>
        <TrackingEvents><Tracking event="verificationNotExecuted"><![CDATA[http://track/not?r=[REASON]]]></Tracking></TrackingEvents>
        <VerificationParameters><![CDATA[{"k":1}]]></VerificationParameters></Verification></AdVerifications>
        <Extensions><Extension type="geo"><a:Country xmlns:a="urn:a">US</a:Country></Extension></Extensions>
        <Creatives><Creative id="super_tag"><CompanionAds required="all"><Companion width="960" height="540" apiFramework="truex">
        <StaticResource creativeType="application/json"><![CDATA[data:application/json;base64,eyJhIjoxfQ==]]></StaticResource></Companion></CompanionAds></Creative>
        <Creative id="c7" sequence="2"><Linear skipoffset="50%"><Duration>00:00:30</Duration><AdParameters><![CDATA[  {"user":"<&\\u00e9\\"\u{e9}"} ]]></AdParameters>
        <TrackingEvents><Tracking event="start"><![CDATA[http://track/start?t=[ADPLAYHEAD]]]></Tracking><Tracking event="mute"><![CDATA[http://track/mute]]></Tracking>
        <Tracking event="progress" offset="00:00:02.500"><![CDATA[http://track/progress]]></Tracking><Tracking event="complete"><![CDATA[http://track/complete]]></Tracking></TrackingEvents>
        <VideoClicks><ClickThrough><![CDATA[http://shop/?s=[SERVERSIDE]]]></ClickThrough><ClickTracking><![CDATA[http://track/click]]></ClickTracking></VideoClicks>
        <MediaFiles><MediaFile type="application/vnd.apple.mpegurl" delivery="streaming" width="640" height="360"><![CDATA[http://o/ads/ad6/master.m3u8]]></MediaFile></MediaFiles>
        <Icons><Icon program="AdChoices" width="20" height="20" xPosition="right" yPosition="top"><StaticResource creativeType="image/png"><![CDATA[https://i/a.png]]></StaticResource>
        <IconClicks><IconClickThrough><![CDATA[https://i/why]]></IconClickThrough></IconClicks></Icon></Icons></Linear></Creative>
        <Creative id="n1"><NonLinearAds><NonLinear width="300" height="50"><StaticResource creativeType="image/png"><![CDATA[https://n/overlay.png]]></StaticResource></NonLinear>
        <TrackingEvents><Tracking event="creativeView"><![CDATA[http://track/overlay]]></Tracking></TrackingEvents></NonLinearAds></Creative></Creatives></InLine></Ad></VAST>
        """
}
