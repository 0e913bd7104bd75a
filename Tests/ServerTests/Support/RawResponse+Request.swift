import RawSockets
import Server
import Testing
import Transport

extension RawResponse {
    /// The answer to a request of any method, and that nothing comes after it until the server closes.
    init(_ method: HTTPMethod, _ path: String, headers: [(String, String)], at base: String) async throws {
        let port = try #require(UInt16(base.split(separator: ":").last ?? ""))
        let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        let request =
            "\(method.rawValue) \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nConnection: close\r\n\(lines)\r\n"
        // The wait is no thread's of the pool that the server's tasks may need.
        let received = await withCheckedContinuation { continuation in
            startThread {
                let client = try? RawClient(port: port, timeoutSeconds: 30)
                client?.send(request)
                continuation.resume(returning: Array((client?.receiveAll() ?? "").utf8))
            }
        }
        self = try #require(RawResponse(received, isHead: method == .head), "no answer to \(method.rawValue) \(path)")
        #expect(length == received.count, "more than an answer to \(method.rawValue) \(path)")
    }
}
