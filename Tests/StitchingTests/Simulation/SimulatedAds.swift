import HLS

@testable import Stitching

/// Ads made from a seed, with demuxed audio whose segments have lengths of their own.
struct SimulatedAds {
    static let multivariant = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="a.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="aud"
        v0.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="aud"
        v1.m3u8

        """

    static func ad(_ id: String, _ generator: inout SeededGenerator) -> PodAd {
        let length = generator.pick([5_000, 6_000, 10_000, 15_000, 15_015, 20_000, 30_000])
        let video = entries(
            length, segment: generator.pick([1_000, 2_000, 4_000, 6_000, 6_400]), "\(id)/v", &generator)
        let drift = Int.random(in: -40...40, using: &generator)
        let audio = entries(
            length + drift, segment: generator.pick([2_000, 4_000, 3_989, 5_000]), "\(id)/a", &generator)
        let variant = MediaRendition(
            key: RenditionKey("v0"), kind: .variant, upstreamURL: "", bandwidth: 1_000_000, codecs: ["avc1.64001f"],
            hasSeparateAudio: true)
        let rendition = MediaRendition(
            key: RenditionKey("a"), kind: .audio, upstreamURL: "", codecs: ["mp4a.40.2"], language: "en",
            isDefault: true)
        return PodAd(
            id: id,
            media: AdMedia(
                id: id,
                renditions: [
                    AdRendition(description: variant, container: .selfInitializing, entries: video),
                    AdRendition(description: rendition, container: .selfInitializing, entries: audio),
                ]))
    }

    private static func entries(
        _ length: Int, segment: Int, _ name: String, _ generator: inout SeededGenerator
    ) -> [SpliceEntry] {
        var result: [SpliceEntry] = []
        var left = length
        while left > 0 {
            // A rest shorter than a fifth goes with the last segment, as encoders do.
            let next = left < segment + segment / 12 ? left : segment
            let duration = Duration.milliseconds(min(next, left))
            result.append(
                SpliceEntry(
                    duration: duration, isJoint: result.isEmpty, uri: "https://ads/\(name)\(result.count).ts",
                    tags: Array("#EXTINF:\(DecimalText.text(duration)),\n".utf8)))
            left -= next
        }
        return result
    }
}
