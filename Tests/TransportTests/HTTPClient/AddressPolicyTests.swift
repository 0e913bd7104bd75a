import Glibc
import Testing

@testable import Transport

@Suite struct AddressPolicyTests {
    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.1.2",
        "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
        "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
        "168.63.129.16", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
        "64:ff9b::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:0a00:1::1",
        "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:db8::1", "2001:2::1", "3fff::1", "100::1", "fc00::1",
        "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "2a00:1450::5efe:a00:1", "2a00:1450::200:5efe:a00:1",
        "5f00::1",
    ])
    func `addresses that are not public are refused`(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(!AddressPolicy.publicOnly.allows(address))
        #expect(AddressPolicy.any.allows(address))
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.167.0.1", "198.17.0.1",
        "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
        "2002:808:808::1",
    ])
    func `public addresses are let through`(text: String) throws {
        #expect(AddressPolicy.publicOnly.allows(try #require(IPAddress(text))))
    }

    @Test func `ranges let more through`() throws {
        let policy = AddressPolicy.publicAnd([
            try #require(AddressRange("10.1.0.0/16")), try #require(AddressRange("fd00::/8")),
            try #require(AddressRange("192.168.1.7")),
        ])
        for text in ["10.1.2.3", "::ffff:10.1.2.3", "fd12::1", "192.168.1.7", "8.8.8.8"] {
            #expect(policy.allows(try #require(IPAddress(text))), "\(text)")
        }
        for text in ["10.2.0.1", "fc00::1", "192.168.1.8", "127.0.0.1"] {
            #expect(!policy.allows(try #require(IPAddress(text))), "\(text)")
        }
        for text in ["", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0/8", "x/8", "::/129", "10.0.0.0/"] {
            #expect(AddressRange(text) == nil, "\(text)")
        }
        #expect(AddressRange("10.1.0.0/16")?.description == "10.1.0.0/16")
    }

    @Test func `a private host is refused by address, by name, in odd spellings and at redirects`() async throws {
        try await withClient { server, client in
            let port = server.port
            for host in [
                "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "0.0.0.0", "[::1]",
                "[::ffff:127.0.0.1]", "127.0.0.1.", "user@127.0.0.1",
            ] {
                let code = await client.code("http://\(host):\(port)/") { $0.addressPolicy = .publicOnly }
                #expect(code == .refusedAddress || code == .resolve, "\(host)")
            }
            #expect(server.server.counters.requests == 0)
            let range = try #require(AddressRange("127.0.0.1"))
            #expect(await client.code("\(server.url)/") { $0.addressPolicy = .publicAnd([range]) } == nil)
            // The first host is allowed, the one it points to is not.
            let code = await client.code("\(server.url)/redirect?to=http://127.0.0.2:\(port)/") {
                $0.addressPolicy = .publicAnd([range])
            }
            #expect(code == .refusedAddress)
        }
    }

    @Test func `a connection made under a weaker policy is not used again under a stronger one`() async throws {
        try await withClient { server, client in
            #expect(await client.code(server.url + "/") == nil)
            #expect(await client.code(server.url + "/") { $0.addressPolicy = .publicOnly } == .refusedAddress)
            #expect(await client.code(server.url + "/") == nil)
            #expect(server.server.counters.connections == 1)
        }
    }
}

func setProxy(_ value: String?) {
    for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        if let value { setenv(name, value, 1) } else { unsetenv(name) }
    }
}
