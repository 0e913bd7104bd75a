import HLS
import Testing

@testable import Stitching

/// What is written of one date range says the same everywhere, for as long as it is written.
struct DateRangeRuleTests {
    private static let start = "2026-01-01T00:00:00.000Z"

    private static func date(_ seconds: Int) -> String {
        DateTime(start)?.advanced(by: .seconds(seconds)).formatted ?? ""
    }

    /// Segments `first...last` of six seconds, from number `first + shift` on, their dates wrong by `wrong`.
    private static func window(
        _ first: Int, _ last: Int, shift: Int = 0, folder: String = "", wrong: Int = 0, lines: [Int: String] = [:]
    ) -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:\(first + shift)\n"
        for number in first...last {
            if let line = lines[number] { text += line + "\n" }
            text += "#EXT-X-PROGRAM-DATE-TIME:\(date(number * 6 + wrong))\n#EXTINF:6.000,\n\(folder)c\(number).ts\n"
        }
        return text
    }

    private static func range(_ id: String, at seconds: Int, _ more: String = "DURATION=60") -> String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"\(date(seconds))\",\(more)"
    }

    private static func ranges(_ bench: inout Workbench, _ key: String = "v0") throws -> [String] {
        try bench.lines(key).filter { $0.hasPrefix("#EXT-X-DATERANGE") }
    }

    @Test func `an ID that comes again with another date gets a name of its own in all renditions (rule 820)`() throws {
        var bench = try Workbench(.live)
        let before = Self.window(1000, 1005, lines: [1003: Self.range("7", at: 6018)])
        let after = Self.window(
            1006, 1010, shift: -1006, folder: "b/",
            lines: [1007: Self.range("7", at: 6042), 1009: Self.range("7", at: 6042, "DURATION=60,X-B=\"1\"")])
        for key in ["v0", "v1"] {
            try bench.observe(before, as: key)
            #expect(try Self.ranges(&bench, key) == [Self.range("7", at: 6018)])
        }
        let named = "7-\((DateTime(Self.start)?.advanced(by: .seconds(6042)).nanoseconds ?? 0) / 1_000_000)"
        for key in ["v0", "v1"] {
            try bench.observe(after, as: key)
            let listed = try Self.ranges(&bench, key)
            #expect(
                listed == [
                    Self.range("7", at: 6018), Self.range(named, at: 6042),
                    Self.range(named, at: 6042, "DURATION=60,X-B=\"1\""),
                ])
        }
    }

    @Test func `a range keeps its dates when the origin's clock is set right while it lasts (rule 816)`() throws {
        var bench = try Workbench(.live)
        try bench.observe(Self.window(10, 15))
        let first = Self.range("7", at: 16 * 6 - 30, "PLANNED-DURATION=60")
        let second = Self.range("7", at: 16 * 6 - 30, "DURATION=12")
        try bench.observe(Self.window(14, 16, wrong: -30, lines: [16: first]))
        #expect(try Self.ranges(&bench) == [Self.range("7", at: 16 * 6, "PLANNED-DURATION=60")])
        try bench.observe(Self.window(16, 18, lines: [18: second]))
        #expect(
            try Self.ranges(&bench) == [
                Self.range("7", at: 16 * 6, "PLANNED-DURATION=60"), Self.range("7", at: 16 * 6, "DURATION=12"),
            ])
    }
}
