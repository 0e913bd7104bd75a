import Glibc
import RawSockets
import Testing

@testable import Transport

@Suite struct ServerLifeTests {
    @Test func `a port in use is a clear error`() async throws {
        try await withServer { server in
            var configuration = HTTPServerConfiguration(port: server.port)
            configuration.address = "127.0.0.1"
            let second = HTTPServer(
                configuration: configuration, handler: HTTPHandlerFunction(echo), group: server.group)
            let error = #expect(throws: TransportError.self) { try second.start() }
            #expect(error?.code == .addressInUse)
            #expect(error?.detail == "cannot listen on 127.0.0.1:\(server.port): another process uses this port")
        }
    }

    @Test(arguments: ["192.0.2.1", "no.such.host.invalid", "1:2", ""])
    func `an address that is not ours is a clear error`(address: String) async throws {
        let group = try EventLoopGroup(count: 1)
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(address: address, port: 0), handler: HTTPHandlerFunction(echo),
            group: group)
        if address.isEmpty {
            _ = try? server.start()
        } else {
            let error = #expect(throws: TransportError.self) { try server.start() }
            #expect(error?.code == .addressUnavailable)
        }
        await server.shutdown(gracePeriod: .zero)
        await group.shutdown()
    }

    @Test func `IPv6 and both families are listened on`() async throws {
        var addresses = [("::1", "http://[::1]"), ("[::]", "http://127.0.0.1")]
        // A bare root file system knows no names.
        if access("/etc/hosts", R_OK) == 0 { addresses.append(("localhost", "http://localhost")) }
        for (address, url) in addresses {
            try await withServer({ $0.address = address }) { server in
                let client = HTTPClient(group: server.group)
                let response = try await client.fetch(HTTPClientRequest(url: "\(url):\(server.port)/"))
                #expect(response.status == 200, "\(address)")
            }
        }
    }

    @Test func `stopping lets requests in flight finish, closes idle connections and refuses new ones`() async throws {
        let entered = Flag()
        let release = Flag()
        let respond: Respond = { _ in
            entered.set()
            while !release.isSet { try? await SystemTimeSource().sleep(for: .milliseconds(2)) }
            return HTTPResponse(body: [65])
        }
        try await withServer(respond: respond) { server in
            let idle = try server.client()
            let busy = try server.client()
            busy.send(get("/"))
            await entered.wait()
            // Not on the global pool, which other tests may keep busy.
            let stopped = Task(executorPreference: server.ownThreads.loops[1]) {
                await server.server.shutdown(gracePeriod: .seconds(5))
            }
            #expect(idle.isClosed())
            #expect(throws: ConnectFailure.self) { try server.client() }
            release.set()
            let response = try #require(busy.response())
            #expect(response.body == [65])
            #expect(response.header("connection") == "close")
            #expect(busy.isClosed())
            await stopped.value
            #expect(server.server.counters.openConnections == 0)
        }
    }

    @Test func `the grace period is a bound`() async throws {
        let cancelled = Flag()
        let respond: Respond = { _ in
            try? await SystemTimeSource().sleep(for: .seconds(30))
            cancelled.set()
            return HTTPResponse()
        }
        try await withServer(respond: respond) { server in
            let client = try server.client()
            client.send(get("/"))
            await poll { server.server.counters.requests == 1 }
            let start = ContinuousClock.now
            await server.server.shutdown(gracePeriod: .milliseconds(30))
            #expect(start.duration(to: .now) < .seconds(3))
            #expect(client.receiveAll().isEmpty)
            await cancelled.wait()
        }
    }

    @Test func `a server can be started again after it was stopped`() async throws {
        try await withServer { server in
            await server.server.shutdown(gracePeriod: .zero)
            await server.server.shutdown(gracePeriod: .zero)
            let port = try server.server.start()
            #expect(try RawClient(port: port).roundTrip(get("/"))?.status == 200)
        }
    }

    @Test func `stopping the loops closes the connections of a server that was left running`() async throws {
        let group = try EventLoopGroup(count: 1)
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(), handler: HTTPHandlerFunction(echo), group: group)
        let client = try RawClient(port: try server.start())
        #expect(client.roundTrip(get("/"))?.status == 200)
        await group.shutdown()
        #expect(client.isClosed())
        #expect(throws: TransportError(.stopped, "")) { try server.start() }
        await server.shutdown(gracePeriod: .seconds(1))
    }
}
