/// A date range by which a server asks players to play something else for a while. RFC 8216bis appendix D.
package struct Interstitial: Sendable {
    package static let dateRangeClass = "com.apple.hls.interstitial"

    /// What is played: exactly one of the two should be there (rule 822).
    package enum Asset: Hashable, Sendable {
        /// X-ASSET-URI: one asset; absolute.
        case uri(String)
        /// X-ASSET-LIST: JSON with the assets; relative to the playlist, or absolute.
        case list(String)
    }

    /// X-SNAP: which transitions move to the nearest segment boundary.
    package struct Snap: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The start, to the earliest of the boundaries in the playlists that are played.
        package static let out = Snap(rawValue: 1)
        /// The return, to the latest of them.
        package static let `in` = Snap(rawValue: 2)
    }

    /// X-RESTRICT: what viewers may not do.
    package struct Restrictions: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Seek forward in it, or play it fast.
        package static let skip = Restrictions(rawValue: 1)
        /// Seek across it unseen.
        package static let jump = Restrictions(rawValue: 2)
    }

    /// X-TIMELINE-OCCUPIES.
    package enum Occupancy: String, Hashable, Sendable {
        case point = "POINT"
        case range = "RANGE"
    }

    /// X-TIMELINE-STYLE.
    package enum TimelineStyle: String, Hashable, Sendable {
        /// Told apart from the content.
        case highlight = "HIGHLIGHT"
        /// Shown as if it were content.
        case primary = "PRIMARY"
    }

    /// The skip button; the asset list may override each of its parts.
    package struct SkipControl: Hashable, Sendable {
        /// When it appears, after the start of the interstitial; nil: there is none unless the list has one.
        package let offset: Duration?
        /// How long it stays; nil: to the end.
        package let duration: Duration?
        /// Key of its text.
        package let labelID: String?
    }

    /// What became of it.
    package enum Outcome: Hashable, Sendable {
        /// Its assets, of that length, were played to their end or to the playout limit.
        case played(assets: Duration)
        /// The asset list was empty.
        case empty
        /// The list, or the only asset, could not be loaded.
        case failed
    }

    package let range: CombinedDateRange

    /// Nil for a date range of another class.
    package init?(_ range: CombinedDateRange) {
        guard range.dateRangeClass == Self.dateRangeClass else { return nil }
        self.range = range
    }

    package var id: String { range.id }
    package var startDate: DateTime? { range.startDate }
    package var triggers: DateRangeTriggers { range.triggers }

    /// Nil where there is none. Of both the single asset.
    package var asset: Asset? {
        if let uri = range["X-ASSET-URI"] { return .uri(uri.text) }
        return range["X-ASSET-LIST"].map { .list($0.text) }
    }

    /// Where the content goes on, counted from where the interstitial was scheduled. Nil where it is not given: then it is the
    /// interstitial's length (``resumeOffset(after:)``).
    package var resumeOffset: Duration? { range["X-RESUME-OFFSET"]?.duration }
    /// How long it may play at most; nil: to the end of its assets.
    package var playoutLimit: Duration? { range["X-PLAYOUT-LIMIT"]?.duration }

    package var snap: Snap {
        (range["X-SNAP"]?.list() ?? []).reduce(into: Snap()) { set, item in
            if item == "OUT" { set.insert(.out) }
            if item == "IN" { set.insert(.in) }
        }
    }

    package var restrictions: Restrictions {
        (range["X-RESTRICT"]?.list() ?? []).reduce(into: Restrictions()) { set, item in
            if item == "SKIP" { set.insert(.skip) }
            if item == "JUMP" { set.insert(.jump) }
        }
    }

    /// Whether viewers may get different assets; only "NO" says that they do not.
    package var contentMayVary: Bool { range["X-CONTENT-MAY-VARY"]?.text != "NO" }
    /// A point where it is not given, or not readable.
    package var occupancy: Occupancy { range["X-TIMELINE-OCCUPIES"].flatMap { Occupancy(rawValue: $0.text) } ?? .point }
    /// Highlighted where it is not given, or not readable.
    package var timelineStyle: TimelineStyle {
        range["X-TIMELINE-STYLE"].flatMap { TimelineStyle(rawValue: $0.text) } ?? .highlight
    }

    /// Nil where no attribute speaks of it.
    package var skipControl: SkipControl? {
        let offset = range["X-SKIP-CONTROL-OFFSET"]?.duration
        let duration = range["X-SKIP-CONTROL-DURATION"]?.duration
        let label = range["X-SKIP-CONTROL-LABEL-ID"]?.text
        guard offset != nil || duration != nil || label != nil else { return nil }
        return SkipControl(offset: offset, duration: duration, labelID: label)
    }

    /// The length its assets should have: DURATION, else PLANNED-DURATION.
    package var expectedDuration: Duration? { range.duration ?? range.plannedDuration }

    /// How much of its assets is played.
    package func playedDuration(ofAssets duration: Duration) -> Duration {
        playoutLimit.map { min($0, duration) } ?? duration
    }

    /// Where the content goes on, counted from where the interstitial was scheduled. Those of several at one time add up.
    package func resumeOffset(after outcome: Outcome) -> Duration {
        switch outcome {
        case .played(let assets): resumeOffset ?? playedDuration(ofAssets: assets)
        case .empty: resumeOffset ?? .zero
        case .failed: .zero
        }
    }
}

// On the timeline of a media playlist. Where several are played together, players take the earliest of the starts and the latest of
// the returns.
extension Interstitial {
    /// Where the content stops for it, after the start of the first segment: by CUE before the first or after the last segment, else
    /// at its start date. Nil while that is not in the playlist.
    package func startTime(on timeline: Timeline) -> Duration? {
        if triggers.contains(.pre) { return .zero }
        if triggers.contains(.post) { return timeline.duration }
        guard let start = startDate.flatMap({ timeline.time(at: $0) }) else { return nil }
        return snap.contains(.out) ? timeline.nearestBoundary(to: start) : start
    }

    /// Where the content goes on, after the start of the first segment; not outside the playlist. It is counted from where the
    /// interstitial was scheduled, not from a boundary that it was moved to.
    package func resumeTime(on timeline: Timeline, after outcome: Outcome) -> Duration? {
        let scheduled =
            triggers.isDisjoint(with: [.pre, .post])
            ? startDate.flatMap { timeline.time(at: $0) } : startTime(on: timeline)
        guard let scheduled else { return nil }
        let time = min(max(scheduled + resumeOffset(after: outcome), .zero), timeline.duration)
        return snap.contains(.in) ? timeline.nearestBoundary(to: time) : time
    }
}

extension MediaPlaylist {
    /// The interstitials, in the order in which those of one time are played.
    package var interstitials: [Interstitial] { combinedDateRanges.compactMap(Interstitial.init) }
}
