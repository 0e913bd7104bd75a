/// A time of the 33-bit 90 kHz clock, which starts again at zero every 26.5 hours. ISO/IEC 13818-1 §2.4.3.7.
///
/// Not `Comparable`: on a circle neither of two times is the smaller one. ``duration(since:)`` tells which is ahead.
package struct PresentationTime: Hashable, Sendable, CustomStringConvertible {
    /// Ticks a second.
    package static let ticksPerSecond: UInt64 = 90_000
    /// Ticks after which the clock starts again.
    package static let period: UInt64 = 1 << 33

    /// Ticks of 90 kHz, below 2^33.
    package let ticks: UInt64

    /// The time of `ticks` modulo 2^33.
    package init(ticks: UInt64) { self.ticks = ticks & (Self.period &- 1) }

    package static let zero = PresentationTime(ticks: 0)

    package var description: String { "\(ticks)" }

    /// The time `adjustment` later, modulo 2^33, as pts_adjustment is applied. SCTE 35 §9.6.
    package func adjusted(by adjustment: PresentationTime) -> PresentationTime {
        PresentationTime(ticks: ticks &+ adjustment.ticks)
    }

    /// The time a span later (or earlier), to the nearest tick, modulo 2^33.
    package func advanced(by span: Duration) -> PresentationTime {
        PresentationTime(ticks: ticks &+ UInt64(bitPattern: span.presentationTicks))
    }

    /// The span from `earlier` to this time the short way around the circle: negative when `earlier` is ahead.
    package func duration(since earlier: PresentationTime) -> Duration {
        let ahead = (ticks &- earlier.ticks) & (Self.period &- 1)
        guard ahead >= Self.period / 2 else { return Duration(presentationTicks: ahead) }
        return .zero - Duration(presentationTicks: Self.period &- ahead)
    }
}

extension Duration {
    /// A span of 90 kHz ticks, to the nearest attosecond. The way back by ``presentationTicks`` gives the same ticks.
    package init(presentationTicks ticks: UInt64) {
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: PresentationTime.ticksPerSecond)
        // A tick is 10^14/9 attoseconds; rest is below 90,000, so the product stays below 2^63.
        let attoseconds = (Int64(rest) &* 100_000_000_000_000 &+ 4) / 9
        self.init(secondsComponent: Int64(seconds), attosecondsComponent: attoseconds)
    }

    /// This span in ticks of 90 kHz, to the nearest; beyond 64 bits the number wraps.
    package var presentationTicks: Int64 {
        let (seconds, attoseconds) = components
        let half: Int64 = attoseconds < 0 ? -50_000_000_000_000 : 50_000_000_000_000
        return seconds &* 90_000 &+ (attoseconds &* 9 &+ half) / 100_000_000_000_000
    }
}
