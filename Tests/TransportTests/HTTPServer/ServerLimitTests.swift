import Glibc
import RawSockets
import Synchronization
import Testing

@testable import Transport

@Suite struct ServerLimitTests {
    private static func hang(until cancelled: Flag) -> Respond {
        { _ in
            try? await SystemTimeSource().sleep(for: .seconds(30))
            if Task.isCancelled { cancelled.set() }
            return HTTPResponse(body: [1])
        }
    }

    @Test func `an idle connection is closed`() async throws {
        try await withServer({ $0.timeouts.idle = .milliseconds(40) }) { server in
            let client = try server.client()
            #expect(client.roundTrip(get("/"))?.status == 200)
            #expect(client.isClosed())
        }
    }

    @Test func `a head that does not end is answered 408, however it trickles`() async throws {
        try await withServer({ $0.timeouts.header = .milliseconds(60) }) { server in
            let client = try server.client()
            let trickle = server.inBackground {
                for byte in get("/").utf8.dropLast(2) {
                    client.send([byte])
                    usleep(3_000)
                }
            }
            #expect(client.response()?.status == 408)
            await trickle.value
        }
    }

    @Test func `a body that does not end is answered 408`() async throws {
        try await withServer({ $0.timeouts.body = .milliseconds(40) }) { server in
            let client = try server.client()
            let response = client.roundTrip("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
            #expect(response?.status == 408)
            #expect(client.isClosed())
        }
    }

    @Test func `a handler that takes too long is cancelled and answered for`() async throws {
        let cancelled = Flag()
        try await withServer(
            { $0.timeouts.handler = .milliseconds(40) }, respond: Self.hang(until: cancelled)
        ) { server in
            let client = try server.client()
            let response = try #require(client.roundTrip(get("/")))
            #expect(response.status == 503)
            #expect(response.header("retry-after") == "1")
            #expect(response.text.contains("handler_timeout"))
            await cancelled.wait()
            #expect(server.server.counters.handlerTimeouts == 1)
            // The connection is still good.
            #expect(client.roundTrip(get("/"))?.status == 503)
        }
    }

    @Test func `a client that goes away cancels its handler`() async throws {
        let cancelled = Flag()
        try await withServer(respond: Self.hang(until: cancelled)) { server in
            var client: RawClient? = try server.client()
            client?.send(get("/"))
            await poll { server.server.counters.requests == 1 }
            client?.resetsOnClose()
            client = nil
            await cancelled.wait()
        }
    }

    @Test func `a client that has shut its sending side still gets its answers`() async throws {
        let respond: Respond = { request in
            // A cancelled wait ends at once.
            do { try await SystemTimeSource().sleep(for: .milliseconds(20)) } catch { return HTTPResponse(status: 504) }
            return HTTPResponse(contentType: "text/plain", text: request.path)
        }
        try await withServer(respond: respond) { server in
            let client = try server.client()
            client.send(get("/1") + get("/2") + "GET /cut")
            client.shutdownWriting()
            #expect(["/1", "/2"] == (0..<2).map { _ in client.response()?.text })
            #expect(client.isClosed())
        }
    }

    @Test func `a client that does not read is closed`() async throws {
        let respond: Respond = { _ in HTTPResponse(body: [UInt8](repeating: 65, count: 1 << 14), entityTag: .none) }
        try await withServer({ $0.timeouts.write = .milliseconds(50) }, respond: respond) { server in
            let client = try RawClient(port: server.port, receiveBuffer: 4_096)
            // Pipelined requests that fill the socket: no more of them is read until the answers drain.
            let requests = server.inBackground { client.send(String(repeating: get("/"), count: 2_000)) }
            await poll { server.server.counters.openConnections == 0 && server.server.counters.connections == 1 }
            #expect(server.server.counters.requests < 2_000)
            shutdown(client.descriptor, Int32(SHUT_RDWR))
            await requests.value
        }
    }

    @Test func `a slow reader gets a large answer whole`() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
        let respond: Respond = { _ in HTTPResponse(body: body, entityTag: .none) }
        try await withServer(respond: respond) { server in
            let client = try RawClient(port: server.port, receiveBuffer: 8_192)
            client.send(get("/") + get("/"))
            for _ in 0..<2 { #expect(client.response()?.body == body) }
        }
    }

    @Test func `connections above the limit are told so, and come in again later`() async throws {
        try await withServer({ $0.connectionLimit = 2 }) { server in
            var first: RawClient? = try server.client()
            let second = try server.client()
            #expect(first?.roundTrip(get("/"))?.status == 200)
            #expect(second.roundTrip(get("/"))?.status == 200)
            let third = try #require(try server.client().roundTrip(get("/")))
            #expect(third.status == 503)
            #expect(third.header("retry-after") == "1")
            first = nil
            await poll { server.server.counters.openConnections <= 1 }
            #expect(try server.client().roundTrip(get("/"))?.status == 200)
            #expect(server.server.counters.refusedConnections == 1)
        }
    }

    @Test func `a thousand connections are served at once and leave nothing behind`() async throws {
        try await withServer(loops: 2) { server in
            let before = openDescriptors()
            // Each takes two descriptors; containers may allow no more than 1,024 in all.
            let count = min(1_000, max(100, (Int(sysconf(Int32(_SC_OPEN_MAX))) - 500) / 2))
            var clients = try (0..<count).map { _ in try server.client() }
            for client in clients { client.send(get("/")) }
            #expect(clients.allSatisfy { $0.response()?.status == 200 })
            #expect(server.server.counters.openConnections == count)
            clients = []
            await poll { server.server.counters.openConnections == 0 }
            #expect(openDescriptors() < before + 200)
        }
    }

    @Test func `without work the loops use no processor time`() async throws {
        try await withServer(loops: 2) { server in
            let client = try server.client()
            _ = client.roundTrip(get("/"))
            let turns = server.group.loops.map(\.turns)
            usleep(150_000)
            let spent = zip(server.group.loops, turns).map { $0.turns &- $1 }
            #expect(spent.allSatisfy { $0 < 20 }, "\(spent)")
        }
    }
}

/// Waits for what another thread does, up to five seconds.
func poll(_ condition: () -> Bool) async {
    for _ in 0..<1_000 where !condition() { try? await Task.sleep(for: .milliseconds(5)) }
    #expect(condition())
}

func openDescriptors() -> Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
}

/// Something that happened.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
    func wait() async { await poll { isSet } }
}
