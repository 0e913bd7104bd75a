import HLS

/// An ad that the provider names for a break, its media fetched.
package typealias PodCandidate = PodAd

/// Why an ad of an answer is not in the pod.
package enum AdSkip: Sendable, Equatable {
    case mismatch(RenditionMatcher.Mismatch)
    /// A segment is longer than the session's target duration allows (rule 303).
    case segmentTooLong(Duration, target: Duration)
    /// It, or an ad before it, does not fit into what is left of the break.
    case doesNotFit

    package var text: String {
        switch self {
        case .mismatch(let mismatch): mismatch.text
        case .segmentTooLong(let duration, let target):
            "a segment of \(DecimalText.text(duration)) s is longer than the target duration of \(DecimalText.text(target)) s"
        case .doesNotFit: "it does not fit into the break"
        }
    }
}

/// Makes a decision of the ads that a provider names: which of them fit, and whether playback gets back to the content.
package struct PodPlanner {
    package struct Result: Sendable {
        package var decision: Decision
        /// Ads that were left out, by their place in the answer.
        package var skipped: [(index: Int, id: String, reason: AdSkip)]
    }

    private let session: StitchingSession
    private let ledger: BreakLedger
    private let catalog: SourceCatalog

    package init(session: StitchingSession, ledger: BreakLedger, catalog: SourceCatalog) {
        self.session = session
        self.ledger = ledger
        self.catalog = catalog
    }

    /// The decision for a break. The ads keep their order; they are taken whole until the next would not fit.
    package func decision(for opportunity: Opportunity, candidates: [PodCandidate]) -> Result {
        guard !candidates.isEmpty else { return Result(decision: .content(.noAds), skipped: []) }
        var skipped: [(index: Int, id: String, reason: AdSkip)] = []
        var ads: [PodAd] = []
        var matches: [[RenditionKey: AdMatch]] = []
        var length = Duration.zero
        let room = opportunity.isInsertion ? nil : opportunity.availableDuration + overrun
        var isFull = false
        for (index, candidate) in candidates.enumerated() {
            let match: [RenditionKey: AdMatch]
            do throws(RenditionMatcher.Mismatch) {
                match = try RenditionMatcher(candidate.media).matches(for: content, container: container)
            } catch {
                skipped.append((index, candidate.id, .mismatch(error)))
                continue
            }
            if let skip = skipForLength(candidate, match) {
                skipped.append((index, candidate.id, skip))
                continue
            }
            let adLength = PodFill(ads: [(candidate.media, match[ledger.leading] ?? .rendition(0))]).duration
            if isFull || room.map({ length + adLength > $0 }) ?? false {
                isFull = true
                skipped.append((index, candidate.id, .doesNotFit))
                continue
            }
            length += adLength
            ads.append(candidate)
            matches.append(match)
        }
        guard !ads.isEmpty, length > .zero else {
            let allTooLong = skipped.allSatisfy { $0.reason == .doesNotFit }
            return Result(decision: .content(allTooLong ? .nothingFits : .noAds), skipped: skipped)
        }
        return Result(decision: decision(opportunity, ads: ads, matches: matches, length: length), skipped: skipped)
    }

    private func decision(
        _ opportunity: Opportunity, ads: [PodAd], matches: [[RenditionKey: AdMatch]], length: Duration
    ) -> Decision {
        if let threshold = session.settings.personalisationThreshold, let planned = opportunity.plannedDuration,
            planned - length > threshold
        {
            return .content(.belowThreshold)
        }
        var byKey: [RenditionKey: [AdMatch]] = [:]
        for key in Set(matches.flatMap(\.keys)) { byKey[key] = matches.compactMap { $0[key] } }
        let pod = Pod(ads: ads, leading: ledger.leading, dateShortening: 0, matches: byKey)
        guard !opportunity.isInsertion else { return .ads(pod) }
        guard let shortening = ReturnForecast(opportunity, pod: pod, session: session, ledger: ledger).dateShortening
        else {
            return .content(.noReturn)
        }
        return .ads(Pod(ads: ads, leading: ledger.leading, dateShortening: shortening, matches: byKey))
    }

    /// A pod that ends a frame or two late still fits: it returns at the same boundary.
    private var overrun: Duration { .milliseconds(500) }

    private var content: [RenditionMatcher.Content] {
        catalog.renditions.map { RenditionMatcher.Content(rendition: $0, traits: ledger.traits(of: $0.key)) }
    }

    private var container: Container { ledger.renditions[ledger.leading]?.container ?? .selfInitializing }

    private func skipForLength(_ candidate: PodCandidate, _ match: [RenditionKey: AdMatch]) -> AdSkip? {
        let target = session.targetDuration ?? ledger.targetDuration
        for case .rendition(let index) in match.values {
            let longest = candidate.media.renditions[index].longestEntry
            if longest.roundedToSeconds > target { return .segmentTooLong(longest, target: target) }
        }
        return nil
    }
}

/// Foresees where the content can come back after a pod, and how the pod's dates have to run for that.
struct ReturnForecast {
    private let length: Duration
    private let drift: Duration
    private let longestEntry: Duration
    /// Lengths of what would be replaced, rising.
    private var boundaries: [Duration] = []
    private var segment = Duration.seconds(1)

    init(_ opportunity: Opportunity, pod: Pod, session: StitchingSession, ledger: BreakLedger) {
        let fill = pod.fill(for: pod.leading)
        length = fill.duration
        // The dates of all renditions run alike.
        longestEntry = pod.matches.keys.reduce(fill.longestEntry) { max($0, pod.fill(for: $1).longestEntry) }
        drift = session.plan.renditions[ledger.leading]?.drift ?? .zero
        guard let leading = ledger.renditions[ledger.leading], let last = leading.segments.last else { return }
        let start =
            ledger.breaks.first { $0.id == opportunity.id }?.startNumber
            ?? session.ownBreaks.first { $0.id == opportunity.id }?.startNumber
        let first = leading.index(atOrAfter: start ?? last.number)
        for known in leading.segments[min(first, leading.segments.count)...] where known.number != start {
            boundaries.append(opportunity.start.duration(to: known.time))
        }
        segment = max(first > 0 ? leading.segments[first - 1].duration : last.duration, .milliseconds(100))
        var end = max(opportunity.start.duration(to: last.end), .zero)
        if leading.hasEnded {
            boundaries.append(end)
            return
        }
        // What is not known yet is taken to be like what was, with a boundary at the planned end.
        let horizon = length + segment * 4
        if let planned = opportunity.plannedDuration, planned > end { boundaries.append(planned) }
        while end < horizon {
            if end > .zero { boundaries.append(end) }
            end += segment
        }
        boundaries.sort()
    }

    /// In millionths; nil where no boundary brings playback back close enough.
    var dateShortening: Int64? {
        guard length > .zero else { return 0 }
        let limit = DateShortening.limit(longestEntry: longestEntry)
        let earliest = Placement.dated(length, shortening: limit) - Placement.dateTolerance
        let ideal = length + drift
        let allowed = boundaries.filter { $0 > .zero && $0 >= earliest }
        guard let best = allowed.min(by: { distance($0, ideal) < distance($1, ideal) }) else { return nil }
        let owed = max(distance(.zero, drift), segment / 2)
        guard distance(best, ideal) <= owed + .milliseconds(1) else { return nil }
        return min(max(length - best - Placement.dateTolerance, .zero).millionths(of: length), limit)
    }

    private func distance(_ left: Duration, _ right: Duration) -> Duration {
        left < right ? right - left : left - right
    }
}
