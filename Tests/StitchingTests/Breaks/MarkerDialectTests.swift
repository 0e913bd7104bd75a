import HLS
import SCTE35
import Testing

@testable import Stitching

/// How a dialect marks a break of 18 s over three segments of 6 s.
struct Dialect: CustomTestStringConvertible, Sendable {
    var name: String
    var out: [String]
    var inside: @Sendable (Int) -> [String] = { _ in [] }
    var back: [String]
    /// The out marker names the length.
    var hasLength = true

    var testDescription: String { name }

    /// Lines before segments 10 to 16: out at 11, back at 14.
    var segments: [[String]] { [[], out, inside(6), inside(12), back, [], []] }

    static let out = TestSplice.out(7, seconds: 18)
    static let openOut = TestSplice.out(7)
    static let back = TestSplice.back(7)
    static let signalOut = TestSplice.signal(.init(type: 0x34, event: 9, seconds: 18))
    static let signalBack = TestSplice.signal(.init(type: 0x35, event: 9))
    private static let date = "START-DATE=\"2026-01-01T00:00:06.000Z\""

    /// All rows of the table of markers.
    static let all: [Dialect] = [
        Dialect(name: "CUE-OUT", out: ["#EXT-X-CUE-OUT:18.000"], back: ["#EXT-X-CUE-IN"]),
        Dialect(name: "CUE-OUT DURATION", out: ["#EXT-X-CUE-OUT:DURATION=18"], back: ["#EXT-X-CUE-IN"]),
        Dialect(name: "CUE-OUT pairs", out: ["#EXT-X-CUE-OUT:18.0,BreakID=7"], back: ["#EXT-X-CUE-IN"]),
        Dialect(name: "CUE-OUT alone", out: ["#EXT-X-CUE-OUT"], back: ["#EXT-X-CUE-IN"], hasLength: false),
        Dialect(
            name: "CUE-OUT-CONT slash", out: ["#EXT-X-CUE-OUT:18.000"],
            inside: { ["#EXT-X-CUE-OUT-CONT: \($0).000/18"] },
            back: ["#EXT-X-CUE-IN"]),
        Dialect(
            name: "CUE-OUT-CONT pairs", out: ["#EXT-X-CUE-OUT"],
            inside: { ["#EXT-X-CUE-OUT-CONT:CAID=0x01,ElapsedTime=\($0).0,Duration=18.0,SCTE35=\(out.base64)"] },
            back: ["#EXT-X-CUE-IN"]),
        Dialect(
            name: "CUE-SPAN", out: ["#EXT-X-CUE-OUT:18"], inside: { ["#EXT-X-CUE-SPAN:TIMEFROMSIGNAL=PT\($0)S"] },
            back: ["#EXT-X-CUE-IN"]),
        Dialect(
            name: "OATCLS and ASSET",
            out: [
                "#EXT-OATCLS-SCTE35:\(out.base64)", "#EXT-X-ASSET:CAID=0x0000000020FB6501", "#EXT-X-CUE-OUT:18.000",
            ], back: ["#EXT-OATCLS-SCTE35:\(back.base64)", "#EXT-X-CUE-IN"]),
        Dialect(
            name: "OATCLS alone", out: ["#EXT-OATCLS-SCTE35:\(out.base64)"],
            back: ["#EXT-OATCLS-SCTE35:\(back.base64)"]),
        Dialect(
            name: "Primetime", out: ["#EXT-X-CUE:TYPE=\"SpliceOut\",ID=\"7\",TIME=\"414.171\",DURATION=\"18.0\""],
            back: []),
        Dialect(
            name: "Primetime unquoted",
            out: ["#EXT-X-CUE:TYPE=SpliceOut,ID=1,TIME=266.2,DURATION=18.0"],
            inside: { ["#EXT-X-CUE-CONT:ID=1,AVAIL-DUR-ELAPSED=\($0).0"] }, back: []),
        Dialect(
            name: "Primetime in and out", out: ["#EXT-X-CUE:TYPE=\"SpliceOut\",ID=\"7\",DURATION=\"0\""],
            back: ["#EXT-X-CUE:TYPE=\"SpliceIn\",ID=\"7\""], hasLength: false),
        Dialect(
            name: "SCTE35",
            out: ["#EXT-X-SCTE35:TYPE=0x34,ID=\"f6\",DURATION=18,CUE-OUT=YES,CUE=\"\(signalOut.base64)\""],
            inside: { ["#EXT-X-SCTE35:TYPE=0x34,ID=\"f6\",CUE-OUT=CONT,ELAPSED=\($0)"] },
            back: ["#EXT-X-SCTE35:TYPE=0x35,ID=\"f6\",CUE-IN=YES,CUE=\"\(signalBack.base64)\""]),
        Dialect(
            name: "SCTE35 bare", out: ["#EXT-X-SCTE35:TYPE=52,CUE=\(signalOut.base64),CUE-OUT=YES"],
            back: ["#EXT-X-SCTE35:CUE=\(signalBack.base64),CUE-IN=YES"]),
        Dialect(
            name: "legacy SCTE35", out: ["#EXT-SCTE35: CUE=\"\(signalOut.base64)\", ID=\"123\", TIME=123.12"],
            back: ["#EXT-SCTE35: CUE=\"\(signalBack.base64)\", ID=\"123\", TIME=141.12"]),
        Dialect(
            name: "SPLICEPOINT", out: ["#EXT-X-SPLICEPOINT-SCTE35:\(signalOut.base64)"],
            back: ["#EXT-X-SPLICEPOINT-SCTE35:\(signalBack.base64)"]),
        Dialect(
            name: "several SPLICEPOINT",
            out: [
                "#EXT-X-SPLICEPOINT-SCTE35:\(TestSplice.signal(.init(type: 0x22, event: 8)).base64)",
                "#EXT-X-SPLICEPOINT-SCTE35:\(signalOut.base64)",
                "#EXT-X-SPLICEPOINT-SCTE35:\(TestSplice.signal(.init(type: 0x36, event: 10, seconds: 6)).base64)",
            ], back: ["#EXT-X-SPLICEPOINT-SCTE35:\(TestSplice.signal(.init(type: 0x23, event: 8)).base64)"]),
        Dialect(
            name: "DATERANGE",
            out: ["#EXT-X-DATERANGE:ID=\"5\",\(date),PLANNED-DURATION=18,SCTE35-OUT=\(out.hexadecimal)"],
            back: ["#EXT-X-DATERANGE:ID=\"5\",\(date),DURATION=18.0,SCTE35-IN=\(back.hexadecimal)"]),
        Dialect(
            name: "DATERANGE quoted, with CUE-OUT and a comment",
            out: [
                "#EXT-X-DATERANGE:ID=\"5-1718\",\(date),PLANNED-DURATION=18,SCTE35-OUT=\"\(out.hexadecimal)\"",
                "## splice_insert(auto_return)", "#EXT-X-CUE-OUT:18",
            ], back: ["#EXT-X-CUE-IN"]),
        Dialect(
            name: "DATERANGE command",
            out: ["#EXT-X-DATERANGE:ID=\"5\",\(date),SCTE35-CMD=\(signalOut.hexadecimal)"],
            back: [
                "#EXT-X-DATERANGE:ID=\"6\",START-DATE=\"2026-01-01T00:00:24.000Z\",SCTE35-CMD=\(signalBack.hexadecimal)"
            ]),
        Dialect(
            name: "SIGNAL", out: ["#EXT-X-SIGNAL-EXIT:18,SpliceType=LiveDAI,SignalId=Zm9v,streamID=s1"],
            inside: { ["#EXT-X-SIGNAL-SPAN:\($0).0/18,SignalId=Zm9v"] }, back: ["#EXT-X-SIGNAL-RETURN"]),
        Dialect(
            name: "all at once",
            out: [
                "#EXT-OATCLS-SCTE35:\(out.base64)", "#EXT-X-ASSET:CAID=0x01", "#EXT-X-CUE-OUT:18",
                "#EXT-X-CUE:TYPE=\"SpliceOut\",ID=\"7\",DURATION=\"18\"",
                "#EXT-X-SCTE35:CUE=\"\(out.base64)\",CUE-OUT=YES",
                "#EXT-X-DATERANGE:ID=\"5\",\(date),PLANNED-DURATION=18,SCTE35-OUT=\(out.hexadecimal)",
                "#EXT-X-SIGNAL-EXIT:18",
            ], inside: { ["#EXT-X-CUE-OUT-CONT:\($0)/18"] },
            back: [
                "#EXT-X-DATERANGE:ID=\"5\",\(date),DURATION=18.0,SCTE35-IN=\(back.hexadecimal)", "#EXT-X-CUE-IN",
                "#EXT-X-SCTE35:CUE=\"\(back.base64)\",CUE-IN=YES",
            ]),
    ]
}

