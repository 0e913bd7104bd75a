// Where content changes: the same numbers at the same times in all playlists.
extension RenditionsLint {
    /// Rules 504, 508, 806, 1106 and 1115.
    func checkTimes(_ report: inout RenditionsReport) {
        guard let reference, let playlist = sources[reference].playlist, !playlist.segments.isEmpty else { return }
        let expected = RenditionTimeline(playlist)
        for (index, source) in sources.enumerated() where index != reference {
            guard let playlist = source.playlist, !playlist.segments.isEmpty else { continue }
            let timeline = RenditionTimeline(playlist)
            var comparison = TimeComparison(
                timeline, source: index, kind: source.reference.kind, with: expected,
                named: sources[reference].reference.shownURI)
            comparison.run(&report)
        }
    }
}

/// Compares the times of one playlist with those of the reference.
private struct TimeComparison {
    private let mine: RenditionTimeline
    private let theirs: RenditionTimeline
    private let source: Int
    private let name: String
    /// The rule that a join or a length breaks.
    private let rule: Int
    /// What may lie between joins that are the same: each rendition is cut at its own segments' boundaries.
    private let tolerance: Int64
    /// What may stand in one playlist alone at its ends.
    private let target: Int64
    /// How far the number of each period that begins with a joint is from the other's.
    private var differences: [Int64: Int64] = [:]

    /// Joins looked at on either side of a time.
    private static let neighbours = 16

    init(
        _ mine: RenditionTimeline, source: Int, kind: MediaPlaylistReference.Kind, with theirs: RenditionTimeline,
        named name: String
    ) {
        self.mine = mine
        self.theirs = theirs
        self.source = source
        self.name = name
        let seconds = max(mine.playlist.targetDuration ?? 0, theirs.playlist.targetDuration ?? 0, 1)
        target = Int64(min(seconds, 1_000_000_000)) * 1_000_000_000
        switch kind {
        case .video: rule = 508
        case .iFrames: rule = 1106
        case .audio, .subtitles: rule = 1115
        }
        // Variants have their segments at the same times; other renditions are cut at the nearest boundary, and a whole
        // segment away is not it.
        tolerance = kind == .video || kind == .iFrames ? target / 2 : target / 10 * 9
    }

    mutating func run(_ report: inout RenditionsReport) {
        let areEnded = mine.playlist.isEnded && theirs.playlist.isEnded
        if areEnded { checkLengths(&report) }
        if mine.hasDates, theirs.hasDates {
            guard checkDates(areEnded, &report) else { return }
            compare(.dates, &report)
        } else if areEnded, !areOfChannel {
            compare(.offsets, &report)
        } else {
            compareByNumber(&report)
        }
    }

    /// Of what has ended. Channels that have let go of segments begin where each playlist's window last was: their dates tell
    /// whether they end together.
    private func checkLengths(_ report: inout RenditionsReport) {
        var difference = mine.length.saturatingDifference(theirs.length)
        if areOfChannel {
            guard mine.hasDates, theirs.hasDates else { return }
            difference = mine.window(.dates).upperBound.saturatingDifference(theirs.window(.dates).upperBound)
        }
        guard difference.distance(0) > target else { return }
        let last = mine.playlist.segments.count - 1
        report.add(
            rule, source: source, at: mine.playlist.segments[last].uri.lowerBound,
            "\(difference.distance(0).secondsText) s \(difference < 0 ? "shorter" : "longer") than \(name)")
    }

    private var areOfChannel: Bool {
        [mine.playlist, theirs.playlist].contains { $0.playlistType != .vod && $0.mediaSequence > 1 }
    }

    // MARK: Dates

    /// Rule 806. Whether times can be compared by dates.
    private func checkDates(_ areEnded: Bool, _ report: inout RenditionsReport) -> Bool {
        let here = mine.window(.dates)
        let there = theirs.window(.dates)
        if here.lowerBound > there.upperBound.saturatingSum(target)
            || there.lowerBound > here.upperBound.saturatingSum(target)
        {
            let date = DateTime(nanoseconds: here.lowerBound).formatted
            let other = DateTime(nanoseconds: there.lowerBound).formatted
            report.add(
                806, source: source, tag: .programDateTime,
                "dates from \(date) on, but \(name) has dates from \(other) on: they have no time in common")
            return false
        }
        guard areEnded, !areOfChannel else { return true }
        // Ended playlists begin at the same time: what is as far from the beginning has the same date.
        let joints = (mine.joints(.offsets) + theirs.joints(.offsets)).map(\.time).sorted()
        for period in mine.periods {
            let offset = mine.time(period.first, .offsets) / 2 + mine.time(period.end, .offsets) / 2
            guard isFar(offset, from: joints), let other = theirs.date(atOffset: offset),
                let date = mine.date(atOffset: offset), date.distance(other) > target
            else { continue }
            report.add(
                806, source: source, at: mine.playlist.segments[period.first].uri.lowerBound,
                "the dates are \(date.distance(other).secondsText) s \(date < other ? "before" : "after") those of \(name)"
            )
            return false
        }
        return true
    }

    private func isFar(_ time: Int64, from joints: [Int64]) -> Bool {
        let index = joints.partitioningIndex { $0 >= time }
        if index < joints.count, joints[index].distance(time) <= tolerance { return false }
        return index == 0 || joints[index - 1].distance(time) > tolerance
    }

    // MARK: Joins

