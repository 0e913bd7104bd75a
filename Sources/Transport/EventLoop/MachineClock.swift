internal import Glibc

/// Nanoseconds of the clocks of the machine.
enum MachineClock {
    /// Since an arbitrary start; never goes back.
    static func monotonic() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }

    /// Since 1970, UTC.
    static func wall() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Whole seconds since 1970, as of the last tick of the kernel.
    static func coarseSeconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time.tv_sec
    }
}

extension Duration {
    /// Whole nanoseconds, between zero and about 146 years.
    var clampedNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let capped = min(seconds, 4_600_000_000)
        return UInt64(capped) &* 1_000_000_000 &+ UInt64(attoseconds / 1_000_000_000)
    }
}
