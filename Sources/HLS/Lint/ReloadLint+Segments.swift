// What the tags say of segments that were listed before: rules 404, 502, 503, 608, 804.
extension ReloadLint {
    /// Numbers in a row or not that changed in one way: the first with its line, and how many more.
    private struct Changes {
        var message = ""
        var place = 0
        var count = 0

        mutating func add(_ segment: MediaSegment, _ message: @autoclosure () -> String) {
            if count == 0 {
                self.message = message()
                place = segment.uri.lowerBound
            }
            count += 1
        }

        func report(_ rule: Int, _ report: inout ReloadReport, severity: PlaylistFinding.Severity? = nil) {
            guard count > 0 else { return }
            let others = count > 1 ? " (and \(count - 1) more numbers)" : ""
            report.add(rule, at: place, message + others, severity: severity)
        }
    }

    /// Whether two indices into the tables of two versions mean the same: found out once for each pair in a row.
    private struct Comparison {
        private var last: (Int, Int, Bool)?

        mutating func areSame(_ one: Int, _ other: Int, _ compare: () -> Bool) -> Bool {
            if let last, last.0 == one, last.1 == other { return last.2 }
            let result = compare()
            last = (one, other, result)
            return result
        }
    }

    /// EXTINF, init section and keys of numbers that name the same resource.
    func checkSegments(_ old: Version, _ new: Version, _ report: inout ReloadReport) {
        var durations = Changes()
        var maps = Changes()
        var keys = Changes()
        var lostKeys = Changes()
        var sameMaps = Comparison()
        var sameKeys = Comparison()
        for number in old.common(with: new) {
            guard let one = old.segment(number), let other = new.segment(number) else { continue }
            if one.duration != other.duration {
                durations.add(
                    other,
                    "EXTINF of number \(number) was \(old.playlist.text(one.durationText)) and is "
                        + new.playlist.text(other.durationText))
            }
            let hasSameMap = sameMaps.areSame(one.map ?? -1, other.map ?? -1) {
                Self.mapText(old.playlist, one.map) == Self.mapText(new.playlist, other.map)
            }
            if !hasSameMap {
                let was = Self.mapText(old.playlist, one.map)
                let isNow = Self.mapText(new.playlist, other.map)
                let change = was == isNow ? "its query changed" : "was \(was.shown) and is \(isNow.shown)"
                maps.add(other, "EXT-X-MAP of number \(number) \(change)")
            }
            let hasSameKeys = sameKeys.areSame(one.keyGroup, other.keyGroup) {
                Self.keyTexts(old.playlist, one.keyGroup) == Self.keyTexts(new.playlist, other.keyGroup)
            }
            if !hasSameKeys {
                let was = Self.keyTexts(old.playlist, one.keyGroup)
                let isNow = Self.keyTexts(new.playlist, other.keyGroup)
                if isNow.isSubset(of: was) {
                    lostKeys.add(other, "number \(number) lost its EXT-X-KEY while it is still listed")
                } else {
                    let change = was.isEmpty ? "was clear and is encrypted" : "has another EXT-X-KEY than before"
                    keys.add(other, "number \(number) \(change)")
                }
            }
        }
        durations.report(404, &report)
        maps.report(404, &report)
        keys.report(404, &report)
        lostKeys.report(608, &report)
    }

    private struct MapText: Equatable {
        var text: [UInt8] = []
        var shown = "none"
    }

    private static func mapText(_ playlist: MediaPlaylist, _ index: Int?) -> MapText {
        guard let index, playlist.maps.indices.contains(index) else { return MapText() }
        let map = playlist.maps[index]
        let range = map.byteRange.map { " (\($0.length) bytes at \($0.offset))" } ?? ""
        return MapText(
            text: playlist.source[map.uri] + Array(range.utf8), shown: playlist.shown(map.uri) + range)
    }

    /// The key lines in force. Their order means nothing, and clear is clear with and without METHOD=NONE.
    private static func keyTexts(_ playlist: MediaPlaylist, _ group: Int) -> Set<[UInt8]> {
        guard playlist.keyGroups.indices.contains(group) else { return [] }
        return Set(
            playlist.keyGroups[group].keys.map { Array(playlist.source[$0.line.valueRange(in: playlist.source)]) })
    }

    // MARK: Discontinuities

