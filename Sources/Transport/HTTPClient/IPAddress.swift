internal import Glibc

/// An IPv4 address (4 bytes) or an IPv6 address (16 bytes).
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    /// - Returns: nil unless there are 4 or 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads `192.0.2.1` and `2001:db8::1`; brackets are allowed, names are not.
    package init?(_ text: String) {
        var text = text
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: &six) { Array($0) }
        } else {
            return nil
        }
    }

    /// From a socket address as the system hands it out; nil for other families.
    init?(socketAddress: UnsafeRawBufferPointer) {
        guard socketAddress.count >= 2 else { return nil }
        let family = Int32(socketAddress.loadUnaligned(as: sa_family_t.self))
        switch family {
        case AF_INET where socketAddress.count >= 8: bytes = Array(socketAddress[4..<8])
        case AF_INET6 where socketAddress.count >= 24: bytes = Array(socketAddress[8..<24])
        default: return nil
        }
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: 64)
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, 64) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func hasPrefix(_ prefix: [UInt8], _ length: Int) -> Bool {
        let whole = length / 8
        guard whole <= bytes.count, whole <= prefix.count else { return false }
        for index in 0..<whole where bytes[index] != prefix[index] { return false }
        let rest = length % 8
        guard rest > 0 else { return true }
        guard whole < bytes.count, whole < prefix.count else { return false }
        return (bytes[whole] ^ prefix[whole]) >> UInt8(8 - rest) == 0
    }

    /// The IPv4 address in `::ffff:a.b.c.d`.
    var mappedIPv4: IPAddress? {
        guard bytes.count == 16, hasPrefix(Self.mappedPrefix, 96) else { return nil }
        return IPAddress(bytes: Array(bytes[12...]))
    }

    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    /// Globally reachable unicast, by the special-purpose registries of RFC 6890. An IPv6 address that carries an IPv4 one
    /// (mapped, compatible, NAT64, 6to4, Teredo) is judged by that; Teredo and ISATAP are refused whole.
    package var isPublic: Bool {
        if bytes.count == 4 {
            return !Self.specialIPv4.contains { hasPrefix($0.0, $0.1) }
        }
        if hasPrefix(Self.mappedPrefix, 96) || hasPrefix([0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96) {
            return embedded(12)
        }
        if hasPrefix([0x20, 0x02], 16) { return embedded(2) }
        // Only 2000::/3 is given out for global unicast.
        guard hasPrefix([0x20], 3) else { return false }
        if Array(bytes[8..<12]) == [0, 0, 0x5E, 0xFE] || Array(bytes[8..<12]) == [2, 0, 0x5E, 0xFE] { return false }
        return !Self.specialIPv6.contains { hasPrefix($0.0, $0.1) }
    }

    private func embedded(_ offset: Int) -> Bool {
        IPAddress(bytes: Array(bytes[offset..<(offset + 4)]))?.isPublic ?? false
    }

    private static let specialIPv4: [([UInt8], Int)] = [
        ([0], 8),  // this network, unspecified
        ([10], 8),  // private
        ([100, 64], 10),  // shared by carriers
        ([127], 8),  // loopback
        ([168, 63, 129, 16], 32),  // Azure's metadata and DNS
        ([169, 254], 16),  // link-local, metadata services
        ([172, 16], 12),  // private
        ([192, 0, 0], 24),  // protocol assignments
        ([192, 0, 2], 24),  // documentation
        ([192, 88, 99], 24),  // 6to4 relays
        ([192, 168], 16),  // private
        ([198, 18], 15),  // benchmarks
        ([198, 51, 100], 24),  // documentation
        ([203, 0, 113], 24),  // documentation
        ([224], 4),  // multicast
        ([240], 4),  // reserved, broadcast
    ]

    private static let specialIPv6: [([UInt8], Int)] = [
        ([0x20, 0x01, 0x00], 23),  // protocol assignments, Teredo, benchmarks, ORCHID
        ([0x20, 0x01, 0x0D, 0xB8], 32),  // documentation
        ([0x3F, 0xFF, 0x00], 20),  // documentation
    ]
}
