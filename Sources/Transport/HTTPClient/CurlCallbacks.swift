internal import CCurl
internal import Glibc

/// What libcurl calls, always on the thread of the loop whose multi handle it is. Contexts are unretained: their owner
/// (`ClientLoop`) takes a transfer out of curl before it lets go of it.
enum CurlCallbacks {
    static let body: ccurl_data_function = { bytes, size, count, context in
        guard let transfer = CurlCallbacks.transfer(context) else { return 0 }
        let length = size &* count
        return transfer.received(UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
    }

    static let header: ccurl_data_function = { bytes, size, count, context in
        guard let transfer = CurlCallbacks.transfer(context) else { return 0 }
        let length = size &* count
        return transfer.receivedHeader(UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
    }

    static let openSocket: curl_opensocket_callback = { context, _, address in
        guard let transfer = CurlCallbacks.transfer(context), let address else { return CURL_SOCKET_BAD }
        // The structure ends in a `sockaddr` that stands for a longer one of `addrlen` bytes.
        let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? MemoryLayout<curl_sockaddr>.size
        let socketAddress = IPAddress(
            socketAddress: UnsafeRawBufferPointer(
                start: UnsafeRawPointer(address) + offset, count: Int(address.pointee.addrlen)))
        guard transfer.allows(socketAddress) else { return CURL_SOCKET_BAD }
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }

    static let prerequest: curl_prereq_callback = { context, _, _, _, _ in
        guard let transfer = CurlCallbacks.transfer(context), transfer.maySend() else { return CURL_PREREQFUNC_ABORT }
        return CURL_PREREQFUNC_OK
    }

    static let closeSocket: curl_closesocket_callback = { context, descriptor in
        if let context { Unmanaged<ClientLoop>.fromOpaque(context).takeUnretainedValue().closed(descriptor) }
        return close(descriptor)
    }

    static let watchSocket: curl_socket_callback = { _, descriptor, what, context, _ in
        guard let context else { return 0 }
        Unmanaged<ClientLoop>.fromOpaque(context).takeUnretainedValue().watch(descriptor, what)
        return 0
    }

    static let setTimer: curl_multi_timer_callback = { _, milliseconds, context in
        guard let context else { return 0 }
        Unmanaged<ClientLoop>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds)
        return 0
    }

    private static func transfer(_ context: UnsafeMutableRawPointer?) -> ClientTransfer? {
        context.map { Unmanaged<ClientTransfer>.fromOpaque($0).takeUnretainedValue() }
    }
}
