/// splice_insert(), SCTE 35 §9.7.3: out of the network's program into a break, or back in.
package struct SpliceInsert: Hashable, Sendable {
    /// splice_event_id
    package var eventID: UInt32
    /// What is to happen; nil when splice_event_cancel_indicator is 1: the event named before is off.
    package var event: Event?
    package var reserved = ReservedBits()

    package init(eventID: UInt32, event: Event?) {
        self.eventID = eventID
        self.event = event
    }

    package var isCancelled: Bool { event == nil }

    /// The part of a splice_insert that a cancellation lacks.
    package struct Event: Hashable, Sendable {
        /// True: the break begins. False: back to the program.
        package var isOutOfNetwork: Bool
        /// splice_immediate_flag: no time is given, now is meant.
        package var isImmediate: Bool
        package var target: Target
        /// How long the break lasts, if known.
        package var breakDuration: BreakDuration?
        package var uniqueProgramID: UInt16
        /// Number of this avail in the program, 0 = unused.
        package var availNumber: UInt8
        /// Avails in the program, 0 = unused.
        package var availsExpected: UInt8
        /// event_id_compliance_flag is 0: the ids follow §9.9.3. Encoders older than 2022 send 1.
        package var hasCompliantEventID: Bool

        package init(
            isOutOfNetwork: Bool, isImmediate: Bool = false, target: Target, breakDuration: BreakDuration? = nil,
            uniqueProgramID: UInt16 = 0, availNumber: UInt8 = 0, availsExpected: UInt8 = 0,
            hasCompliantEventID: Bool = false
        ) {
            self.isOutOfNetwork = isOutOfNetwork
            self.isImmediate = isImmediate
            self.target = target
            self.breakDuration = breakDuration
            self.uniqueProgramID = uniqueProgramID
            self.availNumber = availNumber
            self.availsExpected = availsExpected
            self.hasCompliantEventID = hasCompliantEventID
        }
    }

    /// What is spliced. The times of an immediate event are not in the message.
    package enum Target: Hashable, Sendable {
        /// All components of the program at one time (program_splice_flag 1).
        case program(SpliceTime)
        /// Named components, each at its own time (deprecated).
        case components([Component])
    }

    package struct Component: Hashable, Sendable {
        package var tag: UInt8
        package var time: SpliceTime

        package init(tag: UInt8, time: SpliceTime) {
            self.tag = tag
            self.time = time
        }
    }
}

extension SpliceInsert {
    init(from reader: inout BitReader) throws(SCTE35Error) {
        eventID = try reader.uint32("splice_event_id")
        let isCancelled = try reader.flag("splice_event_cancel_indicator")
        try reader.reserved(7, into: &reserved)
        guard !isCancelled else { return }

        let isOutOfNetwork = try reader.flag("out_of_network_indicator")
        let isProgram = try reader.flag("program_splice_flag")
        let hasDuration = try reader.flag("duration_flag")
        let isImmediate = try reader.flag("splice_immediate_flag")
        let complianceFlag = try reader.flag("event_id_compliance_flag")
        try reader.reserved(3, into: &reserved, at: 7)
        let target: Target
        if isProgram {
            target = .program(isImmediate ? SpliceTime() : try SpliceTime(from: &reader))
        } else {
            var components: [Component] = []
            for _ in 0..<(try reader.uint8("component_count")) {
                let tag = try reader.uint8("component_tag")
                components.append(Component(tag: tag, time: isImmediate ? SpliceTime() : try SpliceTime(from: &reader)))
            }
            target = .components(components)
        }
        event = Event(
            isOutOfNetwork: isOutOfNetwork, isImmediate: isImmediate, target: target,
            breakDuration: hasDuration ? try BreakDuration(from: &reader) : nil,
            uniqueProgramID: try reader.uint16("unique_program_id"), availNumber: try reader.uint8("avail_num"),
            availsExpected: try reader.uint8("avails_expected"), hasCompliantEventID: !complianceFlag)
    }

    func write(to writer: inout BitWriter) throws(SCTE35Error) {
        try writer.bits(UInt64(eventID), 32, "splice_event_id")
        try writer.flag(event == nil, "splice_event_cancel_indicator")
        try writer.reserved(7, reserved)
        guard let event else { return }

        try writer.flag(event.isOutOfNetwork, "out_of_network_indicator")
        try writer.flag(event.target.isProgram, "program_splice_flag")
        try writer.flag(event.breakDuration != nil, "duration_flag")
        try writer.flag(event.isImmediate, "splice_immediate_flag")
        try writer.flag(!event.hasCompliantEventID, "event_id_compliance_flag")
        try writer.reserved(3, reserved, at: 7)
        switch event.target {
        case .program(let time):
            if !event.isImmediate { try time.write(to: &writer) }
        case .components(let components):
            try writer.count(components.count, 8, "component_count")
            for component in components {
                try writer.bits(UInt64(component.tag), 8, "component_tag")
                if !event.isImmediate { try component.time.write(to: &writer) }
            }
        }
        try event.breakDuration?.write(to: &writer)
        try writer.bits(UInt64(event.uniqueProgramID), 16, "unique_program_id")
        try writer.bits(UInt64(event.availNumber), 8, "avail_num")
        try writer.bits(UInt64(event.availsExpected), 8, "avails_expected")
    }
}

extension SpliceInsert.Target {
    fileprivate var isProgram: Bool {
        if case .program = self { true } else { false }
    }
}
