import HLS
import SCTE35
import Testing

@testable import Stitching

/// Section 4 of the rules: which messages open and close a break.
struct SpliceLevelTests {
    private typealias Segment = TestSplice.Segment

    private static func cue(_ segments: TestSplice.Segment...) -> String {
        let section = segments.map { $0 }
        return "#EXT-X-SPLICEPOINT-SCTE35:" + signal(section).base64
    }

    private static func signal(_ segments: [TestSplice.Segment]) -> TestSplice {
        switch segments.count {
        case 1: .signal(segments[0])
        case 2: .signal(segments[0], segments[1])
        case 3: .signal(segments[0], segments[1], segments[2])
        default: .signal(segments[0], segments[1], segments[2], segments[3])
        }
    }

    private static func breaks(_ segments: [[String]], types: Set<UInt8>? = nil) throws -> [ContentBreak] {
        try MarkerDialectTests.breaks(segments) { settings in
            if let types { settings.levels = BreakLevels(opening: types) }
        }
    }

    @Test(arguments: [0x22, 0x30, 0x32, 0x34, 0x36, 0x44, 0x46] as [UInt8])
    func `each pair of types that opens a break closes it`(type: UInt8) throws {
        let found = try Self.breaks([
            [], [Self.cue(.init(type: type, seconds: 60))], [], [Self.cue(.init(type: type + 1))], [],
        ])
        #expect(found.map(\.startNumber) == [11])
        #expect(found.first?.end?.number == 13)
    }

    @Test(arguments: [0x01, 0x10, 0x20, 0x38, 0x3A, 0x3C, 0x3E, 0x40, 0x42, 0x50] as [UInt8])
    func `programs, chapters, overlays and promos are no breaks`(type: UInt8) throws {
        #expect(try Self.breaks([[], [Self.cue(.init(type: type, seconds: 60))], [], []]).isEmpty)
        let range =
            "#EXT-X-DATERANGE:ID=\"5\",START-DATE=\"2026-01-01T00:00:06Z\",PLANNED-DURATION=24,SCTE35-OUT="
            + TestSplice.signal(.init(type: type, seconds: 60)).hexadecimal
        #expect(try Self.breaks([[], [range], [], []]).isEmpty)
        let tag = "#EXT-X-SCTE35:TYPE=\(type),CUE-OUT=YES,DURATION=12"
        #expect(try Self.breaks([[], [tag], [], []]).isEmpty)
    }

    @Test func `the types that open a break are the operator's choice`() throws {
        let lines = [
            [], [Self.cue(.init(type: 0x36, seconds: 12))], [], [], [Self.cue(.init(type: 0x3C, seconds: 6))], [],
        ]
        #expect(try Self.breaks(lines, types: [0x3C]).map(\.startNumber) == [14])
        #expect(try Self.breaks(lines, types: [0x36, 0x3C]).map(\.startNumber) == [11, 14])
        #expect(try Self.breaks(lines, types: []).isEmpty)
    }

    @Test func `while a break is open inner ones open no other and close nothing`() throws {
        let found = try Self.breaks([
            [], [Self.cue(.init(type: 0x22, event: 1))], [Self.cue(.init(type: 0x34, event: 2, seconds: 6))],
            [Self.cue(.init(type: 0x35, event: 2))], [Self.cue(.init(type: 0x30, event: 3, seconds: 6))],
            [Self.cue(.init(type: 0x31, event: 3))], [Self.cue(.init(type: 0x23, event: 1))], [],
        ])
        #expect(found.map(\.startNumber) == [11])
        #expect(found.first?.end?.number == 16)
    }

    @Test func `of several levels at one time the outermost is the break, and its length`() throws {
        let found = try Self.breaks([
            [],
            [
                Self.cue(
                    .init(type: 0x30, event: 3, seconds: 6), .init(type: 0x34, event: 2, seconds: 18),
                    .init(type: 0x10, event: 4))
            ], [Self.cue(.init(type: 0x31, event: 3))], [], [Self.cue(.init(type: 0x35, event: 2))], [],
        ])
        #expect(found.map(\.startNumber) == [11])
        #expect(found.first?.plannedDuration == .seconds(18))
        #expect(found.first?.end?.time == DateTime("2026-01-01T00:00:24Z"))
        #expect(found.first?.splice["segmentation_type_id"] == "52")
    }

