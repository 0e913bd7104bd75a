import Glibc
import Synchronization

@testable import Transport

/// A server that answers each connection's first bytes with the bytes it was given, and closes.
final class RawOrigin: Sendable {
    let port: UInt16
    /// Requests that came, where each comes in one piece.
    var requests: Int { counter.value.load(ordering: .sequentiallyConsistent) }
    private let counter = Counter()
    private let group: EventLoopGroup
    private let isStopped = Flag()
    private let thread: Task<Void, Never>

    var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameters:
    ///   - holdsOpen: the connection is not closed after the answer.
    ///   - dropsNext: the connection is closed when the next request has come on it.
    init(answer: [UInt8], holdsOpen: Bool = false, dropsNext: Bool = false) throws {
        let (descriptors, port) = try ListeningSocket.open(address: "127.0.0.1", port: 0, count: 1)
        let listener = descriptors[0]
        self.port = port
        group = try EventLoopGroup(count: 1)
        let isStopped = isStopped
        let counter = counter
        thread = Task(executorPreference: group.loops[0]) {
            var open: [Int32] = []
            while !isStopped.isSet {
                var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
                guard Glibc.poll(&waiting, 1, 20) > 0 else { continue }
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { continue }
                var buffer = [UInt8](repeating: 0, count: 65_536)
                if recv(descriptor, &buffer, buffer.count, 0) > 0 { counter.add() }
                var sent = 0
                while sent < answer.count {
                    let count = answer[sent...].withUnsafeBytes {
                        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    if count <= 0 { break }
                    sent += count
                }
                if dropsNext, recv(descriptor, &buffer, buffer.count, 0) > 0 { counter.add() }
                if holdsOpen { open.append(descriptor) } else { close(descriptor) }
            }
            for descriptor in open + [listener] { close(descriptor) }
        }
    }

    convenience init(_ answer: String, holdsOpen: Bool = false, dropsNext: Bool = false) throws {
        try self.init(answer: Array(answer.utf8), holdsOpen: holdsOpen, dropsNext: dropsNext)
    }

    func stop() async {
        isStopped.set()
        await thread.value
        await group.shutdown()
    }
}

private final class Counter: Sendable {
    let value = Atomic<Int>(0)

    func add() { value.wrappingAdd(1, ordering: .sequentiallyConsistent) }
}
