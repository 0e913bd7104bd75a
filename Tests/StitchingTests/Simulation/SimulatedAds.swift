import HLS

@testable import Stitching

/// The media of a scenario's ads.
enum SimulatedAds {
    static func ad(_ ad: TimelineScenario.Ad, id: String, in scenario: TimelineScenario) throws -> PodAd {
        let separate = scenario.hasSeparateAudio
        let variant = MediaRendition(
            key: RenditionKey("v0"), kind: .variant, upstreamURL: "", bandwidth: 1_000_000,
            codecs: separate ? ["avc1.64001f"] : ["avc1.64001f", "mp4a.40.2"], hasSeparateAudio: separate)
        let audio = MediaRendition(
            key: RenditionKey("a"), kind: .audio, upstreamURL: "", codecs: ["mp4a.40.2"], language: "en",
            isDefault: true)
        var sources = [try source(variant, ad.video, "\(id)/v", ad, scenario)]
        if separate { sources.append(try source(audio, ad.audio, "\(id)/a", ad, scenario)) }
        if ad.hasIFrames ?? false {
            let iFrames = MediaRendition(
                key: RenditionKey("i0"), kind: .iFrames, upstreamURL: "", bandwidth: 100_000, codecs: ["avc1.64001f"])
            // Two for each segment.
            let durations = ad.video.flatMap { [$0 / 2, $0 - $0 / 2] }
            sources.append(try source(iFrames, durations, "\(id)/i", ad, scenario))
        }
        return PodAd(id: id, media: try AdMedia(id: id, sources: sources))
    }

    private static func source(
        _ description: MediaRendition, _ durations: [Int], _ name: String, _ ad: TimelineScenario.Ad,
        _ scenario: TimelineScenario
    ) throws -> AdMedia.Source {
        var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:\(scenario.origin.maximumAdSegment)\n"
        if description.kind == .iFrames { text += "#EXT-X-I-FRAMES-ONLY\n" }
        if ad.isEncrypted ?? false { text += "#EXT-X-KEY:METHOD=AES-128,URI=\"\(name).key\"\n" }
        let ranges = scenario.origin.media == .byteRanges
        if scenario.origin.media != nil {
            let iv = ad.isEncrypted ?? false ? "#EXT-X-KEY:METHOD=AES-128,URI=\"\(name).key\",IV=0x\(zeros)\n" : ""
            text += "\(iv)#EXT-X-MAP:URI=\"\(name).mp4\"\(ranges ? ",BYTERANGE=\"700@0\"" : "")\n"
        }
        for (index, milliseconds) in durations.enumerated() {
            text += "#EXTINF:\(DecimalText.text(.milliseconds(milliseconds))),\n"
            if ranges { text += "#EXT-X-BYTERANGE:1000\(index == 0 ? "@700" : "")\n" }
            text += ranges ? "\(name).mp4\n" : "\(name)\(index).\(scenario.origin.media == nil ? "ts" : "m4s")\n"
        }
        let playlist = try MediaPlaylist(parsing: Array((text + "#EXT-X-ENDLIST\n").utf8))
        return AdMedia.Source(description: description, playlist: playlist, url: "https://ads/media.m3u8")
    }

    private static let zeros = String(repeating: "0", count: 32)
}