    @Test func `one ad behind another goes on with the break`() throws {
        let found = try Self.breaks([
            [], [Self.cue(.init(type: 0x30, event: 1))], [],
            [Self.cue(.init(type: 0x31, event: 1), .init(type: 0x30, event: 2))], [],
            [Self.cue(.init(type: 0x31, event: 2))], [],
        ])
        #expect(found.map(\.startNumber) == [11])
        #expect(found.first?.end?.number == 15)
    }

    @Test func `one opportunity behind another is a second break`() throws {
        let found = try Self.breaks([
            [], [Self.cue(.init(type: 0x34, event: 1, seconds: 12))], [],
            [Self.cue(.init(type: 0x35, event: 1), .init(type: 0x34, event: 2, seconds: 12))], [],
            [Self.cue(.init(type: 0x35, event: 2))], [],
        ])
        #expect(found.map(\.startNumber) == [11, 13])
        #expect(found.map(\.end?.time) == [DateTime("2026-01-01T00:00:18Z"), DateTime("2026-01-01T00:00:30Z")])
    }

    @Test func `of several ends the last counts`() throws {
        func end(_ number: UInt8) -> String { Self.cue(.init(type: 0x35, event: 1, number: number, expected: 2)) }
        let found = try Self.breaks([
            [], [Self.cue(.init(type: 0x34, event: 1, seconds: 60))], [end(1)], [], [end(2)], [],
        ])
        #expect(found.map(\.end?.number) == [14])
        let tags = try Self.breaks([
            [], ["#EXT-X-SCTE35:TYPE=0x34,ID=\"a\",CUE-OUT=YES,DURATION=60"],
            ["#EXT-X-SCTE35:TYPE=0x35,ID=\"a\",CUE-IN=YES,SEGNE=\"1:2\""], [],
            ["#EXT-X-SCTE35:TYPE=0x35,ID=\"a\",CUE-IN=YES,SEGNE=\"2:2\""], [],
        ])
        #expect(tags.map(\.end?.number) == [14])
    }

    @Test func `an end of another event is not the end, unless the break's length is not known`() throws {
        let end = Self.cue(.init(type: 0x35, event: 99))
        let known = try Self.breaks([[], [Self.cue(.init(type: 0x34, event: 1, seconds: 18))], [end], [], [], []])
        #expect(known.map(\.end?.time) == [DateTime("2026-01-01T00:00:24Z")])
        let unknown = try Self.breaks([[], [Self.cue(.init(type: 0x34, event: 1))], [end], [], []])
        #expect(unknown.map(\.end?.number) == [12])
    }

    @Test(arguments: [0x10, 0x11, 0x12] as [UInt8])
    func `the start or end of a program closes the break`(type: UInt8) throws {
        let found = try Self.breaks([
            [], [Self.cue(.init(type: 0x34, event: 1, seconds: 60))], [], [Self.cue(.init(type: type, event: 5))], [],
        ])
        #expect(found.map(\.end?.number) == [13])
    }

    @Test func `an in message ends the break, with auto_return and without`() throws {
        for autoReturn in [true, false] {
            let out = "#EXT-OATCLS-SCTE35:" + TestSplice.out(7, seconds: 18, autoReturn: autoReturn).base64
            let back = "#EXT-OATCLS-SCTE35:" + TestSplice.back(7, immediate: true).base64
            let early = try Self.breaks([[], [out], [back], [], [], []])
            #expect(early.map(\.end?.number) == [12])
            let none = try Self.breaks([[], [out], [], [], [], []])
            #expect(none.map(\.end?.time) == [DateTime("2026-01-01T00:00:24Z")])
        }
    }

    @Test func `an immediate splice begins with its segment`() throws {
        let out = TestSplice.out(7, seconds: 12, immediate: true)
        let found = try Self.breaks([[], ["#EXT-OATCLS-SCTE35:\(out.base64)"], [], []])
        #expect(found.map(\.startNumber) == [11])
        #expect(found.map(\.plannedDuration) == [.seconds(12)])
    }

    @Test func `a repeated message is the same break, and the end of it another`() throws {
        let out = "#EXT-OATCLS-SCTE35:" + TestSplice.out(7, seconds: 18).base64
        let found = try Self.breaks([[], [out], [out], [out], [], [], []])
        #expect(found.map(\.startNumber) == [11])
        let cut = try Self.breaks([[], [out], ["#EXT-X-CUE-IN"], [out], [], []])
        #expect(cut.map(\.startNumber) == [11])
        let other = "#EXT-OATCLS-SCTE35:" + TestSplice.out(8, seconds: 6).base64
        let next = try Self.breaks([[], [out], [other], [], []])
        #expect(next.map(\.startNumber) == [11, 12])
    }

