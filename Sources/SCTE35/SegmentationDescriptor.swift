/// segmentation_descriptor(), SCTE 35 §10.3.3: a boundary of a program, chapter, break, opportunity or ad.
package struct SegmentationDescriptor: Hashable, Sendable {
    /// segmentation_event_id
    package var eventID: UInt32
    /// segmentation_event_id_compliance_indicator is 0: the ids follow §9.9.3. Encoders older than 2022 send 1.
    package var hasCompliantEventID: Bool
    /// What begins or ends; nil when segmentation_event_cancel_indicator is 1.
    package var segmentation: Segmentation?
    package var reserved = ReservedBits()
    /// Bytes beyond what the standard has.
    package var trailer: [UInt8] = []

    package init(eventID: UInt32, hasCompliantEventID: Bool = false, segmentation: Segmentation?) {
        self.eventID = eventID
        self.hasCompliantEventID = hasCompliantEventID
        self.segmentation = segmentation
    }

    package var isCancelled: Bool { segmentation == nil }

    /// The part of a segmentation_descriptor that a cancellation lacks.
    package struct Segmentation: Hashable, Sendable {
        /// segmentation_type_id
        package var type: SegmentationType
        package var upid: SegmentationUPID
        /// segmentation_duration, ticks of 90 kHz, 40 bits; nil when there is none. 0 is found on ends.
        package var durationTicks: UInt64?
        /// Nil: delivery_not_restricted_flag is 1.
        package var deliveryRestrictions: DeliveryRestrictions?
        /// Nil: the whole program. Else the components, each with its own offset (deprecated).
        package var components: [Component]?
        /// segment_num and segments_expected
        package var segment: SegmentPosition
        /// sub_segment_num and sub_segments_expected, of starts of opportunities, where the encoder sends them.
        package var subSegment: SegmentPosition?

        package init(
            type: SegmentationType, upid: SegmentationUPID = .none, durationTicks: UInt64? = nil,
            deliveryRestrictions: DeliveryRestrictions? = nil, components: [Component]? = nil,
            segment: SegmentPosition = SegmentPosition(number: 0, expected: 0), subSegment: SegmentPosition? = nil
        ) {
            self.type = type
            self.upid = upid
            self.durationTicks = durationTicks
            self.deliveryRestrictions = deliveryRestrictions
            self.components = components
            self.segment = segment
            self.subSegment = subSegment
        }

        package var duration: Duration? { durationTicks.map { Duration(presentationTicks: $0) } }
    }

    package struct Component: Hashable, Sendable {
        package var tag: UInt8
        /// pts_offset, added to the section's splice time for this component.
        package var offset: PresentationTime
        package var reserved = ReservedBits()

        package init(tag: UInt8, offset: PresentationTime) {
            self.tag = tag
            self.offset = offset
        }
    }

    /// A number within how many; 0 of 0 when not used.
    package struct SegmentPosition: Hashable, Sendable {
        package var number: UInt8
        package var expected: UInt8

        package init(number: UInt8, expected: UInt8) {
            self.number = number
            self.expected = expected
        }
    }
}

/// Where content may be shown. SCTE 35 §10.3.3.1.
package struct DeliveryRestrictions: Hashable, Sendable {
    /// web_delivery_allowed_flag; false: not to be shown on the web.
    package var isWebDeliveryAllowed: Bool
    /// no_regional_blackout_flag
    package var hasNoRegionalBlackout: Bool
    /// archive_allowed_flag
    package var isArchiveAllowed: Bool
    package var devices: DeviceRestrictions

    package init(
        isWebDeliveryAllowed: Bool, hasNoRegionalBlackout: Bool, isArchiveAllowed: Bool, devices: DeviceRestrictions
    ) {
        self.isWebDeliveryAllowed = isWebDeliveryAllowed
        self.hasNoRegionalBlackout = hasNoRegionalBlackout
        self.isArchiveAllowed = isArchiveAllowed
        self.devices = devices
    }
}

/// device_restrictions: which out-of-band list of devices is excluded.
package enum DeviceRestrictions: UInt8, Hashable, Sendable {
    case group0
    case group1
    case group2
    case none
}

extension SegmentationDescriptor {
    init(from reader: inout BitReader) throws(SCTE35Error) {
        eventID = try reader.uint32("segmentation_event_id")
        let isCancelled = try reader.flag("segmentation_event_cancel_indicator")
        hasCompliantEventID = !(try reader.flag("segmentation_event_id_compliance_indicator"))
        try reader.reserved(6, into: &reserved)
        if !isCancelled { segmentation = try Self.segmentation(from: &reader, reserved: &reserved) }
        trailer = reader.rest()
    }

