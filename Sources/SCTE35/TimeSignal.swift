/// splice_time(), SCTE 35 §9.8.1: a time in the program's 90 kHz clock, or none, which means "at once".
package struct SpliceTime: Hashable, Sendable {
    /// pts_time before pts_adjustment; nil when time_specified_flag is 0.
    package var presentationTime: PresentationTime?
    package var reserved = ReservedBits()

    package init(_ presentationTime: PresentationTime? = nil) { self.presentationTime = presentationTime }

    init(from reader: inout BitReader) throws(SCTE35Error) {
        if try reader.flag("time_specified_flag") {
            try reader.reserved(6, into: &reserved)
            presentationTime = try reader.time("pts_time")
        } else {
            try reader.reserved(7, into: &reserved)
        }
    }

    func write(to writer: inout BitWriter) throws(SCTE35Error) {
        try writer.flag(presentationTime != nil, "time_specified_flag")
        if let presentationTime {
            try writer.reserved(6, reserved)
            try writer.time(presentationTime, "pts_time")
        } else {
            try writer.reserved(7, reserved)
        }
    }
}

/// time_signal(), SCTE 35 §9.7.4: a time for the descriptors that come with it.
package struct TimeSignal: Hashable, Sendable {
    package var time: SpliceTime

    package init(_ time: SpliceTime) { self.time = time }
}

/// break_duration(), SCTE 35 §9.8.2.
package struct BreakDuration: Hashable, Sendable {
    /// True: the break ends by time, no message says so. False: an in message follows, the length is a safety net.
    package var isAutoReturn: Bool
    /// Ticks of 90 kHz, below 2^33.
    package var ticks: UInt64
    package var reserved = ReservedBits()

    package init(ticks: UInt64, isAutoReturn: Bool) {
        self.isAutoReturn = isAutoReturn
        self.ticks = ticks
    }

    package var duration: Duration { Duration(presentationTicks: ticks) }

    init(from reader: inout BitReader) throws(SCTE35Error) {
        isAutoReturn = try reader.flag("auto_return")
        try reader.reserved(6, into: &reserved)
        ticks = try reader.bits(33, "duration")
    }

    func write(to writer: inout BitWriter) throws(SCTE35Error) {
        try writer.flag(isAutoReturn, "auto_return")
        try writer.reserved(6, reserved)
        try writer.bits(ticks, 33, "duration")
    }
}
