internal import CLinux
internal import Glibc
internal import Synchronization

/// The event loops of a process, normally one per core.
package final class EventLoopGroup: Sendable {
    package let loops: [EventLoop]
    private let turn = Atomic<Int>(0)

    /// Starts the threads. Lifts the limit of open files to what the process may have, and ignores SIGPIPE.
    /// - Parameter count: at least 1; nil means one per core available to the process.
    package init(count: Int? = nil) throws(TransportError) {
        signal(SIGPIPE, SIG_IGN)
        _ = clinux_raise_open_file_limit()
        let count = max(1, count ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        var loops: [EventLoop] = []
        for index in 0..<count { loops.append(try EventLoop(index: index)) }
        self.loops = loops
    }

    deinit {
        // A group that was not shut down must not keep its threads for ever.
        for loop in loops { Task { await loop.stop() } }
    }

    /// The loops in turn.
    package func next() -> EventLoop {
        let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return loops[Int(UInt(bitPattern: number) % UInt(loops.count))]
    }

    /// The caller's own loop if it is one of these, else the next in turn.
    package func preferred() -> EventLoop {
        if let current = EventLoop.current, current.index < loops.count, loops[current.index] === current {
            return current
        }
        return next()
    }

    /// Stops all loops and waits for their threads. Servers and clients on them should be shut down before.
    package func shutdown() async {
        for loop in loops { await loop.stop() }
    }
}
