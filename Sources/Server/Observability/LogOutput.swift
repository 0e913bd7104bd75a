import Glibc
import Synchronization

/// Takes finished lines. `write` returns at once and never fails: what cannot be kept is lost and counted.
package protocol LogOutput: Sendable {
    func write(_ line: [UInt8])
    func flush()
    var lostRecords: Int { get }
}

/// For tests that do not look at the log.
package struct DiscardingLogOutput: LogOutput {
    package init() {}
    package func write(_ line: [UInt8]) {}
    package func flush() {}
    package var lostRecords: Int { 0 }
}

/// Keeps the lines in memory, for tests that do.
package final class RecordingLogOutput: LogOutput {
    private let recorded = Mutex<[String]>([])

    package init() {}

    /// The lines written so far, each without its line feed.
    package var lines: [String] { recorded.withLock { $0 } }

    package func write(_ line: [UInt8]) {
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        recorded.withLock { $0.append(text) }
    }

    package func flush() {}
    package var lostRecords: Int { 0 }
}

/// Writes to a file descriptor from a thread of its own, so that a slow reader of the log never slows a viewer.
package final class ThreadedLogOutput: LogOutput {
    private struct Buffer {
        var bytes: [UInt8] = []
        var lost = 0
        /// Bytes taken by the writer and not yet written.
        var writing = 0
        var isClosed = false
    }

    private let descriptor: Int32
    private let byteLimit: Int
    private let buffer = Mutex(Buffer())
    private let wake = Semaphore()

    /// The process's log on standard error.
    package static let standardError = ThreadedLogOutput(descriptor: STDERR_FILENO)

    /// - Parameters:
    ///   - descriptor: where to write; stays the caller's.
    ///   - byteLimit: bytes waiting; a line that does not fit is lost and counted.
    package init(descriptor: Int32, byteLimit: Int = 4_194_304) {
        self.descriptor = descriptor
        self.byteLimit = byteLimit
        startThread { [weak self, wake] in
            while true {
                wake.wait()
                guard let self, self.writeOut() else { return }
            }
        }
    }

    deinit {
        buffer.withLock { $0.isClosed = true }
        wake.signal()
    }

    package var lostRecords: Int { buffer.withLock { $0.lost } }

    package func write(_ line: [UInt8]) {
        let wasEmpty = buffer.withLock { buffer in
            guard buffer.bytes.count + line.count <= byteLimit else {
                buffer.lost += 1
                return false
            }
            let wasEmpty = buffer.bytes.isEmpty
            buffer.bytes += line
            return wasEmpty
        }
        if wasEmpty { wake.signal() }
    }

    package func flush() {
        for _ in 0..<1_000 {
            let isDone = buffer.withLock { $0.bytes.isEmpty && $0.writing == 0 }
            if isDone { return }
            usleep(1_000)
        }
    }

    /// Writes what is waiting; false when the output is closed.
    private func writeOut() -> Bool {
        let (bytes, isClosed) = buffer.withLock { buffer in
            let bytes = buffer.bytes
            buffer.bytes = []
            buffer.writing = bytes.count
            return (bytes, buffer.isClosed)
        }
        if !bytes.isEmpty { writeAll(bytes) }
        buffer.withLock { $0.writing = 0 }
        return !isClosed
    }

    private func writeAll(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { raw in
            var offset = 0
            while offset < raw.count {
                let count = Glibc.write(descriptor, raw.baseAddress.map { $0 + offset }, raw.count - offset)
                if count > 0 {
                    offset += count
                } else if errno == EAGAIN {
                    // A non-blocking terminal or pipe: wait until it takes more.
                    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = Glibc.poll(&poll, 1, 1_000)
                } else if errno != EINTR {
                    let lines = raw[offset...].count { $0 == 0x0A }
                    buffer.withLock { $0.lost += lines }
                    return
                }
            }
        }
    }
}

/// A POSIX semaphore.
///
/// Safe to share: the pointer is set once, points to memory of its own until the last owner is gone, and `sem_post` and
/// `sem_wait` may be called from any thread.
private final class Semaphore: @unchecked Sendable {
    private let handle = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(handle, 0, 0) }

    deinit {
        sem_destroy(handle)
        handle.deallocate()
    }

    func signal() { sem_post(handle) }

    func wait() {
        while sem_wait(handle) != 0, errno == EINTR {}
    }
}
