import Glibc
import Testing
import Transport

/// The answer to a request of any method, read from a blocking socket: all that came until the server closed.
struct RawAnswer {
    let status: Int
    let body: [UInt8]
    private let fields: [(name: String, value: String)]

    func header(_ name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }

    init(_ method: HTTPMethod, _ path: String, headers: [(String, String)], at base: String) async throws {
        let port = try #require(UInt16(base.split(separator: ":").last ?? ""))
        let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        let request =
            "\(method.rawValue) \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nConnection: close\r\n\(lines)\r\n"
        // The wait is no thread's of the pool that the server's tasks may need.
        let received = await withCheckedContinuation { continuation in
            var thread = pthread_t()
            let work = Unmanaged.passRetained(Exchange(port, request, continuation))
            pthread_create(
                &thread, nil,
                { argument in
                    guard let argument else { return nil }
                    Unmanaged<Exchange>.fromOpaque(argument).takeRetainedValue().run()
                    return nil
                }, work.toOpaque())
            pthread_detach(thread)
        }
        let text = String(decoding: received, as: UTF8.self)
        let end = try #require(text.firstRange(of: "\r\n\r\n"), "no answer to \(method.rawValue) \(path)")
        let head = text[..<end.lowerBound].split(separator: "\r\n").map(String.init)
        status = try #require(Int(head.first?.split(separator: " ").dropFirst().first ?? ""))
        fields = head.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        body = Array(text[end.upperBound...].utf8)
    }

    private final class Exchange {
        private let port: UInt16
        private let request: String
        private let continuation: CheckedContinuation<[UInt8], Never>

        init(_ port: UInt16, _ request: String, _ continuation: CheckedContinuation<[UInt8], Never>) {
            self.port = port
            self.request = request
            self.continuation = continuation
        }

        func run() { continuation.resume(returning: answer()) }

        private func answer() -> [UInt8] {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(descriptor) }
            // A timeval, whose members belong to whichever module the compiler meets first.
            var limit = (seconds: 30, microseconds: 0)
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard status == 0 else { return [] }
            let bytes = Array(request.utf8)
            guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return [] }
            var received: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return received }
                received += buffer[..<count]
            }
        }
    }
}
