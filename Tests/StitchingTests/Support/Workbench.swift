import HLS

@testable import Stitching

/// A source, its ledger and one session, driven by playlist texts.
struct Workbench {
    static let muxed = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="avc1.64001f,mp4a.40.2"
        v0.m3u8

        """

    static let demuxed = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="a.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="aud"
        v0.m3u8

        """

    let catalog: SourceCatalog
    var ledger: BreakLedger
    var session: StitchingSession
    var options = StitchOptions()
    /// Why ads were left out, and what was decided without ads.
    var notes: [String] = []
    /// What fills where the settings say so.
    var slate: AdMedia?
    var bumpers = Bumpers()
    private var clock = DateTime(nanoseconds: 0)

    init(
        _ kind: BreakLedger.Kind, multivariant: String = Workbench.muxed, maximumAdSegmentDuration: Int = 6,
        unknownLengthCap: Int = 120, settings: StitchingSession.Settings = .init(),
        change: (inout BreakLedger.Settings) -> Void = { _ in }
    ) throws {
        catalog = SourceCatalog(
            try MultivariantPlaylist(parsing: Array(multivariant.utf8)), url: "https://origin/path/master.m3u8")
        var ledgerSettings = BreakLedger.Settings(
            kind: kind, maximumAdSegmentDuration: .seconds(maximumAdSegmentDuration),
            unknownLengthCap: .seconds(unknownLengthCap))
        change(&ledgerSettings)
        ledger = BreakLedger(leading: catalog.leading, settings: ledgerSettings)
        session = StitchingSession(settings: settings)
    }

    @discardableResult
    mutating func observe(_ text: String, as key: String = "v0") throws -> BreakLedger.Observation {
        try observe(Array(text.utf8), as: key)
    }

    @discardableResult
    mutating func observe(_ bytes: [UInt8], as key: String = "v0") throws -> BreakLedger.Observation {
        ledger.observe(try MediaPlaylist(parsing: bytes), at: "https://origin/path/\(key).m3u8", as: RenditionKey(key))
    }

    /// The undecided breaks, after `seconds` more.
    mutating func pending(after seconds: Int = 0) -> [StitchingSession.PendingBreak] {
        clock = clock.advanced(by: .seconds(seconds))
        session.begin(with: ledger)
        if let own = session.openingBreaks(with: ledger) { session.open(with: own) }
        while true {
            let preparation = session.propose(with: ledger, now: clock)
            if preparation.decided.isEmpty { return preparation.pending }
            let fallbacks = planner.fallbacks(for: preparation.decided)
            for ((id, reason), fallback) in zip(preparation.decided, fallbacks) {
                notes.append("\(id): \(reason.code)")
                session.decide(fallback, for: id)
            }
        }
    }

    var planner: PodPlanner {
        PodPlanner(session: session, ledger: ledger, catalog: catalog, slate: slate, bumpers: bumpers)
    }

    /// Decides the first undecided break as the server does when the ad server has failed.
    mutating func fail() {
        guard let opportunity = pending().first(where: { !$0.isAhead })?.opportunity else { return }
        notes.append("\(opportunity.id): provider_failed")
        session.decide(planner.fallback(opportunity, .providerFailed("status 500")), for: opportunity.id)
    }

    /// Decides the first undecided break by what fits of the ads.
    @discardableResult
    mutating func decide(_ ads: [PodAd]) -> Decision? {
        guard let opportunity = pending().first?.opportunity else { return nil }
        let result = planner.decision(for: opportunity, candidates: ads)
        for skip in result.skipped { notes.append("\(skip.id): \(skip.reason.text)") }
        if let reason = result.decision.reason { notes.append("\(opportunity.id): \(reason.code)") }
        return session.decide(result.decision, for: opportunity.id)
    }

    struct NoPlaylist: Error {}

    mutating func playlist(_ key: String = "v0") throws -> StitchedPlaylist {
        _ = pending()
        guard let answer = session.stitch(RenditionKey(key), ledger: ledger, options: options) else {
            throw NoPlaylist()
        }
        return answer
    }

    /// The beacons that fall due three target durations behind the edge.
    mutating func dueBeacons() -> [DueBeacon] {
        session.playhead(in: ledger).map { session.dueBeacons(ledger: ledger, upTo: $0) } ?? []
    }

    mutating func text(_ key: String = "v0") throws -> String {
        String(decoding: try playlist(key).bytes, as: UTF8.self)
    }

    /// Lines of the playlist that are not comments.
    mutating func lines(_ key: String = "v0") throws -> [String] {
        try text(key).split(separator: "\n").map(String.init)
    }
}

