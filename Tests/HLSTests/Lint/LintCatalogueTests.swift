import Testing

@testable import HLS

@Suite struct LintCatalogueTests {
    @Test func `numbers are there once and in order`() {
        let numbers = LintRule.all.map(\.number)
        #expect(numbers == Set(numbers).sorted())
        #expect(LintRule.numbered(303)?.number == 303)
        #expect(LintRule.numbered(1) == nil)
    }

    @Test func `every rule says what it is and how it is checked`() {
        for rule in LintRule.all {
            #expect(!rule.title.isEmpty && !rule.title.hasSuffix("."), "\(rule.number)")
            #expect(!rule.checks.isEmpty, "\(rule.number)")
        }
    }

    @Test func `levels weigh as errors, warnings and notes`() {
        #expect(LintRule.numbered(303)?.level.severity == .error)
        #expect(LintRule.numbered(803)?.level.severity == .warning)
        #expect(LintRule.numbered(506)?.level.severity == .warning)
        #expect(LintRule.numbered(109)?.level.severity == .note)
    }

    @Test func `every rule has a case that breaks it and one that keeps it, for each way of checking it`() {
        let covered = LintCoverage.all
        var missing: [LintCoverage] = []
        for rule in LintRule.all {
            // HTTP answers are checked, and their cases kept, where requests are made: by the command.
            for check in [LintRule.Checks.playlist, .reload, .renditions] where rule.checks.contains(check) {
                for breaks in [true, false] {
                    let coverage = LintCoverage(rule: rule.number, check: check, breaks: breaks)
                    if !covered.contains(coverage) { missing.append(coverage) }
                }
            }
        }
        #expect(missing.isEmpty)
    }

    @Test func `every case is of a rule of the catalogue`() {
        for coverage in LintCoverage.all {
            #expect(LintRule.numbered(coverage.rule)?.checks.contains(coverage.check) ?? false, "\(coverage)")
        }
    }
}
