import Testing

@testable import HLS

@Suite struct AdMarkerTests {
    private func markers(_ lines: String...) throws -> [AdMarker] {
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n"
        let playlist = try media(head + lines.joined(separator: "\n") + "\n#EXTINF:6,\nb.ts\n")
        #expect(playlist.markers(ofSegmentAt: 0).isEmpty)
        return playlist.markers(ofSegmentAt: 1)
    }

    private func cueOut(_ line: String) throws -> CueOut? {
        guard case .cueOut(let cue)? = try markers(line).first else { return nil }
        return cue
    }

    private func continued(_ line: String) throws -> CueOutContinued? {
        switch try markers(line).first {
        case .cueOutContinued(let cue), .cueSpan(let cue): cue
        default: nil
        }
    }

    @Test(arguments: [
        "#EXT-X-CUE-OUT:60", "#EXT-X-CUE-OUT:\"60\"", "#EXT-X-CUE-OUT:DURATION=60", "#EXT-X-CUE-OUT:DURATION=\"60\"",
        "#EXT-X-CUE-OUT:60.000", "#EXT-X-CUE-OUT: 60", "#EXT-X-CUE-OUT:Duration=60.0", "#EXT-X-CUE-OUT:duration=\"60\"",
        "#EXT-X-CUE-OUT:60.0,BreakID=7", "#EXT-X-CUE-OUT:DURATION=60,BREAKID=\"7\"", "#EXT-X-CUE-OUT: DURATION = 60 ",
        "#EXT-X-CUE-OUT:BreakID=7,DURATION=60", "#EXT-X-CUE-OUT:PT1M", "  #EXT-X-CUE-OUT:60\t",
        "#EXT-X-CUE-OUT:\"60\",X=1",
    ])
    func `all spellings of CUE-OUT give the same duration (R20, R21)`(line: String) throws {
        #expect(try cueOut(line)?.duration == .seconds(60))
    }

    @Test func `a fraction is exact and further pairs are kept (R21)`() throws {
        #expect(try cueOut("#EXT-X-CUE-OUT:DURATION=11.52")?.duration == .milliseconds(11_520))
        let cue = try #require(try cueOut("#EXT-X-CUE-OUT:30.0,BreakID=7,Name=\"a, b\""))
        #expect(cue.attributes["breakid"] == "7")
        #expect(cue.attributes["NAME"] == "a, b")
        #expect(cue.attributes["none"] == nil)
    }

    @Test func `zero is a length, and blanks do not hide it (R26)`() throws {
        #expect(try cueOut("#EXT-X-CUE-OUT: 0")?.duration == .zero)
        #expect(try cueOut("#EXT-X-CUE-OUT:0")?.duration == .zero)
        #expect(try cueOut("#EXT-X-CUE-OUT:DURATION=0")?.duration == .zero)
    }

    @Test(arguments: ["#EXT-X-CUE-OUT", "#EXT-X-CUE-OUT:", "#EXT-X-CUE-OUT: ", "#EXT-X-CUE-OUT:x", "#EXT-X-CUE-OUT:-5"])
    func `a CUE-OUT without a readable length has none`(line: String) throws {
        let cue = try #require(try cueOut(line))
        #expect(cue.duration == nil)
    }

    @Test(arguments: [
        ("#EXT-X-CUE-OUT-CONT:10/30", 10_000, 30_000), ("#EXT-X-CUE-OUT-CONT: 8.308/30", 8_308, 30_000),
        ("#EXT-X-CUE-OUT-CONT:8.308 / 30", 8_308, 30_000), ("#EXT-X-CUE-OUT-CONT:\"10/30\"", 10_000, 30_000),
        ("#EXT-X-CUE-OUT-CONT:ElapsedTime=5.939,Duration=201.467,SCTE35=/DA0AAAA==", 5_939, 201_467),
        ("#EXT-X-CUE-OUT-CONT:CAID=0x01,Duration=30,ElapsedTime=10", 10_000, 30_000),
        ("#EXT-X-CUE-OUT-CONT:elapsedtime=\"10\", DURATION=\"30\"", 10_000, 30_000),
        ("#EXT-X-CUE-OUT-CONT:10/30,BreakID=7", 10_000, 30_000),
    ])
    func `CUE-OUT-CONT tells elapsed and whole time in every spelling (R25)`(line: String, elapsed: Int, whole: Int)
        throws
    {
        let cue = try #require(try continued(line))
        #expect(cue.elapsed == .milliseconds(elapsed))
        #expect(cue.duration == .milliseconds(whole))
        #expect(cue.remaining == .milliseconds(whole - elapsed))
    }

