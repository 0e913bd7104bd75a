import FoundationEssentials
import SCTE35
import Server
import Testing

@testable import podstitch

@Suite struct SpliceReportTests {
    private static func report(_ text: String, checksum: SpliceInfoSection.ChecksumRule = .required) -> SpliceReport {
        SpliceReport(of: Array(text.utf8), checksum: checksum)
    }

    /// A section with a CRC that is right.
    private static func text() throws -> (base64: String, hexadecimal: String) {
        let section = SpliceInfoSection(
            command: .insert(
                SpliceInsert(
                    eventID: 7,
                    event: SpliceInsert.Event(
                        isOutOfNetwork: true, target: .program(SpliceTime(PresentationTime(ticks: 900_001))),
                        breakDuration: BreakDuration(ticks: 2_702_700, isAutoReturn: true), availNumber: 1,
                        availsExpected: 2))))
        return (try section.base64(), try section.hexadecimal())
    }

    @Test func `a message is one object with the standard's names in their order`() throws {
        let text = try Self.text()
        let report = Self.report(text.base64)
        #expect(report.faults.isEmpty)
        #expect(
            report.json == """
                {
                  "table_id": 252,
                  "sap_type": 3,
                  "protocol_version": 0,
                  "encrypted_packet": false,
                  "pts_adjustment_ticks": 0,
                  "pts_adjustment_seconds": 0.000000,
                  "tier": 4095,
                  "command_type": 5,
                  "command": "splice_insert",
                  "splice_insert": {
                    "splice_event_id": 7,
                    "splice_event_cancel_indicator": false,
                    "out_of_network_indicator": true,
                    "program_splice_flag": true,
                    "splice_immediate_flag": false,
                    "time_specified": true,
                    "pts_ticks": 900001,
                    "pts_seconds": 10.000011,
                    "auto_return": true,
                    "break_duration_ticks": 2702700,
                    "break_duration_seconds": 30.030000,
                    "unique_program_id": 0,
                    "avail_num": 1,
                    "avails_expected": 2
                  },
                  "splice_pts_ticks": 900001,
                  "splice_pts_seconds": 10.000011,
                  "descriptors": []
                }

                """)
    }

    @Test func `every spelling of a message reads alike`() throws {
        let text = try Self.text()
        let bare = String(text.hexadecimal.dropFirst(2))
        let expected = Self.report(text.base64).json
        for spelling in [
            text.hexadecimal, bare, bare.lowercased(), "\"\(text.base64)\"", "'\(text.hexadecimal)'",
            " \(text.base64)\n",
            text.base64.replacing("=", with: ""), text.base64.replacing("/", with: "_").replacing("+", with: "-"),
        ] {
            #expect(Self.report(spelling).json == expected, "\(spelling)")
        }
    }

    @Test func `tags of a playlist give their messages, with the name of the tag`() throws {
        let (base64, hexadecimal) = try Self.text()
        let lines = [
            ("#EXT-OATCLS-SCTE35:\(base64)", "EXT-OATCLS-SCTE35"),
            ("#EXT-X-SPLICEPOINT-SCTE35:\(base64)", "EXT-X-SPLICEPOINT-SCTE35"),
            ("#EXT-X-SCTE35:TYPE=0x34,CUE=\"\(base64)\",CUE-OUT=YES", "EXT-X-SCTE35"),
            ("#EXT-SCTE35: CUE=\"\(base64)\", ID=\"1\"", "EXT-SCTE35"),
            ("#EXT-X-CUE-OUT-CONT:ElapsedTime=5,Duration=30,SCTE35=\(base64)", "EXT-X-CUE-OUT-CONT SCTE35"),
            (
                "#EXT-X-DATERANGE:ID=\"1\",START-DATE=\"2026-01-01T00:00:00Z\",SCTE35-OUT=\(hexadecimal)",
                "EXT-X-DATERANGE SCTE35-OUT"
            ),
            (
                "#EXT-X-DATERANGE:ID=\"1\",SCTE35-IN=\"\(hexadecimal)\"", "EXT-X-DATERANGE SCTE35-IN"
            ),
        ]
        for (line, tag) in lines {
            let report = Self.report(line)
            #expect(report.faults.isEmpty, "\(line)")
            #expect(report.messages.count == 1, "\(line)")
            #expect(report.json.contains("\"tag\": \"\(tag)\""), "\(line)")
            #expect(report.json.contains("\"splice_event_id\": 7"), "\(line)")
        }
        let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + lines.map { "\($0.0)\n#EXTINF:6,\na.ts\n" }.joined()
        #expect(Self.report(playlist).messages.count == lines.count)
    }

    @Test func `a message that is refused is a fault that says why`() throws {
        let (base64, _) = try Self.text()
        var bytes = try SpliceText.bytes(base64)
        bytes[bytes.count - 1] ^= 1
        let broken = SpliceText.base64(bytes)
        #expect(Self.report(broken).messages.isEmpty)
        #expect(Self.report(broken).faults.first?.hasPrefix("checksum at bit ") == true)
        let shown = Self.report(broken, checksum: .ignored)
        #expect(shown.faults.isEmpty && shown.json.contains("\"crc_32_valid\": false"))
        #expect(Self.report(base64, checksum: .ignored).json.contains("\"crc_32_valid\": true"))
        #expect(Self.report("").faults == ["text at bit 0: no characters"])
        #expect(Self.report("hello?").faults.count == 1)
        #expect(Self.report("#EXT-X-CUE-OUT:30").faults == ["no tag here carries an SCTE-35 message"])
        #expect(Self.report("#EXT-OATCLS-SCTE35:???").faults.first?.hasPrefix("EXT-OATCLS-SCTE35: text") == true)
    }

    @Test func `text is escaped`() {
        let json = JSONText.object([
            ("a\"\\\u{1}", .list([.text("\n\t\r é"), .bool(true), .list([]), .object([] as [(String, JSONText)])])),
            ("n", .number(-3)),
        ])
        #expect(
            json.formatted == """
                {
                  "a\\"\\\\\\u0001": [
                    "\\n\\t\\r é",
                    true,
                    [],
                    {}
                  ],
                  "n": -3
                }
                """)
    }

    /// The vectors of the standard's reader, against what the command prints.
    @Test func `what is printed agrees with all vectors`() throws {
        var folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).map(String.init)
        folder += ["SCTE35Tests", "vectors.json"]
        let data = try #require(FileManager.default.contents(atPath: folder.joined(separator: "/")))
        let vectors = try JSONDecoder().decode(VectorFile.self, from: data).vectors
        #expect(vectors.count == 82)
        for vector in vectors {
            let report = Self.report(vector.base64)
            guard let expected = vector.expect else {
                #expect(report.messages.isEmpty && report.faults.count == 1, "\(vector.name)")
                continue
            }
            #expect(report.json == Self.report(vector.hex).json)
            let printed = try JSONDecoder().decode(PrintedValue.self, from: Data(report.json.utf8))
            #expect(printed.faults(against: expected) == [], "\(vector.name)")
        }
    }
}

