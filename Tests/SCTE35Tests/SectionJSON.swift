@testable import SCTE35

/// What a section says, with the standard's field names, as `vectors.json` has them.
func json(_ section: SpliceInfoSection) -> JSONValue {
    var members: [String: JSONValue] = [
        "protocol_version": .number(0), "encrypted_packet": .bool(false),
        "pts_adjustment_ticks": ticks(section.presentationTimeAdjustment), "tier": number(section.tier),
        "command_type": number(section.command.type), "command": .text(section.command.name),
        "descriptors": .list(section.descriptors.map(json)),
    ]
    switch section.command {
    case .insert(let insert): members["splice_insert"] = json(insert)
    case .timeSignal(let signal): members["time_signal"] = json(signal.time)
    default: break
    }
    if let time = section.spliceTime { members["splice_pts_ticks"] = ticks(time) }
    return .object(members)
}

private func json(_ time: SpliceTime) -> JSONValue {
    guard let time = time.presentationTime else { return .object(["time_specified": .bool(false)]) }
    return .object(["time_specified": .bool(true), "pts_ticks": ticks(time)])
}

private func json(_ insert: SpliceInsert) -> JSONValue {
    var members: [String: JSONValue] = [
        "splice_event_id": number(insert.eventID), "splice_event_cancel_indicator": .bool(insert.isCancelled),
    ]
    if let event = insert.event {
        members["out_of_network_indicator"] = .bool(event.isOutOfNetwork)
        members["splice_immediate_flag"] = .bool(event.isImmediate)
        members["unique_program_id"] = number(event.uniqueProgramID)
        members["avail_num"] = number(event.availNumber)
        members["avails_expected"] = number(event.availsExpected)
        if let length = event.breakDuration {
            members["auto_return"] = .bool(length.isAutoReturn)
            members["break_duration_ticks"] = number(length.ticks)
        }
        switch event.target {
        case .program(let time):
            members["program_splice_flag"] = .bool(true)
            if !event.isImmediate { members.merge(json(time).members) { $1 } }
        case .components(let components):
            members["program_splice_flag"] = .bool(false)
            members["components"] = .list(
                components.map { component in
                    .object(json(component.time).members.merging(["component_tag": number(component.tag)]) { $1 })
                })
        }
    }
    return .object(members)
}

private func json(_ descriptor: SpliceDescriptor) -> JSONValue {
    var members: [String: JSONValue] = ["tag": number(descriptor.tag)]
    if let raw = try? descriptor.raw(), let identifier = raw.identifier {
        let letters = (0..<4).map { Unicode.Scalar(UInt8(truncatingIfNeeded: identifier.rawValue >> (24 - 8 * $0))) }
        members["identifier"] = .text(String(String.UnicodeScalarView(letters)))
        members["private_hex"] = .text(String(UPIDText.hexadecimal(Array(raw.privateBytes)).dropFirst(2)))
    }
    guard case .segmentation(let descriptor) = descriptor else { return .object(members) }
    members["segmentation_event_id"] = number(descriptor.eventID)
    members["segmentation_event_cancel_indicator"] = .bool(descriptor.isCancelled)
    guard let segmentation = descriptor.segmentation else { return .object(members) }
    members["program_segmentation_flag"] = .bool(segmentation.components == nil)
    members["delivery_not_restricted_flag"] = .bool(segmentation.deliveryRestrictions == nil)
    if let restrictions = segmentation.deliveryRestrictions {
        members["web_delivery_allowed_flag"] = .bool(restrictions.isWebDeliveryAllowed)
        members["no_regional_blackout_flag"] = .bool(restrictions.hasNoRegionalBlackout)
        members["archive_allowed_flag"] = .bool(restrictions.isArchiveAllowed)
        members["device_restrictions"] = number(restrictions.devices.rawValue)
    }
    members["segmentation_duration_ticks"] = segmentation.durationTicks.map(number)
    members["segmentation_upid_type"] = number(segmentation.upid.kind.rawValue)
    members["segmentation_upid"] = json(segmentation.upid)
    members["segmentation_type_id"] = number(segmentation.type.rawValue)
    members["segmentation_type"] = segmentation.type.name.map { .text($0) }
    members["segment_num"] = number(segmentation.segment.number)
    members["segments_expected"] = number(segmentation.segment.expected)
    members["sub_segment_num"] = segmentation.subSegment.map { number($0.number) }
    members["sub_segments_expected"] = segmentation.subSegment.map { number($0.expected) }
    return .object(members)
}

private func json(_ upid: SegmentationUPID) -> JSONValue {
    if case .multiple(let parts) = upid.value {
        return .list(parts.map { .object(["type": number($0.kind.rawValue), "value": json($0)]) })
    }
    // The vectors show an EIDR as its bytes.
    return .text(upid.kind == .eidr ? UPIDText.hexadecimal(upid.bytes) : upid.text)
}

private func number(_ value: some BinaryInteger) -> JSONValue { .number(Int64(value)) }

private func ticks(_ time: PresentationTime) -> JSONValue { number(time.ticks) }

extension JSONValue {
    fileprivate var members: [String: JSONValue] {
        if case .object(let members) = self { members } else { [:] }
    }
}
