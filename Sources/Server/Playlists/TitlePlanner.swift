internal import HLS
internal import Stitching
internal import Transport
internal import VAST

/// Finds out once per session where the breaks of a title are and what fills them, so that all renditions and reloads agree (rule 905).
///
/// Breaks are those that cues in the content mark; a VMAP answer's own ones instead; without either, one pre-roll.
struct TitlePlanner: Sendable {
    var desk: DecisionDesk
    var time: any TimeSource
    var log: Log
    var start: @Sendable (@escaping @Sendable () async -> Void) -> Void

    /// A schedule names no more breaks than this, repeats counted.
    private static let breakLimit = 500
    /// Breaks that are asked for at once.
    private static let parallelBreaks = 4

    /// Waits until the session's breaks are decided, at most for the provider's time.
    func plan(_ session: Session, of source: Source, content: BreakContent, ledger: BreakLedger) async {
        guard source.id.kind == .vod, let limit = source.decisionTime else { return }
        let (work, isNew) = session.claimSchedule()
        if isNew {
            start {
                await find(session, source, content, ledger, limit: limit)
                work.finish(with: ())
            }
        }
        _ = await work.value(within: limit + .seconds(1), on: time)
    }

    private func find(
        _ session: Session, _ source: Source, _ content: BreakContent, _ ledger: BreakLedger, limit: Duration
    ) async {
        let ends = time.monotonic() + limit
        let cues = session.prepare(with: ledger, now: DateTime(nanoseconds: time.now())).pending.map(\.opportunity)
        guard let timeline = TitleTimeline(ledger) else { return }
        let preroll = timeline.insertion(at: .zero, id: BreakID("preroll"), length: source.options.cueOutCap)
        let first = cues.first ?? Opportunity(preroll, position: .preroll, index: 1)
        let schedule = await source.provider.schedule(
            for: BreakRequest(record: session.record, opportunity: first, limit: limit))
        switch schedule {
        case .oneBreak(let answer):
            if cues.isEmpty { session.add([preroll]) }
            await each(Array(cues.dropFirst())) { opportunity in
                let left = ends - time.monotonic()
                let more = await source.provider.ads(
                    for: BreakRequest(record: session.record, opportunity: opportunity, limit: left))
                await desk.conclude(more, opportunity, session, source, content, limit: ends - time.monotonic())
            } besides: {
                await desk.conclude(answer, first, session, source, content, limit: ends - time.monotonic())
            }
        case .breaks(let document, let url):
            let planned = timeline.breaks(of: document, cues: cues, cap: source.options.cueOutCap, limit: Self.breakLimit)
            session.add(planned.compactMap(\.ownBreak))
            session.add(tracking: planned.map { ($0.opportunity.id, $0.tracking) })
            let named = Set(planned.map(\.opportunity.id))
            for cue in cues where !named.contains(cue.id) {
                session.settle(cue.id, .content(.noAds))
                desk.keep(.noAds, for: cue.id, of: session)
            }
            log.info(
                "title.schedule", session: session.name,
                ["source": .text(source.id.name), "breaks": .number(planned.count)])
            await each(planned) { plan in
                let answer =
                    if let adSource = plan.source {
                        await source.provider.ads(
                            from: adSource, url: url,
                            for: BreakRequest(
                                record: session.record, opportunity: plan.opportunity, limit: ends - time.monotonic()))
                    } else {
                        AdAnswerForBreak()
                    }
                await desk.conclude(answer, plan.opportunity, session, source, content, limit: ends - time.monotonic())
            }
        }
    }

    /// Does `body` for each element, a few at once.
    private func each<Element: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) async -> Void,
        besides other: (@Sendable () async -> Void)? = nil
    ) async {
        await withTaskGroup(of: Void.self) { group in
            if let other { group.addTask { await other() } }
            for (index, element) in elements.enumerated() {
                if index >= Self.parallelBreaks { await group.next() }
                group.addTask { await body(element) }
            }
        }
    }
}

/// One break of a schedule, found in the content.
struct PlannedBreak: Sendable {
    var opportunity: Opportunity
    /// A break the content does not mark.
    var ownBreak: ContentBreak?
    var source: AdSource?
    var tracking: BreakTracking
}