    @Test func `CUE-OUT-CONT with less is still a continuation (R25)`() throws {
        let bare = try #require(try continued("#EXT-X-CUE-OUT-CONT"))
        #expect(bare.elapsed == nil && bare.duration == nil && bare.remaining == nil)
        let whole = try #require(try continued("#EXT-X-CUE-OUT-CONT:Duration=30"))
        #expect(whole.elapsed == nil && whole.duration == .seconds(30))
        let elapsed = try #require(try continued("#EXT-X-CUE-OUT-CONT:ElapsedTime=5.0,SCTE35=/DAnAA=="))
        #expect(elapsed.elapsed == .seconds(5) && elapsed.duration == nil)
        #expect(elapsed.attributes["SCTE35"] == "/DAnAA==")
        #expect(try continued("#EXT-X-CUE-OUT-CONT:/30")?.duration == .seconds(30))
        #expect(try continued("#EXT-X-CUE-OUT-CONT:12")?.elapsed == .seconds(12))
        #expect(try continued("#EXT-X-CUE-OUT-CONT:40/30")?.remaining == .zero)
        #expect(try continued("#EXT-X-CUE-SPAN:TIMEFROMSIGNAL=PT10S")?.elapsed == .seconds(10))
    }

    @Test func `a decorated segment gives each of its markers, in order (R28)`() throws {
        let found = try markers(
            "#EXT-OATCLS-SCTE35:/DAlAAAAAAAAAP/wFAUAAAABf+/+ANgNkv4AFJlwAAEBAQAA5xULLA==",
            "#EXT-X-ASSET:CAID=0x0000000020FB6501,GENRE=CV%20a",
            "#EXT-X-CUE-OUT:30.000", "#EXT-X-CUE-OUT:DURATION=30",
            "#EXT-X-SCTE35:TYPE=0x34,CUE-OUT=YES,CUE=\u{201D}/DA=\u{201D}",
            "#EXT-X-CUE:TYPE=\"SpliceOut\",ID=\"7\",DURATION=\"30.0\"",
            "#EXT-X-DATERANGE:ID=\"a\",SCTE35-OUT=0xFC30", "#EXT-X-DATERANGE:ID=\"b\",CLASS=\"c\"",
            "#EXT-X-SIGNAL-EXIT:60,SpliceType=LiveDAI", "#EXT-X-SPLICEPOINT-SCTE35:/DAvAAAA", "#EXT-X-AD-START")
        guard found.count == 10 else {
            Issue.record("\(found.count) markers")
            return
        }
        guard case .oatclsSCTE35(let raw) = found[0], case .asset(let asset) = found[1],
            case .cueOut(let one) = found[2],
            case .cueOut(let two) = found[3], case .scte35(let scte) = found[4], case .primetimeCue(let cue) = found[5],
            case .dateRange(let range) = found[6], case .signalExit(let exit) = found[7],
            case .splicePointSCTE35 = found[8], case .other = found[9]
        else {
            Issue.record("kinds")
            return
        }
        #expect(raw.text == "/DAlAAAAAAAAAP/wFAUAAAABf+/+ANgNkv4AFJlwAAEBAQAA5xULLA==")
        #expect(raw.section?.count == 40)
        #expect(asset.attributes["CAID"] == "0x0000000020FB6501")
        #expect(asset.attributes["GENRE"] == "CV%20a")
        #expect(asset["genre"] == "CV a")
        #expect(one.duration == two.duration)
        #expect(scte.attributes["CUE"] == "/DA=")
        #expect(cue.attributes["ID"] == "7")
        #expect(range.scte35Out == [0xFC, 0x30])
        #expect(exit.duration == .seconds(60))
        #expect(exit.signalID == nil)
    }

    @Test func `cue lines keep kind, value and place (R23)`() throws {
        let source = """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-CUE-OUT:12
            #EXTINF:6,
            a.ts
            #EXT-X-CUE-OUT-CONT:6/12
            #EXTINF:6,
            b.ts
            #EXTINF:6,
            #EXT-X-CUE-IN
            c.ts

            """
        let playlist = try media(source)
        #expect(text(playlist.serialized()) == source)
        guard case .cueOut? = playlist.markers(ofSegmentAt: 0).first,
            case .cueOutContinued? = playlist.markers(ofSegmentAt: 1).first,
            case .cueIn(let cue)? = playlist.markers(ofSegmentAt: 2).first
        else {
            Issue.record("kinds")
            return
        }
        #expect(playlist.text(cue.line.range) == "#EXT-X-CUE-IN")
        #expect(playlist.markers(ofSegmentAt: 3).isEmpty)
    }

    @Test func `a cue pair before ENDLIST is found after the last segment (R26)`() throws {
        let playlist = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXT-X-CUE-OUT: 0\n#EXT-X-CUE-IN\n#EXT-X-ENDLIST\n")
        guard case .cueOut(let cue)? = playlist.trailerMarkers.first, case .cueIn? = playlist.trailerMarkers.last else {
            Issue.record("kinds")
            return
        }
        #expect(cue.duration == .zero)
    }
}
