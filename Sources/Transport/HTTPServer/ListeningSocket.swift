internal import CLinux
internal import Glibc

/// Sockets that accept connections.
enum ListeningSocket {
    /// Binds and listens once per loop on one port.
    static func open(address: String, port: UInt16, count: Int) throws(TransportError) -> (
        descriptors: [Int32], port: UInt16
    ) {
        var target = try resolve(address, port)
        if port != 0 {
            // With SO_REUSEPORT a second server of the same user would silently share the port: ask without it first.
            close(try bind(target, address, port, sharesPort: false))
        }
        var descriptors: [Int32] = []
        do throws(TransportError) {
            for _ in 0..<max(1, count) {
                let descriptor = try bind(target, address, port, sharesPort: true)
                descriptors.append(descriptor)
                guard listen(descriptor, 4_096) == 0 else { throw failure("listen", address, port) }
                if descriptors.count == 1 { target = try boundAddress(descriptor) }
            }
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
        return (descriptors, portNumber(of: target))
    }

    private static func bind(
        _ target: sockaddr_storage, _ address: String, _ port: UInt16, sharesPort: Bool
    ) throws(TransportError) -> Int32 {
        let family = Int32(target.ss_family)
        let descriptor = clinux_stream_socket(family)
        guard descriptor >= 0 else { throw failure("socket", address, port) }
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if sharesPort { set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
        // `::` serves IPv4 too.
        if family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        var target = target
        let length = socklen_t(family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size)
        let status = withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, length) }
        }
        guard status == 0 else {
            let error = failure("bind", address, port)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func failure(_ call: String, _ address: String, _ port: UInt16) -> TransportError {
        let error = TransportError.system(call)
        let place = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
        switch error.code {
        case .addressInUse:
            return TransportError(.addressInUse, "cannot listen on \(place): another process uses this port")
        case .addressUnavailable:
            return TransportError(.addressUnavailable, "cannot listen on \(place): this machine has no such address")
        case .permissionDenied:
            return TransportError(.permissionDenied, "cannot listen on \(place): not permitted")
        default: return TransportError(error.code, "cannot listen on \(place): \(error.detail)")
        }
    }

    private static func resolve(_ address: String, _ port: UInt16) throws(TransportError) -> sockaddr_storage {
        var name = address
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        var hints = addrinfo()
        hints.ai_socktype = clinux_stream_type()
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(name, String(port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0, let first = list?.pointee, let found = first.ai_addr else {
            throw TransportError(.addressUnavailable, "cannot listen on \(address): not an address of this machine")
        }
        var result = sockaddr_storage()
        withUnsafeMutableBytes(of: &result) { target in
            target.copyMemory(
                from: UnsafeRawBufferPointer(start: found, count: min(Int(first.ai_addrlen), target.count)))
        }
        return result
    }

    private static func boundAddress(_ descriptor: Int32) throws(TransportError) -> sockaddr_storage {
        var result = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &result) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard status == 0 else { throw .system("getsockname") }
        return result
    }

    /// IPv4 and IPv6 have the port in the same place.
    private static func portNumber(of address: sockaddr_storage) -> UInt16 {
        withUnsafeBytes(of: address) { UInt16($0[2]) << 8 | UInt16($0[3]) }
    }
}
