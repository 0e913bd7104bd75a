import HLS

/// Signals that take effect at a time, not at the segment with which they were read: those of date ranges, and those that
/// another rendition has printed.
struct BreakAnnouncement: Sendable, Equatable, Codable {
    enum Source: Sendable, Equatable, Codable {
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

/// Announcements by time, those without one first. Many lie ahead in a title.
struct BreakAnnouncements: Sendable, Codable {
    private var list: [BreakAnnouncement] = []
    private var first = 0

    /// More than any honest source announces.
    private static let limit = 100_000

    var waiting: ArraySlice<BreakAnnouncement> { list[first...] }

    /// Replaces one of the same key, where it is a change. Returns false where there is none to be changed: it has begun.
    @discardableResult
    mutating func insert(_ announcement: BreakAnnouncement) -> Bool {
        if announcement.isChange,
            let known = list[first...].firstIndex(where: { $0.source == announcement.source && $0.signals.out != nil }),
            announcement.signals.out != nil
        {
            list.remove(at: known)
            place(announcement)
            return true
        }
        place(announcement)
        return !announcement.isChange
    }

    private mutating func place(_ announcement: BreakAnnouncement) {
        guard list.count - first < Self.limit else { return }
        let index = list[first...].partitioningIndex { Self.isBefore(announcement, $0) }
        list.insert(announcement, at: index)
    }

    private static func isBefore(_ left: BreakAnnouncement, _ right: BreakAnnouncement) -> Bool {
        switch (left.time, right.time) {
        case (let left?, let right?): left < right
        case (nil, .some): true
        default: false
        }
    }

    /// The next one, if it takes effect with this segment or has been due before.
    mutating func next(by place: BreakDetector.Place) -> BreakAnnouncement? {
        guard first < list.count else { return nil }
        let announcement = list[first]
        if let time = announcement.time(near: place), time > place.time.advanced(by: place.duration / 2) { return nil }
        first += 1
        if first > 64, first * 2 > list.count {
            list.removeFirst(first)
            first = 0
        }
        return announcement
    }

    /// Forgets what names one of these, if it begins a break.
    mutating func cancel(_ names: Set<BreakName>) {
        guard !names.isEmpty else { return }
        list.removeFirst(first)
        first = 0
        for index in list.indices where !(list[index].signals.out?.names.isDisjoint(with: names) ?? true) {
            list[index].signals.out = nil
        }
        list.removeAll { $0.signals.isEmpty }
    }
}
