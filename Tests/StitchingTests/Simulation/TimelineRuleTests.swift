import HLS
import Testing

/// Every rule that shows over reloads or across renditions is held by the generated timelines.
struct TimelineRuleTests {
    /// What holds a rule there.
    enum Holder {
        /// ``ReloadLint``, on every answer.
        case reloads
        /// ``RenditionsLint``, on all renditions of a moment.
        case renditions
        /// ``SessionHistory``, against all answers before.
        case history
        /// Both.
        case reloadsAndHistory
    }

    static let holders: [Int: Holder] = [
        307: .reloadsAndHistory, 308: .renditions, 309: .reloads, 310: .reloads, 403: .reloadsAndHistory,
        404: .reloadsAndHistory, 405: .reloadsAndHistory, 406: .reloads, 502: .reloadsAndHistory,
        503: .reloadsAndHistory, 504: .renditions, 508: .renditions, 608: .reloads, 611: .renditions,
        804: .reloadsAndHistory, 805: .renditions, 806: .renditions, 819: .reloads, 820: .reloads, 821: .renditions,
        903: .reloads, 904: .reloads, 905: .reloads, 907: .renditions, 909: .reloads, 1005: .reloads,
        1010: .renditions, 1106: .renditions, 1114: .renditions, 1115: .renditions, 1204: .renditions,
        1302: .renditions, 1303: .renditions,
    ]

    @Test func `each rule over reloads and renditions has a holder, and no other rule has`() {
        let rules = LintRule.all.filter { !$0.checks.isDisjoint(with: [.reload, .renditions]) }
        #expect(Set(rules.map(\.number)) == Set(Self.holders.keys))
        for rule in rules {
            switch Self.holders[rule.number] {
            case .reloads, .reloadsAndHistory: #expect(rule.checks.contains(.reload), "\(rule.number)")
            case .renditions: #expect(rule.checks.contains(.renditions), "\(rule.number)")
            case .history, nil: break
            }
        }
    }

    @Test func `each variety of timelines is drawn now and then, and the others stay what they are without it`() {
        let seeds = UInt64(0)..<600
        for variety in TimelineVariety.allCases where TimelineVariety.only == nil {
            let drawn = seeds.count { seed in
                TimelineGenerator.scenario(seed: seed, varieties: [variety])
                    != TimelineGenerator.scenario(seed: seed, varieties: [])
            }
            #expect((6...60).contains(drawn), "\(variety): \(drawn)")
        }
    }
}
