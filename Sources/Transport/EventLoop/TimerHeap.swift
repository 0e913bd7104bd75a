/// Deadlines in order: a binary heap whose cancelled entries are dropped when they come up, or when they outnumber the rest.
struct TimerHeap {
    typealias ID = UInt64

    private struct Entry {
        var deadline: UInt64
        var id: ID
    }

    private var heap: [Entry] = []
    private var actions: [ID: () -> Void] = [:]
    private var lastID: ID = 0

    var count: Int { actions.count }
    /// With those that are cancelled and not yet dropped.
    var heapCount: Int { heap.count }

    mutating func add(at deadline: UInt64, _ action: @escaping () -> Void) -> ID {
        lastID &+= 1
        actions[lastID] = action
        heap.append(Entry(deadline: deadline, id: lastID))
        siftUp(heap.count - 1)
        return lastID
    }

    mutating func cancel(_ id: ID) {
        guard actions.removeValue(forKey: id) != nil else { return }
        if heap.count > 64, heap.count > 2 * actions.count { compact() }
    }

    /// The nearest deadline that was not cancelled.
    mutating func nextDeadline() -> UInt64? {
        while let first = heap.first {
            if actions[first.id] != nil { return first.deadline }
            removeFirst()
        }
        return nil
    }

    /// Takes the action of the nearest deadline if it is not after `now`.
    mutating func popDue(now: UInt64) -> (() -> Void)? {
        while let first = heap.first, first.deadline <= now {
            removeFirst()
            if let action = actions.removeValue(forKey: first.id) { return action }
        }
        return nil
    }

    mutating func removeAll() {
        heap = []
        actions = [:]
    }

    private mutating func compact() {
        heap = heap.filter { actions[$0.id] != nil }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            siftDown(0)
        }
    }

    private func before(_ left: Entry, _ right: Entry) -> Bool {
        left.deadline != right.deadline ? left.deadline < right.deadline : left.id < right.id
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard before(heap[index], heap[parent]) else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            let left = 2 * index + 1
            let right = left + 1
            var least = index
            if left < heap.count, before(heap[left], heap[least]) { least = left }
            if right < heap.count, before(heap[right], heap[least]) { least = right }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
