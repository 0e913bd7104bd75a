import Testing

@testable import HLS

/// A playlist has to mean the same whether its usual lines are read several bytes at a step or all of them one by one.
@Suite struct PlaylistParserUsualLinesTests {
    private func storage(_ bytes: [UInt8], readsUsualForms: Bool) -> Result<MediaPlaylist.Storage, PlaylistError> {
        var parser = PlaylistParser()
        do throws(PlaylistError) {
            try parser.parse(bytes, readsUsualForms: readsUsualForms)
        } catch {
            return .failure(error)
        }
        return .success(MediaPlaylist.Storage(bytes, parser))
    }

    /// Says where the two readings differ; nil if nowhere.
    private func difference(_ bytes: [UInt8]) -> String? {
        switch (storage(bytes, readsUsualForms: true), storage(bytes, readsUsualForms: false)) {
        case (.failure(let usual), .failure(let general)):
            return usual.code == general.code && usual.line == general.line ? nil : "\(usual) and not \(general)"
        case (.success(let usual), .success(let general)):
            if usual.records.count != general.records.count { return "\(usual.records.count) segments" }
            for index in general.records.indices {
                let (left, right) = (usual.segment(at: index), general.segment(at: index))
                if left != right { return "\(left) and not \(right)" }
            }
            if usual.trailerStart != general.trailerStart { return "the trailer begins at \(usual.trailerStart)" }
            if usual.trailerState != general.trailerState { return "\(usual.trailerState) at the end" }
            if usual.states != general.states { return "other states" }
            if usual.keyGroups != general.keyGroups || usual.maps != general.maps { return "other keys or maps" }
            return usual.details.count == general.details.count ? nil : "other details"
        default: return "only one of them throws"
        }
    }

    @Test func `playlists of all spellings mean the same`() {
        var numbers = UsualFormsTests.Numbers(state: 3)
        let lines = [
            "#EXTINF:6.006,", "#EXTINF:6.006,", "#EXTINF:6,title, with a comma", "#EXTINF:6.00600000000000001,",
            "#EXTINF:0.5", "#EXTINF: 6,",
            "#EXTINF:6.0,\t tab ", " #EXTINF:4,", "#EXTINF:-1,", "#EXTINF:abc,", "#EXTINF:12345678.5,",
            "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:07.127Z", "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:07.127Z",
            "#EXT-X-PROGRAM-DATE-TIME:2026-01-18T08:15:07+01:00", "#EXT-X-PROGRAM-DATE-TIME: 2026-01-17T08:15:07Z",
            "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:07.127Z ", "#EXT-X-PROGRAM-DATE-TIME:nonsense",
            "#EXT-X-PROGRAM-DATE-TIME:2026-13-17T08:15:07.127Z", "#EXT-X-PROGRAM-DATE-TIMES:2026-01-17T08:15:07.127Z",
            "a.ts", "a.ts", "video/720p/segment-100000.ts?token=abc", "b.ts ", " c.ts", "\u{1}d.ts", "é.ts",
            "https://a.example/very/long/address/of/a/segment.m4s",
            "", "", " ", "# comment", "#EXT-X-DISCONTINUITY", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"",
            "#EXT-X-KEY:METHOD=NONE",
            "#EXT-X-BYTERANGE:10", "#EXT-X-BYTERANGE:10@5", "#EXT-X-MAP:URI=\"i.mp4\"", "#EXT-X-GAP",
            "#EXT-X-BITRATE:100",
            "#EXT-X-CUE-OUT:30", "#EXT-X-CUE-IN", "#EXT-X-ENDLIST", "#EXT-X-DISCONTINUITY-SEQUENCE:7",
            "#EXT-X-UNKNOWN:1",
        ]
        var segments = 0
        for round in 0..<1_200 {
            var bytes: [UInt8] = round % 7 == 0 ? [0xEF, 0xBB, 0xBF] : []
            let end = round % 3 == 0 ? "\r\n" : "\n"
            bytes += Array("#EXTM3U\(end)#EXT-X-TARGETDURATION:6\(end)".utf8)
            for _ in 0..<Int.random(in: 0...40, using: &numbers) {
                // Mostly what segments consist of; at times anything.
                let pool = Int.random(in: 0...3, using: &numbers) == 0 ? lines.count : 21
                let mixed = round % 5 == 0 && Bool.random(using: &numbers) ? "\n" : end
                bytes += Array((lines[Int.random(in: 0..<pool, using: &numbers)] + mixed).utf8)
            }
            if round % 2 == 0 { bytes.removeLast(min(Int.random(in: 0...3, using: &numbers), bytes.count)) }
            if let difference = difference(bytes) {
                Issue.record("\(difference) in \(String(decoding: bytes, as: UTF8.self))")
                return
            }
            segments += (try? MediaPlaylist(parsing: bytes))?.segments.count ?? 0
        }
        #expect(segments > 1_500)
    }

    @Test func `bytes changed at random mean the same`() {
        var numbers = UsualFormsTests.Numbers(state: 4)
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"
        for index in 0..<6 {
            text += "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:0\(index).127Z\n#EXTINF:6.006,\nsegment-\(index).ts\n"
        }
        let original = Array(text.utf8)
        let bytesOfInterest = Array(" \r\n\t,.:#0123456789ZT-+".utf8) + [0, 0x7F, 0x80, 0xFF]
        for _ in 0..<4_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                let place = Int.random(in: 40..<bytes.count, using: &numbers)
                switch Int.random(in: 0...2, using: &numbers) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(bytesOfInterest.randomElement(using: &numbers) ?? 0, at: place)
                default: bytes[place] = bytesOfInterest.randomElement(using: &numbers) ?? 0
                }
            }
            if let difference = difference(bytes) {
                Issue.record("\(difference) in \(String(decoding: bytes, as: UTF8.self))")
                return
            }
        }
    }

    @Test func `playlists of the world mean the same`() {
        for file in FixtureTests.files() {
            let difference = difference(file.bytes)
            #expect(difference == nil, "\(file.path)")
        }
    }

    @Test func `the line of an error is counted behind usual lines, too`() throws {
        var text = "#EXTM3U\r\n#EXT-X-TARGETDURATION:6\r\n"
        for index in 0..<10 { text += "#EXTINF:6,\r\n\(index).ts\r\n" }
        text += "#EXTINF:99999999999999999999,\r\nlast.ts\r\n"
        #expect { try media(text) } throws: { ($0 as? PlaylistError)?.line == 23 }
        #expect(difference(Array(text.utf8)) == nil)
    }

    @Test func `a playlist of usual lines ends without a line feed`() throws {
        let playlist = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXTINF:5.5,\nthe-last-one-of-all.ts")
        #expect(playlist.segments.map(\.duration) == [.seconds(6), .milliseconds(5500)])
        #expect(playlist.uri(1) == "the-last-one-of-all.ts")
        #expect(playlist.trailerLines.isEmpty)
    }
}

extension PlaylistLines {
    fileprivate var isEmpty: Bool { !contains { _ in true } }
}
