import Testing

@testable import HLS

@Suite struct HostileInputTests {
    static let seeds = [
        MediaPlaylistTests.live, PlaylistURITests.source, MultivariantPlaylistTests.sample,
        "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n#EXT-X-CUE-OUT:30.0,B=7\n#EXT-X-BYTERANGE:1@2\n#EXTINF:1,\n{$a}\n"
            + "#EXT-X-SCTE35:CUE=\u{201D}/DA=\u{201D},TYPE=0x34,SEGNE=\"1:2\",UPID=\"0x08:0x01\",TIME=1.5,CUE-OUT=CONT\n"
            + "#EXT-X-CUE:TYPE=SpliceOut,ID=1,DURATION=2\n#EXT-X-CUE-CONT:ID=1\n#EXT-X-ASSET:CAID=0x0A,A=%20b\n"
            + "#EXT-OATCLS-SCTE35:/DA=\n#EXT-X-SIGNAL-SPAN:1/2,SignalId=a\n#EXT-X-DATERANGE:ID=\"a\",SCTE35-OUT=0xFC\n"
            + "#EXT-X-CUE-OUT-CONT:1/2\n#EXT-X-CUE-SPAN:TIMEFROMSIGNAL=PT1H2M3S\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n#EXT-X-CUE-IN",
    ]

    /// Asks everything that can be asked of a playlist.
    private func exercise(_ bytes: [UInt8]) {
        let base = BaseURI("https://h/a/b?c#d")
        if let playlist = try? MultivariantPlaylist(parsing: bytes) {
            #expect(playlist.serialized() == bytes)
            var editor = PlaylistEditor(playlist)
            for variant in playlist.variants + playlist.iFrameVariants + playlist.imageVariants {
                _ = (variant.uri, variant.codecList, variant.resolution, variant.frameRate, variant.closedCaptions)
                _ = (variant.supplementalCodecs, variant.allowedProtection, variant.requiredVideoLayouts, variant.score)
                editor.remove(variant)
            }
            for rendition in playlist.renditions {
                _ = (rendition.type, rendition.channels, rendition.instreamID, rendition.characteristics)
                editor.remove(rendition)
            }
            for type in Rendition.MediaType.allCases {
                for group in playlist.groups(type) { #expect(!playlist.renditions(type, group: group).isEmpty) }
            }
            _ = (editor.applied(), playlist.lint(), playlist.mediaPlaylistReferences)
            _ = playlist.resolvingURIs(against: base)
            _ = try? playlist.substitutingVariables(uri: "https://h/?a=b")
        }
        guard let playlist = try? MediaPlaylist(parsing: bytes) else { return }
        #expect(playlist.serialized() == bytes)
        var previous: Int64?
        for segment in playlist.segments {
            if let previous { #expect(segment.number == previous + 1) }
            previous = segment.number
            #expect(segment.duration >= .zero)
            #expect(playlist.keyGroups.indices.contains(segment.keyGroup))
            if let map = segment.map { #expect(playlist.maps.indices.contains(map)) }
            _ = (playlist.text(segment.title), playlist.text(segment.durationText), playlist.text(segment.uri))
            _ = playlist.markers(ofSegmentAt: segment.index).map(\.signal)
        }
        _ = (playlist.trailerMarkers, playlist.dateRanges.map { ($0.scte35Out, $0.startDate) }, Timeline(playlist))
        let count = Array(playlist.headerLines).count + Array(playlist.trailerLines).count
        let inSegments = playlist.segments.indices.reduce(0) { $0 + Array(playlist.lines(ofSegmentAt: $1)).count }
        #expect(count + inSegments == Array(playlist.lines).count)
        _ = playlist.resolvingURIs(against: base)
        _ = try? playlist.substitutingVariables(imported: .init(), uri: "https://h/?a=b")
        var editor = PlaylistEditor(playlist)
        for line in playlist.lines {
            editor.setAttribute("URI", to: "\"x\"", in: line)
            editor.removeAttribute("METHOD", in: line)
        }
        _ = editor.applied()
    }

    @Test(arguments: seeds.indices)
    func `no change of a few bytes makes reading or asking trap`(seed: Int) {
        let original = Array(Self.seeds[seed].utf8)
        let alphabet = Array("#:=,\"@/.-0129 \t\r\n\u{0}EXT{}$xYZ\u{FF}".utf8)
        var state: UInt64 = UInt64(seed) &+ 88_172_645_463_325_252
        func random(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(max(bound, 1)))
        }
        for _ in 0..<400 {
            var bytes = original
            for _ in 0...random(4) {
                let position = random(bytes.count)
                switch random(5) {
                case 0: bytes.remove(at: min(position, bytes.count - 1))
                case 1: bytes.insert(alphabet[random(alphabet.count)], at: position)
                case 2: bytes.removeSubrange(min(position, bytes.count)..<min(position + random(30), bytes.count))
                case 3:
                    let from = random(bytes.count)
                    bytes.insert(contentsOf: Array(bytes[from..<min(from + random(60), bytes.count)]), at: position)
                default: bytes[min(position, bytes.count - 1)] = alphabet[random(alphabet.count)]
                }
                if bytes.isEmpty { bytes = [0x23] }
            }
            exercise(bytes)
        }
    }

    @Test func `every beginning of a playlist is read without a trap`() {
        for seed in Self.seeds {
            let bytes = Array(seed.utf8)
            for length in stride(from: 0, through: bytes.count, by: 3) { exercise(Array(bytes[..<length])) }
        }
    }

    @Test func `discontinuities of one segment are all counted, however many there are (rule 502)`() throws {
        for count in [254, 255, 256, 1_000] {
            let tags = String(repeating: "#EXT-X-DISCONTINUITY\n", count: count)
            for before in ["", "#EXTINF:6,\na.ts\n"] {
                let text =
                    "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-DISCONTINUITY-SEQUENCE:7\n\(before)\(tags)#EXTINF:6,\nb.ts\n"
                let playlist = try MediaPlaylist(parsing: Array(text.utf8))
                let last = try #require(playlist.segments.last)
                #expect(last.discontinuityCount == count)
                #expect(last.discontinuityNumber == Int64(7 + count))
            }
        }
    }

    @Test func `findings and key groups are bounded`() throws {
        var source = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"
        for index in 0..<2_000 {
            source += "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=k,KEYFORMAT=\"f\(index)\"\n#EXTINF:9\na\n"
        }
        let playlist = try media(source)
        #expect(playlist.lint().count <= 256)
        #expect(playlist.keyGroups.allSatisfy { $0.keys.count <= 16 })
    }
}
