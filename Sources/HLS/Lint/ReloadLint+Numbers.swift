// Which segments the numbers name: rules 403 to 406, 309, and how EVENT and ended playlists may change (903 to 905).
extension ReloadLint {
    /// Holds the numbers of a version against those before.
    func checkNumbers(
        _ old: Version, _ new: Version, elapsed: Duration, _ report: inout ReloadReport
    ) -> Continuity {
        if new.first < old.first { return checkFall(old, new, &report) }
        if new.playlist.playlistType == .event, new.first == old.first {
            return checkAppended(old, new, &report) ? .continued : .changed
        }
        let common = old.common(with: new)
        let mismatches = common.lazy.filter { number in
            guard let one = old.segment(number), let other = new.segment(number) else { return false }
            return !Self.areOneResource(old.playlist, one, new.playlist, other)
        }
        if let first = mismatches.first {
            reportMoved(old, new, from: first, count: mismatches.count, &report)
            return .changed
        }
        if common.isEmpty, new.first > old.end {
            if let shift = shift(old, new, from: new.first) {
                reportWholeShift(old, new, shift, &report)
                return .changed
            }
            reportGap(old, new, elapsed, &report)
        }
        if new.end < old.end {
            let count = old.end &- max(new.end, new.first)
            report.add(
                405, line: report.lastLine,
                "\(Self.segments(count)) taken back at the end: the last number fell from \(old.end &- 1) to \(new.end &- 1)"
            )
        }
        return .continued
    }

    private func checkFall(_ old: Version, _ new: Version, _ report: inout ReloadReport) -> Continuity {
        let fall = "the media sequence number fell from \(old.first) to \(new.first)"
        let isOlder: Bool
        if let agrees = agreesWithHistory(new) {
            isOlder = agrees
        } else if let end = new.dates.last, let before = old.dates.last {
            isOlder = end < before
        } else {
            isOlder = false
        }
        guard isOlder else {
            report.add(403, tag: .mediaSequence, "\(fall), and it names other segments: the numbers begin anew")
            return .restarted
        }
        guard new.end > old.end else {
            report.add(403, tag: .mediaSequence, "\(fall): an older version was served again")
            return .stale
        }
        report.add(403, tag: .mediaSequence, "\(fall): segments that had left came back")
        return .changed
    }

    // MARK: Other segments under known numbers

    static func areOneResource(
        _ old: MediaPlaylist, _ one: MediaSegment, _ new: MediaPlaylist, _ other: MediaSegment
    ) -> Bool {
        one.byteRange == other.byteRange && Self.areEqual(old, one.uri, new, other.uri)
    }

    static func areEqual(_ old: MediaPlaylist, _ left: Range<Int>, _ new: MediaPlaylist, _ right: Range<Int>) -> Bool {
        left.count == right.count && old.source[left].elementsEqual(new.source[right])
    }

