internal import CLinux
internal import Glibc
internal import Synchronization

/// One client's connection: reads requests one after another, has each answered, writes the answer in one call.
///
/// `@unchecked Sendable`: touched on its loop's thread only.
final class HTTPConnection: EventHandler, @unchecked Sendable {
    private enum State {
        case reading
        case handling
        /// The answer is out and our side is shut; what the client still sends is dropped, so that it can read the answer.
        case lingering
        case closed
    }

    private enum Wait { case idle, header, body, handler, write, linger }

    private static let reading = EPOLLIN.rawValue | EPOLLRDHUP.rawValue
    private static let lingerBytes = 1 << 20

    private let descriptor: Int32
    private let peerAddress: String
    private let server: ServerLoop
    private var state = State.reading
    private var interest = HTTPConnection.reading
    private var parser: RequestParser

    /// Received and not yet consumed, from `inputStart` on.
    private var input: [UInt8] = []
    private var inputStart = 0
    private var isInputEnded = false
    private var lingered = 0

    private var output = PendingOutput()
    private var closesAfterOutput = false

    private var task: Task<Void, Never>?
    private var exchange: UInt64 = 0
    private var request: HTTPRequest?
    private var requestTime: UInt64 = 0

    private var wait = Wait.idle
    /// Monotonic nanoseconds.
    private(set) var deadline: UInt64 = .max

    init(descriptor: Int32, peerAddress: String, server: ServerLoop) {
        self.descriptor = descriptor
        self.peerAddress = peerAddress
        self.server = server
        parser = RequestParser(limits: server.configuration.limits, peerAddress: peerAddress)
    }

    func start(isRefused: Bool) {
        do throws(TransportError) {
            try server.loop.register(descriptor, events: interest, handler: self)
        } catch {
            close()
            return
        }
        expect(.idle)
        if isRefused {
            respond(
                .error(
                    503, code: "too_many_connections", message: "The server has too many connections.",
                    headers: [("Retry-After", "1")]), to: nil)
        }
    }

    // MARK: Events

    func handle(events: UInt32, descriptor: Int32) {
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 {
            close()
            return
        }
        if events & EPOLLOUT.rawValue != 0 { flush() }
        if state != .closed, events & Self.reading != 0 { receive() }
    }

    private func receive() {
        let scratch = server.scratch
        let count = recv(descriptor, scratch.baseAddress, scratch.count, 0)
        if count < 0 {
            if errno != EAGAIN, errno != EINTR { close() }
            return
        }
        if count == 0 {
            inputEnded()
            return
        }
        server.counters.receivedBytes.wrappingAdd(UInt64(count), ordering: .relaxed)
        let received = UnsafeMutableBufferPointer(rebasing: scratch[..<count])
        switch state {
        case .closed: break
        case .lingering:
            lingered += count
            if lingered > Self.lingerBytes { close() }
        case .reading where input.isEmpty && output.isEmpty:
            let consumed = process(received.span)
            if consumed < count, state == .reading || state == .handling {
                input.append(contentsOf: received[consumed...])
            }
            awaitMore()
        case .reading, .handling:
            input.append(contentsOf: received)
            processInput()
        }
    }

    /// The client has sent all it will. It may only have shut its sending side, so it still gets the answers to what it sent; that
    /// it is gone altogether is known when the kernel reports a reset.
    private func inputEnded() {
        isInputEnded = true
        switch state {
        case .handling: watch()
        case .reading where !output.isEmpty: watch()
        default: close()
        }
    }

    // MARK: Requests

    private func processInput() {
        if state == .reading, output.isEmpty {
            let buffer = input
            let consumed = process(buffer.span.extracting(inputStart..<buffer.count))
            // A connection that ended meanwhile has dropped its input.
            inputStart = min(inputStart + consumed, input.count)
        }
        if inputStart == input.count {
            input = []
            inputStart = 0
        } else if inputStart > 32_768 {
            input.removeFirst(inputStart)
            inputStart = 0
        }
        awaitMore()
    }

    /// Takes requests as long as nothing is in the way. Returns how many bytes were consumed.
    private func process(_ bytes: Span<UInt8>) -> Int {
        var consumed = 0
        while state == .reading, output.isEmpty, consumed < bytes.count {
            let step = parser.advance(bytes.extracting(consumed..<bytes.count))
            consumed += step.consumed
            switch step.outcome {
            case .needsMore where step.consumed == 0: return consumed
            case .needsMore: continue
            case .needsContinue: sendContinue()
            case .failure(let failure):
                server.counters.protocolErrors.wrappingAdd(1, ordering: .relaxed)
                requestTime = server.loop.now
                refuse(failure)
                return bytes.count
            case .request(let request): begin(request)
            }
        }
        return consumed
    }

    /// Sets the deadline and what is watched, after input was looked at.
    private func awaitMore() {
        if state == .reading, output.isEmpty {
            if isInputEnded {
                // What is there does not make a request any more.
                close()
                return
            }
            if parser.isInBody {
                if wait != .body { expect(.body) }
            } else if inputStart < input.count {
                if wait != .header { expect(.header) }
            } else {
                expect(.idle)
            }
        }
        watch()
    }

