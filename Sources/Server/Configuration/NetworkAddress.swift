package import Transport

/// Where a server listens.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// Numeric address or name, IPv6 without brackets.
    package var host: String
    /// 0 lets the system choose.
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080` and `:8080` (all addresses).
    package init?(parsing text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard !host.hasPrefix("["), IPAddress(host)?.bytes.count == 16 else { return nil }
        } else if host.contains(":") || host.contains("[") || host.contains("/") || host.contains(" ") {
            return nil
        }
        self.init(host: host.isEmpty ? "0.0.0.0" : host, port: port)
    }

    /// Whether only one of the two can be listened on, as far as their texts tell.
    package func collides(with other: ListenAddress) -> Bool {
        let wildcards = ["0.0.0.0", "::"]
        return port == other.port && port != 0
            && (host == other.host || wildcards.contains(host) || wildcards.contains(other.host))
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension AddressRange {
    /// Reads `10.0.0.0/8`, `fd00::/8` and single addresses. A zone (`fe80::1%eth0`) is dropped.
    package init?(parsing text: String) {
        let address = String(text.prefix { $0 != "%" && $0 != "/" })
        self.init(address + String(text.drop { $0 != "/" }))
    }

    /// Whether an address written as text lies in the range.
    package func contains(_ address: String) -> Bool {
        guard let address = IPAddress(String(address.prefix { $0 != "%" })) else { return false }
        return contains(address)
    }
}
