internal import CLinux
internal import Glibc
internal import Synchronization

/// Ends something from outside.
package final class CancellationFlag: Sendable {
    private let value = Atomic<Bool>(false)

    package init() {}

    package var isSet: Bool { value.load(ordering: .acquiring) }
    package func set() { value.store(true, ordering: .releasing) }
}

/// A program run as a child in a process group of its own: with an empty environment and standard input, no open files of ours, low
/// priority and limits. However it ends, none of its group is left; and it ends with this process, also where that is killed.
package struct ChildProgram: Sendable {
    /// Absolute path.
    package var path: String
    package var arguments: [String]
    /// Where it runs.
    package var folder: String
    /// On the machine's own clock: a child does not wait for one that a test moves.
    package var timeLimit: Duration
    /// Of all its threads together.
    package var processorSeconds = 3_600
    /// Of memory that can be written to.
    package var memoryBytes = 4 << 30
    /// Of each file that it writes.
    package var fileBytes = 1 << 30
    package var niceness: Int32 = 10

    package init(_ path: String, _ arguments: [String], in folder: String, timeLimit: Duration) {
        self.path = path
        self.arguments = arguments
        self.folder = folder
        self.timeLimit = timeLimit
    }

    package enum Ending: Hashable, Sendable {
        case status(Int32)
        case signal(Int32)
        case timeout
        case cancelled
        /// The error number.
        case notStarted(Int32)
    }

    package struct Outcome: Sendable {
        package var ending: Ending
        /// The first megabyte of what it wrote to standard output.
        package var output: [UInt8]
        /// The last kilobytes of what it wrote to standard error.
        package var errors: [UInt8]

        package var isSuccess: Bool { ending == .status(0) }
    }

    private static let outputLimit = 1 << 20
    private static let errorLimit = 8_192
    /// Between two looks at the clock.
    private static let interval: Int32 = 50

    /// Blocks until it has ended.
    package func run(cancelled: CancellationFlag = CancellationFlag()) -> Outcome {
        var outcome = Outcome(ending: .notStarted(0), output: [], errors: [])
        guard let output = Pipe(), let errors = Pipe() else {
            outcome.ending = .notStarted(errno)
            return outcome
        }
        defer {
            output.close()
            errors.close()
        }
        let texts = ([path] + arguments).map { strdup($0) }
        let settings = [strdup("LC_ALL=C"), strdup("AV_LOG_FORCE_NOCOLOR=1")]
        defer { for text in texts + settings { free(text) } }
        let limits = clinux_limits(
            niceness: niceness, processor_seconds: processorSeconds, memory_bytes: memoryBytes, file_bytes: fileBytes)
        // This thread stays until the child has ended: the child ends with it.
        let child = clinux_spawn(
            path, texts + [nil], settings + [nil], folder, output.writeEnd, errors.writeEnd, limits)
        guard child > 0 else {
            outcome.ending = .notStarted(-child)
            return outcome
        }
        output.closeWriteEnd()
        errors.closeWriteEnd()
        outcome.ending = wait(for: child, output, errors, cancelled, &outcome)
        return outcome
    }

    private func wait(
        for child: pid_t, _ output: Pipe, _ errors: Pipe, _ cancelled: CancellationFlag, _ outcome: inout Outcome
    ) -> Ending {
        let clock = ContinuousClock()
        let deadline = clock.now + timeLimit
        var forced: Ending?
        while true {
            var waits = [
                pollfd(fd: output.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors.readEnd, events: Int16(POLLIN), revents: 0),
            ]
            // At the end of both nothing is left to wait for but the clock: a descriptor below zero is passed over.
            poll(&waits, 2, Self.interval)
            output.read(into: &outcome.output, keepingFirst: Self.outputLimit)
            errors.read(into: &outcome.errors, keepingLast: Self.errorLimit)
            let status = clinux_peek_exit(child)
            if status != 0 {
                // Its identifier is not given to another as long as it was not waited for.
                kill(-child, SIGKILL)
                var result: Int32 = 0
                var waited = waitpid(child, &result, 0)
                while waited < 0 && errno == EINTR { waited = waitpid(child, &result, 0) }
                output.read(into: &outcome.output, keepingFirst: Self.outputLimit)
                errors.read(into: &outcome.errors, keepingLast: Self.errorLimit)
                if let forced { return forced }
                // Somebody else took its status.
                guard waited == child else { return .notStarted(ECHILD) }
                let signal = result & 0x7F
                return signal == 0 ? .status((result >> 8) & 0xFF) : .signal(signal)
            }
            guard forced == nil else { continue }
            if cancelled.isSet {
                forced = .cancelled
            } else if clock.now >= deadline {
                forced = .timeout
            }
            if forced != nil { kill(-child, SIGKILL) }
        }
    }
}

/// One pipe, whose reading end does not block.
private final class Pipe {
    private(set) var readEnd: Int32
    private(set) var writeEnd: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { return nil }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    func closeWriteEnd() {
        if writeEnd >= 0 { Glibc.close(writeEnd) }
        writeEnd = -1
    }

    func close() {
        closeWriteEnd()
        closeReadEnd()
    }

    private func closeReadEnd() {
        if readEnd >= 0 { Glibc.close(readEnd) }
        readEnd = -1
    }

    func read(into bytes: inout [UInt8], keepingFirst limit: Int) {
        read { chunk in
            let room = limit - bytes.count
            if room > 0 { bytes += chunk.prefix(room) }
        }
    }

    func read(into bytes: inout [UInt8], keepingLast limit: Int) {
        read { chunk in
            bytes += chunk
            if bytes.count > limit { bytes.removeFirst(bytes.count - limit) }
        }
    }

    /// As much as there is, but no more at one time than lets others have their turn.
    private func read(_ take: (ArraySlice<UInt8>) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        for _ in 0..<16 where readEnd >= 0 {
            let count = Glibc.read(readEnd, &buffer, buffer.count)
            if count > 0 {
                take(buffer[0..<count])
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN {
                return
            } else {
                closeReadEnd()
            }
        }
    }
}
