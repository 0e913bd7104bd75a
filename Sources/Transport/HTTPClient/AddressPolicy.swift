/// Which addresses a request may connect to. It is held against the address of each socket before it connects, so names that
/// point inside, redirects and odd spellings of addresses are covered.
package enum AddressPolicy: Hashable, Sendable {
    case any
    /// Only addresses that are reachable on the public Internet.
    case publicOnly
    /// Public ones and these.
    case publicAnd([AddressRange])

    package func allows(_ address: IPAddress) -> Bool {
        switch self {
        case .any: true
        case .publicOnly: address.isPublic
        case .publicAnd(let ranges): address.isPublic || ranges.contains { $0.contains(address) }
        }
    }
}

/// `10.0.0.0/8`, `fd00::/8`, or a single address.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    package let address: IPAddress
    package let prefixLength: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
        self.address = address
        let full = address.bytes.count * 8
        if parts.count == 2 {
            guard let length = Int(parts[1]), (0...full).contains(length) else { return nil }
            prefixLength = length
        } else {
            prefixLength = full
        }
    }

    package var description: String { "\(address)/\(prefixLength)" }

    /// An IPv4 range also covers its addresses mapped into IPv6.
    package func contains(_ other: IPAddress) -> Bool {
        let candidate = other.bytes.count == address.bytes.count ? other : other.mappedIPv4 ?? other
        return candidate.bytes.count == address.bytes.count && candidate.hasPrefix(address.bytes, prefixLength)
    }
}
