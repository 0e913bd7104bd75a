internal import HLS
internal import Stitching
internal import VAST

/// One break of a schedule, found in the content.
struct PlannedBreak: Sendable {
    var opportunity: Opportunity
    /// A break the content does not mark.
    var ownBreak: ContentBreak?
    var source: AdSource?
    var tracking: BreakTracking
    /// For overlays: nothing is stitched.
    var isNonLinear = false
}

/// Trackers of a break as a whole (VMAP).
struct BreakTracking: Sendable {
    var start: [String] = []
    var end: [String] = []
    var error: [String] = []

    var isEmpty: Bool { start.isEmpty && end.isEmpty && error.isEmpty }

    init(_ events: [TrackingEvent] = []) {
        func urls(_ name: String) -> [String] { events.filter { $0.event == name }.map(\.url) }
        start = urls("breakStart")
        end = urls("breakEnd")
        error = urls("error")
    }

    /// Adds those of another answer for the same break.
    mutating func add(_ other: BreakTracking) {
        start += other.start
        end += other.end
        error += other.error
    }

    /// What falls due by playing.
    var events: [AdTracking.Event] {
        var events: [AdTracking.Event] = []
        if !start.isEmpty { events.append(AdTracking.Event(name: "breakStart", time: .start, urls: start)) }
        if !end.isEmpty { events.append(AdTracking.Event(name: "breakEnd", time: .end, urls: end)) }
        return events
    }
}

/// Lays a schedule over a title.
struct ScheduleReader {
    private let ledger: BreakLedger
    private let duration: Duration
    private let cues: [Opportunity]
    private let limit: Int

    /// - Parameters:
    ///   - cues: the breaks that the content marks, in order: for offsets like `#2`.
    ///   - limit: of breaks, repeats counted.
    init?(_ ledger: BreakLedger, cues: [Opportunity], limit: Int) {
        guard let leading = ledger.renditions[ledger.leading], let first = leading.segments.first,
            let edge = leading.edge
        else { return nil }
        self.ledger = ledger
        self.cues = cues
        self.limit = limit
        duration = first.time.duration(to: edge)
    }

    /// The linear breaks of a schedule that lie in the content, in document order (R-V1 to R-V3).
    ///
    /// - Parameter takesOverlays: the breaks for overlays, too: they stop nothing, and begin when the schedule says, to the millisecond.
    func breaks(of document: VMAPDocument, takesOverlays: Bool = false) -> [PlannedBreak] {
        var planned: [PlannedBreak] = []
        var taken: Set<BreakID> = []
        for (place, adBreak) in document.breaks.enumerated() {
            if adBreak.isLinear, case .position(let number) = adBreak.timeOffset {
                guard let cue = cue(number), planned.count < limit, taken.insert(cue.id).inserted else { continue }
                planned.append(
                    PlannedBreak(
                        opportunity: cue, source: adBreak.source,
                        tracking: BreakTracking(adBreak.trackingEvents.events)))
                continue
            }
            guard adBreak.isLinear || takesOverlays && adBreak.isNonLinear, let offset = offset(of: adBreak) else {
                continue
            }
            for (turn, time) in repeats(from: offset, every: adBreak.repeatAfter).enumerated() {
                guard planned.count < limit else { return planned }
                // Names sort as the document lists them: several breaks at one place play in that order.
                let id = BreakID("vmap-\(padded(place))-\(padded(turn))")
                if let one = plan(adBreak, id, at: time, index: planned.count + 1) { planned.append(one) }
            }
        }
        return planned
    }

    private func cue(_ number: Int) -> Opportunity? {
        number >= 1 && number <= cues.count ? cues[number - 1] : nil
    }

    /// Nil for what cannot be read, and beyond the content: not played.
    private func offset(of adBreak: AdBreak) -> Duration? {
        if case .position(let number) = adBreak.timeOffset {
            guard let cue = cue(number), let first = ledger.renditions[ledger.leading]?.segments.first else {
                return nil
            }
            return first.time.duration(to: cue.start)
        }
        guard let offset = adBreak.timeOffset.time(in: duration), offset <= duration else { return nil }
        return offset
    }

    private func plan(_ adBreak: AdBreak, _ id: BreakID, at time: Duration, index: Int) -> PlannedBreak? {
        let place: InsertionPlace = time <= .zero ? .start : time >= duration ? .end : .offset(time)
        let isNonLinear = !adBreak.isLinear
        guard let own = isNonLinear ? ledger.ownPoint(id: id, at: place) : ledger.ownBreak(id: id, at: place) else {
            return nil
        }
        let position: Opportunity.Position = place == .start ? .preroll : place == .end ? .postroll : .midroll
        var opportunity = Opportunity(own, position: position, index: index)
        opportunity.contentTime = max(time, .zero)
        return PlannedBreak(
            opportunity: opportunity, ownBreak: own, source: adBreak.source,
            tracking: BreakTracking(adBreak.trackingEvents.events), isNonLinear: isNonLinear)
    }

    private func repeats(from offset: Duration, every interval: Duration?) -> [Duration] {
        var times = [offset]
        guard let interval, interval > .zero else { return times }
        var next = offset + interval
        while next < duration, times.count < limit {
            times.append(next)
            next += interval
        }
        return times
    }

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
