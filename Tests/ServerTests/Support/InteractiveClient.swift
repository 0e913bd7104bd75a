import HLS
import Testing
import Transport
import VAST

@testable import Server

/// A player with Infillion's renderer, over HTTP: what it reads of its stream's ads, and where it seeks.
struct InteractiveClient {
    /// One ad of a break, as the player's ad layer sees it.
    struct Ad {
        var json: JSON5Value
        var id: String { json.string("vastAdId") }
        var start: Double { json.number("startTimeInSeconds") }
        var duration: Double { json.number("durationInSeconds") }
        var end: Double { start + duration }
        /// Counted from 1.
        var position: Int { Int(json.number("adPosition")) }
        var kind: InteractiveAd? { InteractiveAd(adSystem: json.string("adSystem")) }
        var parameters: String { json.string("adParameters") }
        var companions: [JSON5Value] { json.list("companionAds") }

        /// The JSON that the renderer is begun with: the companion's before the linear creative's; nil where there is none.
        var payload: JSON5Value? {
            let companion = companions.first { $0["attributes"]?.string("apiFramework") == "truex" }
            let texts = [
                companion.flatMap { DataURL.bytes($0.string("staticResource")) },
                parameters.isEmpty ? nil : Array(parameters.utf8),
            ]
            for text in texts.compactMap(\.self) {
                if let value = try? JSON5Parser.parse(text), case .object = value.content { return value }
            }
            return nil
        }

        /// TrueX takes the viewer's choice as the first ad of its pod alone; IDVx anywhere (R-I6).
        var isInteractive: Bool {
            guard payload != nil else { return false }
            return kind == .idvx || kind == .trueX && position == 1
        }
    }

    struct Break {
        var json: JSON5Value
        var start: Double { json.number("startTimeInSeconds") }
        var end: Double { start + json.number("durationInSeconds") }
        var ads: [Ad] { json.list("ads").map { Ad(json: $0) } }
    }

    let world: SocketWorld
    let manifest: String
    let tracking: String
    private(set) var breaks: [Break] = []
    /// What plays when: the first instant of each segment, and its URI.
    private(set) var segments: [(start: Duration, uri: String)] = []
    private(set) var end = Duration.zero

    /// Begins a stream, and reads what it holds.
    init(_ world: SocketWorld, source: String) async throws {
        self.world = world
        var request = HTTPClientRequest(url: "\(world.base)/v1/session/\(source)")
        request.method = .post
        let started = try await world.client.fetch(request)
        try #require(started.status == 200)
        #expect(started.header("Cache-Control") == "no-store")
        let addresses = try JSON5Parser.parse(started.body)
        manifest = addresses.string("manifestUrl")
        tracking = addresses.string("trackingUrl")
        let playlist = try await world.get(manifest.replacing("master.m3u8", with: "v0.m3u8"))
        try #require(playlist.status == 200)
        let parsed = try MediaPlaylist(parsing: playlist.body)
        for segment in parsed.segments {
            segments.append((end, parsed.text(segment.uri)))
            end += segment.duration
        }
        let response = try await world.get(tracking)
        try #require(response.status == 200)
        // What belongs to one viewer stays with that viewer (R-I9).
        #expect(response.header("Cache-Control") == "no-store")
        #expect(response.entityTag == nil)
        breaks = try JSON5Parser.parse(response.body).list("avails").map { Break(json: $0) }
    }

    /// What a seek to a time of the stream lands on.
    func segment(at seconds: Double) -> String {
        let time = Duration.nanoseconds(Int64((seconds * 1e9).rounded()))
        return segments.last { $0.start <= time }?.uri ?? "nothing"
    }

    /// The URI of the segment that begins at a time, to the millisecond.
    func segment(beginningAt seconds: Double) -> String? {
        let time = Duration.milliseconds(Int64((seconds * 1_000).rounded()))
        return segments.first { $0.start == time }?.uri
    }
}

/// Ad documents as Infillion and an ad server around it send them.
enum InteractiveTags {
    static let payload =
        #"{"user_id":"viewer-0001","placement_hash":"abc","vast_config_url":"get.example.com/abc/vast/config?ip=192.0.2.1&é"}"#
    /// The same, in base64.
    static let companion =
        "data:application/json;base64,eyJ1c2VyX2lkIjoidmlld2VyLTAwMDIiLCJ2YXN0X2NvbmZpZ191cmwiOiJnZXQuZXhhbXBsZS5jb20vZGVmIn0="

