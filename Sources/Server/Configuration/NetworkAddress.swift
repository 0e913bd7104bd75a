import Glibc

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
            guard AddressRange(parsing: host)?.isIPv6 == true else { return nil }
        } else if host.contains(":") || host.contains("[") || host.contains("/") || host.contains(" ") {
            return nil
        }
        self.init(host: host.isEmpty ? "0.0.0.0" : host, port: port)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// A range of IP addresses in CIDR form, `10.0.0.0/8`; without a length, one address.
package struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16 bytes, network order, the bits beyond the prefix zero.
    package let bytes: [UInt8]
    package let prefixLength: Int

    package var isIPv6: Bool { bytes.count == 16 }

    package init?(parsing text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, var bytes = Self.addressBytes(String(first)) else { return nil }
        var length = bytes.count * 8
        if parts.count == 2 {
            guard let given = UInt8(parts[1]), Int(given) <= length, !parts[1].hasPrefix("+") else { return nil }
            length = Int(given)
        }
        for index in bytes.indices {
            let kept = max(0, min(8, length - index * 8))
            bytes[index] &= UInt8(truncatingIfNeeded: 0xFF00 >> kept)
        }
        self.bytes = bytes
        prefixLength = length
    }

    /// Whether an address written as text lies in the range. An IPv4 address inside IPv6 (`::ffff:10.0.0.1`) counts as the IPv4 one.
    package func contains(_ address: String) -> Bool {
        guard var other = Self.addressBytes(address) else { return false }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        if other.count == 16, bytes.count == 4, other.starts(with: mapped) { other.removeFirst(12) }
        guard other.count == bytes.count else { return false }
        for (index, (mine, theirs)) in zip(bytes, other).enumerated() {
            let kept = max(0, min(8, prefixLength - index * 8))
            if mine != theirs & UInt8(truncatingIfNeeded: 0xFF00 >> kept) { return false }
        }
        return true
    }

    package var description: String {
        var address = bytes
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(isIPv6 ? AF_INET6 : AF_INET, &address, &text, socklen_t(INET6_ADDRSTRLEN))
        let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return "\(name)/\(prefixLength)"
    }

    /// A zone (`fe80::1%eth0`) is dropped.
    private static func addressBytes(_ text: String) -> [UInt8]? {
        let bare = String(text.prefix { $0 != "%" })
        var four = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, bare, &four) == 1 { return four }
        var sixteen = [UInt8](repeating: 0, count: 16)
        return inet_pton(AF_INET6, bare, &sixteen) == 1 ? sixteen : nil
    }
}