    /// How far the old number of segments lies above their new one, if that is the same for most of those from `start` on
    /// that are known by another number.
    private func shift(_ old: Version, _ new: Version, from start: Int64) -> Int64? {
        var numbers: [UInt64: Int64?] = [:]
        for number in old.first..<old.end {
            guard let segment = old.segment(number) else { continue }
            let fingerprint = old.playlist.fingerprint(of: segment)
            // A resource that is listed twice tells nothing.
            numbers.updateValue(numbers[fingerprint] == nil ? number : nil, forKey: fingerprint)
        }
        var counts: [Int64: Int] = [:]
        var total = 0
        for number in start..<max(start, new.end) {
            guard let segment = new.segment(number),
                case .some(.some(let before)) = numbers[new.playlist.fingerprint(of: segment)], before != number
            else { continue }
            counts[before &- number, default: 0] += 1
            total += 1
        }
        guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), most.value * 2 > total else {
            return nil
        }
        return most.key
    }

    private func reportMoved(
        _ old: Version, _ new: Version, from first: Int64, count: Int, _ report: inout ReloadReport
    ) {
        let shift = shift(old, new, from: first)
        if let shift, first == new.first, isMoved(first, by: shift, old, new) {
            reportWholeShift(old, new, shift, &report)
            return
        }
        guard let one = old.segment(first), let other = new.segment(first) else { return }
        let was = old.playlist.shownResource(of: one)
        if let shift, shift > 0 {
            let name = shift == 1 ? was : "\(Self.segments(shift)) from \(was)"
            report.add(405, at: other.uri.lowerBound, "\(name), number \(first), left from among those listed")
            return
        }
        let isNow = new.playlist.shownResource(of: other)
        let change = was == isNow ? "is still \(was), but its query changed" : "was \(was) and is \(isNow)"
        if let shift, shift < 0 {
            report.add(
                404, at: other.uri.lowerBound,
                "number \(first) \(change): \(Self.segments(-shift)) put among those already listed")
            return
        }
        let others = count > 1 ? "; \(count - 1) more numbers changed too" : ""
        report.add(404, at: other.uri.lowerBound, "number \(first) \(change)\(others)")
    }

    private func isMoved(_ number: Int64, by shift: Int64, _ old: Version, _ new: Version) -> Bool {
        guard let segment = new.segment(number), let before = old.segment(number &+ shift) else { return false }
        return Self.areOneResource(old.playlist, before, new.playlist, segment)
    }

    private func reportWholeShift(_ old: Version, _ new: Version, _ shift: Int64, _ report: inout ReloadReport) {
        let rise = new.first &- old.first
        let left = rise &+ shift
        if left > 0, !new.playlist.hasMediaSequence {
            report.add(406, line: 1, "\(Self.segments(left)) left, and there is no EXT-X-MEDIA-SEQUENCE")
            return
        }
        let what = left < 0 ? "\(Self.segments(-left)) came in front" : "\(Self.segments(left)) left at the front"
        report.add(405, tag: .mediaSequence, "the media sequence number rose by \(rise), but \(what)")
    }

    private func reportGap(_ old: Version, _ new: Version, _ elapsed: Duration, _ report: inout ReloadReport) {
        let missed = new.first &- old.end
        let target = Duration.seconds(max(new.playlist.targetDuration ?? 0, 1))
        let count = old.playlist.segments.count
        let usual = count > 0 && old.duration > .zero ? old.duration / count : target
        // Clamped: what matters is whether it is far more than can have passed.
        let passed = usual * Int32(clamping: missed)
        if passed > elapsed + target * 3 {
            let text = DecimalText.text(elapsed, fractionDigits: 1)
            report.add(
                405, tag: .mediaSequence,
                "the media sequence number rose by \(new.first &- old.first) within \(text) s: \(missed) numbers were never listed"
            )
        } else {
            report.add(
                405, tag: .mediaSequence,
                "numbers \(old.end) to \(new.first &- 1) were not seen: the playlist was loaded too seldom to tell",
                severity: .note)
        }
    }

    private static func segments(_ count: Int64) -> String {
        count == 1 ? "1 segment" : "\(count) segments"
    }

    // MARK: The window

    func checkWindow(_ old: Version, _ new: Version, _ report: inout ReloadReport) {
        guard new.first > old.first else { return }
        if let type = new.playlist.playlistType {
            report.add(
                903, tag: .playlistType,
                "\(Self.segments(new.first &- old.first)) left a playlist with EXT-X-PLAYLIST-TYPE:\(type.rawValue)")
        }
        guard !new.playlist.hasEndList, let target = new.playlist.targetDuration else { return }
        if new.duration < .seconds(target) * 3 {
            report.add(
                309, tag: .mediaSequence,
                "segments left though only \(DecimalText.text(new.duration)) s remain: three target durations are "
                    + "\(DecimalText.text(.seconds(target) * 3)) s")
        }
    }

    // MARK: Playlists that may not change

    /// A line that was there and is not, or is another.
    private struct LineChange {
        var line: Int
        var message: String
    }

    /// Whether an EVENT playlist was only appended to.
    private func checkAppended(_ old: Version, _ new: Version, _ report: inout ReloadReport) -> Bool {
        let change = Self.firstChange(old.playlist, new.playlist, isPrefix: true) { kind in
            switch kind {
            case .blank, .comment, .part, .preloadHint, .renditionReport, .dateRange, .skip, .endList: true
            default: false
            }
        }
        guard let change else { return true }
        report.add(904, line: change.line, "an EVENT playlist changed before its end: \(change.message)")
        return false
    }

    func checkFixed(_ old: Version, _ new: Version, _ report: inout ReloadReport) {
        let change = Self.firstChange(old.playlist, new.playlist, isPrefix: false) { $0 == .blank || $0 == .comment }
        guard let change else { return }
        let kind = old.playlist.hasEndList ? "an ended" : "a VOD"
        report.add(905, line: change.line, "\(kind) playlist changed: \(change.message)")
    }

    private static func firstChange(
        _ old: MediaPlaylist, _ new: MediaPlaylist, isPrefix: Bool, ignoring isIgnored: (TagKind) -> Bool
    ) -> LineChange? {
        var before = old.lines.makeIterator()
        var after = new.lines.makeIterator()
        var number = 0
        func next(_ lines: inout PlaylistLines.Iterator, counts: Bool) -> PlaylistLine? {
            while let line = lines.next() {
                if counts { number += 1 }
                if !isIgnored(line.kind) { return line }
            }
            return nil
        }
        while true {
            let one = next(&before, counts: false)
            let other = next(&after, counts: true)
            switch (one, other) {
            case (nil, nil): return nil
            case (nil, let other?):
                return isPrefix ? nil : LineChange(line: number, message: "\(new.shown(other.range)) was added")
            case (let one?, nil):
                return LineChange(line: max(number, 1), message: "\(old.shown(one.range)) is gone")
            case (let one?, let other?):
                guard !areEqual(old, one.range, new, other.range) else { continue }
                let was = old.shown(one.range)
                let isNow = new.shown(other.range)
                let text = was == isNow ? "the query of \(was)" : "\(was) became \(isNow)"
                return LineChange(line: number, message: text)
            }
        }
    }
}
