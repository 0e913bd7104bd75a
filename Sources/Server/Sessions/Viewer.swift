package import Transport

/// What is known of the device that plays, to be told to ad servers. Every text came over a wire.
package struct Viewer: Hashable, Sendable, Codable {
    /// Address without port and zone.
    package var address: String
    package var userAgent: String?
    package var referer: String?
    package var acceptLanguage: String?

    package init(address: String, userAgent: String? = nil, referer: String? = nil, acceptLanguage: String? = nil) {
        self.address = Self.cleaned(address, limit: 64) ?? ""
        self.userAgent = Self.cleaned(userAgent, limit: 1_024)
        self.referer = Self.cleaned(referer, limit: 2_048)
        self.acceptLanguage = Self.cleaned(acceptLanguage, limit: 256)
    }

    /// Headers of ad requests and of beacons, the same on both (VAST 4.1 and later; section 11 of the rules).
    package var requestHeaders: [(String, String)] {
        var headers: [(String, String)] = []
        if !address.isEmpty {
            headers.append(("X-Device-IP", address))
            headers.append(("X-Forwarded-For", address))
        }
        if let userAgent {
            headers.append(("X-Device-User-Agent", userAgent))
            // Many ad servers look at nothing else.
            headers.append(("User-Agent", userAgent))
        }
        if let referer { headers.append(("X-Device-Referer", referer)) }
        if let acceptLanguage { headers.append(("X-Device-Accept-Language", acceptLanguage)) }
        return headers
    }

    /// Without control characters, cut to `limit` bytes; `nil` when nothing is left (an empty header is never sent).
    private static func cleaned(_ text: String?, limit: Int) -> String? {
        guard let text else { return nil }
        var bytes: [UInt8] = []
        for byte in text.utf8.prefix(limit) where byte >= 0x20 && byte != 0x7F { bytes.append(byte) }
        let cleaned = String(decoding: bytes, as: UTF8.self)
        return cleaned.isEmpty ? nil : cleaned
    }

    /// The viewer's address: the first from the right of `X-Forwarded-For` that is no proxy the operator trusts, and only if the
    /// peer itself is one.
    package static func address(peer: String, forwardedFor: [String], trustedProxies: [AddressRange]) -> String {
        func isTrusted(_ address: String) -> Bool { trustedProxies.contains { $0.contains(address) } }
        var address = withoutPort(peer)
        guard isTrusted(address) else { return address }
        let hops = forwardedFor.flatMap { $0.split(separator: ",") }
        for hop in hops.reversed() {
            let next = withoutPort(String(hop))
            // What is no address ends the chain: nobody vouches for what stands left of it.
            guard AddressRange(parsing: next) != nil else { break }
            address = next
            guard isTrusted(next) else { break }
        }
        return address
    }

    /// `192.0.2.1:80`, `[2001:db8::1]:80`, ` 2001:db8::1%eth0` without what surrounds the address.
    private static func withoutPort(_ text: String) -> String {
        var text = text[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        if text.first == "[", let end = text.firstIndex(of: "]") {
            text = text[text.index(after: text.startIndex)..<end]
        } else if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
            text = text[..<colon]
        }
        return String(text.prefix { $0 != "%" })
    }
}
