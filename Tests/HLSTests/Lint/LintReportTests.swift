import Testing

@testable import HLS

@Suite struct LintReportTests {
    @Test func `findings are ordered by line and then by rule`() {
        var report = LintReport()
        report.report(304, 7, "b")
        report.report(303, 7, "a")
        report.report(103, 1, "c")
        #expect(report.sorted().map(\.rule) == [103, 303, 304])
    }

    @Test func `the severity is that of the rule unless another is given`() {
        var report = LintReport()
        report.report(303, 1, "a")
        report.report(803, 2, "a")
        report.report(303, 3, "a", severity: .note)
        #expect(report.sorted().map(\.severity) == [.error, .warning, .note])
    }

    @Test func `the same finding is there once`() {
        var report = LintReport()
        for _ in 0..<3 { report.report(303, 1, "a") }
        report.report(303, 1, "b")
        #expect(report.sorted().map(\.message) == ["a", "b"])
    }

    @Test func `what is broken everywhere is cut, and a last note counts the rest`() throws {
        var report = LintReport()
        #expect(report.isEmpty)
        for line in 1...1_000 { report.report(303, line, "a") }
        report.report(103, 1, "b")
        let findings = report.sorted()
        #expect(findings.count == LintReport.limitOfRule + 2)
        #expect(findings.contains { $0.rule == 103 })
        let last = try #require(findings.last)
        #expect(last.rule == LintReport.omissionRule)
        #expect(last.severity == .note)
        #expect(last.line == 1_000)
        #expect(last.message == "not listed: \(1_000 - LintReport.limitOfRule) of rule 303")
    }

    @Test func `all findings together are bounded`() {
        var report = LintReport()
        for rule in LintRule.all {
            for line in 1...100 { report.report(rule.number, line, "a") }
        }
        #expect(report.sorted().count == LintReport.limit + 1)
    }
}
