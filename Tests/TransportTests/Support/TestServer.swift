import RawSockets

@testable import Transport

/// A server on a free port of 127.0.0.1, on loops of its own.
struct TestServer {
    let group: EventLoopGroup
    let server: HTTPServer
    let port: UInt16
    /// Threads of the test itself: its sockets block, and the global pool must not.
    let ownThreads: EventLoopGroup

    var url: String { "http://127.0.0.1:\(port)" }

    func client() throws -> RawClient { try RawClient(port: port) }

    /// Runs blocking work beside the test.
    func inBackground(_ body: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        Task(executorPreference: ownThreads.loops[1]) { body() }
    }
}

typealias Respond = @Sendable (HTTPRequest) async -> HTTPResponse

/// Runs `body` against a server and takes the server down afterwards.
func withServer<Result>(
    loops: Int = 1, _ configure: (inout HTTPServerConfiguration) -> Void = { _ in },
    respond: @escaping Respond = echo, _ body: (TestServer) async throws -> Result
) async throws -> Result {
    let group = try EventLoopGroup(count: loops)
    var configuration = HTTPServerConfiguration()
    configure(&configuration)
    let server = HTTPServer(configuration: configuration, handler: HTTPHandlerFunction(respond), group: group)
    let port = try server.start()
    let ownThreads = try EventLoopGroup(count: 2)
    let test = TestServer(group: group, server: server, port: port, ownThreads: ownThreads)
    do {
        let result = try await withTaskExecutorPreference(ownThreads.loops[0]) { try await body(test) }
        await server.shutdown(gracePeriod: .milliseconds(50))
        await group.shutdown()
        await ownThreads.shutdown()
        return result
    } catch {
        await server.shutdown(gracePeriod: .zero)
        await group.shutdown()
        await ownThreads.shutdown()
        throw error
    }
}

/// Says what was asked.
let echo: Respond = { request in
    let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
    return HTTPResponse(
        contentType: "text/plain",
        text: "\(request.method.rawValue) \(request.pathSegments.joined(separator: "|")) ? \(query) body "
            + String(decoding: request.body, as: UTF8.self))
}

func get(_ path: String, _ headers: String...) -> String {
    "GET \(path) HTTP/1.1\r\nHost: test\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n"
}