/// Trackers of a break as a whole (VMAP).
struct BreakTracking: Sendable {
    var start: [String] = []
    var end: [String] = []
    var error: [String] = []

    var isEmpty: Bool { start.isEmpty && end.isEmpty && error.isEmpty }
}

/// The leading rendition of a title as places for breaks.
struct TitleTimeline: Sendable {
    private let segments: [LedgerSegment]
    private let first: LedgerSegment
    private let last: LedgerSegment

    init?(_ ledger: BreakLedger) {
        segments = ledger.renditions[ledger.leading]?.segments ?? []
        guard let first = segments.first, let last = segments.last else { return nil }
        self.first = first
        self.last = last
    }

    var duration: Duration { first.time.duration(to: last.end) }

    /// A place between two segments, at the boundary nearest to `offset` in the content.
    func insertion(at offset: Duration, id: BreakID, length: Duration) -> ContentBreak {
        let wanted = first.time.advanced(by: offset)
        var number = last.number &+ 1
        var time = last.end
        if let index = boundary(nearest: wanted) {
            number = segments[index].number
            time = segments[index].time
        }
        return ContentBreak(
            id: id, startNumber: number, start: time, plannedDuration: nil, availableDuration: length,
            isInsertion: true, end: ContentBreak.End(time: time, number: number))
    }

    /// The first segment whose start is as near to `time` as its end; `nil` for the end of the content.
    private func boundary(nearest time: DateTime) -> Int? {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            let segment = segments[middle]
            let past = segment.time.duration(to: time)
            if past + past <= segment.duration { high = middle } else { low = middle + 1 }
        }
        return low < segments.count ? low : nil
    }

    /// The linear breaks of a schedule that lie in the content, in document order (R-V1 to R-V3).
    func breaks(of document: VMAPDocument, cues: [Opportunity], cap: Duration, limit: Int) -> [PlannedBreak] {
        var planned: [PlannedBreak] = []
        for (place, adBreak) in document.breaks.enumerated() where adBreak.isLinear {
            let tracking = BreakTracking(
                start: adBreak.trackers("breakStart"), end: adBreak.trackers("breakEnd"), error: adBreak.trackers("error"))
            if case .position(let number) = adBreak.timeOffset {
                guard number >= 1, number <= cues.count else { continue }
                let cue = cues[number - 1]
                guard !planned.contains(where: { $0.opportunity.id == cue.id }) else { continue }
                planned.append(PlannedBreak(opportunity: cue, source: adBreak.source, tracking: tracking))
                continue
            }
            guard let offset = adBreak.timeOffset.time(in: duration) else { continue }
            // Beyond the content: not played.
            for (turn, time) in repeats(from: offset, every: adBreak.repeatAfter, limit: limit).enumerated() {
                guard planned.count < limit else { return planned }
                let position: Opportunity.Position =
                    time <= .zero ? .preroll : time >= duration ? .postroll : .midroll
                let own = insertion(at: time, id: BreakID("vmap-\(padded(place))-\(padded(turn))"), length: cap)
                planned.append(
                    PlannedBreak(
                        opportunity: Opportunity(own, position: position, index: planned.count + 1), ownBreak: own,
                        source: adBreak.source, tracking: tracking))
            }
        }
        return planned
    }

    private func repeats(from offset: Duration, every interval: Duration?, limit: Int) -> [Duration] {
        guard offset <= duration else { return [] }
        var times = [offset]
        guard let interval, interval > .zero else { return times }
        var next = offset + interval
        while next < duration, times.count < limit {
            times.append(next)
            next += interval
        }
        return times
    }

    /// So that the order of names is the order of numbers.
    private func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}

extension Opportunity {
    /// The opportunity of a break that only one session has.
    init(_ own: ContentBreak, position: Position, index: Int) {
        self.init(
            id: own.id, start: own.start, plannedDuration: own.plannedDuration,
            availableDuration: own.availableDuration, position: position, index: index, isInsertion: true)
    }
}
