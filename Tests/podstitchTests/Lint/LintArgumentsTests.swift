import HLS
import Testing

@testable import podstitch

private func complaint(_ words: String...) -> String? {
    do {
        _ = try Command(["lint"] + words)
        return nil
    } catch {
        return error.message
    }
}

private func arguments(_ words: String...) throws -> LintArguments {
    guard case .lint(let arguments) = try Command(["lint"] + words) else { throw UsageError(message: "") }
    return arguments
}

@Suite struct LintArgumentsTests {
    @Test func `a source is enough, and options say more`() throws {
        let plain = try arguments("a.m3u8")
        #expect(plain == LintArguments(source: "a.m3u8"))
        #expect(plain.loads == 1 && plain.interval == nil && plain.followsRenditions && plain.failLevel == .error)
        let full = try arguments(
            "http://o/a", "--poll=5", "--interval", "0.5", "--no-renditions", "--fail-on", "note", "--rule", "303",
            "--rule",
            "404", "--ignore=404", "--json")
        #expect(full.loads == 5 && full.interval == .milliseconds(500) && !full.followsRenditions)
        #expect(full.failLevel == .note && full.isJSON)
        #expect(full.tells(of: 303) && !full.tells(of: 404) && !full.tells(of: 502))
        #expect(try arguments("--rules").listsRules)
        #expect(try arguments("-").source == "-")
    }

    @Test func `what makes no sense is refused in words`() {
        #expect(complaint() == "FILE|URL is missing")
        #expect(complaint("a", "--rules") == "--rules takes no FILE|URL")
        #expect(complaint("a", "b") == "unexpected b")
        for text in ["0", "-1", "x", "+1", "1.5"] {
            #expect(complaint("a", "--poll=\(text)") == "--poll \(text): not a number of loads, 1 or more")
        }
        for text in ["0", "-1", "x", "100000"] {
            #expect(complaint("a", "--interval=\(text)") == "--interval \(text): not seconds, like 2 or 0.5")
        }
        #expect(
            complaint("a", "--fail-on", "warn")
                == "--fail-on warn: not one of error, warning, note, did you mean warning?")
        #expect(complaint("a", "--rule", "12") == "--rule 12: no such rule; podstitch lint --rules lists them")
        #expect(complaint("a", "--ignore", "x") == "--ignore x: no such rule; podstitch lint --rules lists them")
        #expect(complaint("-", "--poll", "2") == "--poll: standard input can be read only once")
        #expect(complaint("a", "--renditions", "--no-renditions") == "give either --renditions or --no-renditions")
        #expect(complaint("a", "--pol", "2") == "unknown option --pol, did you mean --poll?")
    }

    @Test func `the list of rules has each once, with how it is checked`() {
        let lines = LintRuleList.text(LintRule.all).split(separator: "\n")
        #expect(lines.count == LintRule.all.count)
        #expect(lines.contains { $0.hasPrefix("404   must      reload ") })
        #expect(LintRuleList.json(LintRule.all).contains("\"rule\" : 404"))
    }
}
