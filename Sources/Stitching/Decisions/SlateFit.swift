import HLS

/// Finds how much slate goes behind the ads of a pod: whole entries of the leading rendition, the last pass cut short where that
/// brings playback back best.
struct SlateFit {
    /// Of the ads.
    let length: Duration
    let longestEntry: Duration
    let forecast: ReturnForecast
    /// What the break offers.
    let available: Duration
    /// The slate's entries on the leading rendition; empty: there is no slate.
    let slate: [Duration]
    /// Of any of its renditions.
    private let longestSlateEntry: Duration
    /// The first entry of a pass, in the rendition where it is longest.
    private let longestFirstEntry: Duration
    private let pass: Duration
    /// Σ of the first entries.
    private let sums: [Duration]

    /// Entries of slate in one pod.
    private static let entryLimit = 10_000
    /// Amounts that are weighed against one another.
    private static let choiceLimit = 4_096

    struct Choice {
        var count: Int
        var outcome: ReturnForecast.Outcome
    }

    init(
        length: Duration, longestEntry: Duration, forecast: ReturnForecast, available: Duration, slate: [Duration],
        longestSlateEntry: Duration, longestFirstEntry: Duration
    ) {
        self.length = length
        self.longestEntry = longestEntry
        self.forecast = forecast
        self.available = available
        self.longestSlateEntry = longestSlateEntry
        self.longestFirstEntry = longestFirstEntry
        var sums: [Duration] = [.zero]
        for entry in slate { sums.append(sums[sums.count - 1] + entry) }
        self.sums = sums
        pass = sums[sums.count - 1]
        self.slate = pass > .zero ? slate : []
    }

    /// How much slate the policy wants; nil where the content cannot come back.
    func choice(_ policy: FillPolicy) -> Choice? {
        let without = choice(of: 0)
        guard !slate.isEmpty else { return without }
        switch policy {
        case .slate: return toPlannedEnd ?? without
        case .minimizeSlate: return toNextBoundary ?? toPlannedEnd
        case .content:
            guard let without else { return toPlannedEnd }
            return without.outcome.driftAfter < .zero - forecast.segment / 2 ? repaying(without) : without
        }
    }

    private func choice(of count: Int) -> Choice? {
        let length = length + sum(count)
        let longest = count > 0 ? max(longestEntry, longestSlateEntry) : longestEntry
        return forecast.outcome(length: length, longestEntry: longest).map { Choice(count: count, outcome: $0) }
    }

    /// The return nearest to the planned end; then the least D, then the least slate.
    private var toPlannedEnd: Choice? {
        let margin = (forecast.segment + longestSlateEntry) * 2
        let from = available - length - margin - max(forecast.drift, .zero)
        let to = available - length + margin - min(forecast.drift, .zero)
        return best(from: count(lasting: from), through: count(lasting: to)) { choice in
            // Of boundaries that are as planned as any, the one that is best for D.
            let distance = (choice.outcome.replaced - available).magnitude
            return [distance * 2 <= forecast.segment ? .zero : distance, choice.outcome.driftAfter.magnitude]
        }
    }

    /// The least D with a return no later than the first boundary behind the ads.
    private var toNextBoundary: Choice? {
        let limit = DateShortening.limit(longestEntry: longestEntry)
        let end = max(length + forecast.drift, Placement.dated(length, shortening: limit), .zero)
        guard length > .zero, let next = forecast.boundary(from: end - Placement.dateTolerance) else { return nil }
        return best(from: 0, through: count(lasting: next - length - min(forecast.drift, .zero)) + 1) { choice in
            choice.outcome.replaced <= next ? [useful(choice.outcome.driftAfter)] : nil
        }
    }

    /// D back to nothing, with the return where it is without slate.
    private func repaying(_ without: Choice) -> Choice {
        best(from: 0, through: count(lasting: .zero - without.outcome.driftAfter) + 1) { choice in
            choice.outcome.replaced <= without.outcome.replaced ? [useful(choice.outcome.driftAfter)] : nil
        } ?? without
    }

    /// A distance that slate could not make smaller counts as none.
    private func useful(_ drift: Duration) -> Duration {
        drift.magnitude <= longestSlateEntry / 2 ? .zero : drift.magnitude
    }

    /// The first of the amounts with the least cost, compared member by member; nil: not to be had.
    private func best(from: Int, through: Int, _ cost: (Choice) -> [Duration]?) -> Choice? {
        var best: (choice: Choice, cost: [Duration])?
        let last = min(max(through, from), from + Self.choiceLimit, Self.entryLimit)
        guard from <= last else { return nil }
        for count in from...last {
            guard !isTooShort(count), let choice = choice(of: count), let cost = cost(choice) else { continue }
            if let best, !cost.lexicographicallyPrecedes(best.cost) { continue }
            best = (choice, cost)
        }
        return best?.choice
    }

    // MARK: - Amounts

    /// The last pass would be over long before that of a rendition whose first entry is longer.
    private func isTooShort(_ count: Int) -> Bool {
        guard !slate.isEmpty, count % slate.count > 0 else { return false }
        return sums[count % slate.count] * 2 < longestFirstEntry
    }

    /// What so many entries last.
    func sum(_ count: Int) -> Duration {
        guard !slate.isEmpty else { return .zero }
        let (passes, rest) = count.quotientAndRemainder(dividingBy: slate.count)
        return pass * passes + sums[rest]
    }

    /// The most entries that do not last longer; the limit at most.
    private func count(lasting length: Duration) -> Int {
        guard length > .zero, !slate.isEmpty else { return 0 }
        let passes = length.nanosecondCount / max(pass.nanosecondCount, 1)
        guard passes < Int128(Self.entryLimit) else { return Self.entryLimit }
        let whole = Int(passes) * slate.count
        var rest = 0
        let left = length - pass * Int(passes)
        while rest < slate.count - 1, sums[rest + 1] <= left { rest += 1 }
        return min(whole + rest, Self.entryLimit)
    }
}
