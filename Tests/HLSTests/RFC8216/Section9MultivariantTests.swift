import Testing

@testable import HLS

/// The multivariant playlists of RFC 8216bis §9 (RFC 8216 §8), with the same structure and numbers, but names of our own.
@Suite struct Section9MultivariantTests {
    @Test func `9.4: a multivariant playlist`() throws {
        let playlist = try multivariant(
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=1280000,AVERAGE-BANDWIDTH=1000000
            http://host.test/small.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2560000,AVERAGE-BANDWIDTH=2000000
            http://host.test/middle.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=7680000,AVERAGE-BANDWIDTH=6000000
            http://host.test/large.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=65000,CODECS="mp4a.40.5"
            http://host.test/sound.m3u8

            """)
        #expect(playlist.variants.map(\.bandwidth) == [1_280_000, 2_560_000, 7_680_000, 65_000])
        #expect(playlist.variants.map(\.averageBandwidth) == [1_000_000, 2_000_000, 6_000_000, nil])
        #expect(playlist.variants.map(\.codecList) == [[], [], [], ["mp4a.40.5"]])
        #expect(
            playlist.variants.map(\.uri) == ["small", "middle", "large", "sound"].map { "http://host.test/\($0).m3u8" })
        #expect(playlist.renditions.isEmpty)
        #expect(playlist.version == 1)
    }

    @Test func `9.5: a multivariant playlist with I-frames`() throws {
        let playlist = try multivariant(
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=1280000
            s/av.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=86000,URI="s/iframes.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=2560000
            m/av.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=150000,URI="m/iframes.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=7680000
            l/av.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=550000,URI="l/iframes.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=65000,CODECS="mp4a.40.5"
            sound.m3u8

            """)
        #expect(playlist.variants.map(\.uri) == ["s/av.m3u8", "m/av.m3u8", "l/av.m3u8", "sound.m3u8"])
        #expect(playlist.iFrameVariants.map(\.bandwidth) == [86_000, 150_000, 550_000])
        #expect(playlist.iFrameVariants.map(\.uri) == ["s/iframes.m3u8", "m/iframes.m3u8", "l/iframes.m3u8"])
        // An I-frame variant's URI is in the tag: the line after it is no URI of its own.
        #expect(playlist.iFrameVariants.allSatisfy { $0.uriLine == nil })
        #expect(playlist.uris.count == 7)
    }

