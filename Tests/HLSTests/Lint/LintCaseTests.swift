import Testing

@testable import HLS

@Suite struct LintCaseTests {
    @Test(arguments: LintCases.playlist)
    func `lint finds what a playlist breaks at its line, and nothing where it keeps the rule`(
        lintCase: LintCase
    ) throws {
        let findings = try lintCase.lint()
        if let line = lintCase.breaksAt {
            #expect(findings.contains { $0.rule == lintCase.rule && $0.line == line }, "\(findings)")
        } else {
            #expect(!findings.contains { $0.rule == lintCase.rule }, "\(findings)")
            #expect(!findings.contains { $0.severity == .error }, "\(findings)")
        }
    }
}
