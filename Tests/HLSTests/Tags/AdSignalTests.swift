import Testing

@testable import HLS

/// Every form of the table of ad markers, restated, and what it signals.
@Suite struct AdSignalTests {
    static func markers(_ lines: String) throws -> [AdMarker] {
        try media("#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(lines)\n#EXTINF:6,\nb.ts\n").markers(ofSegmentAt: 0)
    }

    private static let section: [UInt8] = [0xFC, 0x30, 0x00]

    private static func signal(
        _ meaning: AdSignal.Meaning, _ duration: Duration? = nil, elapsed: Duration? = nil, id: String? = nil,
        section: [UInt8]? = nil
    ) -> AdSignal {
        AdSignal(meaning: meaning, plannedDuration: duration, elapsed: elapsed, id: id, scte35: section)
    }

    static let forms: [(line: String, signal: AdSignal)] = [
        ("#EXT-X-CUE-OUT:24.500", signal(.begins, .milliseconds(24_500))),
        ("#EXT-X-CUE-OUT:0", signal(.begins, .zero)),
        ("#EXT-X-CUE-OUT:DURATION=24", signal(.begins, .seconds(24))),
        ("#EXT-X-CUE-OUT:Duration=\"24\"", signal(.begins, .seconds(24))),
        ("#EXT-X-CUE-OUT:24.0,BreakID=9", signal(.begins, .seconds(24), id: "9")),
        ("#EXT-X-CUE-OUT", signal(.begins)),
        ("#EXT-X-CUE-OUT:DURATION=24,SCTE35=/DAA", signal(.begins, .seconds(24), section: section)),
        ("#EXT-X-CUE-OUT-CONT: 4.5/24", signal(.continues, .seconds(24), elapsed: .milliseconds(4_500))),
        (
            "#EXT-X-CUE-OUT-CONT:CAID=0x02,ElapsedTime=4.5,Duration=24,SCTE35=/DAA",
            signal(.continues, .seconds(24), elapsed: .milliseconds(4_500), id: "0x02", section: section)
        ),
        ("#EXT-X-CUE-SPAN:TIMEFROMSIGNAL=PT1M4.5S", signal(.continues, elapsed: .milliseconds(64_500))),
        ("#EXT-X-CUE-SPAN:timefromsignal=\"PT0S\"", signal(.continues, elapsed: .zero)),
        ("#EXT-X-CUE-IN", signal(.ends)),
        ("#EXT-X-CUE-IN:BreakID=9", signal(.ends, id: "9")),
        ("#EXT-OATCLS-SCTE35:/DAA", signal(.information, section: section)),
        ("#EXT-OATCLS-SCTE35: \u{201C}/D AA\u{201D}", signal(.information, section: section)),
        ("#EXT-X-ASSET:CAID=0x0A0B,GENRE=CV", signal(.information, id: "0x0A0B")),
        (
            "#EXT-X-CUE:TYPE=\"SpliceOut\",ID=\"8\",TIME=\"12.171\",DURATION=\"24.0\",AVAIL-NUM=\"2\"",
            signal(.begins, .seconds(24), id: "8")
        ),
        ("#EXT-X-CUE:TYPE=SpliceOut,ID=8,TIME=12.2,DURATION=24.0", signal(.begins, .seconds(24), id: "8")),
        ("#EXT-X-CUE:type=\"spliceout\", id=\"8\", duration=\"0\"", signal(.begins, id: "8")),
        ("#EXT-X-CUE:TYPE=\"SpliceIn\",ID=\"8\",TIME=\"36.171\"", signal(.ends, id: "8")),
        ("#EXT-X-CUE:TYPE=SpliceInsert,ID=3,TIME=90.0", signal(.point, id: "3")),
        ("#EXT-X-CUE:TYPE=Other,ID=3", signal(.information, id: "3")),
        ("#EXT-X-CUE-CONT:ID=8,AVAIL-DUR-ELAPSED=4.8", signal(.continues, elapsed: .milliseconds(4_800), id: "8")),
        (
            "#EXT-X-SCTE35:TYPE=0x34,ID=\"f7\",DURATION=24.06,CUE-OUT=YES,CUE=\"/DAA\"",
            signal(.begins, .milliseconds(24_060), id: "f7", section: section)
        ),
        (
            "#EXT-X-SCTE35:TYPE=52,ID=f7,CUE-OUT=CONT,ELAPSED=20.02,CUE=/DAA",
            signal(.continues, elapsed: .milliseconds(20_020), id: "f7", section: section)
        ),
        (
            "#EXT-X-SCTE35:CUE=\u{201D}/DAA\u{201D},CUE-IN=YES,ID=\u{201D}f7\u{201D}",
            signal(.ends, id: "f7", section: section)
        ),
        ("#EXT-X-SCTE35:TYPE=0x36,CUE=\"/DAA\"", signal(.information, section: section)),
        ("#EXT-X-SCTE35:CUE-OUT=NO,CUE-IN=NO,CUE=\"/DAA\"", signal(.information, section: section)),
        ("#EXT-SCTE35: CUE=\"/DAA\", ID=\"55\", TIME=9.5", signal(.information, id: "55", section: section)),
        ("#EXT-X-SPLICEPOINT-SCTE35:/DAA", signal(.information, section: section)),
        (
            "#EXT-X-DATERANGE:ID=\"6-1\",START-DATE=\"2026-01-01T00:00:00Z\",PLANNED-DURATION=24,SCTE35-OUT=0xFC3000",
            signal(.begins, .seconds(24), id: "6-1", section: section)
        ),
        (
            "#EXT-X-DATERANGE:ID=\"6-1\",DURATION=23.5,SCTE35-IN=\"0xFC3000\"",
            signal(.ends, .milliseconds(23_500), id: "6-1", section: section)
        ),
        (
            "#EXT-X-DATERANGE:ID=\"6-1\",START-DATE=\"2026-01-01T00:00:00Z\",END-DATE=\"2026-01-01T00:00:23.5Z\",SCTE35-IN=0xFC3000",
            signal(.ends, .milliseconds(23_500), id: "6-1", section: section)
        ),
        ("#EXT-X-DATERANGE:ID=\"6-2\",SCTE35-CMD=0xFC3000", signal(.information, id: "6-2", section: section)),
        (
            "#EXT-X-SIGNAL-EXIT:24,SpliceType=LiveDAI,SignalId=Zm9v,streamID=s2",
            signal(.begins, .seconds(24), id: "Zm9v")
        ),
        ("#EXT-X-SIGNAL-EXIT", signal(.begins)),
        (
            "#EXT-X-SIGNAL-SPAN:12.5/24,SignalId=Zm9v",
            signal(.continues, .seconds(24), elapsed: .milliseconds(12_500), id: "Zm9v")
        ),
        ("#EXT-X-SIGNAL-SPAN:12.5", signal(.continues, elapsed: .milliseconds(12_500))),
        ("#EXT-X-SIGNAL-RETURN", signal(.ends)),
        ("#EXT-X-PLACEMENT-OPPORTUNITY", signal(.point)),
        (
            "#EXT-X-DATERANGE:ID=\"stitched-ad-7\",CLASS=\"twitch-stitched-ad\",START-DATE=\"2026-01-01T00:00:00Z\",DURATION=24",
            signal(.information, .seconds(24), id: "stitched-ad-7")
        ),
        ("#EXT-X-AD-START", signal(.information)), ("#EXT-X-VMAP-AD-BREAK:x=y", signal(.information)),
        ("#EXT-X-CUEPOINT:ID=1", signal(.information)), ("#EXT-X-BLACKOUT:YES", signal(.information)),
        ("#EXT-X-MAMBA-AD-START:ELAPSED-TIME=1", signal(.information)),
    ]