    @Test func `9.6: a multivariant playlist with alternative audio`() throws {
        let playlist = try multivariant(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",DEFAULT=YES,AUTOSELECT=YES,LANGUAGE="en",URI="main/en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Deutsch",DEFAULT=NO,AUTOSELECT=YES,LANGUAGE="de",URI="main/de.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Director",DEFAULT=NO,AUTOSELECT=NO,LANGUAGE="en",URI="talk/en.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1280000,CODECS="avc1.42e00a,mp4a.40.2",AUDIO="aac"
            s/v.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2560000,CODECS="avc1.42e00a,mp4a.40.2",AUDIO="aac"
            m/v.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=7680000,CODECS="avc1.42e00a,mp4a.40.2",AUDIO="aac"
            l/v.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=65000,CODECS="mp4a.40.5",AUDIO="aac"
            main/en.m3u8

            """)
        let group = playlist.renditions(.audio, group: "aac")
        #expect(group.map(\.name) == ["English", "Deutsch", "Director"])
        #expect(group.map(\.language) == ["en", "de", "en"])
        #expect(group.map(\.isDefault) == [true, false, false])
        #expect(group.map(\.isAutoselect) == [true, true, false])
        #expect(group.map(\.uri) == ["main/en.m3u8", "main/de.m3u8", "talk/en.m3u8"])
        #expect(playlist.variants.allSatisfy { $0.audioGroup == "aac" && $0.group(.audio) == "aac" })
        #expect(!playlist.lint().contains { $0.severity == .error })
    }

    @Test func `9.7: a multivariant playlist with alternative video`() throws {
        var source = "#EXTM3U\n"
        for (group, bandwidth) in [("s", 1_280_000), ("m", 2_560_000), ("l", 7_680_000)] {
            for (name, isDefault) in [("Main", "YES"), ("Middle field", "NO"), ("Bench", "NO")] {
                source +=
                    "#EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID=\"\(group)\",NAME=\"\(name)\",DEFAULT=\(isDefault),URI=\"\(group)/\(name.prefix(3)).m3u8\"\n"
            }
            source +=
                "\n#EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth),CODECS=\"avc1.42e00a\",VIDEO=\"\(group)\"\n\(group)/Mai.m3u8\n\n"
        }
        let playlist = try multivariant(source)
        #expect(playlist.groups(.video) == ["s", "m", "l"])
        for variant in playlist.variants {
            let group = playlist.renditions(.video, group: try #require(variant.videoGroup))
            #expect(group.map(\.name) == ["Main", "Middle field", "Bench"])
            // The variant's own URI is that of its default rendition.
            #expect(group.first { $0.isDefault }?.uri == variant.uri)
        }
        #expect(playlist.renditions(.audio, group: "s").isEmpty)
    }

    @Test func `9.8: session data in a multivariant playlist`() throws {
        let playlist = try multivariant(
            """
            #EXTM3U
            #EXT-X-SESSION-DATA:DATA-ID="org.example.words",URI="words.json"

            #EXT-X-SESSION-DATA:DATA-ID="org.example.title",LANGUAGE="en",VALUE="A title"
            #EXT-X-SESSION-DATA:DATA-ID="org.example.title",LANGUAGE="es",VALUE="Un título"
            #EXT-X-STREAM-INF:BANDWIDTH=1
            v.m3u8

            """)
        let data = playlist.sessionData
        #expect(data.map(\.dataID) == ["org.example.words", "org.example.title", "org.example.title"])
        #expect(data.map(\.uri) == ["words.json", nil, nil])
        #expect(data.map(\.value) == [nil, "A title", "Un título"])
        #expect(data.map(\.language) == [nil, "en", "es"])
        #expect(data[0].format == .known(.json))
    }

    @Test func `9.9: CHARACTERISTICS with several of them`() throws {
        let playlist = try multivariant(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="n",URI="s.m3u8",\
            CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.easy-to-read"
            #EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="s"
            v.m3u8

            """)
        #expect(
            playlist.renditions[0].characteristics
                == ["public.accessibility.transcribes-spoken-dialog", "public.easy-to-read"])
    }

    static let steering = """
        #EXTM3U
        #EXT-X-CONTENT-STEERING:SERVER-URI="/steer?video=00012",PATHWAY-ID="NET-A"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="A",NAME="English",DEFAULT=YES,URI="en.m3u8",LANGUAGE="en",STABLE-RENDITION-ID="Audio-37262"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="B",NAME="English",DEFAULT=YES,URI="https://b.test/v/12/en.m3u8",LANGUAGE="en",\
        STABLE-RENDITION-ID="Audio-37262"
        #EXT-X-STREAM-INF:BANDWIDTH=1280000,AUDIO="A",PATHWAY-ID="NET-A",STABLE-VARIANT-ID="Video-128"
        128/v.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=7680000,AUDIO="A",PATHWAY-ID="NET-A",STABLE-VARIANT-ID="Video-768"
        768/v.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=1280000,AUDIO="B",PATHWAY-ID="NET-B",STABLE-VARIANT-ID="Video-128"
        https://reserve.test/v/12/128/v.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=7680000,AUDIO="B",PATHWAY-ID="NET-B",STABLE-VARIANT-ID="Video-768"
        https://reserve.test/v/12/768/v.m3u8

        """

    @Test func `9.12: content steering, the playlist`() throws {
        let playlist = try multivariant(Self.steering)
        #expect(playlist.contentSteering?.serverURI == "/steer?video=00012")
        #expect(playlist.contentSteering?.pathwayID == "NET-A")
        #expect(playlist.variants.map(\.pathwayID) == ["NET-A", "NET-A", "NET-B", "NET-B"])
        // What is one variant on either pathway has one stable name, and so has what is one rendition.
        #expect(playlist.variants.map(\.stableVariantID) == ["Video-128", "Video-768", "Video-128", "Video-768"])
        #expect(playlist.renditions.map(\.stableRenditionID) == ["Audio-37262", "Audio-37262"])
        let resolved = text(playlist.resolvingURIs(against: BaseURI("https://host.test/v/12/mv.m3u8")))
        #expect(resolved.contains("SERVER-URI=\"https://host.test/steer?video=00012\""))
        #expect(resolved.contains("\nhttps://host.test/v/12/128/v.m3u8\n"))
        #expect(resolved.contains("URI=\"https://b.test/v/12/en.m3u8\""))
    }

    @Test func `9.13: a pathway clone's URIs can be put in place of its base's`() throws {
        let playlist = try multivariant(Self.steering)
        let base = BaseURI("https://host.test/v/12/mv.m3u8")
        // By variant where the clone says so, else by another host and a parameter more.
        let clone = playlist.rewritten { uri, spelled in
            guard uri.kind == .uri || uri.kind == .media else { return nil }
            let absolute = base.resolve(spelled)
            guard absolute.hasPrefix("https://host.test/") else { return nil }
            if uri.kind == .media { return "https://pr.test/v/12/en.m3u8?a=1" }
            if spelled.hasPrefix("768") { return "https://pv.test/v/12/768/v.m3u8" }
            return absolute.replacing("host.test", with: "b2.test") + "?token=dkfs1239414"
        }
        let cloned = try MultivariantPlaylist(parsing: clone)
        #expect(
            cloned.variants.prefix(2).map(\.uri)
                == ["https://b2.test/v/12/128/v.m3u8?token=dkfs1239414", "https://pv.test/v/12/768/v.m3u8"])
        #expect(cloned.renditions[0].uri == "https://pr.test/v/12/en.m3u8?a=1")
        #expect(cloned.variants.dropFirst(2).map(\.uri) == playlist.variants.dropFirst(2).map(\.uri))
    }
}