    @Test func `heartbeats and private commands are no breaks`() throws {
        for command in [
            SpliceCommand.null, .bandwidthReservation,
            .privateCommand(PrivateCommand(identifier: .cueIdentifier, bytes: [1])),
        ] {
            let text = TestSplice(section: SpliceInfoSection(command: command)).base64
            #expect(try Self.breaks([[], ["#EXT-OATCLS-SCTE35:\(text)"], []]).isEmpty)
        }
    }

    @Test func `a cancelled event that has not begun does not begin, and one that has goes on`() throws {
        let out = "#EXT-OATCLS-SCTE35:" + TestSplice.out(7, seconds: 18).base64
        let cancel = "#EXT-OATCLS-SCTE35:" + TestSplice.cancel(7).base64
        #expect(try Self.breaks([[], [out, cancel], [], []]).isEmpty)
        #expect(
            try Self.breaks([[], [out], [cancel], [], [], []]).map(\.end?.time) == [DateTime("2026-01-01T00:00:24Z")])
        let segments = "#EXT-X-SPLICEPOINT-SCTE35:"
        let cancelled = TestSplice.signal(.init(type: 0, event: 1, isCancelled: true))
        #expect(
            try Self.breaks([[], [Self.cue(.init(type: 0x34, seconds: 12)), segments + cancelled.base64], []]).isEmpty)
        let ahead =
            "#EXT-X-DATERANGE:ID=\"5\",START-DATE=\"2026-01-01T00:00:18Z\",PLANNED-DURATION=12,SCTE35-OUT="
            + TestSplice.out(7, seconds: 12).hexadecimal
        #expect(try Self.breaks([[ahead], [], [], [], []]).map(\.startNumber) == [13])
        #expect(try Self.breaks([[ahead], [cancel], [], [], []]).isEmpty)
        let command =
            "#EXT-X-DATERANGE:ID=\"6\",START-DATE=\"2026-01-01T00:00:06Z\",SCTE35-CMD="
            + TestSplice.cancel(7).hexadecimal
        #expect(try Self.breaks([[ahead], [command], [], [], []]).isEmpty)
    }

    @Test func `fields of the message are there for the ad server`() throws {
        let upid = SegmentationUPID(kind: .adsInformation, bytes: Array("AD=7;x".utf8))
        let message = TestSplice.signal(
            .init(
                type: 0x34, event: 4_000_000_001, seconds: 12, number: 1, expected: 2, upid: upid,
                restrictions: DeliveryRestrictions(
                    isWebDeliveryAllowed: false, hasNoRegionalBlackout: true, isArchiveAllowed: false, devices: .group2)
            ))
        let found = try Self.breaks([[], ["#EXT-X-SPLICEPOINT-SCTE35:\(message.base64)"], []])
        #expect(
            found.first?.splice == [
                "event_id": "4000000001", "segmentation_event_id": "4000000001", "segmentation_type_id": "52",
                "segmentation_upid_type": "14", "segmentation_upid": "AD=7;x", "segment_num": "1",
                "segments_expected": "2", "delivery_not_restricted_flag": "0", "web_delivery_allowed_flag": "0",
                "no_regional_blackout_flag": "1", "archive_allowed_flag": "0", "device_restrictions": "2",
            ])
        let insert = try Self.breaks([[], ["#EXT-OATCLS-SCTE35:\(TestSplice.out(7, seconds: 6, avail: 3).base64)"], []])
        #expect(
            insert.first?.splice == [
                "event_id": "7", "avail_num": "3", "avails_expected": "3", "unique_program_id": "17",
            ])
        let asset = try Self.breaks([[], ["#EXT-X-ASSET:CAID=0x01,genre=a%20b", "#EXT-X-CUE-OUT:6"], []])
        #expect(asset.first?.asset == ["CAID": "0x01", "GENRE": "a b"])
        let cue = try Self.breaks([[], ["#EXT-X-CUE:TYPE=SpliceOut,ID=5,DURATION=6,AVAIL-NUM=2"], []])
        #expect(cue.first?.splice == ["event_id": "5", "avail_num": "2"])
    }
}
