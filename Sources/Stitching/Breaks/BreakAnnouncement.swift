import HLS

/// Signals that take effect at a time, not at the segment with which they were read: those of date ranges, and those that
/// another rendition has printed.
struct BreakAnnouncement: Sendable, Equatable, Codable {
    enum Source: Sendable, Hashable, Codable {
        /// The time is one of the content's dates.
        case dateRange(key: String)
        /// The time is one of the timeline.
        case rendition
    }

    var source: Source
    /// Nil: with the next segment that becomes known.
    var time: DateTime?
    var signals: SegmentSignals
    /// It says something else than before.
    var isChange = false

    /// The time on the timeline, by a segment of it.
    func time(near place: BreakDetector.Place) -> DateTime? {
        guard let time else { return nil }
        guard case .dateRange = source, let date = place.date else { return time }
        return place.time.advanced(by: date.duration(to: time))
    }
}