    private func begin(_ request: HTTPRequest) {
        server.counters.requests.wrappingAdd(1, ordering: .relaxed)
        requestTime = server.loop.now
        if request.method == .options {
            if request.rawTarget == "*" {
                let names = HTTPMethod.allCases.map(\.rawValue).joined(separator: ", ")
                respond(HTTPResponse(status: 204, headers: [("Allow", names)]), to: request)
                return
            }
            if let answer = server.configuration.crossOrigin?.preflightAnswer(to: request) {
                respond(answer, to: request)
                return
            }
        }
        state = .handling
        self.request = request
        exchange &+= 1
        expect(.handler)
        let number = exchange
        let handler = server.handler
        // Detached: nothing of the exchange before may be inherited.
        task = Task.detached(executorPreference: server.loop) { [self] in
            let response = await handler.respond(to: request)
            if server.loop.isCurrent {
                finish(number, response)
            } else {
                server.loop.execute { self.finish(number, response) }
            }
        }
    }

    private func finish(_ number: UInt64, _ response: HTTPResponse) {
        guard state == .handling, number == exchange else { return }
        respond(response, to: request)
        if state == .reading, output.isEmpty { processInput() } else { watch() }
    }

    // MARK: Answers

    private func refuse(_ failure: ProtocolFailure) {
        respond(.error(failure.status, code: failure.code, message: failure.message), to: nil)
    }

    private func respond(_ response: HTTPResponse, to request: HTTPRequest?) {
        task = nil
        self.request = nil
        state = .reading
        let mayFollow = !isInputEnded || inputStart < input.count
        let keepsAlive = (request?.storage.keepsAlive ?? false) && !server.isDraining && mayFollow
        closesAfterOutput = !keepsAlive
        let (status, body) = server.encoder.encode(
            response, ResponseEncoder.Context(request: request, keepsAlive: keepsAlive))
        send(server.encoder.head, body)
        log(request, status: status, bodyBytes: body.count)
    }

    private func sendContinue() { send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), [], isInterim: true) }

    private func send(_ head: [UInt8], _ body: [UInt8], isInterim: Bool = false) {
        output = PendingOutput(head: head, body: body)
        expect(.write, extra: .seconds(body.count / 16_384))
        if isInterim { closesAfterOutput = false }
        write()
    }

    /// Writes what the socket takes; once all is out, the connection reads on or is shut.
    private func write() {
        switch output.write(to: descriptor) {
        case .failed: close()
        case .partial(let count): server.counters.sentBytes.wrappingAdd(UInt64(count), ordering: .relaxed)
        case .complete(let count):
            server.counters.sentBytes.wrappingAdd(UInt64(count), ordering: .relaxed)
            output = PendingOutput()
            if closesAfterOutput { linger() }
        }
    }

    private func flush() {
        guard !output.isEmpty else { return }
        write()
        if state == .reading, output.isEmpty { processInput() } else { watch() }
    }

    private func linger() {
        input = []
        inputStart = 0
        if isInputEnded || shutdown(descriptor, Int32(SHUT_WR)) != 0 {
            close()
            return
        }
        state = .lingering
        expect(.linger)
        watch()
    }

    private func log(_ request: HTTPRequest?, status: Int, bodyBytes: Int) {
        guard let log = server.configuration.accessLog else { return }
        let spent = Int64(clamping: MachineClock.monotonic() &- requestTime)
        log(
            HTTPAccessLogEntry(
                method: request?.method, target: request?.rawTarget ?? "", status: status, bodyBytes: bodyBytes,
                duration: .nanoseconds(requestTime == 0 ? 0 : spent), peerAddress: peerAddress,
                userAgent: request?.headers["User-Agent"]))
    }

    // MARK: Waiting

    private func expect(_ wait: Wait, extra: Duration = .zero) {
        let timeouts = server.configuration.timeouts
        let limit: Duration =
            switch wait {
            case .idle: timeouts.idle
            case .header: timeouts.header
            case .body: timeouts.body
            case .handler: timeouts.handler
            case .write: timeouts.write
            case .linger: server.isDraining ? .milliseconds(500) : .seconds(2)
            }
        self.wait = wait
        deadline = server.loop.now &+ (limit + extra).clampedNanoseconds
    }

    func deadlinePassed() {
        switch wait {
        case .header, .body: refuse(.timedOut)
        case .handler:
            server.counters.handlerTimeouts.wrappingAdd(1, ordering: .relaxed)
            task?.cancel()
            let request = self.request
            exchange &+= 1
            respond(
                .error(
                    503, code: "handler_timeout", message: "The answer took too long.",
                    headers: [("Retry-After", "1")]), to: request)
            if state == .reading, output.isEmpty { processInput() } else { watch() }
        case .idle, .write, .linger: close()
        }
    }

    /// Watches for what can be acted on. Input that cannot be used yet is left to the kernel, which slows the client down.
    private func watch() {
        guard state != .closed else { return }
        var wanted: UInt32 = 0
        let isFull = input.count - inputStart >= 65_536
        if !isInputEnded {
            switch state {
            case .reading where output.isEmpty, .lingering: wanted = Self.reading
            case .handling: wanted = isFull ? EPOLLRDHUP.rawValue : Self.reading
            default: wanted = 0
            }
        }
        if !output.isEmpty { wanted |= EPOLLOUT.rawValue }
        guard wanted != interest else { return }
        interest = wanted
        server.loop.modify(descriptor, events: wanted)
    }

    /// The server is stopping: idle connections go at once, others after their answer.
    func drain() {
        if state == .reading, output.isEmpty, !parser.isInBody, input.isEmpty { close() }
        if state == .lingering { expect(.linger) }
    }

    func close() {
        guard state != .closed else { return }
        state = .closed
        task?.cancel()
        task = nil
        request = nil
        input = []
        output = PendingOutput()
        server.loop.unregister(descriptor, of: self)
        Glibc.close(descriptor)
        server.remove(self, descriptor: descriptor)
    }
}
