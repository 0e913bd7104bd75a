import FoundationEssentials
import Testing

@testable import Stitching

/// Generated origins, ads, sessions, polls, faults and servers against the rules that hold over reloads and across renditions.
///
/// `Scripts/prove-timelines` runs a hundred thousand, whatever fails, and lists what does. A seed that fails prints the smallest scenario
/// that still does, to be mended and then kept in `Cases`.
struct TimelinePropertyTests {
    /// `PODSTITCH_TIMELINES=100000`: so many; `PODSTITCH_FIRST_TIMELINE`: from this seed on.
    private static let count = number("PODSTITCH_TIMELINES") ?? 250
    private static let first = number("PODSTITCH_FIRST_TIMELINE") ?? 100
    /// `PODSTITCH_FAILURES`: so many failures are told before a run ends.
    private static let failureLimit = number("PODSTITCH_FAILURES") ?? 1

    @Test func `every generated timeline keeps the rules over reloads and renditions, and its bounds`() throws {
        var counts = TimelineRun.Counts()
        var failures = 0
        for seed in Self.first..<Self.first + Self.count where failures < Self.failureLimit {
            let scenario = TimelineGenerator.scenario(seed: UInt64(seed))
            do {
                var run = try TimelineRun(scenario)
                counts.add(try run.run())
            } catch {
                failures += 1
                report(error, scenario, seed: seed)
            }
        }
        print("timelines \(Self.first)..<\(Self.first + Self.count): \(counts)")
        // The runs have to show what they are for; a few seeds need not.
        guard failures == 0, Self.count >= 100 else { return }
        #expect(counts.answers > Self.count * 15)
        #expect(counts.pods > Self.count)
        #expect(counts.cuts > Self.count / 10)
        #expect(counts.adjoining > Self.count / 40)
        #expect(counts.epochs > Self.count / 10)
        // Each variety shows, where the run is long enough.
        guard Self.count >= 250, TimelineVariety.only == nil else { return }
        for variety in TimelineVariety.allCases {
            #expect(counts.varieties[variety, default: 0] >= Self.count / 250, "\(variety)")
        }
    }

    private func report(_ error: any Error, _ scenario: TimelineScenario, seed: Int) {
        let rule = (error as? TimelineRun.Violation)?.rule ?? "error"
        let text = "\(error)".split(separator: "\n").first ?? ""
        print("failed seed \(seed): \(text.hasPrefix("\(rule):") ? "" : "error: ")\(text)")
        // `PODSTITCH_SHRINK=0`: as it is.
        if Self.number("PODSTITCH_SHRINK") == 0 {
            Issue.record("seed \(seed): \(error)")
            return
        }
        var shrinker = ScenarioShrinker(scenario, rule: rule)
        let smallest = shrinker.shrink()
        let violation = ScenarioShrinker.violation(of: smallest)
        Issue.record("seed \(seed): \(violation.map { "\($0)" } ?? "\(error)")\n\(Self.text(of: smallest))")
    }

    static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    /// As it is kept in `Cases`.
    static func text(of scenario: TimelineScenario) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return (try? encoder.encode(scenario)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// Timelines that once failed.
struct TimelineCaseTests {
    static let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Cases"

    static func names() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".json") }.sorted()
    }

    @Test(arguments: names())
    func `a timeline that once failed keeps the rules`(name: String) throws {
        let data = try #require(FileManager.default.contents(atPath: "\(Self.folder)/\(name)"))
        var run = try TimelineRun(try JSONDecoder().decode(TimelineScenario.self, from: data))
        _ = try run.run()
    }

    /// `PODSTITCH_TIMELINE=file.json` or a seed prints every answer of one timeline.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["PODSTITCH_TIMELINE"] != nil))
    func `one timeline, printed`() throws {
        let name = ProcessInfo.processInfo.environment["PODSTITCH_TIMELINE"] ?? ""
        let scenario: TimelineScenario
        if let seed = UInt64(name) {
            scenario = TimelineGenerator.scenario(seed: seed)
        } else {
            let data = try #require(FileManager.default.contents(atPath: name))
            scenario = try JSONDecoder().decode(TimelineScenario.self, from: data)
        }
        print(TimelinePropertyTests.text(of: scenario))
        var run = try TimelineRun(scenario, prints: true)
        print(try run.run())
    }
}
