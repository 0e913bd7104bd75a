import Testing

@testable import HLS

@Suite struct MultivariantPlaylistTests {
    static let sample = """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-START:TIME-OFFSET=0
        #EXT-X-CONTENT-STEERING:SERVER-URI="/steer?x=1",PATHWAY-ID="A"
        #EXT-X-SESSION-DATA:DATA-ID="a",URI="data.json"
        #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://1",KEYFORMAT="com.apple.streamingkeydelivery"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="6/JOC",URI="audio/en.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Deutsch",LANGUAGE="de",URI="audio/de.m3u8"
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="CC1",INSTREAM-ID="CC1"
        #EXT-X-STREAM-INF:BANDWIDTH=1280000,AVERAGE-BANDWIDTH=1000000,RESOLUTION=1280x720,FRAME-RATE=29.970,CODECS="avc1.4d401f, mp4a.40.2",AUDIO="aac",CLOSED-CAPTIONS="cc",NAME="720",PATHWAY-ID="A"
        # a comment between
        720/v.m3u8?a=1,2
        #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2",AUDIO="aac"
        audio/en.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d401f",RESOLUTION=1280x720,URI="720/i.m3u8"
        #EXT-X-UNKNOWN:URI="x"

        """

    @Test func `variants, renditions and the rest are typed`() throws {
        let playlist = try multivariant(Self.sample)
        #expect(playlist.lint().allSatisfy { $0.severity == .note }, "\(playlist.lint())")
        #expect(playlist.version == 7)
        #expect(playlist.hasIndependentSegments)
        #expect(playlist.start == PlaylistStart(timeOffset: .zero, isPrecise: false))
        let variant = try #require(playlist.variants.first)
        #expect(variant.bandwidth == 1_280_000)
        #expect(variant.averageBandwidth == 1_000_000)
        #expect(variant.resolution == Resolution(width: 1_280, height: 720))
        #expect(variant.frameRate == DecimalNumber(29, thousandths: 970))
        #expect(variant.codecs == "avc1.4d401f, mp4a.40.2")
        #expect(variant.codecList == ["avc1.4d401f", "mp4a.40.2"])
        #expect(variant.audioGroup == "aac")
        #expect(variant.closedCaptionsGroup == "cc")
        #expect(variant.name == "720")
        #expect(variant.uri == "720/v.m3u8?a=1,2")
        #expect(playlist.variants.count == 2)
        #expect(playlist.variants[1].closedCaptionsGroup == nil)
        #expect(playlist.variants[1].resolution == nil)
        #expect(playlist.renditions.map(\.type?.known) == [.audio, .audio, .closedCaptions])
        #expect(playlist.renditions[0].channelCount == 6)
        #expect(playlist.renditions[0].channels?.text == "6/JOC")
        #expect(playlist.renditions[0].isDefault)
        #expect(!playlist.renditions[1].isDefault)
        #expect(playlist.renditions[1].language == "de")
        #expect(playlist.renditions[2].uri == nil)
        #expect(playlist.renditions[2].instreamID == .line21(1))
        #expect(playlist.renditions(.audio, group: "aac").count == 2)
        #expect(playlist.iFrameVariants.map(\.uri) == ["720/i.m3u8"])
        #expect(playlist.sessionKeys.map(\.method) == [.sampleAES])
        #expect(playlist.sessionData.count == 1)
        #expect(playlist.sessionData.first?.dataID == "a")
        #expect(playlist.sessionData.first?.uri == "data.json")
        #expect(playlist.contentSteering?.pathwayID == "A")
        #expect(playlist.contentSteering?.serverURI == "/steer?x=1")
        #expect(text(playlist.serialized()) == Self.sample)
    }

