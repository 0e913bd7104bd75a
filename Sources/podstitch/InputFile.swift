import Glibc
import HLS

/// Reads files, pipes and standard input whole.
enum InputFile {
    enum Outcome: Equatable, Sendable {
        case read([UInt8])
        /// The reason for the person at the terminal.
        case failed(String)
        /// The task was cancelled while nothing came.
        case cancelled
    }

    /// A playlist of three days is some megabytes.
    static let byteLimit = 64 << 20

    /// The path that a `file:` URL names, its escapes resolved; other texts are paths themselves.
    static func path(of location: String) -> String {
        location.hasPrefix("file://") ? PercentText.decoded(String(location.dropFirst("file://".count))) : location
    }

    /// - Parameter location: a path or a `file:` URL.
    static func read(_ location: String, byteLimit: Int = byteLimit) -> Outcome {
        // A pipe that nobody writes to yet would hold `open`.
        let file = open(path(of: location), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return .failed(reason(errno)) }
        defer { close(file) }
        return read(file, byteLimit: byteLimit)
    }

    static func readStandardInput() -> Outcome { read(STDIN_FILENO, byteLimit: byteLimit) }

    /// - Parameter file: a descriptor, read to its end.
    private static func read(_ file: Int32, byteLimit: Int) -> Outcome {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !Task.isCancelled {
            // Pipes may bring nothing for long: cancelling is to end the wait.
            var event = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            if poll(&event, 1, 100) == 0 { continue }
            let count = Glibc.read(file, &buffer, buffer.count)
            if count == 0 { return .read(bytes) }
            if count > 0 {
                bytes.append(contentsOf: buffer[..<count])
                guard bytes.count <= byteLimit else { return .failed("more than \(byteLimit) bytes") }
            } else if errno != EINTR, errno != EAGAIN {
                return .failed(reason(errno))
            }
        }
        return .cancelled
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case ENOENT: "no such file"
        case EISDIR: "a folder, not a file"
        case EACCES: "no permission to read it"
        default: "system error \(code)"
        }
    }
}
