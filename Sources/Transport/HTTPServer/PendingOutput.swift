internal import Glibc

/// Head and body of an answer on their way into a socket.
struct PendingOutput {
    enum Result {
        case complete(Int)
        /// The socket is full.
        case partial(Int)
        case failed
    }

    private var head: [UInt8] = []
    private var body: [UInt8] = []
    private var sent = 0

    init() {}

    init(head: [UInt8], body: [UInt8]) {
        self.head = head
        self.body = body
    }

    var isEmpty: Bool { sent == head.count + body.count }

    /// One call for head and body together; more only while the socket takes parts.
    mutating func write(to descriptor: Int32) -> Result {
        var total = 0
        for _ in 0..<16 where !isEmpty {
            let count = writeOnce(descriptor)
            if count < 0 {
                switch errno {
                case EAGAIN: return .partial(total)
                case EINTR: continue
                default: return .failed
                }
            }
            sent += count
            total += count
        }
        return isEmpty ? .complete(total) : .partial(total)
    }

    private func writeOnce(_ descriptor: Int32) -> Int {
        head.withUnsafeBytes { head in
            body.withUnsafeBytes { body in
                let headStart = min(sent, head.count)
                let bodyStart = min(max(0, sent - head.count), body.count)
                var vectors = (
                    iovec(
                        iov_base: UnsafeMutableRawPointer(mutating: head.baseAddress.map { $0 + headStart }),
                        iov_len: head.count - headStart),
                    iovec(
                        iov_base: UnsafeMutableRawPointer(mutating: body.baseAddress.map { $0 + bodyStart }),
                        iov_len: body.count - bodyStart)
                )
                return withUnsafeMutablePointer(to: &vectors) { pointer in
                    pointer.withMemoryRebound(to: iovec.self, capacity: 2) { vectors in
                        var message = msghdr()
                        message.msg_iov = vectors
                        message.msg_iovlen = 2
                        // sendmsg is writev that can be told not to raise SIGPIPE.
                        return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
                    }
                }
            }
        }
    }
}
