import FoundationEssentials
import HLS
import Testing

@testable import Stitching

/// A key means the same rendition for as long as players may ask for it, whatever the origin lists.
struct RenditionNameTests {
    /// A variant as its line says it: height, bandwidth and address.
    private struct Variant {
        var height: Int?
        var bandwidth: Int
        var uri: String
        var stableID: String?

        var text: String {
            var line = "#EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth),CODECS=\"avc1.64001f,mp4a.40.2\""
            if let height { line += ",RESOLUTION=\(height * 16 / 9)x\(height)" }
            if let stableID { line += ",STABLE-VARIANT-ID=\"\(stableID)\"" }
            return "\(line)\n\(uri)\n"
        }
    }

    private static func variant(_ height: Int, _ uri: String? = nil, bandwidth: Int? = nil) -> Variant {
        Variant(height: height, bandwidth: bandwidth ?? height * 3_000, uri: uri ?? "\(height).m3u8")
    }

    private func catalog(_ variants: [Variant], _ names: RenditionNames, _ more: String = "") throws -> SourceCatalog {
        let text = "#EXTM3U\n" + more + variants.map(\.text).joined()
        return SourceCatalog(
            try MultivariantPlaylist(parsing: Array(text.utf8)), url: "https://o/live/master.m3u8", names: names)
    }

    /// What players get, list by list: `v0=1080.m3u8`. Names are kept as a server does.
    private func keys(_ lists: [[Variant]]) throws -> [[String]] {
        var names = RenditionNames()
        return try lists.map { list in
            let catalog = try catalog(list, names)
            names.add(RenditionNames(known: catalog.new, leading: catalog.leading))
            return listed(catalog)
        }
    }

    private func listed(_ catalog: SourceCatalog) -> [String] {
        catalog.renditions.filter { !catalog.isLeadingGone || $0.key != catalog.leading }.map { rendition in
            "\(rendition.key)=\(rendition.upstreamURL.split(separator: "/").last ?? "")"
        }
    }

    private let high = variant(1080)
    private let middle = variant(720)
    private let low = variant(360)

