internal import HLS
internal import Stitching

/// A live playlist of 15 segments with a pod of two ads in the window, stitched for one session; the limit is copying the answer.
enum PlaylistStitching {
    private static let key = RenditionKey("v0")
    private static let breakSlots = 12..<17

    private static let name = "stitch-15-dated"

    static var benchmark: Benchmark {
        Benchmark(name: name, run: run) { count in
            guard var scene = scene() else { return false }
            return (0..<count).allSatisfy { _ in scene.session.stitch(key, ledger: scene.ledger) != nil }
        }
    }

    /// A session in whose window a break of two ads lies, both its joints listed.
    private static func scene() -> (session: StitchingSession, ledger: BreakLedger)? {
        guard let ad = advert(), let before = live(newest: 11), let start = live(newest: 12), let end = live(newest: 18)
        else { return nil }
        let url = "http://origin.example/live/media.m3u8"
        var ledger = BreakLedger(leading: key, settings: BreakLedger.Settings(kind: .live))
        var session = StitchingSession()
        ledger.observe(before, at: url, as: key)
        session.begin(with: ledger)
        ledger.observe(start, at: url, as: key)
        for pending in session.prepare(with: ledger, now: DateTime(nanoseconds: 0)).pending {
            let pod = Pod(
                ads: [ad, ad], leading: key, dateShortening: 0, matches: [key: [.rendition(0), .rendition(0)]])
            session.decide(.ads(pod), for: pending.opportunity.id)
        }
        ledger.observe(end, at: url, as: key)
        return (session, ledger)
    }

    private static func run() -> String? {
        guard let (begun, ledger) = scene() else { return nil }
        var session = begun
        guard let bytes = session.stitch(key, ledger: ledger)?.bytes, isAsItShouldBe(bytes) else { return nil }
        var copy: [UInt8] = []
        var isRight = true
        let best = Measurement.alternated {
            copy.removeAll(keepingCapacity: true)
            copy.append(contentsOf: bytes)
        } ours: {
            if session.stitch(key, ledger: ledger)?.bytes.count != bytes.count { isRight = false }
        }
        guard copy == bytes, isRight else { return nil }
        return "\(name): \(bytes.count) bytes, \(Measurement.text(best.ours / .microseconds(1))) us, "
            + "ratio to copying \(Measurement.text(best.limit / best.ours))"
    }

    private static func isAsItShouldBe(_ bytes: [UInt8]) -> Bool {
        guard let playlist = try? MediaPlaylist(parsing: bytes) else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        let ads = text.split(separator: "\n").count { $0.hasPrefix("http://ads.example/") }
        return ads == 6 && playlist.segments.map(\.discontinuityCount).reduce(0, +) == 3
    }

    private static func live(newest: Int) -> MediaPlaylist? {
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(newest + 986)\n"
        for slot in (newest - 14)...newest {
            let time = DateTime(nanoseconds: (1_768_637_700 + Int64(slot) * 2) * 1_000_000_000)
            text += "#EXT-X-PROGRAM-DATE-TIME:\(time.formatted)\n"
            if slot == breakSlots.lowerBound { text += "#EXT-X-CUE-OUT:10\n" }
            if slot == breakSlots.upperBound { text += "#EXT-X-CUE-IN\n" }
            text += "#EXTINF:2.000,\nvideo/720p/segment-\(slot + 1000).ts\n"
        }
        return try? MediaPlaylist(parsing: Array(text.utf8))
    }

    private static func advert() -> PodAd? {
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        for (index, seconds) in ["2.000", "2.000", "1.000"].enumerated() {
            text += "#EXTINF:\(seconds),\n\(index).ts\n"
        }
        text += "#EXT-X-ENDLIST\n"
        guard let playlist = try? MediaPlaylist(parsing: Array(text.utf8)) else { return nil }
        let source = AdMedia.Source(
            description: MediaRendition(key: key, kind: .variant, upstreamURL: ""), playlist: playlist,
            url: "http://ads.example/one/media.m3u8")
        guard let media = try? AdMedia(id: "one", sources: [source]) else { return nil }
        return PodAd(id: "one", media: media)
    }
}
