import HLS
import Testing

@testable import Stitching

/// Golden folders: what comes in, what was decided, what goes out. `RECORD_GOLDEN=1` rewrites the expectations.
struct ScenarioTests {
    @Test(arguments: ScenarioFolder.all())
    func `a scenario comes out as expected`(folder: ScenarioFolder) throws {
        let session = try #require(try folder.decoded(ScenarioSession.self, "session.json"), "no session.json")
        var decisions = try #require(try folder.decoded([ScenarioDecision].self, "decisions.json"), "no decisions.json")
        let multivariant = folder.bytes("multivariant.m3u8").map { String(decoding: $0, as: UTF8.self) }
        var bench = try Workbench(
            session.kind == "vod" ? .vod : .live, multivariant: multivariant ?? Workbench.muxed,
            maximumAdSegmentDuration: session.maximumAdSegmentDuration ?? 6,
            unknownLengthCap: session.unknownLengthCap ?? 120,
            settings: .init(
                personalisationThreshold: session.personalisationThreshold.map { .seconds($0) },
                earlyReturn: session.earlyReturn == "complete" ? .complete : .cut,
                fill: session.fill == "slate" ? .slate : session.fill == "minimizeSlate" ? .minimizeSlate : .content,
                join: session.join == "slate" ? .slate : session.join == "fit" ? .fit : .content,
                retryRest: session.retryRest.map { .seconds($0) }, opening: session.opening)
        ) { settings in
            settings.dateRangePlacing = session.dateRangePlacing.flatMap(DateRangePlacing.init) ?? .date
            settings.readsAllRenditions = session.markerRenditions == "all"
        }
        bench.options.markers = session.adMarkers.flatMap(MarkerPassthrough.init) ?? .unstitched
        bench.options.breakMarks = session.breakMarkers.flatMap(BreakMarks.init) ?? .none
        bench.slate = try session.slate.map(Self.ad)?.media
        bench.bumpers = Bumpers(
            start: try session.startBumper.map(Self.ad)?.media, end: try session.endBumper.map(Self.ad)?.media)
        let snapshots = folder.names.filter { $0.hasPrefix("content") }
        #expect(!snapshots.isEmpty, "no content")
        var invariants = SessionHistory()
        var events: [String: [UInt8]] = [:]
        // Playlists with one number arrived together: content-1.v0.m3u8, content-1.a-aud-en.m3u8.
        for step in Self.steps(snapshots) {
            if let name = step.first, let number = Self.number(of: name).split(separator: "-").last,
                let origin = session.origins?[String(number)]
            {
                bench.ledger.use(origin: origin)
            }
            for name in step { try bench.observe(folder.bytes(name) ?? [], as: Self.key(of: name)) }
            bench.ledger.finishRound()
            try Self.addOwnBreaks(session, to: &bench)
            while !decisions.isEmpty, bench.pending().contains(where: { decisions[0].fails != true || !$0.isAhead }) {
                let decision = decisions.removeFirst()
                if decision.fails ?? false { bench.fail() } else { bench.decide(try decision.ads.map(Self.ad)) }
            }
            for name in step {
                let answer = try bench.playlist(Self.key(of: name))
                if session.kind == "live" {
                    try invariants.checkFacts(
                        answer, try MediaPlaylist(parsing: answer.bytes), RenditionKey(Self.key(of: name)))
                }
                #expect(try MediaPlaylist(parsing: answer.bytes).serialized() == answer.bytes)
                if answer.bytes.isEvent {
                    // Lines are only added (rule 904).
                    #expect(answer.bytes.starts(with: events[Self.key(of: name)] ?? []), "\(name)")
                    events[Self.key(of: name)] = answer.hasEnded ? nil : answer.bytes
                }
                let expected = "expected" + name.dropFirst("content".count)
                if ScenarioFolder.isRecording { try folder.write(answer.bytes, to: expected) }
                let text = String(decoding: answer.bytes, as: UTF8.self)
                #expect(text == folder.bytes(expected).map { String(decoding: $0, as: UTF8.self) }, "\(expected)")
            }
        }
    }

    private static func steps(_ names: [String]) -> [[String]] {
        var result: [[String]] = []
        for name in names {
            if let last = result.last?.first, number(of: last) == number(of: name) {
                // The leading rendition is observed first.
                let isLeading = key(of: name) == "v0"
                result[result.count - 1].insert(name, at: isLeading ? 0 : result[result.count - 1].count)
            } else {
                result.append([name])
            }
        }
        return result
    }

    private static func number(of name: String) -> Substring { name.split(separator: ".")[0] }

    private static func key(of name: String) -> String {
        let parts = name.split(separator: ".")
        return parts.count > 2 ? String(parts[1]) : "v0"
    }

    private static func addOwnBreaks(_ session: ScenarioSession, to bench: inout Workbench) throws {
        if session.preroll ?? false, let own = bench.ledger.ownBreak(id: BreakID("preroll"), at: .start) {
            bench.session.add(own)
        }
        for offset in session.offsets ?? [] {
            let place: InsertionPlace = offset.seconds < 0 ? .end : .offset(.seconds(offset.seconds))
            if let own = bench.ledger.ownBreak(id: BreakID(offset.id), at: place) { bench.session.add(own) }
        }
    }

    private static func ad(_ ad: ScenarioDecision.Ad) throws -> PodAd {
        let made =
            if let audio = ad.audio {
                try TestAd.demuxed(ad.id, ad.segments, audio: audio, map: ad.map)
            } else {
                try TestAd.muxed(ad.id, ad.segments, map: ad.map, lines: ad.lines ?? [])
            }
        let iFrames = try ad.iFrames.map { [try TestAd.iFrames(ad.id, $0, map: ad.map)] } ?? []
        let media = AdMedia(id: made.id, renditions: made.media.renditions + iFrames, timestamps: ad.timestamps)
        return PodAd(id: made.id, media: media, tracking: made.tracking)
    }
}

extension [UInt8] {
    fileprivate var isEvent: Bool {
        String(decoding: self, as: UTF8.self).contains("\n#EXT-X-PLAYLIST-TYPE:EVENT\n")
    }
}