    @Test func `another order leaves each variant its key`() throws {
        let keys = try keys([[high, middle, low], [low, high, middle]])
        #expect(
            keys == [["v0=1080.m3u8", "v1=720.m3u8", "v2=360.m3u8"], ["v2=360.m3u8", "v0=1080.m3u8", "v1=720.m3u8"]])
    }

    @Test func `variants that are left out and come back, and others that come, take no key of another one's`() throws {
        let keys = try keys([[high, middle, low], [middle, low], [Self.variant(2160), high, middle, low]])
        #expect(keys[1] == ["v1=720.m3u8", "v2=360.m3u8"])
        #expect(keys[2] == ["v3=2160.m3u8", "v0=1080.m3u8", "v1=720.m3u8", "v2=360.m3u8"])
    }

    @Test func `the leading rendition stays, also where it is listed no more`() throws {
        var names = RenditionNames()
        names.add(RenditionNames(known: try catalog([high, middle], names).new, leading: RenditionKey("v0")))
        let catalog = try catalog([middle], names)
        #expect(catalog.leading == RenditionKey("v0") && catalog.isLeadingGone)
        #expect(catalog[RenditionKey("v0")]?.upstreamURL == "https://o/live/1080.m3u8")
        let text = String(decoding: catalog.multivariantPlaylist(isStitched: true) { "\($0).m3u8" }, as: UTF8.self)
        #expect(text.contains("\nv1.m3u8") && !text.contains("v0.m3u8"))
    }

    @Test func `addresses that count places do not outweigh what is seen`() throws {
        // The encoder numbers what it makes, and makes one less.
        let before = [
            Self.variant(1080, "stream_0.m3u8"), Self.variant(720, "stream_1.m3u8"), Self.variant(360, "stream_2.m3u8"),
        ]
        let after = [Self.variant(720, "stream_0.m3u8"), Self.variant(360, "stream_1.m3u8")]
        #expect(try keys([before, after])[1] == ["v1=stream_0.m3u8", "v2=stream_1.m3u8"])
        // And measures what it makes.
        let measured = [
            Self.variant(720, "stream_0.m3u8", bandwidth: 2_222_222),
            Self.variant(360, "stream_1.m3u8", bandwidth: 999_999),
        ]
        #expect(try keys([before, measured])[1] == ["v1=stream_0.m3u8", "v2=stream_1.m3u8"])
    }

    @Test func `tokens in addresses, measured bandwidths and renditions made anew under their address change no key`()
        throws
    {
        func tokens(_ token: Int) -> [Variant] {
            [Self.variant(1080, "\(token)/a.m3u8?t=\(token)"), Self.variant(360, "\(token)/b.m3u8?t=\(token)")]
        }
        #expect(try keys([tokens(1), tokens(2).reversed()])[1] == ["v1=b.m3u8?t=2", "v0=a.m3u8?t=2"])
        let measured = [Self.variant(1080, bandwidth: 5_000_001), Self.variant(360, bandwidth: 700_001)]
        #expect(try keys([[high, low], measured.reversed()])[1] == ["v1=360.m3u8", "v0=1080.m3u8"])
        let anew = [Self.variant(1440, "1080.m3u8"), low]
        #expect(try keys([[high, low], anew.reversed()])[1] == ["v1=360.m3u8", "v0=1080.m3u8"])
        // Nothing tells them apart but their order.
        let nameless = (0..<2).map { Variant(height: nil, bandwidth: 100 + $0, uri: "x\($0)/l.m3u8") }
        let others = (0..<2).map { Variant(height: nil, bandwidth: 200 + $0, uri: "y\($0)/l.m3u8") }
        #expect(try keys([nameless, others])[1] == ["v0=l.m3u8", "v1=l.m3u8"])
    }

    @Test func `STABLE-VARIANT-ID counts before all else`() throws {
        func variant(_ id: String, _ height: Int) -> Variant {
            Variant(height: height, bandwidth: height, uri: "\(height).m3u8", stableID: id)
        }
        let keys = try keys([[variant("a", 1080), variant("b", 360)], [variant("b", 1080), variant("c", 360)]])
        #expect(keys[1] == ["v1=1080.m3u8", "v2=360.m3u8"])
    }

    @Test func `audio of one group and language, and I-frame playlists, keep their keys, too`() throws {
        func media(_ name: String) -> String {
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"aud\",NAME=\"\(name)\",LANGUAGE=\"en\",URI=\"\(name).m3u8\"\n"
        }
        func iFrames(_ height: Int) -> String {
            "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=\(height),RESOLUTION=\(height * 16 / 9)x\(height),URI=\"i\(height).m3u8\"\n"
        }
        var names = RenditionNames()
        let first = try catalog([high], names, media("main") + media("described") + iFrames(720) + iFrames(360))
        names.add(RenditionNames(known: first.new, leading: first.leading))
        #expect(
            listed(first) == [
                "v0=1080.m3u8", "a-aud-en=main.m3u8", "a-aud-en-2=described.m3u8", "i0=i720.m3u8", "i1=i360.m3u8",
            ])
        let second = try catalog([high], names, media("described") + media("third") + iFrames(360))
        #expect(
            listed(second) == ["v0=1080.m3u8", "a-aud-en-2=described.m3u8", "a-aud-en-3=third.m3u8", "i1=i360.m3u8"])
    }

    @Test func `a list of a hundred thousand variants is named in one pass, and so many are not remembered`() throws {
        let many = (0..<100_000).map { Variant(height: nil, bandwidth: $0 + 1, uri: "\($0).m3u8") }
        var names = RenditionNames()
        names.add(RenditionNames(known: try catalog(many, names).new))
        #expect(names.known.count == RenditionNames.limit)
        let began = ContinuousClock.now
        let catalog = try catalog(many.reversed(), names)
        #expect(ContinuousClock.now - began < .seconds(20))
        #expect(catalog.new.isEmpty && Set(catalog.renditions.map(\.key)).count == 100_000)
        #expect(catalog.renditions.last?.key == RenditionKey("v0"))
    }

    @Test func `names that another process has given are those that hold`() throws {
        var own = RenditionNames(known: try catalog([high, low], RenditionNames()).new)
        let other = RenditionNames(known: try catalog([low, high], RenditionNames()).new, leading: RenditionKey("v1"))
        own.add(other)
        #expect(own.known.map(\.upstreamURL) == ["https://o/live/1080.m3u8", "https://o/live/360.m3u8"])
        #expect(own.leading == RenditionKey("v1"))
        let kept = try JSONDecoder().decode([MediaRendition].self, from: JSONEncoder().encode(own.known))
        #expect(kept == own.known)
    }
}
