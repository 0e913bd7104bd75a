import HLS
internal import SCTE35

/// What an SCTE-35 message says of breaks.
struct SpliceReader {
    private(set) var out: SegmentSignals.Out?
    private(set) var ends: [SegmentSignals.End] = []
    private(set) var cancelled: Set<BreakName> = []
    /// It has segments, none of which opens or ends a break: an overlay, a chapter, a program.
    private(set) var isAboutOtherThings = false
    private(set) var values: [String: String] = [:]

    /// Nil for a message that cannot be read: a wrong CRC, an encrypted one.
    init?(_ bytes: [UInt8]?, levels: BreakLevels) {
        guard let bytes, let section = try? SpliceInfoSection(decoding: bytes) else { return nil }
        values = SpliceValues.values(of: section, levels: levels)
        switch section.command {
        case .insert(let insert): read(insert)
        case .timeSignal, .null: break
        case .schedule, .bandwidthReservation, .privateCommand, .unknown: return
        }
        // A heartbeat's descriptors tell of what goes on, not of what begins here.
        if case .null = section.command { return }
        let descriptors = section.segmentationDescriptors
        for descriptor in descriptors { read(descriptor, levels: levels) }
        if case .timeSignal = section.command {
            isAboutOtherThings =
                !descriptors.isEmpty && out == nil && cancelled.isEmpty && ends.allSatisfy { $0 == .program }
        }
    }

    private mutating func read(_ insert: SpliceInsert) {
        let name = BreakName.splice(insert.eventID)
        guard let event = insert.event else {
            cancelled.insert(name)
            return
        }
        guard event.isOutOfNetwork else {
            ends.append(.splice(insert.eventID))
            return
        }
        var begins = SegmentSignals.Out()
        // With auto_return or without: an in message always wins, and without one the length is the end.
        begins.messageLength = event.breakDuration.flatMap { $0.ticks > 0 ? $0.duration : nil }
        begins.names = [name]
        add(begins)
    }

    private mutating func read(_ descriptor: SegmentationDescriptor, levels: BreakLevels) {
        let name = BreakName.segmentation(descriptor.eventID)
        guard let segmentation = descriptor.segmentation else {
            cancelled.insert(name)
            return
        }
        let type = segmentation.type
        if type.isProgramBoundary { ends.append(.program) }
        if let level = levels.level(ofStart: type.rawValue) {
            var begins = SegmentSignals.Out()
            begins.messageLength = segmentation.duration.flatMap { $0 > .zero ? $0 : nil }
            begins.names = [name]
            begins.type = type.rawValue
            begins.level = level
            add(begins)
        } else if let start = type.start, levels.level(ofStart: start.rawValue) != nil {
            let segment = segmentation.segment
            ends.append(
                .segmentation(
                    type: type.rawValue, event: descriptor.eventID,
                    isLast: segment.expected == 0 || segment.number == 0 || segment.number >= segment.expected))
        }
    }

    private mutating func add(_ begins: SegmentSignals.Out) {
        if out == nil { out = begins } else { out?.merge(begins) }
    }
}

/// The fields of a message as ad servers ask for them, by the names that AWS MediaTailor has made usual.
enum SpliceValues {
    static func values(of section: SpliceInfoSection, levels: BreakLevels) -> [String: String] {
        var values: [String: String] = [:]
        if case .insert(let insert) = section.command {
            values["event_id"] = String(insert.eventID)
            if let event = insert.event {
                values["avail_num"] = String(event.availNumber)
                values["avails_expected"] = String(event.availsExpected)
                values["unique_program_id"] = String(event.uniqueProgramID)
            }
        }
        // The outermost start speaks for the break; without one, whatever comes first.
        let descriptors = section.segmentationDescriptors.filter { $0.segmentation != nil }
        let starts = descriptors.filter { levels.level(ofStart: $0.segmentation?.type.rawValue ?? 0) != nil }
        let outermost = starts.min { left, right in
            levels.level(ofStart: left.segmentation?.type.rawValue ?? 0) ?? .max
                < levels.level(ofStart: right.segmentation?.type.rawValue ?? 0) ?? .max
        }
        if let descriptor = outermost ?? descriptors.first, let segmentation = descriptor.segmentation {
            add(descriptor, segmentation, to: &values)
        }
        return values
    }

    private static func add(
        _ descriptor: SegmentationDescriptor, _ segmentation: SegmentationDescriptor.Segmentation,
        to values: inout [String: String]
    ) {
        func flag(_ value: Bool) -> String { value ? "1" : "0" }
        values["segmentation_event_id"] = String(descriptor.eventID)
        if values["event_id"] == nil { values["event_id"] = String(descriptor.eventID) }
        values["segmentation_type_id"] = String(segmentation.type.rawValue)
        values["segmentation_upid_type"] = String(segmentation.upid.kind.rawValue)
        values["segmentation_upid"] = text(of: segmentation.upid)
        values["segment_num"] = String(segmentation.segment.number)
        values["segments_expected"] = String(segmentation.segment.expected)
        if let part = segmentation.subSegment {
            values["sub_segment_num"] = String(part.number)
            values["sub_segments_expected"] = String(part.expected)
        }
        values["delivery_not_restricted_flag"] = flag(segmentation.deliveryRestrictions == nil)
        if let restrictions = segmentation.deliveryRestrictions {
            values["web_delivery_allowed_flag"] = flag(restrictions.isWebDeliveryAllowed)
            values["no_regional_blackout_flag"] = flag(restrictions.hasNoRegionalBlackout)
            values["archive_allowed_flag"] = flag(restrictions.isArchiveAllowed)
            values["device_restrictions"] = String(restrictions.devices.rawValue)
        }
    }

    /// Private data is text where its owner has put text there; else as any identifier.
    private static func text(of upid: SegmentationUPID) -> String {
        if case .managedPrivate(_, let bytes) = upid.value, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let text = String(validating: bytes, as: UTF8.self)
        {
            return text
        }
        return upid.text
    }
}
