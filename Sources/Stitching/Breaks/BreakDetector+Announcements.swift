import HLS

extension BreakDetector {
    /// Takes in what is to come, or was said late.
    mutating func announce(_ announcement: BreakAnnouncement) {
        announcements.cancel(announcement.signals.cancelled)
        announcements.insert(announcement)
    }

    /// Where a break began that was told of late.
    struct Start {
        var time: DateTime?
        /// START-DATE, which names the break.
        var date: DateTime?
    }

    mutating func admit(
        _ announcement: BreakAnnouncement, at place: Place, to signals: inout SegmentSignals, start: inout Start
    ) {
        var told = announcement.signals
        let time = announcement.time(near: place)
        if let out = told.out, let time, isKnown(out, at: time, place, isChange: announcement.isChange, told) {
            told.out = nil
        }
        if !told.ends.isEmpty, let time {
            // It ends what began before it.
            let began = open?.origin.advanced(by: place.duration / 2)
            if began.map({ time <= $0 }) ?? true { told.ends = [] }
        }
        if case .rendition = announcement.source {
            // Which break goes on is known already, but for the first that is seen.
            if hasRead { told.inside = nil }
            if let last = breaks.last, last.isInsertion, let time, time <= last.start.advanced(by: place.duration / 2) {
                told.isPoint = false
            }
        }
        if let out = told.out, let time {
            let isLate = time < place.time.advanced(by: .zero - place.duration / 2)
            // Of two markers of one break the date range names it: by that it may have been decided ahead.
            let isNamed =
                signals.out.map {
                    start.date == nil && !isLate && ($0.level == nil || out.level == nil || $0.level == out.level)
                } ?? true
            if isNamed, case .dateRange = announcement.source {
                start.date = announcement.time?.advanced(by: place.dateShift)
            }
            if signals.out == nil, isLate { start.time = time }
        }
        signals.merge(told)
    }

    /// Whether an announced break is the one that is open or has just ended, or lies before it.
    private mutating func isKnown(
        _ out: SegmentSignals.Out, at time: DateTime, _ place: Place, isChange: Bool, _ signals: SegmentSignals
    ) -> Bool {
        guard let last = breaks.last else { return false }
        let tolerance = max(place.duration, .seconds(1))
        if var open {
            let distance = open.origin.duration(to: time)
            let isNamed = !open.names.isDisjoint(with: out.names)
            guard isNamed || (distance <= tolerance && distance >= .zero - tolerance) else {
                return time < open.origin
            }
            if out.level ?? 0 > open.level ?? .max { return true }
            open.names.formUnion(out.names)
            self.open = open
            add(signals)
            if let length = out.positiveLength, isChange || !open.hasLength {
                revise(to: open.origin.advanced(by: length), at: place)
            }
            return true
        }
        guard let end = last.end, !last.isInsertion else { return time < last.start }
        return time.advanced(by: place.duration / 2) < end.time
    }

    /// Breaks that lie ahead of all known segments, for those who want to decide early.
    var announced: [ContentBreak] {
        guard hasRead else { return [] }
        return announcements.waiting.compactMap { announcement in
            guard let out = announcement.signals.out,
                let time = announcement.time?.advanced(by: dateShift ?? .zero),
                case .dateRange = announcement.source, out.level ?? 0 < open?.level ?? .max
            else { return nil }
            let length = out.positiveLength
            return ContentBreak(
                id: Self.id(date: time), startNumber: nil, start: time, plannedDuration: length,
                availableDuration: length ?? settings.unknownLengthCap, isInsertion: false,
                attributes: announcement.signals.attributes, splice: announcement.signals.splice,
                asset: announcement.signals.asset)
        }
    }
}
