internal import CCurl
internal import CLinux
internal import Glibc

/// The transfers of one client on one loop under one address policy and HTTP version: a multi handle of libcurl, driven by the
/// loop's epoll.
///
/// Each has its own, because a kept connection is used again without asking for its address, and also by who wants HTTP/2.
/// `@unchecked Sendable`: touched on its loop's thread only.
final class ClientLoop: EventHandler, @unchecked Sendable {
    private struct Origin {
        var running = 0
        var waiting: [ClientTransfer] = []
    }

    private let loop: EventLoop
    private let configuration: HTTPClientConfiguration
    private var multi: UnsafeMutableRawPointer?
    private var idleHandles: [UnsafeMutableRawPointer] = []
    private var transfers: [UInt64: ClientTransfer] = [:]
    private var byHandle: [UnsafeMutableRawPointer: ClientTransfer] = [:]
    private var origins: [String: Origin] = [:]
    private var waitingCount = 0
    private var timer: EventLoop.TimerID?
    /// New connections made so far.
    private(set) var connectionsMade = 0

    init(loop: EventLoop, configuration: HTTPClientConfiguration) {
        self.loop = loop
        self.configuration = configuration
        multi = curl_multi_init()
        guard let multi else { return }
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = ccurl_multi_set_socket_function(multi, CurlCallbacks.watchSocket, context)
        _ = ccurl_multi_set_timer_function(multi, CurlCallbacks.setTimer, context)
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.idleConnections)
    }

    // MARK: Transfers

    func start(_ transfer: ClientTransfer) {
        guard multi != nil else {
            transfer.complete(.failure(HTTPClientError(.stopped, "the client has been shut down")))
            return
        }
        transfers[transfer.id] = transfer
        transfer.timer = loop.schedule(after: transfer.request.timeout) { [weak self, weak transfer] in
            guard let self, let transfer else { return }
            let error = HTTPClientError(.timeout, "\(transfer.target.redacted): no answer in time")
            finish(transfer, .failure(error))
        }
        enter(transfer)
    }

    func cancel(_ id: UInt64) {
        guard let transfer = transfers[id] else { return }
        finish(transfer, .failure(HTTPClientError(.cancelled, "\(transfer.target.redacted): cancelled")))
    }

    func shutdown() {
        for transfer in Array(transfers.values) {
            finish(transfer, .failure(HTTPClientError(.stopped, "the client has been shut down")))
        }
        for easy in idleHandles { curl_easy_cleanup(easy) }
        idleHandles = []
        if let timer { loop.cancel(timer) }
        timer = nil
        if let multi { curl_multi_cleanup(multi) }
        multi = nil
    }

    /// Begins the request to the transfer's present URL, or queues it behind others to its origin.
    private func enter(_ transfer: ClientTransfer) {
        let key = transfer.target.origin
        var origin = origins[key] ?? Origin()
        if origin.running < limit(of: transfer) {
            origin.running += 1
            origins[key] = origin
            run(transfer)
        } else if waitingCount < configuration.waitingLimit {
            origins[key] = nil
            origin.waiting.append(transfer)
            origins[key] = origin
            waitingCount += 1
        } else {
            finish(
                transfer, .failure(HTTPClientError(.overloaded, "\(transfer.target.origin): too many requests wait")))
        }
    }

    private func limit(of transfer: ClientTransfer) -> Int {
        transfer.request.connectionsPerOrigin ?? configuration.connectionsPerOrigin
    }

    private func run(_ transfer: ClientTransfer) {
        guard let multi, let easy = idleHandles.popLast() ?? curl_easy_init() else {
            leave(transfer.target.origin)
            finish(transfer, .failure(HTTPClientError(.stopped, "no more transfers can be made")))
            return
        }
        transfer.easy = easy
        transfer.beginAnswer()
        byHandle[easy] = transfer
        do throws(HTTPClientError) {
            try CurlOptions.apply(transfer, to: easy, configuration, closeContext: Unmanaged.passUnretained(self))
        } catch {
            finish(transfer, .failure(error))
            return
        }
        let status = curl_multi_add_handle(multi, easy)
        if status != CURLM_OK {
            finish(transfer, .failure(HTTPClientError(.protocolError, String(cString: curl_multi_strerror(status)))))
        }
    }

    /// Takes the transfer out of curl and gives its place to the next one.
    private func detach(_ transfer: ClientTransfer) {
        guard let easy = transfer.easy else {
            let key = transfer.target.origin
            if let index = origins[key]?.waiting.firstIndex(where: { $0 === transfer }) {
                origins[key]?.waiting.remove(at: index)
                waitingCount -= 1
            }
            return
        }
        transfer.easy = nil
        byHandle[easy] = nil
        if let multi { curl_multi_remove_handle(multi, easy) }
        connectionsMade += ccurl_info_long(easy, CURLINFO_NUM_CONNECTS)
        // A handle that has had cookies keeps them through a reset.
        if idleHandles.count < 64, transfer.request.cookies == nil {
            curl_easy_reset(easy)
            idleHandles.append(easy)
        } else {
            curl_easy_cleanup(easy)
        }
        curl_slist_free_all(transfer.headerList)
        transfer.headerList = nil
        leave(transfer.target.origin)
    }

    private func leave(_ key: String) {
        guard var origin = origins[key] else { return }
        origin.running -= 1
        guard let first = origin.waiting.first, origin.running < limit(of: first) else {
            origins[key] = origin.running <= 0 && origin.waiting.isEmpty ? nil : origin
            return
        }
        let next = origin.waiting.removeFirst()
        waitingCount -= 1
        origin.running += 1
        origins[key] = origin
        // Not from within what curl or a finished transfer is doing.
        loop.execute { [weak self] in
            guard let self else { return }
            if transfers[next.id] === next { run(next) } else { leave(key) }
        }
    }

    private func finish(_ transfer: ClientTransfer, _ outcome: ClientTransfer.Outcome) {
        guard transfers.removeValue(forKey: transfer.id) != nil else { return }
        detach(transfer)
        if let timer = transfer.timer { loop.cancel(timer) }
        transfer.complete(outcome)
    }

    // MARK: Results

    private func collect() {
        guard let multi else { return }
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = message.pointee.data.result
            guard let transfer = byHandle[easy] else { continue }
            done(transfer, easy, code)
        }
    }

    private func done(_ transfer: ClientTransfer, _ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
        guard code == CURLE_OK else {
            finish(transfer, .failure(transfer.error(code)))
            return
        }
        transfer.keepCookies(of: easy)
        let isRedirect = [301, 302, 303, 307, 308].contains(transfer.status)
        guard isRedirect, transfer.request.followsRedirects,
            let location = ccurl_info_text(easy, CURLINFO_REDIRECT_URL).map({ String(cString: $0) })
        else {
            finish(transfer, .success(transfer.takeResponse()))
            return
        }
        follow(transfer, location)
    }

    /// libcurl has resolved the reference; each hop is checked like the first request.
    private func follow(_ transfer: ClientTransfer, _ location: String) {
        guard transfer.redirects < transfer.request.redirectLimit else {
            let limit = transfer.request.redirectLimit
            let error = HTTPClientError(.tooManyRedirects, "\(transfer.target.redacted): more than \(limit) redirects")
            finish(transfer, .failure(error))
            return
        }
        do throws(HTTPClientError) {
            let target = try ClientURL(location)
            let status = transfer.status
            detach(transfer)
            transfer.redirects += 1
            transfer.url = location.prefix { $0 != "#" }.description
            transfer.target = target
            if status == 303 || transfer.method == .post && (status == 301 || status == 302) {
                if transfer.method != .head { transfer.method = .get }
            }
            enter(transfer)
        } catch {
            finish(transfer, .failure(error))
        }
    }

    // MARK: libcurl's sockets and its timer

    func handle(events: UInt32, descriptor: Int32) {
        guard let multi else { return }
        var mask: Int32 = 0
        if events & EPOLLIN.rawValue != 0 { mask |= CURL_CSELECT_IN }
        if events & EPOLLOUT.rawValue != 0 { mask |= CURL_CSELECT_OUT }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { mask |= CURL_CSELECT_ERR }
        var running: Int32 = 0
        curl_multi_socket_action(multi, descriptor, mask, &running)
        collect()
        // An error that curl does not act on would come again at once.
        if mask == CURL_CSELECT_ERR, loop.isWatched(descriptor, by: self) { loop.unregister(descriptor, of: self) }
    }

    func watch(_ descriptor: Int32, _ what: Int32) {
        var events: UInt32 = 0
        switch what {
        case CURL_POLL_IN: events = EPOLLIN.rawValue
        case CURL_POLL_OUT: events = EPOLLOUT.rawValue
        case CURL_POLL_INOUT: events = EPOLLIN.rawValue | EPOLLOUT.rawValue
        default:
            loop.unregister(descriptor, of: self)
            return
        }
        if loop.isWatched(descriptor, by: self) {
            loop.modify(descriptor, events: events)
        } else {
            try? loop.register(descriptor, events: events, handler: self)
        }
    }

    func closed(_ descriptor: Int32) { loop.unregister(descriptor, of: self) }

    func setTimer(_ milliseconds: Int) {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard milliseconds >= 0 else { return }
        timer = loop.schedule(after: .milliseconds(milliseconds)) { [weak self] in
            guard let self, let multi else { return }
            timer = nil
            var running: Int32 = 0
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
            collect()
        }
    }
}