/// Media of an ad from the durations of its segments.
enum TestAd {
    static func muxed(
        _ id: String, _ durations: [String], map: String? = nil, lines: [String] = [], tracking: AdTracking = .init()
    ) throws -> PodAd {
        let variant = MediaRendition(
            key: RenditionKey("v0"), kind: .variant, upstreamURL: "", bandwidth: 1_000_000,
            codecs: ["avc1.64001f", "mp4a.40.2"])
        return PodAd(
            id: id,
            media: try AdMedia(id: id, sources: [source(variant, "\(id)/v", durations, map: map, lines: lines)]),
            tracking: tracking)
    }

    static func demuxed(_ id: String, _ video: [String], audio: [String], map: String? = nil) throws -> PodAd {
        let variant = MediaRendition(
            key: RenditionKey("v0"), kind: .variant, upstreamURL: "", bandwidth: 1_000_000,
            codecs: ["avc1.64001f", "mp4a.40.2"], hasSeparateAudio: true)
        let rendition = MediaRendition(
            key: RenditionKey("a"), kind: .audio, upstreamURL: "", codecs: ["mp4a.40.2"], language: "en",
            isDefault: true)
        return PodAd(
            id: id,
            media: try AdMedia(
                id: id,
                sources: [
                    source(variant, "\(id)/v", video, map: map, lines: []),
                    source(rendition, "\(id)/a", audio, map: map, lines: []),
                ]))
    }

    /// The I-frame playlist of an ad, each entry a range of its video's file.
    static func iFrames(_ id: String, _ durations: [String], map: String? = nil) throws -> AdRendition {
        var text = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:6\n#EXT-X-I-FRAMES-ONLY\n"
        if let map { text += "#EXT-X-MAP:URI=\"\(map)\"\n" }
        for (index, duration) in durations.enumerated() {
            text +=
                "#EXTINF:\(duration),\n#EXT-X-BYTERANGE:1000@\(index * 9000)\n\(id)/v.\(map == nil ? "ts" : "mp4")\n"
        }
        let description = MediaRendition(
            key: RenditionKey("i0"), kind: .iFrames, upstreamURL: "", bandwidth: 100_000, codecs: ["avc1.64001f"])
        let playlist = try MediaPlaylist(parsing: Array((text + "#EXT-X-ENDLIST\n").utf8))
        let media = try AdMedia(
            id: id,
            sources: [
                source(
                    MediaRendition(key: RenditionKey("v0"), kind: .variant, upstreamURL: ""), id, ["1.0"], map: map,
                    lines: []),
                AdMedia.Source(description: description, playlist: playlist, url: "https://ads.example/media.m3u8"),
            ])
        return media.renditions[1]
    }

    static func playlist(
        _ name: String, _ durations: [String], map: String? = nil, lines: [String] = [], end: Bool = true
    ) -> String {
        let isFragmented = map != nil || lines.contains { $0.hasPrefix("#EXT-X-MAP") }
        let suffix = isFragmented ? "m4s" : "ts"
        var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:0\n"
        text += lines.map { $0 + "\n" }.joined()
        if let map { text += "#EXT-X-MAP:URI=\"\(map)\"\n" }
        for (index, duration) in durations.enumerated() {
            text += "#EXTINF:\(duration),\n\(name)\(index).\(suffix)\n"
        }
        return text + (end ? "#EXT-X-ENDLIST\n" : "")
    }

    private static func source(
        _ description: MediaRendition, _ name: String, _ durations: [String], map: String?, lines: [String]
    ) throws -> AdMedia.Source {
        let text = playlist(name, durations, map: map, lines: lines)
        return AdMedia.Source(
            description: description, playlist: try MediaPlaylist(parsing: Array(text.utf8)),
            url: "https://ads.example/media.m3u8")
    }
}

/// A media playlist's text from a short notation.
enum TestContent {
    /// - Parameter segments: lines before each segment; a number at the end of the list is its duration, 6 if there is none.
    static func playlist(
        first number: Int, date: String? = "2026-01-01T00:00:00.000Z", header: [String] = [], ended: Bool = false,
        target: Int = 6, _ segments: [[String]]
    ) -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:\(target)\n#EXT-X-MEDIA-SEQUENCE:\(number)\n"
        text += header.map { $0 + "\n" }.joined()
        var time = date.flatMap { DateTime($0) }
        for (index, lines) in segments.enumerated() {
            var duration = "6.000"
            for line in lines {
                if line.first?.isNumber ?? false { duration = line } else { text += line + "\n" }
            }
            if let now = time {
                text += "#EXT-X-PROGRAM-DATE-TIME:\(now.formatted)\n"
                time = now.advanced(by: DecimalText.duration(duration) ?? .zero)
            }
            text += "#EXTINF:\(duration),\nc\(number + index).ts\n"
        }
        return text + (ended ? "#EXT-X-ENDLIST\n" : "")
    }
}
