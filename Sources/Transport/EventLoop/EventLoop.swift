internal import CLinux
internal import Glibc
internal import Synchronization

/// What a loop calls when a descriptor is ready.
protocol EventHandler: AnyObject {
    /// - Parameter events: EPOLLIN, EPOLLOUT, EPOLLRDHUP, EPOLLHUP, EPOLLERR.
    func handle(events: UInt32, descriptor: Int32)
}

/// One thread that waits for sockets and timers (epoll, level-triggered) and runs what becomes ready.
///
/// A loop is a task executor: a task that prefers it runs on its thread from start to end, and a continuation resumed on
/// that thread costs no system call. Such code must never block.
///
/// `@unchecked Sendable`: `inbox` and `stopWaiters` are locked; all the rest is touched on the loop's thread only.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    typealias TimerID = TimerHeap.ID

    private enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private struct Inbox {
        var work: [Work] = []
        var isWakePending = false
        var isStopRequested = false
        var isClosed = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private struct Registration {
        var number: UInt32 = 0
        var handler: (any EventHandler)?
    }

    /// Position in its group.
    package let index: Int
    private let epoll: Int32
    private let wake: Int32
    private let inbox = Mutex(Inbox())
    private let turnCount = Atomic<UInt64>(0)

    private var ready: [Work] = []
    private var registrations: [Registration] = []
    private var timers = TimerHeap()
    private var stopActions: [Int: () -> Void] = [:]
    private var lastStopAction = 0
    /// Monotonic nanoseconds when this turn of the loop began.
    private(set) var now: UInt64 = MachineClock.monotonic()

    // MARK: Life

    /// Starts the thread.
    init(index: Int) throws(TransportError) {
        self.index = index
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .system("epoll_create1") }
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wake >= 0 else {
            let error = TransportError.system("eventfd")
            close(epoll)
            throw error
        }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64.max))
        _ = epoll_ctl(epoll, EPOLL_CTL_ADD, wake, &event)
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let loop = Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue()
                loop.run()
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            close(epoll)
            close(wake)
            throw .system("pthread_create", status)
        }
        pthread_detach(thread)
    }

    deinit {
        close(epoll)
        close(wake)
    }

    /// The loop whose thread this is, or nil.
    package static var current: EventLoop? {
        clinux_thread_value().map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the caller runs on this loop's thread.
    package var isCurrent: Bool {
        clinux_thread_value() == UnsafeMutableRawPointer(Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends the loop after the turn it is in, and waits for that. Tasks that still prefer it go on in the global pool.
    package func stop() async {
        await withCheckedContinuation { waiter in
            let hasEnded = inbox.withLock { inbox in
                inbox.isStopRequested = true
                if !inbox.hasEnded { inbox.waiters.append(waiter) }
                return inbox.hasEnded
            }
            if hasEnded { waiter.resume() } else { signal() }
        }
    }

    /// How many times the loop has woken up: an idle loop's stands still.
    package var turns: UInt64 { turnCount.load(ordering: .relaxed) }

    // MARK: Work from any thread

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard submit(.job(job)) else {
            globalConcurrentExecutor.enqueue(job)
            return
        }
    }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

    /// Runs `body` on the loop's thread, soon and in order.
    /// - Returns: false, and does nothing, once the loop has been stopped.
    @discardableResult
    package func execute(_ body: @escaping @Sendable () -> Void) -> Bool { submit(.call(body)) }

    private func submit(_ work: Work) -> Bool {
        // After the end the thread value is cleared, so a loop that is current is open.
        if isCurrent {
            ready.append(work)
            return true
        }
        let (isAccepted, needsWake) = inbox.withLock { inbox in
            guard !inbox.isClosed else { return (false, false) }
            inbox.work.append(work)
            defer { inbox.isWakePending = true }
            return (true, !inbox.isWakePending)
        }
        if needsWake { signal() }
        return isAccepted
    }

    private func signal() {
        var one: UInt64 = 1
        _ = write(wake, &one, 8)
    }

    // MARK: On the loop's thread: descriptors

    /// Watches a descriptor. A descriptor that is watched already is taken over.
    func register(_ descriptor: Int32, events: UInt32, handler: any EventHandler) throws(TransportError) {
        guard descriptor >= 0 else { throw TransportError(.system, "no descriptor") }
        let slot = Int(descriptor)
        while registrations.count <= slot { registrations.append(Registration()) }
        registrations[slot].number &+= 1
        registrations[slot].handler = handler
        var event = self.event(descriptor, events)
        if epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 { return }
        if errno == EEXIST, epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) == 0 { return }
        let error = TransportError.system("epoll_ctl")
        registrations[slot].handler = nil
        throw error
    }

    func modify(_ descriptor: Int32, events: UInt32) {
        guard isWatched(descriptor) else { return }
        var event = self.event(descriptor, events)
        _ = epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event)
    }

    /// Stops watching. With a handler given, only if the descriptor is that handler's.
    func unregister(_ descriptor: Int32, of handler: (any EventHandler)? = nil) {
        guard isWatched(descriptor) else { return }
        if let handler, registrations[Int(descriptor)].handler !== handler { return }
        registrations[Int(descriptor)].handler = nil
        var event = epoll_event()
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event)
    }

    func isWatched(_ descriptor: Int32, by handler: (any EventHandler)? = nil) -> Bool {
        let slot = Int(descriptor)
        guard slot >= 0, slot < registrations.count, let owner = registrations[slot].handler else { return false }
        return handler == nil || owner === handler
    }

    private func event(_ descriptor: Int32, _ events: UInt32) -> epoll_event {
        // The number tells an event of a closed descriptor from one of its successor.
        let number = UInt64(registrations[Int(descriptor)].number)
        return epoll_event(
            events: events, data: epoll_data_t(u64: number << 32 | UInt64(UInt32(bitPattern: descriptor))))
    }

    // MARK: On the loop's thread: timers

    /// Runs `action` on this loop, not before `delay` has passed.
    func schedule(after delay: Duration, _ action: @escaping () -> Void) -> TimerID {
        timers.add(at: MachineClock.monotonic() &+ delay.clampedNanoseconds, action)
    }

    func cancel(_ timer: TimerID) { timers.cancel(timer) }

    /// Runs `action` on the loop's thread when the loop is stopped. Returns a number for `removeStopAction`.
    func addStopAction(_ action: @escaping () -> Void) -> Int {
        lastStopAction += 1
        stopActions[lastStopAction] = action
        return lastStopAction
    }

    func removeStopAction(_ number: Int) { stopActions[number] = nil }

    // MARK: The turn

    private func run() {
        clinux_set_thread_value(Unmanaged.passUnretained(self).toOpaque())
        clinux_name_thread("loop-\(index)")
        let capacity = 256
        let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: capacity)
        events.initialize(repeating: epoll_event())
        defer { events.deallocate() }
        while true {
            runReady()
            if inbox.withLock({ $0.isStopRequested }) { break }
            let count = epoll_wait(epoll, events.baseAddress, Int32(capacity), waitMilliseconds())
            now = MachineClock.monotonic()
            turnCount.wrappingAdd(1, ordering: .relaxed)
            if count > 0 {
                for position in 0..<Int(count) { dispatch(events[position]) }
            }
            while let action = timers.popDue(now: now) { action() }
        }
        end()
    }

    private func waitMilliseconds() -> Int32 {
        if !ready.isEmpty { return 0 }
        guard let deadline = timers.nextDeadline() else { return -1 }
        let current = MachineClock.monotonic()
        if deadline <= current { return 0 }
        return Int32(clamping: (deadline - current + 999_999) / 1_000_000)
    }

    private func dispatch(_ event: epoll_event) {
        let data = event.data.u64
        if data == UInt64.max {
            takeInbox()
            return
        }
        let slot = Int(data & 0xFFFF_FFFF)
        guard slot < registrations.count, registrations[slot].number == UInt32(data >> 32) else { return }
        registrations[slot].handler?.handle(events: event.events, descriptor: Int32(truncatingIfNeeded: slot))
    }

    private func takeInbox() {
        var count: UInt64 = 0
        _ = read(wake, &count, 8)
        inbox.withLock { inbox in
            ready.append(contentsOf: inbox.work)
            inbox.work.removeAll(keepingCapacity: true)
            inbox.isWakePending = false
        }
    }

    /// Runs what is ready, and what that makes ready, within bounds: sockets must have their turn.
    private func runReady() {
        var position = 0
        while position < ready.count, position < 1024 {
            let work = ready[position]
            position += 1
            perform(work)
        }
        if position == ready.count {
            ready.removeAll(keepingCapacity: position <= 1024)
        } else {
            ready.removeFirst(position)
        }
    }

    private func perform(_ work: Work) {
        switch work {
        case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .call(let body): body()
        }
    }

    private func end() {
        for (_, action) in stopActions.sorted(by: { $0.key < $1.key }) { action() }
        stopActions = [:]
        inbox.withLock { inbox in
            inbox.isClosed = true
            ready.append(contentsOf: inbox.work)
            inbox.work = []
        }
        // Bounded: what these start goes on elsewhere.
        for _ in 0..<16 where !ready.isEmpty { runReady() }
        clinux_set_thread_value(nil)
        for work in ready {
            switch work {
            case .job(let job): globalConcurrentExecutor.enqueue(job)
            case .call(let body): body()
            }
        }
        ready = []
        timers.removeAll()
        registrations = []
        let waiters = inbox.withLock { inbox in
            inbox.hasEnded = true
            defer { inbox.waiters = [] }
            return inbox.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
