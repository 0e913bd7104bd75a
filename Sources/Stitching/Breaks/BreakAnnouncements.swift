import HLS

/// Announcements by time, those without one first. Many lie ahead in a title.
struct BreakAnnouncements: Sendable, Codable {
    private enum Received: Sendable, Codable {
        case announcement(BreakAnnouncement)
        case cancellation(Set<BreakName>)
    }

    private var list: [BreakAnnouncement] = []
    private var first = 0
    /// What came since ``list`` was last put in order; nil for nothing. Put in one by one, each would cost as much as the list is long.
    private var received: [Received]?

    /// More than any honest source announces.
    private static let limit = 100_000

    var waiting: ArraySlice<BreakAnnouncement> {
        guard received != nil else { return list[first...] }
        var settled = self
        settled.settle()
        return settled.list[settled.first...]
    }

    /// Replaces one of the same source, where it is a change.
    mutating func insert(_ announcement: BreakAnnouncement) { receive(.announcement(announcement)) }

    /// Forgets what names one of these, if it begins a break.
    mutating func cancel(_ names: Set<BreakName>) {
        if !names.isEmpty { receive(.cancellation(names)) }
    }

    private mutating func receive(_ one: Received) {
        if received?.append(one) == nil { received = [one] }
        if (received?.count ?? 0) >= Self.limit { settle() }
    }

    /// The next one, if it takes effect with this segment or has been due before.
    mutating func next(by place: BreakDetector.Place) -> BreakAnnouncement? {
        settle()
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

    /// Takes in what came, in its order, in one pass.
    mutating func settle() {
        guard let received else { return }
        self.received = nil
        var table = Table(Array(list[first...]), limit: Self.limit)
        for one in received {
            switch one {
            case .announcement(let announcement): table.add(announcement)
            case .cancellation(let names): table.cancel(names)
            }
        }
        list = table.inOrder
        first = 0
    }

    /// Finds announcements by what may take them back.
    private struct Table {
        private var all: [BreakAnnouncement?]
        private var count: Int
        private let limit: Int
        /// Places of what begins breaks.
        private var bySource: [BreakAnnouncement.Source: ArraySlice<Int>] = [:]
        private var byName: [BreakName: [Int]] = [:]

        init(_ list: [BreakAnnouncement], limit: Int) {
            all = list
            count = list.count
            self.limit = limit
            for (index, announcement) in list.enumerated() { note(announcement, at: index) }
        }

        private mutating func note(_ announcement: BreakAnnouncement, at index: Int) {
            guard let out = announcement.signals.out else { return }
            bySource[announcement.source, default: []].append(index)
            for name in out.names { byName[name, default: []].append(index) }
        }

        mutating func add(_ announcement: BreakAnnouncement) {
            if announcement.isChange, announcement.signals.out != nil {
                while let known = bySource[announcement.source]?.popFirst() {
                    guard all[known]?.signals.out != nil else { continue }
                    all[known] = nil
                    count -= 1
                    break
                }
            }
            guard count < limit else { return }
            count += 1
            all.append(announcement)
            note(announcement, at: all.count - 1)
        }

        mutating func cancel(_ names: Set<BreakName>) {
            for index in names.flatMap({ byName.removeValue(forKey: $0) ?? [] }) {
                all[index]?.signals.out = nil
                if all[index]?.signals.isEmpty ?? false {
                    all[index] = nil
                    count -= 1
                }
            }
        }

        /// Those of one time stay in the order in which they came.
        var inOrder: [BreakAnnouncement] {
            all.compactMap(\.self).enumerated().sorted { left, right in
                switch (left.element.time, right.element.time) {
                case (let first?, let second?) where first != second: first < second
                case (nil, .some): true
                case (.some, nil): false
                default: left.offset < right.offset
                }
            }.map(\.element)
        }
    }
}