/// Section 3 of the rules: every marker there is.
struct MarkerDialectTests {
    static func breaks(
        _ segments: [[String]], kind: BreakLedger.Kind = .live, header: [String] = [], trailer: String = "",
        settings: (inout BreakLedger.Settings) -> Void = { _ in }
    ) throws -> [ContentBreak] {
        var bench = try Workbench(kind, change: settings)
        try bench.observe(TestContent.playlist(first: 10, header: header, segments) + trailer)
        return bench.ledger.breaks
    }

    private static let returnTime = DateTime("2026-01-01T00:00:24.000Z")

    @Test(arguments: Dialect.all)
    func `every dialect marks one break, from its first segment to its return`(dialect: Dialect) throws {
        let found = try Self.breaks(dialect.segments)
        #expect(found.count == 1)
        #expect(found.first?.startNumber == 11)
        #expect(found.first?.isInsertion == false)
        #expect(found.first?.end?.time == Self.returnTime)
        if dialect.hasLength { #expect(found.first?.plannedDuration == .seconds(18)) }
    }

    @Test(arguments: Dialect.all)
    func `a dialect says the same whether its playlist is seen at once or segment by segment`(dialect: Dialect) throws {
        var bench = try Workbench(.live)
        for count in 1...dialect.segments.count {
            try bench.observe(TestContent.playlist(first: 10, Array(dialect.segments.prefix(count))))
        }
        let grown = bench.ledger.breaks
        let whole = try Self.breaks(dialect.segments)
        #expect(grown.map(\.id) == whole.map(\.id))
        #expect(grown.map(\.startNumber) == whole.map(\.startNumber))
        #expect(grown.map(\.end?.time) == whole.map(\.end?.time))
    }

    @Test(arguments: Dialect.all)
    func `an early return ends the break of every dialect that has a return`(dialect: Dialect) throws {
        guard !dialect.back.isEmpty else { return }
        // A date range's end lies at its date, wherever it is printed.
        let back = dialect.back.map {
            $0.replacing("DURATION=18.0", with: "DURATION=6.0").replacing(":24.000Z", with: ":12.000Z")
        }
        let found = try Self.breaks([[], dialect.out, back, [], []])
        #expect(found.count == 1)
        #expect(found.first?.end?.time == DateTime("2026-01-01T00:00:12Z"))
    }

    @Test(arguments: [
        ("#EXT-X-CUE-OUT-CONT:6/18", 12), ("#EXT-X-CUE-SPAN:TIMEFROMSIGNAL=PT6S", 114),
        ("#EXT-X-CUE-OUT-CONT:ElapsedTime=6,SCTE35=\(Dialect.out.base64)", 12),
        ("#EXT-X-SCTE35:TYPE=0x34,DURATION=18,CUE-OUT=CONT,ELAPSED=6,CUE=\"\(Dialect.signalOut.base64)\"", 12),
        ("#EXT-X-CUE-CONT:ID=1,AVAIL-DUR-ELAPSED=6,AVAIL-DURATION=18", 12), ("#EXT-X-SIGNAL-SPAN:6/18", 12),
        (
            "#EXT-X-DATERANGE:ID=\"5\",START-DATE=\"2025-12-31T23:59:54Z\",PLANNED-DURATION=18,SCTE35-OUT="
                + Dialect.out.hexadecimal, 12
        ),
    ])
    func `a window that begins inside a break knows what is left of it`(line: String, left: Int) throws {
        let found = try Self.breaks([[line], [], [], []])
        #expect(found.count == 1)
        #expect(found.first?.startNumber == nil)
        let start = try #require(DateTime("2026-01-01T00:00:00Z"))
        #expect(found.first.map { start.duration(to: $0.plannedEnd) } == .seconds(left))
    }

    @Test(arguments: ["#EXT-X-PLACEMENT-OPPORTUNITY", "#EXT-X-CUE:TYPE=SpliceInsert,ID=1,TIME=6.0"])
    func `a point inserts into a title and is nothing for a live stream`(line: String) throws {
        let title = try Self.breaks([[], [line], []], kind: .vod, trailer: "\(line)\n#EXT-X-ENDLIST\n")
        #expect(title.map(\.startNumber) == [11, 13])
        #expect(title.map(\.isInsertion) == [true, true])
        var bench = try Workbench(.live)
        try bench.observe(TestContent.playlist(first: 10, [[], []]))
        _ = bench.pending()
        try bench.observe(TestContent.playlist(first: 10, [[], [], [line], []]))
        #expect(bench.pending().isEmpty)
        #expect(bench.notes.map { $0.split(separator: " ").last.map(String.init) } == ["insertion_into_live"])
    }

    @Test func `EXT-X-SCTE35 without CUE-OUT and CUE-IN only informs`() throws {
        let inner = TestSplice.signal(.init(type: 0x36, event: 5, seconds: 6))
        let innerEnd = TestSplice.signal(.init(type: 0x35, event: 9))
        #expect(try Self.breaks([[], ["#EXT-X-SCTE35:TYPE=0x36,CUE=\"\(inner.base64)\""], []]).isEmpty)
        let found = try Self.breaks([
            [], Dialect.all[12].out, ["#EXT-X-SCTE35:CUE=\"\(innerEnd.base64)\""], [], [], [],
        ])
        #expect(found.map(\.end?.time) == [Self.returnTime])
    }

    @Test func `a message with a wrong CRC is refused, and the text beside it stands`() throws {
        let broken = TestSplice.out(7, seconds: 60).broken
        #expect(try Self.breaks([[], ["#EXT-OATCLS-SCTE35:\(broken)"], []]).isEmpty)
        #expect(try Self.breaks([[], ["#EXT-X-SPLICEPOINT-SCTE35:\(broken)"], []]).isEmpty)
        let found = try Self.breaks([[], ["#EXT-OATCLS-SCTE35:\(broken)", "#EXT-X-CUE-OUT"], ["#EXT-X-CUE-IN"]])
        #expect(found.map(\.startNumber) == [11])
        #expect(found.first?.plannedDuration == nil)
        #expect(found.first?.splice == [:])
        let tagged = try Self.breaks([[], ["#EXT-X-SCTE35:TYPE=0x34,CUE=\"\(broken)\",DURATION=12,CUE-OUT=YES"], []])
        #expect(tagged.map(\.plannedDuration) == [.seconds(12)])
        #expect(tagged.first?.splice["segmentation_type_id"] == "52")
    }

    @Test func `the length is that of CUE-OUT, else of the message, else of the date range`() throws {
        let range =
            "#EXT-X-DATERANGE:ID=\"5\",START-DATE=\"2026-01-01T00:00:06Z\",PLANNED-DURATION=24,SCTE35-OUT="
        let message = TestSplice.out(7, seconds: 30)
        let silent = TestSplice.out(7)
        func length(_ lines: String...) throws -> Duration? { try Self.breaks([[], lines, []]).first?.plannedDuration }
        #expect(try length(range + message.hexadecimal, "#EXT-X-CUE-OUT:12") == .seconds(12))
        #expect(try length(range + message.hexadecimal, "#EXT-X-CUE-OUT") == .seconds(30))
        #expect(try length(range + silent.hexadecimal) == .seconds(24))
        #expect(try length("#EXT-OATCLS-SCTE35:\(message.base64)", "#EXT-X-CUE-OUT") == .seconds(30))
    }

    @Test func `a length of zero inserts with its return at once, else it is not known`() throws {
        let live = try Self.breaks([[], ["#EXT-X-CUE-OUT:0"], [], ["#EXT-X-CUE-IN"]])
        #expect(live.map(\.isInsertion) == [false])
        #expect(live.first?.plannedDuration == nil)
        #expect(live.first?.end?.number == 13)
        let empty = try Self.breaks([[], ["#EXT-X-CUE-OUT:0", "#EXT-X-CUE-IN"], []])
        #expect(empty.map(\.isInsertion) == [true])
    }

    @Test func `where another stitcher has put in ads no break begins`() throws {
        let stitched =
            "#EXT-X-DATERANGE:ID=\"s-ad-1\",CLASS=\"twitch-stitched-ad\",START-DATE=\"2026-01-01T00:00:06Z\",DURATION=18"
        #expect(try Self.breaks([[], [stitched, "#EXT-X-CUE-OUT:18"], [], [], ["#EXT-X-CUE-IN"]]).isEmpty)
        #expect(try Self.breaks([[], [stitched], ["#EXT-X-CUE-OUT-CONT:6/18"], [], []]).isEmpty)
        let later = try Self.breaks([[], [stitched, "#EXT-X-CUE-OUT:18"], [], [], ["#EXT-X-CUE-OUT:6"], []])
        #expect(later.map(\.startNumber) == [14])
    }
}
