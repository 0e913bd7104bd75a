import Glibc

/// Nobody listens there.
package struct ConnectFailure: Error {
    /// The system's `errno`.
    package let code: Int32
}

/// A blocking socket, so that tests decide byte by byte what goes over the wire.
/// `@unchecked Sendable`: one thread sends while another receives.
package final class RawClient: @unchecked Sendable {
    package let descriptor: Int32

    package init(port: UInt16, timeoutSeconds: Int = 5, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let failure = ConnectFailure(code: errno)
            close(descriptor)
            throw failure
        }
    }

    deinit { close(descriptor) }

    package func send(_ text: String) { send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            sent += count
        }
    }

    /// Closing then aborts the connection instead of ending it in order.
    package func resetsOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    package func shutdownWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What there is; empty at the end, or when the time is up.
    package func receive(atMost limit: Int = 65_536) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, limit, 0)
        return count > 0 ? Array(buffer[..<count]) : []
    }

    private var received: [UInt8] = []

    /// Everything until the server closes.
    package func receiveAll() -> String {
        while true {
            let part = receive()
            if part.isEmpty { break }
            received += part
        }
        defer { received = [] }
        return String(decoding: received, as: UTF8.self)
    }

    /// One answer. `isHead`: has no body whatever its Content-Length.
    package func response(isHead: Bool = false) -> RawResponse? {
        while true {
            if let response = RawResponse(received, isHead: isHead) {
                received.removeFirst(response.length)
                return response
            }
            let part = receive()
            if part.isEmpty { return nil }
            received += part
        }
    }

    package func roundTrip(_ text: String, isHead: Bool = false) -> RawResponse? {
        send(text)
        return response(isHead: isHead)
    }

    /// Whether the server has closed its side, with nothing before.
    package func isClosed() -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) == 0
    }
}

package struct RawResponse {
    package var status: Int
    package var headers: [(String, String)] = []
    package var body: [UInt8]
    package var length: Int

    package init?(_ bytes: [UInt8], isHead: Bool) {
        var end: Int?
        var position = 0
        while position + 4 <= bytes.count {
            if bytes[position] == 13, bytes[position..<(position + 4)].elementsEqual("\r\n\r\n".utf8) {
                end = position + 4
                break
            }
            position += 1
        }
        guard let end else { return nil }
        let lines = String(decoding: bytes[..<(end - 4)], as: UTF8.self).split(separator: "\r\n")
        status = lines.first.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) } ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers.append((String(parts[0]).lowercased(), parts.count > 1 ? String(parts[1].dropFirst()) : ""))
        }
        let count = headers.first { $0.0 == "content-length" }.flatMap { Int($0.1) } ?? 0
        let bodyCount = isHead || status == 304 || status < 200 ? 0 : count
        guard bytes.count >= end + bodyCount else { return nil }
        body = Array(bytes[end..<(end + bodyCount)])
        length = end + bodyCount
    }

    package var text: String { String(decoding: body, as: UTF8.self) }
    package func header(_ name: String) -> String? { headers.first { $0.0 == name.lowercased() }?.1 }
    package func all(_ name: String) -> [String] { headers.filter { $0.0 == name.lowercased() }.map(\.1) }
}
