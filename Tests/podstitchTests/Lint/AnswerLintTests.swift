import HLS
import Testing

@testable import podstitch

@Suite struct AnswerLintTests {
    @Test(arguments: answerCases)
    func `answers that break a rule are found, others are not`(_ example: AnswerCase) throws {
        let findings = try example.findings()
        if example.isBroken {
            #expect(Set(findings.map(\.rule)) == [example.rule], "\(findings)")
        } else {
            #expect(findings.isEmpty)
        }
    }

    @Test func `every rule of HTTP has an answer that breaks it and one that keeps it`() {
        // Whether a URI can be loaded shows in a run: LintRunTests.
        let rules = LintRule.all.filter { $0.checks.contains(.http) && $0.number != 1114 }.map(\.number)
        #expect(rules.count >= 8)
        for rule in rules {
            #expect(answerCases.contains { $0.rule == rule && $0.isBroken }, "nothing breaks \(rule)")
            #expect(answerCases.contains { $0.rule == rule && !$0.isBroken }, "nothing keeps \(rule)")
        }
    }

    @Test
    func `blocking reloads are asked for in the order of bytes, and waited for no longer than a minute (rule 1011)`()
        throws
    {
        let head = "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n#EXT-X-PART-INF:PART-TARGET=1\n"
        let text = livePlaylist(7, count: 2, head).replacing("TARGETDURATION:4", with: "TARGETDURATION:400")
        let lint = try #require(BlockingReloadLint(try mediaPlaylist(text)))
        #expect(lint.probes.map(\.text) == ["_HLS_part=0", "_HLS_msn=29", "_HLS_msn=9", "_HLS_msn=9&_HLS_part=0"])
        #expect(lint.probes.allSatisfy { $0.timeout == .seconds(60) })
        #expect(
            LintURL.adding(lint.probes[3].parameters, to: "http://o/a?b#c") == "http://o/a?b&_HLS_msn=9&_HLS_part=0")
    }

    @Test func `asset lists are asked for as players do, with where in the break they join (rule 824)`() throws {
        let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:00:00.000Z\n"
        func range(_ id: String, _ more: String) -> String {
            "#EXT-X-DATERANGE:ID=\"\(id)\",CLASS=\"com.apple.hls.interstitial\",\(more)\n"
        }
        let old = "START-DATE=\"2026-01-17T07:00:00.000Z\",DURATION=30,X-ASSET-LIST=\"list?id=1\""
        let running = "START-DATE=\"2026-01-17T08:00:10.500Z\",DURATION=30,X-ASSET-LIST=\"https://b/2\""
        let text = livePlaylist(7, range("a", old) + range("b", running) + range("c", running) + date)
        let references = AssetListLint.references(
            in: try mediaPlaylist(text), base: "http://o/x/y.m3u8", primaryID: "p")
        #expect(
            references.map(\.url) == [
                "http://o/x/list?id=1&_HLS_primary_id=p", "https://b/2?_HLS_primary_id=p&_HLS_start_offset=5.500",
            ])
        #expect(references.map(\.line) == [5, 6])
        #expect(references.map(\.id) == ["a", "b"])
    }

    @Test func `what cannot be read is the error with its line`() {
        let page = AnswerLint.finding(PlaylistError(.webPage, line: 3, detail: "markup"), fromWeb: true)
        #expect(page.rule == 1501 && page.line == 3 && page.severity == .error)
        #expect(page.message == "cannot be read: markup (webPage)")
        #expect(AnswerLint.finding(PlaylistError(.empty, line: 1, detail: ""), fromWeb: false).rule == 103)
        #expect(AnswerLint.finding(PlaylistError(.numberOverflow, line: 1, detail: ""), fromWeb: false).rule == 106)
    }
}