private struct VectorFile: Decodable {
    struct Vector: Decodable {
        var name: String
        var base64: String
        var hex: String
        var expect: PrintedValue?
    }

    var vectors: [Vector]
}

/// A JSON value as it was read back.
private enum PrintedValue: Decodable, Equatable {
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([PrintedValue])
    case object([String: PrintedValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([PrintedValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: PrintedValue].self))
        }
    }

    /// Where this lacks or contradicts something that is expected.
    func faults(against expected: PrintedValue, at path: String = "") -> [String] {
        switch (self, expected) {
        case (.object(let own), .object(let wanted)):
            return wanted.sorted { $0.key < $1.key }.flatMap { key, value -> [String] in
                // The vectors show an EIDR as its bytes; here it has its usual spelling.
                if key == "segmentation_upid", own["segmentation_upid_type"] == .number(0x0A) { return [] }
                if key == "value", own["type"] == .number(0x0A) { return [] }
                return own[key].map { $0.faults(against: value, at: "\(path).\(key)") } ?? ["\(path).\(key) is missing"]
            }
        case (.list(let own), .list(let wanted)):
            guard own.count == wanted.count else { return ["\(path) has \(own.count) entries"] }
            return zip(own, wanted).enumerated().flatMap { $1.0.faults(against: $1.1, at: "\(path)[\($0)]") }
        default: return self == expected ? [] : ["\(path) is \(self), not \(expected)"]
        }
    }
}
