import Testing
import Transport

@testable import Server

struct ViewerTests {
    private let proxies = [AddressRange("10.0.0.0/8"), AddressRange("::1")].compactMap { $0 }

    @Test func `the viewer's address is the socket's unless the peer is a trusted proxy`() {
        #expect(
            Viewer.address(peer: "198.51.100.7:4711", forwardedFor: ["203.0.113.1"], trustedProxies: proxies)
                == "198.51.100.7")
        #expect(Viewer.address(peer: "10.1.1.1", forwardedFor: [], trustedProxies: proxies) == "10.1.1.1")
    }

    @Test func `behind trusted proxies it is the first untrusted address from the right`() {
        let address = Viewer.address(
            peer: "10.1.1.1", forwardedFor: ["192.0.2.66, 203.0.113.9", "10.2.2.2"], trustedProxies: proxies)
        #expect(address == "203.0.113.9")
    }

    @Test func `what is no address in the chain ends it`() {
        #expect(
            Viewer.address(peer: "10.1.1.1", forwardedFor: ["evil, 10.9.9.9"], trustedProxies: proxies) == "10.9.9.9")
    }

    @Test func `IPv6 addresses lose brackets, port and zone`() {
        #expect(
            Viewer.address(peer: "[::1]:80", forwardedFor: ["[2001:db8::1]:443"], trustedProxies: proxies)
                == "2001:db8::1")
        #expect(Viewer.address(peer: "fe80::1%eth0", forwardedFor: [], trustedProxies: proxies) == "fe80::1")
    }

    @Test func `device headers are cleaned and absent ones are left away`() {
        let viewer = Viewer(address: "192.0.2.1", userAgent: "Player\r\nX-Evil: 1", referer: "", acceptLanguage: nil)
        let headers = viewer.requestHeaders
        #expect(headers.contains { $0.0 == "X-Device-IP" && $0.1 == "192.0.2.1" })
        #expect(headers.contains { $0.0 == "X-Device-User-Agent" && $0.1 == "PlayerX-Evil: 1" })
        #expect(!headers.contains { $0.0 == "X-Device-Referer" || $0.0 == "X-Device-Accept-Language" })
    }
}
