import Testing

@testable import HLS

@Suite struct RenditionsLintTests {
    @Test(arguments: renditionsCases.indices)
    func `lint finds what playlists of a presentation break at its line, and nothing where they keep the rule`(
        index: Int
    ) throws {
        let example = renditionsCases[index]
        let findings = try example.findings()
        let name = Comment(rawValue: "\(example.rule) \(example.name): \(findings)")
        if let place = example.breaksAt {
            #expect(
                findings.contains {
                    $0.uri == place.uri && $0.finding.rule == example.rule && $0.finding.line == place.line
                }, name)
        } else {
            #expect(!findings.contains { $0.finding.rule == example.rule }, name)
            #expect(!findings.contains { $0.finding.severity == .error }, name)
        }
    }

    @Test func `the media playlists of a presentation are named once, with their kinds and lines`() throws {
        let playlist = try multivariant(
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"a\",URI=\"a\"\n"
                + "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"s\",URI=\"s\"\n"
                + "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"g\",NAME=\"c\",INSTREAM-ID=\"CC1\"\n"
                + "#EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID=\"g\",NAME=\"v\",URI=\"x\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.1\"\nv\n#EXT-X-STREAM-INF:BANDWIDTH=2,CODECS=\"mp4a.40.2\"\na\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=3,CODECS=\"ac-3\"\nb\n#EXT-X-STREAM-INF:BANDWIDTH=4\nv\n"
                + "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i\"\n#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,URI=\"t\"\n")
        #expect(
            playlist.mediaPlaylistReferences == [
                MediaPlaylistReference(uri: "a", kind: .audio, line: 2),
                MediaPlaylistReference(uri: "s", kind: .subtitles, line: 3),
                MediaPlaylistReference(uri: "x", kind: .video, line: 5),
                MediaPlaylistReference(uri: "v", kind: .video, line: 7),
                MediaPlaylistReference(uri: "b", kind: .audio, line: 11),
                MediaPlaylistReference(uri: "i", kind: .iFrames, line: 14),
            ])
    }

    @Test func `media playlists can be checked without a multivariant playlist`() throws {
        let sources = try ["v", "w"].map { uri in
            let list = Presentation.List(target: uri == "v" ? 6 : 7)
            return RenditionsLint.Source(
                MediaPlaylistReference(uri: uri, kind: .video, line: 1), url: uri, playlist: try media(list.text))
        }
        let findings = RenditionsLint(nil, url: "", sources: sources).findings()
        #expect(findings.map(\.finding.rule) == [308])
        #expect(findings.first?.source == 1)
        #expect(RenditionsLint(nil, url: "", sources: []).findings().isEmpty)
    }

    /// A healthy live stream: one programme with joins, cut by each rendition at its own boundaries, fetched at different
    /// moments, with windows of different lengths.
    struct Live {
        let isDated: Bool
        /// Tenths of a second between joins.
        static let joins = [0, 613, 913, 1_513, 1_663, 2_263, 2_413, 2_563, 3_600]

        func playlist(segment: Int, at now: Int, window: Int, header: String = "") throws -> MediaPlaylist {
            var all: [(start: Int, length: Int, number: Int, isJoin: Bool)] = []
            for (number, join) in Self.joins.dropLast().enumerated() {
                // The boundary nearest to the join, and from there in whole segments to that nearest to the next one.
                let start = (join + segment / 2) / segment * segment
                let end = (Self.joins[number + 1] + segment / 2) / segment * segment
                for time in stride(from: start, to: end, by: segment) {
                    all.append((time, segment, number, time == start && number > 0))
                }
            }
            let listed = all.enumerated().filter { $0.element.start + segment <= now }.suffix(window)
            let first = try #require(listed.first)
            // An origin counts a discontinuity that is still listed with its tag.
            var list = Presentation.List(
                header: header, lengths: listed.map(\.element.length),
                sequence: Int64(first.element.number - (first.element.isJoin ? 1 : 0)),
                number: Int64(first.offset + segment * 7), isEnded: false)
            list.discontinuities = Set(listed.enumerated().filter { $0.element.element.isJoin }.map(\.offset))
            if isDated { list.date = 0 }
            let text = list.text
            guard isDated else { return try media(text) }
            // Dates run on from the start of the programme, not from that of the window.
            let shift = Duration.milliseconds(first.element.start * 100)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                guard line.hasPrefix("#EXT-X-PROGRAM-DATE-TIME:"), let date = DateTime(String(line.dropFirst(25)))
                else {
                    return String(line)
                }
                return "#EXT-X-PROGRAM-DATE-TIME:\(date.advanced(by: shift).formatted)"
            }
            return try media(lines.joined(separator: "\n"))
        }
    }

    @Test(arguments: [true, false])
    func `a healthy live stream gives no finding, whenever its playlists are fetched`(isDated: Bool) throws {
        let live = Live(isDated: isDated)
        let root = try multivariant(Presentation.multivariant)
        for now in stride(from: 400, through: 3_500, by: 37) {
            let renditions: [(String, Int, Int, Int, String)] = [
                ("a", 20, now, 18, ""), ("s", 60, now + 13, 5, ""), ("v", 60, now + 31, 6, ""),
                ("w", 60, now + 55, 6, ""),
                ("i", 60, now + 62, 6, "#EXT-X-I-FRAMES-ONLY\n"),
            ]
            let sources = try root.mediaPlaylistReferences.map { reference in
                let rendition = try #require(renditions.first { $0.0 == reference.uri })
                return RenditionsLint.Source(
                    reference, url: reference.uri,
                    playlist: try live.playlist(
                        segment: rendition.1, at: rendition.2, window: rendition.3, header: rendition.4))
            }
            let findings = RenditionsLint(root, url: "m", sources: sources).findings()
            #expect(findings.isEmpty, "at \(now): \(findings)")
        }
    }

    /// Segments of 6 s; 0 for a discontinuity before the next one, negative for so many seconds that are not listed.
    private func dated(_ steps: [Int], sequence: Int = 0, header: String = "") throws -> MediaPlaylist {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-DISCONTINUITY-SEQUENCE:\(sequence)\n\(header)"
        var date = DateTime(nanoseconds: 1_800_000_000_000_000_000)
        for step in steps {
            if step == 0 { text += "#EXT-X-DISCONTINUITY\n" }
            if step > 0 { text += "#EXT-X-PROGRAM-DATE-TIME:\(date.formatted)\n#EXTINF:\(step),\na\n" }
            date = date.advanced(by: .seconds(abs(step)))
        }
        return try media(text)
    }

    private func findings(_ first: MediaPlaylist, _ second: MediaPlaylist) -> [PlaylistFinding] {
        let sources = [first, second].map {
            RenditionsLint.Source(MediaPlaylistReference(uri: "v", kind: .video, line: 1), url: "v", playlist: $0)
        }
        return RenditionsLint(nil, url: "", sources: sources).findings().map(\.finding)
    }

    @Test func `a discontinuity number that is off is told where it comes to be so, each time (504)`() throws {
        let joint = [6, 6, 0, 6, 6, 0, 6, 6, 0, 6, 6, 0, 6, 6]
        // One tag too many at the second joint, and again at the fourth.
        let off = [6, 6, 0, 6, 6, 0, 0, 6, 6, 0, 6, 6, 0, 0, 6, 6]
        let found = findings(try dated(joint), try dated(off)).filter { $0.rule == 504 }
        #expect(
            found.map(\.message) == [
                "discontinuity number 3, but 2 in v", "discontinuity number 6, but 4 in v",
            ])
    }

    @Test func `a joint that falls on what is not listed is told at what comes behind it (508)`() throws {
        let found = findings(try dated([6, 6, 6, 0, 6, 6, 6]), try dated([6, 6, 6, -6, 6, 6]))
            .filter { $0.rule == 508 }
        // The fourth segment: three lines each, behind three of the header.
        #expect(found.map(\.line) == [15])
    }

    @Test
    func `ended lists of a channel without dates are compared by their numbers, as they begin at different times`()
        throws
    {
        func list(_ number: Int, _ before: Int) throws -> MediaPlaylist {
            let segment = "#EXTINF:6,\na\n"
            return try media(
                "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:\(number)\n#EXT-X-DISCONTINUITY-SEQUENCE:4\n"
                    + String(repeating: segment, count: before) + "#EXT-X-DISCONTINUITY\n"
                    + String(repeating: segment, count: 5) + "#EXT-X-ENDLIST\n")
        }
        #expect(findings(try list(70, 6), try list(73, 3)).isEmpty)
    }

    @Test func `playlists of hostile numbers and dates are compared without a trap`() throws {
        let root = try multivariant(Presentation.multivariant)
        let texts = [
            "#EXTM3U\n#EXT-X-TARGETDURATION:9223372036854775\n#EXT-X-PROGRAM-DATE-TIME:2261-01-01T00:00:00Z\n"
                + String(repeating: "#EXT-X-DISCONTINUITY\n#EXTINF:999999999,\na\n", count: 50),
            "#EXTM3U\n#EXT-X-DISCONTINUITY-SEQUENCE:9000000000000000000\n"
                + String(repeating: "#EXTINF:999999999,\na\n#EXT-X-DISCONTINUITY\n", count: 50),
            "#EXTM3U\n#EXT-X-PROGRAM-DATE-TIME:1678-01-01T00:00:00Z\n#EXTINF:0,\na\n#EXT-X-ENDLIST\n",
            "#EXTM3U\n#EXT-X-TARGETDURATION:0\n#EXT-X-ENDLIST\n", "#EXTM3U\n#EXTINF:999999999,\na\n#EXT-X-ENDLIST\n",
        ]
        for first in texts {
            for second in texts {
                let sources = try root.mediaPlaylistReferences.map { reference in
                    RenditionsLint.Source(
                        reference, url: "u", playlist: try media(reference.uri == "a" ? second : first))
                }
                #expect(RenditionsLint(root, url: "m", sources: sources).findings().count < 10_000)
            }
        }
    }

    @Test func `tens of thousands of joins and date ranges are compared in linear time`() throws {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n"
        for index in 0..<8_000 {
            text +=
                "#EXT-X-DISCONTINUITY\n#EXT-X-DATERANGE:ID=\"\(index)\",START-DATE=\"2026-01-01T00:00:00Z\"\n#EXTINF:0,\na\n"
        }
        let playlist = try media(text)
        let root = try multivariant(Presentation.multivariant)
        let sources = root.mediaPlaylistReferences.map { RenditionsLint.Source($0, url: "u", playlist: playlist) }
        #expect(RenditionsLint(root, url: "m", sources: sources).findings().contains { $0.finding.rule == 1106 })
    }
}
