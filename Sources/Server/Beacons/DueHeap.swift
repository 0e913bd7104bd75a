/// Elements by time, the earliest first; those of one time in the order in which they came.
struct DueHeap<Element> {
    private var entries: [(at: Int64, order: UInt64, element: Element)] = []
    private var order: UInt64 = 0

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    mutating func add(_ element: Element, at time: Int64) {
        order &+= 1
        entries.append((time, order, element))
        var index = entries.count - 1
        while index > 0, isBefore(index, (index - 1) / 2) {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// The earliest, if it is not after `now`.
    mutating func popFirst(upTo now: Int64) -> Element? {
        guard let first = entries.first, first.at <= now else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [index * 2 + 1, index * 2 + 2] where child < entries.count && isBefore(child, least) {
                least = child
            }
            guard least != index else { return first.element }
            entries.swapAt(index, least)
            index = least
        }
    }

    /// Takes everything.
    mutating func removeAll() -> [Element] {
        defer { entries = [] }
        return entries.sorted { ($0.at, $0.order) < ($1.at, $1.order) }.map(\.element)
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        (entries[one].at, entries[one].order) < (entries[other].at, entries[other].order)
    }
}
