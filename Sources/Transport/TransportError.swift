internal import Glibc

/// What went wrong with a socket or a loop of this process. Errors of one HTTP exchange are `HTTPClientError`.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// Another process listens on that address and port.
        case addressInUse
        /// The address is not one of this machine, or cannot be read.
        case addressUnavailable
        /// The process may not listen there (ports below 1024).
        case permissionDenied
        /// No more file descriptors, memory or threads.
        case resourcesExhausted
        /// The loop or server was stopped.
        case stopped
        case system
    }

    package let code: Code
    /// One sentence for an operator.
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { detail }

    /// Equality looks at the code alone.
    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }

    static func system(_ call: String, _ number: Int32 = errno) -> TransportError {
        let text = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        let code: Code =
            switch number {
            case EADDRINUSE: .addressInUse
            case EADDRNOTAVAIL, EAFNOSUPPORT: .addressUnavailable
            case EACCES, EPERM: .permissionDenied
            case EMFILE, ENFILE, ENOMEM, ENOBUFS: .resourcesExhausted
            default: .system
            }
        return TransportError(code, "\(call): \(text)")
    }
}