    func checkDiscontinuities(_ old: Version, _ new: Version, _ report: inout ReloadReport) {
        let value = new.playlist.discontinuitySequence ?? 0
        let before = old.playlist.discontinuitySequence ?? 0
        let common = old.common(with: new)
        // Without the tag the number cannot be right: that is rule 503.
        let hasTag = new.playlist.discontinuitySequence != nil
        guard let head = old.segment(new.first), let first = new.segment(new.first) else {
            // All that was listed has left, and its tags with it.
            let least = old.playlist.trailerDiscontinuityNumber
            if hasTag, new.first >= old.end, value < least {
                report.add(
                    502, tag: .discontinuitySequence,
                    value < before
                        ? "EXT-X-DISCONTINUITY-SEQUENCE fell from \(before) to \(value)"
                        : "EXT-X-DISCONTINUITY-SEQUENCE is \(value), at least \(least) is right: all segments before have left"
                )
            }
            return
        }
        let right = head.discontinuityNumber &- Int64(head.discontinuityCount)
        let dropped = Int64(head.discontinuityCount) &- Int64(first.discontinuityCount)
        var isHeadTold = false
        if value != right, hasTag || right == 0 {
            let name = "number \(new.first)"
            if value < before {
                report.add(
                    502, tag: .discontinuitySequence, "EXT-X-DISCONTINUITY-SEQUENCE fell from \(before) to \(value)")
            } else if dropped > 0, value == right &+ dropped {
                isHeadTold = true
                report.add(
                    502, tag: .discontinuitySequence,
                    "the EXT-X-DISCONTINUITY of \(name) was dropped, and EXT-X-DISCONTINUITY-SEQUENCE raised to \(value), while the segment is still listed"
                )
            } else if value > right {
                report.add(
                    502, tag: .discontinuitySequence,
                    "EXT-X-DISCONTINUITY-SEQUENCE was raised to \(value) too early: \(right) is right while \(name) is the first"
                )
            } else {
                let left = right &- before
                let gone = left == 1 ? "1 discontinuity has" : "\(left) discontinuities have"
                report.add(
                    502, tag: .discontinuitySequence,
                    "EXT-X-DISCONTINUITY-SEQUENCE is \(value), but \(gone) left with the segments: \(right) is right")
            }
        }
        var tags = Changes()
        for number in common where !(isHeadTold && number == new.first) {
            guard let one = old.segment(number), let other = new.segment(number),
                one.discontinuityCount != other.discontinuityCount
            else { continue }
            tags.add(
                other,
                "number \(number) had \(Self.tags(one.discontinuityCount)) and has \(Self.tags(other.discontinuityCount))"
            )
        }
        tags.report(502, &report)
    }

    private static func tags(_ count: Int) -> String {
        switch count {
        case 0: "no EXT-X-DISCONTINUITY"
        case 1: "one EXT-X-DISCONTINUITY"
        default: "\(count) EXT-X-DISCONTINUITY"
        }
    }

    /// A playlist that has lost segments and has or had discontinuities needs EXT-X-DISCONTINUITY-SEQUENCE.
    mutating func checkMissingSequence(_ new: Version, _ report: inout ReloadReport) {
        hasSlid = hasSlid || new.first > newest?.first ?? new.first
        hasHadDiscontinuity = hasHadDiscontinuity || new.hasDiscontinuity
        guard hasSlid, hasHadDiscontinuity, new.playlist.discontinuitySequence == nil, !hasReportedMissingSequence
        else {
            return
        }
        hasReportedMissingSequence = true
        report.add(503, line: 1, "segments leave and there are discontinuities, but no EXT-X-DISCONTINUITY-SEQUENCE")
    }

    // MARK: Dates

    /// Dates that are counted on from another segment's carry the rounding of every EXTINF between.
    private static let countedTolerance = Duration.milliseconds(100)
    private static let statedTolerance = Duration.milliseconds(1)

    func checkDates(_ old: Version, _ new: Version, _ report: inout ReloadReport) {
        var dates = Changes()
        for number in old.common(with: new) {
            guard let before = old.date(number), let now = new.date(number), before != now,
                let one = old.segment(number), let other = new.segment(number)
            else { continue }
            let areStated = one.programDateTime != nil && other.programDateTime != nil
            let move = before.duration(to: now)
            let distance = move < .zero ? .zero - move : move
            guard distance > (areStated ? Self.statedTolerance : Self.countedTolerance) else { continue }
            let seconds = (move > .zero ? "+" : "") + DecimalText.text(move)
            dates.add(
                other,
                "the date of number \(number) moved by \(seconds) s, from \(before.formatted) to \(now.formatted)")
        }
        dates.report(804, &report)
    }
}
