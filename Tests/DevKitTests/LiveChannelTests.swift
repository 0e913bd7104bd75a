import Testing

@testable import DevKit

@Suite struct LiveChannelTests {
    /// A channel over media of which only the playlists are there: 40 segments of 2 s.
    static let channel: LiveChannel? = {
        guard let folder = try? Files.makeTemporaryFolder("/tmp/podstitch-channel-") else { return nil }
        defer { Files.removeTree(folder) }
        for packaging in DemoPackaging.allCases {
            for name in packaging.tracks {
                let track = "\(folder)/\(DemoItem.programme.folder)/\(packaging.rawValue)/\(name)"
                var text = "#EXTM3U\n"
                if packaging == .fmp4 { text += "#EXT-X-MAP:URI=\"init.mp4\"\n" }
                for index in 0..<40 { text += "#EXTINF:2.000000,\n\(index).\(packaging.segmentExtension)\n" }
                try? Files.makeFolder(track)
                try? Files.write(text, to: "\(track)/index.m3u8")
            }
        }
        return try? LiveChannel(media: DemoMedia(folder: folder))
    }()

    /// A time at which slot `slot` is the newest.
    static func time(ofNewest slot: Int64) -> Int64 { LiveChannel.epochSeconds + (slot + 1) * 2 }

    @Test func `a slot appears when its last frame is recorded`() throws {
        let channel = try #require(Self.channel)
        #expect(channel.newestSlot(at: Self.time(ofNewest: 100)) == 100)
        #expect(channel.newestSlot(at: Self.time(ofNewest: 100) - 1) == 99)
    }

    @Test func `the discontinuity sequence counts the tags that have left`() throws {
        let channel = try #require(Self.channel)
        for packaging in DemoPackaging.allCases {
            for newest in Int64(60)...200 {
                let text = try #require(
                    channel.mediaPlaylist(packaging, "v0", at: Self.time(ofNewest: newest)))
                let lines = text.split(separator: "\n")
                var number = try #require(Self.value(of: "#EXT-X-DISCONTINUITY-SEQUENCE", in: lines))
                var slot = try #require(Self.value(of: "#EXT-X-MEDIA-SEQUENCE", in: lines))
                for line in lines {
                    if line == "#EXT-X-DISCONTINUITY" { number += 1 }
                    if line.hasPrefix("#") { continue }
                    // The programme has begun slot / 40 times anew.
                    #expect(number == slot / 40)
                    #expect(line.hasPrefix("\(slot)."))
                    slot += 1
                }
                #expect(slot == newest + 1)
            }
        }
    }

    @Test func `a break begins once a minute and is marked from end to end`() throws {
        let channel = try #require(Self.channel)
        var outs: [Int64] = []
        var ins: [Int64] = []
        for slot in Int64(30)..<150 {
            let text = try #require(channel.mediaPlaylist(.ts, "v1", at: Self.time(ofNewest: slot)))
            let last = try #require(Self.lastEntry(of: text))
            if last.contains("#EXT-X-CUE-OUT:") { outs.append(slot) }
            if last.contains("#EXT-X-CUE-IN") { ins.append(slot) }
            let inside = channel.breakPosition(of: slot)
            #expect(last.contains("#EXT-X-CUE-OUT") == (inside != nil))
        }
        #expect(outs == [35, 65, 95, 125])
        #expect(ins == [48, 80, 108, 140])
    }

    @Test func `only files of the channel have a place on disk`() throws {
        let channel = try #require(Self.channel)
        #expect(channel.file(.ts, "v0", "87.ts")?.hasSuffix("programme/ts/v0/7.ts") == true)
        #expect(channel.file(.fmp4, "audio", "init.mp4")?.hasSuffix("programme/fmp4/audio/init.mp4") == true)
        for name in ["87.m4s", "-1.ts", "x.ts", "../index.m3u8", "1.2.ts", "99999999999999999999.ts"] {
            #expect(channel.file(.ts, "v0", name) == nil)
        }
        #expect(channel.file(.ts, "audio", "1.ts") == nil)
        #expect(channel.mediaPlaylist(.ts, "v9", at: 0) == nil)
    }

    /// The lines of a playlist's last segment.
    private static func lastEntry(of text: String) -> String? {
        text.ranges(of: "#EXT-X-PROGRAM-DATE-TIME").last.map { String(text[$0.lowerBound...]) }
    }

    private static func value(of tag: String, in lines: [Substring]) -> Int64? {
        lines.first { $0.hasPrefix(tag + ":") }.flatMap { Int64($0.dropFirst(tag.count + 1)) }
    }
}
