/// Makes a failing scenario smaller, as long as it breaks the same rule: fewer polls, breaks, viewers and renditions, shorter,
/// plainer, until nothing can go.
struct ScenarioShrinker {
    private(set) var smallest: TimelineScenario
    private let rule: String
    private var attempts = 0
    /// Enough for what is generated; a bound all the same.
    private static let attemptLimit = 20_000

    init(_ scenario: TimelineScenario, rule: String) {
        smallest = scenario
        self.rule = rule
    }

    /// What a scenario breaks; nil for nothing.
    static func violation(of scenario: TimelineScenario) -> TimelineRun.Violation? {
        do {
            var run = try TimelineRun(scenario)
            _ = try run.run()
            return nil
        } catch let violation as TimelineRun.Violation {
            return violation
        } catch {
            return TimelineRun.Violation(rule: "error", text: "\(error)")
        }
    }

    mutating func shrink() -> TimelineScenario {
        var before = smallest
        repeat {
            before = smallest
            drop(\.polls)
            drop(\.breaks)
            drop(\.origin.renditions)
            dropViewers()
            shorten()
            dropAds()
            makePlain()
            makePlainPolls()
            makePlainSegments()
        } while smallest != before && attempts < Self.attemptLimit
        return smallest
    }

    @discardableResult
    private mutating func attempt(_ change: (inout TimelineScenario) -> Void) -> Bool {
        guard attempts < Self.attemptLimit else { return false }
        var changed = smallest
        change(&changed)
        guard changed != smallest else { return false }
        attempts += 1
        guard Self.violation(of: changed)?.rule == rule else { return false }
        smallest = changed
        return true
    }

    /// Drops halves, then quarters, down to single elements.
    private mutating func drop<T>(_ path: WritableKeyPath<TimelineScenario, [T]>) {
        var size = max(smallest[keyPath: path].count / 2, 1)
        while size > 0 {
            var start = smallest[keyPath: path].count - size
            while start >= 0 {
                let range = start..<min(start + size, smallest[keyPath: path].count)
                attempt { $0[keyPath: path].removeSubrange(range) }
                start -= size
            }
            size /= 2
        }
    }

    private mutating func dropViewers() {
        for index in smallest.viewers.indices.reversed() where smallest.viewers.count > 1 {
            attempt { scenario in
                scenario.viewers.remove(at: index)
                scenario.polls.removeAll { $0.viewer == index }
                for poll in scenario.polls.indices where scenario.polls[poll].viewer > index {
                    scenario.polls[poll].viewer -= 1
                }
                for place in scenario.breaks.indices where scenario.breaks[place].answersAfter?.count ?? 0 > index {
                    scenario.breaks[place].answersAfter?.remove(at: index)
                }
            }
        }
    }

    /// What comes after the last poll matters to nobody.
    private mutating func shorten() {
        guard let last = smallest.polls.last?.at else { return }
        attempt { scenario in
            var time = 0
            scenario.origin.segments = Array(
                scenario.origin.segments.prefix { segment in
                    defer { time += segment.duration }
                    return time <= last
                })
            scenario.breaks.removeAll { $0.start > last }
        }
    }

    private mutating func dropAds() {
        for place in smallest.breaks.indices {
            for ad in smallest.breaks[place].ads.indices.reversed() {
                attempt { $0.breaks[place].ads.remove(at: ad) }
            }
        }
    }

    private mutating func makePlain() {
        attempt { $0.replicaCount = nil }
        attempt { $0.slate = nil }
        for variety in TimelineVariety.allCases { attempt { variety.remove(from: &$0) } }
        attempt { $0.origin.markers = .cueOut }
        attempt { $0.origin.media = nil }
        attempt { $0.origin.keyRotation = nil }
        attempt { $0.origin.keys = nil }
        attempt { $0.origin.dateJitter = 0 }
        attempt { $0.origin.countsDiscontinuities = true }
        attempt { $0.origin.ends = nil }
        for index in (smallest.origin.epochs ?? []).indices.reversed() {
            attempt { $0.origin.epochs?.remove(at: index) }
        }
        attempt { $0.origin.firstNumber = 0 }
        for index in smallest.origin.renditions.indices {
            attempt { $0.origin.renditions[index].delay = 0 }
            attempt { $0.origin.renditions[index].grid = nil }
            attempt { $0.origin.renditions[index].firstNumber = $0.origin.firstNumber }
        }
        for index in smallest.viewers.indices {
            attempt { $0.viewers[index].completesAds = nil }
            attempt { $0.viewers[index].threshold = nil }
            attempt { $0.viewers[index].fill = nil }
            attempt { $0.viewers[index].join = nil }
            attempt { $0.viewers[index].retryRest = nil }
            attempt { $0.viewers[index].preroll = nil }
            attempt { $0.viewers[index].joins = 0 }
        }
        for index in smallest.breaks.indices {
            attempt { $0.breaks[index].answersAfter = nil }
            attempt { $0.breaks[index].fails = nil }
            attempt { $0.breaks[index].ahead = nil }
            attempt { $0.breaks[index].repeats = nil }
            attempt { $0.breaks[index].back = nil }
            for ad in smallest.breaks[index].ads.indices {
                attempt { $0.breaks[index].ads[ad].isEncrypted = nil }
                attempt { $0.breaks[index].ads[ad].audio = $0.breaks[index].ads[ad].video }
            }
        }
    }

    private mutating func makePlainPolls() {
        for index in smallest.polls.indices {
            attempt { $0.polls[index].staleBy = nil }
            attempt { $0.polls[index].fails = nil }
            attempt { $0.polls[index].restarts = nil }
            attempt { $0.polls[index].compares = nil }
            attempt { $0.polls[index].replica = nil }
            attempt { $0.polls[index].rendition = nil }
        }
    }

    private mutating func makePlainSegments() {
        let usual = smallest.origin.segments.map(\.duration).max() ?? 0
        for index in smallest.origin.segments.indices {
            attempt { $0.origin.segments[index].dateRange = nil }
            attempt { $0.origin.segments[index].gap = nil }
            attempt { $0.origin.segments[index].discontinuity = nil }
            attempt { $0.origin.segments[index].duration = usual }
        }
    }
}