    @Test func `every URI is found once, in order (rule 1210)`() throws {
        let playlist = try multivariant(Self.sample)
        #expect(
            playlist.uris.map { playlist.source.text(in: $0.range) } == [
                "/steer?x=1", "data.json", "skd://1", "audio/en.m3u8", "audio/de.m3u8", "720/v.m3u8?a=1,2",
                "audio/en.m3u8", "720/i.m3u8",
            ])
    }

    @Test func `resolving makes them absolute and touches nothing else (rule 1210)`() throws {
        let playlist = try multivariant(Self.sample)
        let expected = Self.sample
            .replacing("\"/steer", with: "\"https://h/steer").replacing("\"data.json", with: "\"https://h/p/data.json")
            .replacing("\"audio/", with: "\"https://h/p/audio/").replacing("\n720/v", with: "\nhttps://h/p/720/v")
            .replacing("\naudio/", with: "\nhttps://h/p/audio/").replacing("\"720/i", with: "\"https://h/p/720/i")
        #expect(text(playlist.resolvingURIs(against: BaseURI("https://h/p/master.m3u8?sid=1"))) == expected)
    }

    @Test func `rewriting replaces the URIs that are named`() throws {
        let playlist = try multivariant(Self.sample)
        let rewritten = playlist.rewritten { uri, text in
            uri.kind == .media ? "ours/\(text)" : nil
        }
        #expect(text(rewritten) == Self.sample.replacing("\"audio/", with: "\"ours/audio/"))
    }

    @Test func `a variant is removed with its URI line, and attributes are edited in place`() throws {
        let playlist = try multivariant(
            "#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a,b\",AUDIO=\"g\"\r\nv\r\n#EXT-X-STREAM-INF:BANDWIDTH=2\r\nw\r\n"
        )
        var editor = PlaylistEditor(playlist)
        editor.setAttribute("CODECS", to: "\"c\"", in: playlist.variants[0].line)
        editor.setAttribute("BANDWIDTH", to: "9", in: playlist.variants[0].line)
        editor.setAttribute("SCORE", to: "1.5", in: playlist.variants[0].line)
        editor.removeAttribute("AUDIO", in: playlist.variants[0].line)
        editor.remove(playlist.variants[1])
        editor.insert("# note\r\n", before: playlist.variants[0].line)
        #expect(
            text(editor.applied())
                == "#EXTM3U\r\n# note\r\n#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS=\"c\",SCORE=1.5\r\nv\r\n")
    }

    @Test func `removing any attribute leaves no stray comma`() throws {
        let playlist = try multivariant("#EXTM3U\n#EXT-X-STREAM-INF:A=1,BANDWIDTH=2,C=\"x,y\"\nv\n")
        for (name, expected) in [
            ("A", "BANDWIDTH=2,C=\"x,y\""), ("BANDWIDTH", "A=1,C=\"x,y\""), ("C", "A=1,BANDWIDTH=2"),
        ] {
            var editor = PlaylistEditor(playlist)
            editor.removeAttribute(name, in: playlist.variants[0].line)
            #expect(text(editor.applied()) == "#EXTM3U\n#EXT-X-STREAM-INF:\(expected)\nv\n")
        }
    }

    @Test func `removing several attributes of a line leaves no stray comma and forgets none`() throws {
        let playlist = try multivariant("#EXTM3U\n#EXT-X-STREAM-INF:A=1,BANDWIDTH=2,C=\"x,y\",D=4\nv\n")
        for (names, expected) in [
            (["D", "C"], "A=1,BANDWIDTH=2"), (["C", "D"], "A=1,BANDWIDTH=2"), (["A", "BANDWIDTH"], "C=\"x,y\",D=4"),
            (["A", "C"], "BANDWIDTH=2,D=4"), (["D", "A", "C"], "BANDWIDTH=2"), (["A", "BANDWIDTH", "C", "D"], ""),
        ] {
            var editor = PlaylistEditor(playlist)
            for name in names { editor.removeAttribute(name, in: playlist.variants[0].line) }
            #expect(text(editor.applied()) == "#EXTM3U\n#EXT-X-STREAM-INF:\(expected)\nv\n")
        }
    }

    @Test func `insertions survive the removal of the line they stand before`() throws {
        let playlist = try multivariant("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2\nv\n")
        var editor = PlaylistEditor(playlist)
        editor.remove(playlist.variants[0])
        editor.insert("#A\n", before: playlist.variants[0].line)
        editor.insert("#B\n", before: playlist.variants[0].line)
        #expect(text(editor.applied()) == "#EXTM3U\n#A\n#B\n")
        #expect(PlaylistEditor(playlist).applied() == playlist.source)
    }

    @Test func `what stands before a variant's lines goes with it, and nothing else does (rule 109)`() throws {
        let playlist = try multivariant(
            "\u{FEFF}#EXTM3U\n# made by\n#EXT-X-VERSION:4\n\n# low\n#EXT-X-PRIVATE:1\n#EXT-X-STREAM-INF:BANDWIDTH=1\n# its uri\nv\n"
                + "# high\n#EXT-X-STREAM-INF:BANDWIDTH=2\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n\"\n w \n# end\n"
        )
        #expect(
            playlist.lines(clingingTo: playlist.variants[0].line).map { playlist.source.text(in: $0.range) }
                == ["", "# low", "#EXT-X-PRIVATE:1"])
        var editor = PlaylistEditor(playlist)
        editor.remove(playlist.variants[0])
        #expect(
            text(editor.applied())
                == "\u{FEFF}#EXTM3U\n# made by\n#EXT-X-VERSION:4\n# high\n#EXT-X-STREAM-INF:BANDWIDTH=2\n"
                + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n\"\n w \n# end\n")
        editor.insert("#NEW\n", before: playlist.variants[0].line)
        editor.remove(playlist.variants[1])
        editor.remove(playlist.renditions[0])
        #expect(text(editor.applied()) == "\u{FEFF}#EXTM3U\n# made by\n#EXT-X-VERSION:4\n#NEW\n# end\n")
    }

    @Test func `nothing clings to a first line`() throws {
        let playlist = try multivariant("\u{FEFF}#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n")
        #expect(Array(playlist.lines(clingingTo: playlist.variants[0].line)).isEmpty)
        let commented = try multivariant("# a\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n")
        #expect(Array(commented.lines(clingingTo: commented.variants[0].line)).count == 1)
    }

    @Test func `groups are found by type and name, in order`() throws {
        let playlist = try multivariant(
            "#EXTM3U\n"
                + ["AUDIO,b,1", "AUDIO,a,2", "SUBTITLES,a,3", "AUDIO,b,4", "SMELL,b,5"].map { line in
                    let parts = line.split(separator: ",")
                    return "#EXT-X-MEDIA:TYPE=\(parts[0]),GROUP-ID=\"\(parts[1])\",NAME=\"\(parts[2])\"\n"
                }.joined())
        #expect(playlist.groups(.audio) == ["b", "a"])
        #expect(playlist.groups(.video).isEmpty)
        #expect(playlist.renditions(.audio, group: "b").map(\.name) == ["1", "4"])
        #expect(playlist.renditions(.subtitles, group: "a").map(\.name) == ["3"])
        #expect(playlist.renditions(.subtitles, group: "b").isEmpty)
        #expect(playlist.renditions[4].type == .unknown("SMELL"))
    }

    @Test func `a hundred thousand renditions in as many groups are looked up without rescanning`() throws {
        var source = "#EXTM3U\n"
        let count = 100_000
        for index in 0..<count {
            source += "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\(index)\",NAME=\"n\"\n"
        }
        let playlist = try multivariant(source)
        var found = 0
        for group in playlist.groups(.audio) { found += playlist.renditions(.audio, group: group).count }
        #expect(found == count)
    }

    @Test(arguments: [
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"none\"\nv\n", 1103, 2),
        ("#EXTM3U\n#EXT-X-STREAM-INF:PROGRAM-ID=1, BANDWIDTH=1\nv\n", 104, 2),
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a\nv\n", 105, 2),
        ("#EXTM3U\n#EXT-X-STREAM-INF:CODECS=\"a\"\nv\n", 1101, 2),
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n", 1101, 2),
        ("#EXTM3U\nw\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", 1101, 2),
        ("#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", 103, 1),
        ("\u{FEFF}#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", 102, 1),
        ("#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",DEFAULT=YES,AUTOSELECT=NO\n", 1102, 2),
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n#EXT-X-TARGETDURATION:6\n", 108, 4),
        ("#EXTM3U\n#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", 107, 2),
    ])
    func `an odd multivariant playlist is read, with a finding`(source: String, rule: Int, line: Int) throws {
        let playlist = try multivariant(source)
        #expect(playlist.lint().contains { $0.rule == rule && $0.line == line }, "\(playlist.lint())")
        #expect(text(playlist.serialized()) == source)
    }
}