    private static func segmentation(
        from reader: inout BitReader, reserved: inout ReservedBits
    ) throws(SCTE35Error) -> Segmentation {
        let isProgram = try reader.flag("program_segmentation_flag")
        let hasDuration = try reader.flag("segmentation_duration_flag")
        var restrictions: DeliveryRestrictions?
        if try reader.flag("delivery_not_restricted_flag") {
            try reader.reserved(5, into: &reserved, at: 6)
        } else {
            restrictions = try DeliveryRestrictions(from: &reader)
        }
        var components: [Component]?
        if !isProgram {
            var list: [Component] = []
            for _ in 0..<(try reader.uint8("component_count")) { list.append(try Component(from: &reader)) }
            components = list
        }
        let durationTicks = hasDuration ? try reader.bits(40, "segmentation_duration") : nil
        let upidType = SegmentationUPID.Kind(rawValue: try reader.uint8("segmentation_upid_type"))
        // Encoders send type 0 with bytes too: the length alone says how many follow.
        let upidLength = Int(try reader.uint8("segmentation_upid_length"))
        let upid = SegmentationUPID(kind: upidType, bytes: try reader.bytes(upidLength, "segmentation_upid"))
        let type = SegmentationType(rawValue: try reader.uint8("segmentation_type_id"))
        let segment = SegmentPosition(
            number: try reader.uint8("segment_num"), expected: try reader.uint8("segments_expected"))
        // The standard ties the pair to a few types, but encoders leave it out there and send it with others.
        var subSegment: SegmentPosition?
        if reader.remainingBytes >= 2 {
            subSegment = SegmentPosition(
                number: try reader.uint8("sub_segment_num"), expected: try reader.uint8("sub_segments_expected"))
        }
        return Segmentation(
            type: type, upid: upid, durationTicks: durationTicks, deliveryRestrictions: restrictions,
            components: components, segment: segment, subSegment: subSegment)
    }

    func write(to writer: inout BitWriter) throws(SCTE35Error) {
        try writer.bits(UInt64(eventID), 32, "segmentation_event_id")
        try writer.flag(segmentation == nil, "segmentation_event_cancel_indicator")
        try writer.flag(!hasCompliantEventID, "segmentation_event_id_compliance_indicator")
        try writer.reserved(6, reserved)
        if let segmentation { try write(segmentation, to: &writer) }
        writer.append(trailer)
    }

    private func write(_ segmentation: Segmentation, to writer: inout BitWriter) throws(SCTE35Error) {
        try writer.flag(segmentation.components == nil, "program_segmentation_flag")
        try writer.flag(segmentation.durationTicks != nil, "segmentation_duration_flag")
        try writer.flag(segmentation.deliveryRestrictions == nil, "delivery_not_restricted_flag")
        if let restrictions = segmentation.deliveryRestrictions {
            try restrictions.write(to: &writer)
        } else {
            try writer.reserved(5, reserved, at: 6)
        }
        if let components = segmentation.components {
            try writer.count(components.count, 8, "component_count")
            for component in components { try component.write(to: &writer) }
        }
        if let ticks = segmentation.durationTicks { try writer.bits(ticks, 40, "segmentation_duration") }
        try writer.bits(UInt64(segmentation.upid.kind.rawValue), 8, "segmentation_upid_type")
        try writer.count(segmentation.upid.bytes.count, 8, "segmentation_upid_length")
        writer.append(segmentation.upid.bytes)
        try writer.bits(UInt64(segmentation.type.rawValue), 8, "segmentation_type_id")
        try writer.bits(UInt64(segmentation.segment.number), 8, "segment_num")
        try writer.bits(UInt64(segmentation.segment.expected), 8, "segments_expected")
        if let subSegment = segmentation.subSegment {
            try writer.bits(UInt64(subSegment.number), 8, "sub_segment_num")
            try writer.bits(UInt64(subSegment.expected), 8, "sub_segments_expected")
        }
    }
}

extension SegmentationDescriptor.Component {
    fileprivate init(from reader: inout BitReader) throws(SCTE35Error) {
        tag = try reader.uint8("component_tag")
        try reader.reserved(7, into: &reserved)
        offset = try reader.time("pts_offset")
    }

    fileprivate func write(to writer: inout BitWriter) throws(SCTE35Error) {
        try writer.bits(UInt64(tag), 8, "component_tag")
        try writer.reserved(7, reserved)
        try writer.time(offset, "pts_offset")
    }
}

extension DeliveryRestrictions {
    fileprivate init(from reader: inout BitReader) throws(SCTE35Error) {
        isWebDeliveryAllowed = try reader.flag("web_delivery_allowed_flag")
        hasNoRegionalBlackout = try reader.flag("no_regional_blackout_flag")
        isArchiveAllowed = try reader.flag("archive_allowed_flag")
        let devices = try reader.bits(2, "device_restrictions")
        self.devices = DeviceRestrictions(rawValue: UInt8(truncatingIfNeeded: devices)) ?? .none
    }

    fileprivate func write(to writer: inout BitWriter) throws(SCTE35Error) {
        try writer.flag(isWebDeliveryAllowed, "web_delivery_allowed_flag")
        try writer.flag(hasNoRegionalBlackout, "no_regional_blackout_flag")
        try writer.flag(isArchiveAllowed, "archive_allowed_flag")
        try writer.bits(UInt64(devices.rawValue), 2, "device_restrictions")
    }
}
