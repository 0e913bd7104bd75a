internal import Glibc
internal import Synchronization

/// A database file on a thread of its own. Writes that wait together are one commit.
///
/// A file that cannot be opened is tried again from time to time; meanwhile everything fails at once.
package final class SQLiteFile: Sendable {
    package struct Options: Sendable {
        package var path: String
        /// Jobs that may wait; beyond it a job fails.
        package var queueLimit = 10_000
        /// Jobs in one commit.
        package var batchLimit = 256
        /// How long a lock of another process is waited for.
        package var patience = Duration.milliseconds(250)
        /// The same, while the last wait was in vain: what is read meanwhile stands behind it.
        package var shortPatience = Duration.milliseconds(20)
        /// Between two attempts to open a file, or to put one back.
        package var retryInterval = Duration.milliseconds(200)
        /// How long a file that is not there is waited for before one is made: who has it open puts it back.
        package var absencePatience = Duration.zero
        /// How often the thread looks whether another process has written, while ``SQLiteFile/watch()`` is called.
        package var watchInterval = Duration.milliseconds(5)

        package init(path: String) { self.path = path }
    }

    /// A job's work: rows, and what is to be told once they are committed. Of the jobs of one commit all fail, or none.
    private struct Job: Sendable {
        var isWrite: Bool
        var run: @Sendable (SQLiteConnection) throws(SQLiteError) -> @Sendable () -> Void
        var fail: @Sendable (SQLiteError) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var isClosed = false
        var hasEnded = false
    }

    private let options: Options
    private let prepare: @Sendable (SQLiteConnection) throws(SQLiteError) -> Void
    private let state = Mutex(State())
    private let wake: WakeUp
    private let foreignChanges = Atomic<Int>(0)
    private let openings = Atomic<Int>(0)
    private let watchedAt = Atomic<Int64>(0)

    /// - Parameter prepare: makes the tables of a file that was just opened.
    package init(
        options: Options, prepare: @escaping @Sendable (SQLiteConnection) throws(SQLiteError) -> Void
    ) throws(TransportError) {
        self.options = options
        self.prepare = prepare
        wake = WakeUp()
        var thread = pthread_t()
        // The thread keeps the file until it is closed.
        let context = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<SQLiteFile>.fromOpaque(argument).takeRetainedValue().serve() }
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            throw .system("pthread_create", status)
        }
        pthread_detach(thread)
    }

    /// Rises after another process has written to the file, as long as ``watch()`` is called.
    package var changeCount: Int { foreignChanges.load(ordering: .acquiring) }

    /// How often a file was opened: each may be another one.
    package var openingCount: Int { openings.load(ordering: .acquiring) }

    /// Keeps the thread looking for changes by others, for ten seconds from now.
    package func watch() {
        let now = MachineClock.monotonic()
        let before = watchedAt.exchange(Int64(clamping: now), ordering: .relaxed)
        // The thread may sleep without an end.
        if Int64(clamping: now) - before > Self.watchSpan / 2 { wake.signal() }
    }

    private static let watchSpan: Int64 = 10_000_000_000
    /// Between two looks at whether the file still stands under its name, while nothing is written.
    private static let placeInterval = Duration.milliseconds(100)

    /// Runs a job in its turn; what it returns comes when it is committed.
    ///
    /// - Parameter done: is called on the file's thread.
    package func submit<Value: Sendable>(
        writes: Bool, _ body: @escaping @Sendable (SQLiteConnection) throws(SQLiteError) -> Value,
        done: @escaping @Sendable (Result<Value, SQLiteError>) -> Void
    ) {
        let job = Job(
            isWrite: writes,
            run: { connection throws(SQLiteError) in
                let value = try body(connection)
                return { done(.success(value)) }
            }, fail: { done(.failure($0)) })
        let refusal = state.withLock { state -> SQLiteError? in
            if state.isClosed { return SQLiteError(.closed, "the store was closed") }
            if state.jobs.count >= options.queueLimit {
                return SQLiteError(.overloaded, "\(options.queueLimit) operations wait already")
            }
            state.jobs.append(job)
            return nil
        }
        if let refusal { done(.failure(refusal)) } else { wake.signal() }
    }

    /// Takes nothing more; what waits is still done. Returns when the file is closed, or after `limit`.
    package func close(within limit: Duration) {
        state.withLock { $0.isClosed = true }
        wake.signal()
        let end = Int64(clamping: MachineClock.monotonic()) &+ Int64(clamping: limit.clampedNanoseconds)
        while !state.withLock({ $0.hasEnded }), Int64(clamping: MachineClock.monotonic()) < end { usleep(1_000) }
    }

    // MARK: The thread

    private func serve() {
        var connection: SQLiteConnection?
        var failure = SQLiteError(.cannotOpen, "\(options.path): not open yet")
        var nextAttempt = Int64.min
        var nextRestoration = Int64.min
        var nextLook = Int64.min
        var version: Int64?
        func putBack(at now: Int64) {
            guard let open = connection, now >= nextRestoration else { return }
            nextRestoration = now &+ Int64(clamping: options.retryInterval.clampedNanoseconds)
            let restoration = SQLiteRestoration(path: options.path)
            restoration.restore(from: open)
            // Else what it holds can be read meanwhile, and may yet be put back; or it comes back itself.
            guard restoration.isThere else { return }
            connection = nil
            nextRestoration = .min
            nextAttempt = now
        }
        while true {
            let (jobs, isClosed) = state.withLock { state in
                let count = min(state.jobs.count, options.batchLimit)
                let jobs = Array(state.jobs.prefix(count))
                state.jobs.removeFirst(count)
                return (jobs, state.isClosed)
            }
            let now = Int64(clamping: MachineClock.monotonic())
            if connection == nil, !isClosed || !jobs.isEmpty, now >= nextAttempt {
                do throws(SQLiteError) {
                    connection = try opened()
                    version = nil
                    openings.wrappingAdd(1, ordering: .releasing)
                } catch {
                    failure = error
                    nextAttempt = now &+ Int64(clamping: options.retryInterval.clampedNanoseconds)
                }
            }
            if jobs.isEmpty {
                if isClosed { break }
                let isWatched = now &- watchedAt.load(ordering: .relaxed) < Self.watchSpan
                if now >= nextLook, let open = connection {
                    nextLook = now &+ Int64(clamping: Self.placeInterval.clampedNanoseconds)
                    // Another process may wait for it.
                    if open.hasMoved { putBack(at: now) }
                }
                if isWatched, let connection { look(connection, &version) }
                wake.wait(atMost: isWatched ? options.watchInterval : Self.placeInterval)
                continue
            }
            guard let open = connection else {
                for job in jobs { job.fail(failure) }
                continue
            }
            if let error = perform(jobs, on: open) {
                switch error.code {
                case .damaged:
                    // All servers on it begin another at once: of a damaged one each may read something else.
                    SQLiteRestoration(path: options.path).putAside(open)
                    connection = nil
                    failure = error
                    nextAttempt = now
                case .inputOutput, .cannotOpen, .readOnly:
                    // It may be another one when it is opened again.
                    connection = nil
                    failure = error
                    nextAttempt = now &+ Int64(clamping: options.retryInterval.clampedNanoseconds)
                case .moved:
                    failure = error
                    putBack(at: now)
                case .busy: open.patience = options.shortPatience
                default: break
                }
            } else if let connection {
                if jobs.contains(where: \.isWrite) { connection.patience = options.patience }
                // What this process wrote does not count as a change by others.
                look(connection, &version)
            }
        }
        connection = nil
        state.withLock { $0.hasEnded = true }
    }

    /// The file, ready for use. Where another process is just opening or making it, SQLite does not always wait by itself.
    private func opened() throws(SQLiteError) -> SQLiteConnection {
        SQLiteRestoration(path: options.path).await(atMost: options.absencePatience)
        let end = Int64(clamping: MachineClock.monotonic()) &+ Self.openingSpan
        while true {
            do throws(SQLiteError) {
                let connection = try SQLiteConnection(path: options.path, patience: options.patience)
                try prepare(connection)
                return connection
            } catch {
                guard error.code == .busy, Int64(clamping: MachineClock.monotonic()) < end else { throw error }
                usleep(2_000)
            }
        }
    }

    private static let openingSpan: Int64 = 5_000_000_000

    private func look(_ connection: SQLiteConnection, _ version: inout Int64?) {
        guard let rows = try? connection.run("PRAGMA data_version"), let now = rows.first?.first?.integer else {
            return
        }
        if let version, version != now { foreignChanges.wrappingAdd(1, ordering: .releasing) }
        version = now
    }

    /// Does the jobs in their order, writes that follow one another in one commit. Returns what went wrong.
    private func perform(_ jobs: [Job], on connection: SQLiteConnection) -> SQLiteError? {
        var failure: SQLiteError?
        var rest = jobs[...]
        while let first = rest.first {
            let group = rest.prefix { $0.isWrite == first.isWrite }
            rest = rest.dropFirst(group.count)
            // Who waits behind is not to wait for the same lock again and again.
            if first.isWrite, let failure, failure.code == .busy {
                for job in group { job.fail(failure) }
                continue
            }
            do throws(SQLiteError) {
                if first.isWrite {
                    if connection.hasMoved {
                        throw SQLiteError(.moved, "\(options.path): the file was deleted, or another took its place")
                    }
                    try connection.run("BEGIN IMMEDIATE")
                }
                var finished: [@Sendable () -> Void] = []
                for job in group { finished.append(try job.run(connection)) }
                if first.isWrite { try connection.run("COMMIT") }
                for finish in finished { finish() }
            } catch {
                failure = error
                if first.isWrite { _ = try? connection.run("ROLLBACK") }
                for job in group { job.fail(error) }
            }
        }
        return failure
    }
}

/// Lets a thread sleep until there is something to do.
///
/// `@unchecked Sendable`: the condition and its mutex are made for use by several threads.
private final class WakeUp: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isSignalled = false

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func signal() {
        pthread_mutex_lock(mutex)
        isSignalled = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Returns after a signal, also one that came before; or when `limit` has passed.
    func wait(atMost limit: Duration?) {
        var deadline = timespec()
        if let limit {
            clock_gettime(CLOCK_MONOTONIC, &deadline)
            let nanoseconds = Int(deadline.tv_nsec) + Int(limit.clampedNanoseconds)
            deadline.tv_sec += nanoseconds / 1_000_000_000
            deadline.tv_nsec = nanoseconds % 1_000_000_000
        }
        pthread_mutex_lock(mutex)
        while !isSignalled {
            if limit == nil {
                pthread_cond_wait(condition, mutex)
            } else if pthread_cond_timedwait(condition, mutex, &deadline) != 0 {
                break
            }
        }
        isSignalled = false
        pthread_mutex_unlock(mutex)
    }
}
