import Glibc
import Synchronization

/// The structured log: one JSON object a line.
///
/// A record never holds a secret, a token, a query string or the URL of an ad: URLs go through `redactedURL(_:)`. A field without a value is
/// left out.
package final class Log: Sendable {
    package let level: LogLevel
    private let output: any LogOutput
    private let now: @Sendable () -> Int64
    private let seen = OnceFilter(limit: 4_096)

    /// - Parameter now: nanoseconds since 1970, UTC.
    package init(
        level: LogLevel = .info, output: any LogOutput, now: @escaping @Sendable () -> Int64 = Log.systemTime
    ) {
        self.level = level
        self.output = output
        self.now = now
    }

    /// Drops everything.
    package static let silent = Log(level: .error, output: DiscardingLogOutput(), now: { 0 })

    package func debug(
        _ event: String, session: String? = nil, reason: @autoclosure () -> String? = nil,
        _ fields: @autoclosure () -> KeyValuePairs<String, LogValue?> = [:]
    ) {
        write(.debug, event, session, reason, fields)
    }

    package func info(
        _ event: String, session: String? = nil, reason: @autoclosure () -> String? = nil,
        _ fields: @autoclosure () -> KeyValuePairs<String, LogValue?> = [:]
    ) {
        write(.info, event, session, reason, fields)
    }

    package func warning(
        _ event: String, session: String? = nil, reason: @autoclosure () -> String? = nil,
        _ fields: @autoclosure () -> KeyValuePairs<String, LogValue?> = [:]
    ) {
        write(.warning, event, session, reason, fields)
    }

    package func error(
        _ event: String, session: String? = nil, reason: @autoclosure () -> String? = nil,
        _ fields: @autoclosure () -> KeyValuePairs<String, LogValue?> = [:]
    ) {
        write(.error, event, session, reason, fields)
    }

    /// Writes only the first record of this key, for what each poll of a playlist would say again: once per break, once
    /// per creative. The key is remembered among the last few thousand; a key that old may be written again.
    package func once(
        _ key: String, _ level: LogLevel, _ event: String, session: String? = nil,
        reason: @autoclosure () -> String? = nil, _ fields: @autoclosure () -> KeyValuePairs<String, LogValue?> = [:]
    ) {
        guard level >= self.level, seen.insert(key) else { return }
        write(level, event, session, reason, fields)
    }

    /// Records that the output lost since it began.
    package var lostRecords: Int { output.lostRecords }

    /// Waits until what was written is out, a second at most.
    package func flush() { output.flush() }

    private func write(
        _ level: LogLevel, _ event: String, _ session: String?, _ reason: () -> String?,
        _ fields: () -> KeyValuePairs<String, LogValue?>
    ) {
        guard level >= self.level else { return }
        let record = LogRecord(
            time: now(), level: level, event: event, session: session, reason: reason(),
            fields: fields().compactMap { name, value in value.map { (name: name, value: $0) } })
        output.write(record.line)
    }

    package static let systemTime: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// Remembers the last keys it has seen, in bounded memory: two generations, the older one forgotten whole.
package final class OnceFilter: Sendable {
    private struct Generations {
        var current: Set<String> = []
        var previous: Set<String> = []
    }

    private let limit: Int
    private let generations = Mutex(Generations())

    /// - Parameter limit: keys in one generation.
    package init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// True for a key not seen before.
    package func insert(_ key: String) -> Bool {
        generations.withLock { generations in
            guard !generations.current.contains(key), !generations.previous.contains(key) else { return false }
            if generations.current.count >= limit {
                generations.previous = generations.current
                generations.current = []
            }
            generations.current.insert(key)
            return true
        }
    }
}