    private static let film =
        "<MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"1280\" height=\"720\" apiFramework=\"truex\"><![CDATA[http://o/m/truexloadingplaceholder-30s.mp4 ]]></MediaFile>"

    static func hls(_ name: String) -> String {
        "<MediaFile delivery=\"streaming\" type=\"application/x-mpegURL\" width=\"640\" height=\"360\"><![CDATA[http://o/ads/\(name)/master.m3u8]]></MediaFile>"
    }

    /// Parameters in the linear creative; no Impression, no Error.
    static func generic(_ id: String, _ system: String, sequence: Int? = nil, media: String? = nil) -> String {
        """
        <Ad id="\(id)"\(number(sequence))><InLine><AdSystem>\(system)</AdSystem><AdTitle>\(id)</AdTitle><Creatives><Creative id="placeholder_video"><Linear>
        <Duration>00:00:30</Duration><AdParameters><![CDATA[
          \(payload) ]]></AdParameters><MediaFiles>\(media ?? film)</MediaFiles></Linear></Creative></Creatives></InLine></Ad>
        """
    }

    /// Parameters in a companion that nobody can draw, and that is required; an empty Creative beside it.
    static func companion(_ id: String, _ system: String, sequence: Int? = nil, media: String? = nil) -> String {
        """
        <Ad id="\(id)"\(number(sequence))><InLine><AdSystem>\(system)</AdSystem><AdTitle>\(id)</AdTitle><Creatives><Creative id="super_tag">
        <CompanionAds required="all"><Companion id="super_tag" width="960" height="540" apiFramework="truex">
        <StaticResource creativeType="application/json"><![CDATA[\(companion)]]></StaticResource></Companion></CompanionAds></Creative><Creative/>
        <Creative id="placeholder_video"><Linear><Duration>00:00:30</Duration><MediaFiles>\(media ?? film)</MediaFiles></Linear></Creative></Creatives></InLine></Ad>
        """
    }

    static func linear(_ name: String, sequence: Int) -> String {
        """
        <Ad id="\(name)" sequence="\(sequence)"><InLine><AdSystem>GDFP</AdSystem><AdTitle>\(name)</AdTitle><Impression><![CDATA[http://track/impression?ad=\(name)]]></Impression>
        <Creatives><Creative><Linear><Duration>00:00:10</Duration><MediaFiles>\(hls(name))</MediaFiles></Linear></Creative></Creatives></InLine></Ad>
        """
    }

    static func wrapper(_ name: String, sequence: Int) -> String {
        """
        <Ad id="w-\(name)" sequence="\(sequence)"><Wrapper><AdSystem>GDFP</AdSystem><AdTitle>w</AdTitle><VASTAdTagURI><![CDATA[ http://o/tag/\(name) ]]></VASTAdTagURI>
        <Impression><![CDATA[http://track/wrapper?ad=\(name)]]></Impression><Error><![CDATA[http://track/error?ad=\(name)&code=[ERRORCODE]]]></Error></Wrapper></Ad>
        """
    }

    static func vast(_ ads: String..., version: String = "4.0") -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<VAST version=\"\(version)\">\(ads.joined())</VAST>"
    }

    static func vmap(allowsMultipleAds: Bool = true, _ breaks: (offset: String, tag: String)...) -> String {
        let elements = breaks.map { one in
            """
            <vmap:AdBreak timeOffset="\(one.offset)" breakType="linear" breakId="\(one.tag)"><vmap:AdSource id="\(one.tag)" allowMultipleAds="\(allowsMultipleAds)" followRedirects="true">
            <vmap:AdTagURI templateType="vast3"><![CDATA[http://o/tag/\(one.tag)]]></vmap:AdTagURI></vmap:AdSource></vmap:AdBreak>
            """
        }
        return
            "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">\(elements.joined())</vmap:VMAP>"
    }

    private static func number(_ sequence: Int?) -> String { sequence.map { " sequence=\"\($0)\"" } ?? "" }
}