    @Test(arguments: forms.indices)
    func `each form of the table gives its signal`(index: Int) throws {
        let form = Self.forms[index]
        let markers = try Self.markers(form.line)
        #expect(markers.map(\.signal) == [form.signal], "\(form.line)")
        #expect(markers.first.map { Self.text(of: $0, in: form.line) } == form.line)
    }

    private static func text(of marker: AdMarker, in line: String) -> String? {
        let playlist = try? media("#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(line)\n#EXTINF:6,\nb.ts\n")
        return playlist?.text(marker.line.range)
    }

    @Test func `a date range without SCTE-35 and without an ad is no marker`() throws {
        #expect(try Self.markers("#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.example.score\"").isEmpty)
    }

    @Test func `one already stitched is told apart from those that open a break`() throws {
        guard
            case .stitchedAd(let range)? = try Self.markers("#EXT-X-DATERANGE:ID=\"q\",CLASS=\"Other-Stitched-Ad\"")
                .first
        else {
            Issue.record("no stitched ad")
            return
        }
        #expect(range.id == "q")
    }

    @Test func `a number that no clock has is no length`() throws {
        for line in ["#EXT-X-CUE-OUT:99999999999999999999", "#EXT-X-SCTE35:CUE-OUT=YES,DURATION=-1"] {
            #expect(try Self.markers(line).map(\.signal) == [Self.signal(.begins)])
        }
    }
}
