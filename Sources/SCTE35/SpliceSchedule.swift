/// splice_schedule(), SCTE 35 §9.7.2: events announced by wall clock, hours ahead.
package struct SpliceSchedule: Hashable, Sendable {
    package var entries: [Entry]

    package init(entries: [Entry]) { self.entries = entries }

    package struct Entry: Hashable, Sendable {
        /// splice_event_id
        package var eventID: UInt32
        /// event_id_compliance_flag is 0: the ids follow §9.9.3.
        package var hasCompliantEventID: Bool
        /// What is to happen; nil when the event is cancelled.
        package var event: Event?
        package var reserved = ReservedBits()

        package init(eventID: UInt32, hasCompliantEventID: Bool = false, event: Event?) {
            self.eventID = eventID
            self.hasCompliantEventID = hasCompliantEventID
            self.event = event
        }
    }

    /// The part of an entry that a cancellation lacks.
    package struct Event: Hashable, Sendable {
        package var isOutOfNetwork: Bool
        package var target: Target
        package var breakDuration: BreakDuration?
        package var uniqueProgramID: UInt16
        package var availNumber: UInt8
        package var availsExpected: UInt8

        package init(
            isOutOfNetwork: Bool, target: Target, breakDuration: BreakDuration? = nil, uniqueProgramID: UInt16 = 0,
            availNumber: UInt8 = 0, availsExpected: UInt8 = 0
        ) {
            self.isOutOfNetwork = isOutOfNetwork
            self.target = target
            self.breakDuration = breakDuration
            self.uniqueProgramID = uniqueProgramID
            self.availNumber = availNumber
            self.availsExpected = availsExpected
        }
    }

    package enum Target: Hashable, Sendable {
        case program(UTCSpliceTime)
        case components([Component])
    }

    package struct Component: Hashable, Sendable {
        package var tag: UInt8
        package var time: UTCSpliceTime

        package init(tag: UInt8, time: UTCSpliceTime) {
            self.tag = tag
            self.time = time
        }
    }
}

/// utc_splice_time: seconds since 1980-01-06 00:00 UTC, leap seconds counted. SCTE 35 §9.7.2.1.
package struct UTCSpliceTime: Hashable, Sendable {
    package var seconds: UInt32

    package init(seconds: UInt32) { self.seconds = seconds }

    /// Whole seconds since 1970 UTC. `leapSeconds` is how many there were since 1980: 18 from 2017 on.
    package func unixSeconds(leapSeconds: UInt8 = 18) -> Int64 {
        Int64(seconds) &+ 315_964_800 &- Int64(leapSeconds)
    }
}

extension SpliceSchedule {
    init(from reader: inout BitReader) throws(SCTE35Error) {
        entries = []
        for _ in 0..<(try reader.uint8("splice_count")) { entries.append(try Entry(from: &reader)) }
    }

    func write(to writer: inout BitWriter) throws(SCTE35Error) {
        try writer.count(entries.count, 8, "splice_count")
        for entry in entries { try entry.write(to: &writer) }
    }
}

extension SpliceSchedule.Entry {
    fileprivate init(from reader: inout BitReader) throws(SCTE35Error) {
        eventID = try reader.uint32("splice_event_id")
        let isCancelled = try reader.flag("splice_event_cancel_indicator")
        hasCompliantEventID = !(try reader.flag("event_id_compliance_flag"))
        try reader.reserved(6, into: &reserved)
        guard !isCancelled else { return }

        let isOutOfNetwork = try reader.flag("out_of_network_indicator")
        let isProgram = try reader.flag("program_splice_flag")
        let hasDuration = try reader.flag("duration_flag")
        try reader.reserved(5, into: &reserved, at: 6)
        let target: SpliceSchedule.Target
        if isProgram {
            target = .program(UTCSpliceTime(seconds: try reader.uint32("utc_splice_time")))
        } else {
            var components: [SpliceSchedule.Component] = []
            for _ in 0..<(try reader.uint8("component_count")) {
                let tag = try reader.uint8("component_tag")
                let time = UTCSpliceTime(seconds: try reader.uint32("utc_splice_time"))
                components.append(SpliceSchedule.Component(tag: tag, time: time))
            }
            target = .components(components)
        }
        event = SpliceSchedule.Event(
            isOutOfNetwork: isOutOfNetwork, target: target,
            breakDuration: hasDuration ? try BreakDuration(from: &reader) : nil,
            uniqueProgramID: try reader.uint16("unique_program_id"), availNumber: try reader.uint8("avail_num"),
            availsExpected: try reader.uint8("avails_expected"))
    }

    fileprivate func write(to writer: inout BitWriter) throws(SCTE35Error) {
        try writer.bits(UInt64(eventID), 32, "splice_event_id")
        try writer.flag(event == nil, "splice_event_cancel_indicator")
        try writer.flag(!hasCompliantEventID, "event_id_compliance_flag")
        try writer.reserved(6, reserved)
        guard let event else { return }

        try writer.flag(event.isOutOfNetwork, "out_of_network_indicator")
        try writer.flag(event.target.isProgram, "program_splice_flag")
        try writer.flag(event.breakDuration != nil, "duration_flag")
        try writer.reserved(5, reserved, at: 6)
        switch event.target {
        case .program(let time):
            try writer.bits(UInt64(time.seconds), 32, "utc_splice_time")
        case .components(let components):
            try writer.count(components.count, 8, "component_count")
            for component in components {
                try writer.bits(UInt64(component.tag), 8, "component_tag")
                try writer.bits(UInt64(component.time.seconds), 32, "utc_splice_time")
            }
        }
        try event.breakDuration?.write(to: &writer)
        try writer.bits(UInt64(event.uniqueProgramID), 16, "unique_program_id")
        try writer.bits(UInt64(event.availNumber), 8, "avail_num")
        try writer.bits(UInt64(event.availsExpected), 8, "avails_expected")
    }
}

extension SpliceSchedule.Target {
    fileprivate var isProgram: Bool {
        if case .program = self { true } else { false }
    }
}
