/// The rules that only show when one media playlist is loaded again and again (RFC 8216bis §6.2.1-2). Fed with its versions
/// in the order in which they came; remembers what players remember of the earlier ones, and a bounded history of numbers.
///
/// One cause makes one finding: an origin whose numbers begin anew is reported as that, not once for each segment. After a
/// break with the past the new version is what the next one is held against, as it is for players.
package struct ReloadLint: Sendable {
    /// The newest version that was taken over.
    private(set) var newest: Version?
    /// What the numbers named, by fingerprint.
    private var history: [Int64: UInt64] = [:]
    var dateRanges = DateRangeMemory()
    var hasSlid = false
    var hasHadDiscontinuity = false
    var hasReportedMissingSequence = false
    /// When the newest version was first and last received.
    private var lastReceived = Duration.zero
    /// When the last new segment was first seen.
    private var advancedAt = Duration.zero
    private var hasReportedStall = false

    /// Numbers remembered after their segments have left.
    private static let historyLimit: Int64 = 32_768

    package init() {}

    /// Takes the next version, received at `time` on a clock that never goes back; an unchanged one too, for its time tells
    /// that nothing was added. Returns what it breaks, with lines of this version.
    ///
    /// A delta update (EXT-X-SKIP) is merged into the version before; what that shows is told at its EXT-X-SKIP.
    package mutating func receive(_ playlist: MediaPlaylist, at time: Duration) -> [PlaylistFinding] {
        guard playlist.skip == nil else { return receive(delta: playlist, at: time) }
        guard let old = newest else {
            var report = ReloadReport(playlist)
            dateRanges.read(playlist, &report)
            accept(Version(playlist), at: time, hasAdvanced: true)
            return []
        }
        var report = ReloadReport(playlist)
        if old.playlist.source == playlist.source {
            checkStall(playlist, at: time, &report)
            lastReceived = time
            return report.sorted()
        }
        let new = Version(playlist)
        let hasAdvanced: Bool
        switch check(old, new, at: time, &report) {
        case .stale:
            checkStall(playlist, at: time, &report)
            lastReceived = time
            return report.sorted()
        case .restarted:
            history.removeAll()
            dateRanges = DateRangeMemory()
            dateRanges.read(playlist, &report)
            hasSlid = false
            hasHadDiscontinuity = false
            hasAdvanced = true
        case .changed:
            // What the numbers named before says nothing about what they name from now on.
            history.removeAll()
            hasAdvanced = true
        case .continued:
            hasAdvanced = new.end > old.end || new.playlist.hasEndList
        }
        if !hasAdvanced { checkStall(playlist, at: time, &report) }
        accept(new, at: time, hasAdvanced: hasAdvanced)
        return report.sorted()
    }

    private mutating func receive(delta: MediaPlaylist, at time: Duration) -> [PlaylistFinding] {
        // Without a version before there is nothing to merge it into, and nothing to hold it against.
        guard let old = newest else { return [] }
        var report = ReloadReport(delta)
        do throws(PlaylistError) {
            let merged = try delta.merged(onto: old.playlist)
            for finding in receive(merged, at: time) {
                report.add(finding.rule, tag: .skip, finding.message, severity: finding.severity)
            }
        } catch {
            report.add(1007, tag: .skip, "the delta update cannot be merged into the version before: \(error.detail)")
        }
        return report.sorted()
    }

    /// How a version follows on the one before.
    enum Continuity {
        /// Numbers mean what they meant, as far as can be seen.
        case continued
        /// They do not; the reason has been reported.
        case changed
        /// The numbers begin anew.
        case restarted
        /// An older version was served once more.
        case stale
    }

    private mutating func check(
        _ old: Version, _ new: Version, at time: Duration, _ report: inout ReloadReport
    ) -> Continuity {
        if let before = old.playlist.targetDuration, let now = new.playlist.targetDuration, before != now {
            report.add(307, tag: .targetDuration, "the target duration went from \(before) to \(now)")
        }
        if old.playlist.hasEndList, !new.playlist.hasEndList {
            report.add(909, line: report.lastLine, "EXT-X-ENDLIST was there and is gone")
            return .restarted
        }
        if old.playlist.hasEndList || (old.playlist.playlistType == .vod && new.first == old.first) {
            checkFixed(old, new, &report)
            return .changed
        }
        let continuity = checkNumbers(old, new, elapsed: time - lastReceived, &report)
        guard continuity == .continued || continuity == .changed else { return continuity }
        checkWindow(old, new, &report)
        if continuity == .continued {
            checkSegments(old, new, &report)
            checkDiscontinuities(old, new, &report)
            checkDates(old, new, &report)
            checkHint(old, new, &report)
        }
        checkMissingSequence(new, &report)
        dateRanges.check(new, &report)
        return continuity
    }

    private mutating func accept(_ version: Version, at time: Duration, hasAdvanced: Bool) {
        remember(version)
        hasHadDiscontinuity = hasHadDiscontinuity || version.hasDiscontinuity
        newest = version
        lastReceived = time
        guard hasAdvanced else { return }
        advancedAt = time
        hasReportedStall = false
    }

    /// A live playlist gets a segment within 1.5 target durations. The last one appeared at or before it was first seen, so
    /// what is measured is never too long.
    private mutating func checkStall(_ playlist: MediaPlaylist, at time: Duration, _ report: inout ReloadReport) {
        guard !hasReportedStall, !playlist.hasEndList, playlist.playlistType != .vod,
            let target = playlist.targetDuration, target > 0
        else { return }
        let allowed = Duration.seconds(target) * 3 / 2
        let passed = time - advancedAt
        guard passed > allowed else { return }
        hasReportedStall = true
        let text = DecimalText.text(passed, fractionDigits: 1)
        report.add(
            310, line: report.lastLine,
            "no new segment for \(text) s; 1.5 target durations (\(DecimalText.text(allowed)) s) are allowed")
    }

    // MARK: History

    private mutating func remember(_ version: Version) {
        let known = newest.map { $0.end } ?? version.first
        let start = newest == nil || history.isEmpty ? version.first : min(max(known, version.first), version.end)
        for number in start..<version.end {
            guard let segment = version.segment(number) else { continue }
            history[number] = version.playlist.fingerprint(of: segment)
        }
        let count = Int64(version.playlist.segments.count)
        guard Int64(history.count) > (count + Self.historyLimit) * 2 else { return }
        let oldest = version.end &- count &- Self.historyLimit
        history = history.filter { $0.key >= oldest }
    }

    /// Whether a version names what its numbers named before: nil where none of them was seen.
    func agreesWithHistory(_ version: Version) -> Bool? {
        var isKnown = false
        for number in version.first..<version.end {
            guard let segment = version.segment(number), let known = history[number] else { continue }
            guard known == version.playlist.fingerprint(of: segment) else { return false }
            isKnown = true
        }
        return isKnown ? true : nil
    }
}

/// One version of the playlist.
extension ReloadLint {
    struct Version: Sendable {
        let playlist: MediaPlaylist
        /// Number of the first segment, and one more than that of the last.
        let first: Int64
        let end: Int64
        /// Wall clock of the segments, and of the end of the last; empty where there are no dates.
        let dates: [DateTime]
        let duration: Duration
        let hasDiscontinuity: Bool

        init(_ playlist: MediaPlaylist) {
            self.playlist = playlist
            first = playlist.mediaSequence
            end = first &+ Int64(playlist.segments.count)
            let timeline = Timeline(playlist)
            dates = timeline.dates
            duration = timeline.duration
            hasDiscontinuity = playlist.trailerDiscontinuityNumber != playlist.discontinuitySequence ?? 0
        }

        func segment(_ number: Int64) -> MediaSegment? {
            guard number >= first, number < end else { return nil }
            return playlist.segments[Int(number &- first)]
        }

        func date(_ number: Int64) -> DateTime? {
            guard number >= first, number < end, !dates.isEmpty else { return nil }
            return dates[Int(number &- first)]
        }

        /// The numbers that both have.
        func common(with new: Version) -> Range<Int64> {
            let start = max(first, new.first)
            return start..<max(start, min(end, new.end))
        }
    }
}