    private mutating func compare(_ axis: RenditionTimeline.Axis, _ report: inout RenditionsReport) {
        let here = mine.joints(axis)
        let there = theirs.joints(axis)
        let times = (here: here.map(\.time), there: there.map(\.time))
        let windows = (here: mine.window(axis), there: theirs.window(axis))
        for joint in here where isInside(joint.time, windows.there) {
            let place = mine.playlist.segments[joint.period.first].uri.lowerBound
            let found = nearest(to: joint.time, number: joint.period.number, in: there, times.there)
            guard let found, found.time.distance(joint.time) <= tolerance else {
                let near = found.map { ", the nearest is \($0.time.distance(joint.time).secondsText) s away" } ?? ""
                report.add(
                    rule, source: source, at: place,
                    "discontinuity \(joint.period.number) has none at its time in \(name)\(near)")
                continue
            }
            differences[joint.period.number] = joint.period.number.saturatingDifference(found.number)
        }
        for joint in there where isInside(joint.time, windows.here) {
            let found = nearest(to: joint.time, number: joint.period.number, in: here, times.here)
            if let found, found.time.distance(joint.time) <= tolerance { continue }
            let index = mine.segmentIndex(endingAfter: joint.time, axis)
            report.add(
                rule, source: source, at: mine.playlist.segments[index].uri.lowerBound,
                "no discontinuity at the time of discontinuity \(joint.period.number) in \(name)")
        }
        compareNumbers(axis, times.here + times.there, &report)
    }

    /// Rule 504: at joins by what was found there; where none of them is off, by what both have at one time. A number that is off is so from there on, and
    /// is told where it comes to be.
    private mutating func compareNumbers(
        _ axis: RenditionTimeline.Axis, _ times: [Int64], _ report: inout RenditionsReport
    ) {
        let joints = times.sorted()
        let common = mine.window(axis).clamped(to: theirs.window(axis))
        let isJoinOff = differences.values.contains { $0 != 0 }
        var before: Int64 = 0
        for period in mine.periods {
            let inside = isJoinOff ? nil : difference(of: period, axis, in: common, joints)
            guard let difference = inside ?? differences[period.number] else { continue }
            defer { before = difference }
            guard difference != 0, difference != before else { continue }
            report.add(
                504, source: source, at: mine.playlist.segments[period.first].uri.lowerBound,
                "discontinuity number \(period.number), but \(period.number.saturatingDifference(difference)) in \(name)"
            )
        }
    }

    /// Away from joins.
    private func difference(
        of period: RenditionTimeline.Period, _ axis: RenditionTimeline.Axis, in common: Range<Int64>, _ joints: [Int64]
    ) -> Int64? {
        let start = max(mine.time(period.first, axis), common.lowerBound)
        let end = min(mine.end(ofSegmentAt: period.end - 1, axis), common.upperBound)
        guard start < end else { return nil }
        let middle = start.saturatingSum(end.saturatingDifference(start) / 2)
        guard isFar(middle, from: joints), let index = theirs.segmentIndex(at: middle, axis) else { return nil }
        return period.number.saturatingDifference(theirs.playlist.segments[index].discontinuityNumber)
    }

    private func isInside(_ time: Int64, _ window: Range<Int64>) -> Bool {
        time > window.lowerBound.saturatingSum(tolerance) && time < window.upperBound.saturatingDifference(tolerance)
    }

    /// The join nearest to a time; one of the same number is preferred where it is near enough.
    private func nearest(
        to time: Int64, number: Int64, in joints: [(time: Int64, period: RenditionTimeline.Period)], _ times: [Int64]
    ) -> (time: Int64, number: Int64)? {
        let index = times.partitioningIndex { $0 >= time }
        var best: (time: Int64, number: Int64)?
        for candidate in max(0, index - Self.neighbours)..<min(joints.count, index + Self.neighbours) {
            let joint = joints[candidate]
            let distance = joint.time.distance(time)
            if joint.period.number == number, distance <= tolerance { return (joint.time, number) }
            if best.map({ distance < $0.time.distance(time) }) ?? true { best = (joint.time, joint.period.number) }
        }
        return best
    }

    // MARK: Without common times

    /// Live playlists without dates: the periods that both list whole have to be equally long.
    private func compareByNumber(_ report: inout RenditionsReport) {
        guard let first = theirs.periods.first?.number, let last = theirs.periods.last?.number,
            let myFirst = mine.periods.first?.number, let myLast = mine.periods.last?.number
        else { return }
        if myFirst > last || myLast < first {
            report.add(
                504, source: source, at: mine.playlist.segments[0].uri.lowerBound,
                "discontinuity numbers \(myFirst) to \(myLast), but \(first) to \(last) in \(name)")
            return
        }
        let lengths = Dictionary(wholePeriods(theirs), uniquingKeysWith: { one, _ in one })
        for (number, period) in wholePeriods(mine) {
            guard let other = lengths[number], period.length.distance(other.length) > tolerance.saturatingSum(tolerance)
            else { continue }
            report.add(
                rule, source: source, at: mine.playlist.segments[period.first].uri.lowerBound,
                "from discontinuity \(number) to the next it is \(period.length.secondsText) s, but \(other.length.secondsText) s in \(name)"
            )
        }
    }

    private func wholePeriods(_ timeline: RenditionTimeline) -> [(Int64, (first: Int, length: Int64))] {
        timeline.periods.dropLast().filter(\.isFromStart).map { period in
            let length = timeline.time(period.end, .offsets).saturatingDifference(timeline.time(period.first, .offsets))
            return (period.number, (period.first, length))
        }
    }
}
