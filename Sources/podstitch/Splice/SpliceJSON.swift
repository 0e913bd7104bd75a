import SCTE35
import Server

/// What a section says, by the standard's field names in the standard's order.
///
/// `..._ticks` are ticks of 90 kHz, `..._seconds` the same in seconds. What a message does not have is left out.
enum SpliceJSON {
    typealias Members = [(String, JSONText)]

    static func object(_ section: SpliceInfoSection) -> Members {
        var members: Members = [
            ("table_id", .number(0xFC)), ("sap_type", .number(section.sapType)), ("protocol_version", .number(0)),
            ("encrypted_packet", .bool(false)),
        ]
        members += ticks("pts_adjustment", section.presentationTimeAdjustment.ticks)
        members += [
            ("tier", .number(section.tier)), ("command_type", .number(section.command.type)),
            ("command", .text(section.command.name)),
        ]
        switch section.command {
        case .insert(let insert): members.append(("splice_insert", .object(self.insert(insert))))
        case .timeSignal(let signal): members.append(("time_signal", .object(time(signal.time))))
        case .schedule(let schedule):
            members.append(("splice_schedule", .list(schedule.entries.map { .object(entry($0)) })))
        case .privateCommand(let command):
            members.append(
                (
                    "private_command",
                    .object([
                        ("identifier", .text(command.identifier.description)), ("private_hex", hex(command.bytes)),
                    ])
                ))
        case .unknown(_, let bytes): members.append(("command_hex", hex(bytes)))
        case .null, .bandwidthReservation: break
        }
        if let time = section.spliceTime { members += ticks("splice_pts", time.ticks) }
        members.append(("descriptors", .list(section.descriptors.map { .object(descriptor($0)) })))
        return members
    }

    // MARK: Commands

    private static func insert(_ insert: SpliceInsert) -> Members {
        var members: Members = [
            ("splice_event_id", .number(insert.eventID)), ("splice_event_cancel_indicator", .bool(insert.isCancelled)),
        ]
        guard let event = insert.event else { return members }
        members.append(("out_of_network_indicator", .bool(event.isOutOfNetwork)))
        switch event.target {
        case .program(let time):
            members.append(("program_splice_flag", .bool(true)))
            members.append(("splice_immediate_flag", .bool(event.isImmediate)))
            if !event.isImmediate { members += self.time(time) }
        case .components(let components):
            members.append(("program_splice_flag", .bool(false)))
            members.append(("splice_immediate_flag", .bool(event.isImmediate)))
            members.append(
                (
                    "components",
                    .list(
                        components.map { component in
                            .object([("component_tag", .number(component.tag))] + time(component.time))
                        })
                ))
        }
        return members + breakDuration(event.breakDuration) + [
            ("unique_program_id", .number(event.uniqueProgramID)), ("avail_num", .number(event.availNumber)),
            ("avails_expected", .number(event.availsExpected)),
        ]
    }

    private static func entry(_ entry: SpliceSchedule.Entry) -> Members {
        var members: Members = [
            ("splice_event_id", .number(entry.eventID)),
            ("splice_event_cancel_indicator", .bool(entry.event == nil)),
        ]
        guard let event = entry.event else { return members }
        members.append(("out_of_network_indicator", .bool(event.isOutOfNetwork)))
        switch event.target {
        case .program(let time):
            members.append(("program_splice_flag", .bool(true)))
            members.append(("utc_splice_time", .number(time.seconds)))
        case .components(let components):
            members.append(("program_splice_flag", .bool(false)))
            members.append(
                (
                    "components",
                    .list(
                        components.map { component in
                            .object([
                                ("component_tag", .number(component.tag)),
                                ("utc_splice_time", .number(component.time.seconds)),
                            ])
                        })
                ))
        }
        return members + breakDuration(event.breakDuration) + [
            ("unique_program_id", .number(event.uniqueProgramID)), ("avail_num", .number(event.availNumber)),
            ("avails_expected", .number(event.availsExpected)),
        ]
    }

    private static func breakDuration(_ length: BreakDuration?) -> Members {
        guard let length else { return [] }
        return [("auto_return", .bool(length.isAutoReturn))] + ticks("break_duration", length.ticks)
    }

    private static func time(_ time: SpliceTime) -> Members {
        guard let time = time.presentationTime else { return [("time_specified", .bool(false))] }
        return [("time_specified", .bool(true))] + ticks("pts", time.ticks)
    }

    // MARK: Descriptors

    private static func descriptor(_ descriptor: SpliceDescriptor) -> Members {
        var members: Members = [("tag", .number(descriptor.tag))]
        if let raw = try? descriptor.raw() {
            if let identifier = raw.identifier { members.append(("identifier", .text(identifier.description))) }
            members.append(("private_hex", hex(Array(raw.identifier == nil ? raw.bytes[...] : raw.privateBytes))))
        }
        switch descriptor {
        case .avail(let avail):
            members += [("name", .text("avail_descriptor")), ("provider_avail_id", .number(avail.providerAvailID))]
        case .dtmf(let dtmf):
            members += [
                ("name", .text("DTMF_descriptor")), ("preroll", .number(dtmf.preroll)),
                ("DTMF_chars", .text(String(decoding: dtmf.characters, as: UTF8.self))),
            ]
        case .segmentation(let segmentation):
            members.append(("name", .text("segmentation_descriptor")))
            members += self.segmentation(segmentation)
        case .time(let time):
            members += [
                ("name", .text("time_descriptor")), ("TAI_seconds", .number(time.atomicSeconds)),
                ("TAI_ns", .number(time.atomicNanoseconds)), ("UTC_offset", .number(time.utcOffset)),
            ]
        case .audio(let audio):
            members += [
                ("name", .text("audio_descriptor")),
                (
                    "audio",
                    .list(
                        audio.services.map { service in
                            .object([
                                ("component_tag", .number(service.componentTag)),
                                ("ISO_code", .text(language(service.languageCode))),
                                ("Bit_Stream_Mode", .number(service.bitStreamMode)),
                                ("Num_Channels", .number(service.channelMode)),
                                ("Full_Srvc_Audio", .bool(service.isFullService)),
                            ])
                        })
                ),
            ]
        case .unknown: break
        case .malformed(_, let error): members.append(("error", .text(error.description)))
        }
        return members
    }

    private static func segmentation(_ descriptor: SegmentationDescriptor) -> Members {
        var members: Members = [
            ("segmentation_event_id", .number(descriptor.eventID)),
            ("segmentation_event_cancel_indicator", .bool(descriptor.isCancelled)),
        ]
        guard let segmentation = descriptor.segmentation else { return members }
        members += [
            ("program_segmentation_flag", .bool(segmentation.components == nil)),
            ("delivery_not_restricted_flag", .bool(segmentation.deliveryRestrictions == nil)),
        ]
        if let restrictions = segmentation.deliveryRestrictions {
            members += [
                ("web_delivery_allowed_flag", .bool(restrictions.isWebDeliveryAllowed)),
                ("no_regional_blackout_flag", .bool(restrictions.hasNoRegionalBlackout)),
                ("archive_allowed_flag", .bool(restrictions.isArchiveAllowed)),
                ("device_restrictions", .number(restrictions.devices.rawValue)),
            ]
        }
        if let components = segmentation.components {
            members.append(
                (
                    "components",
                    .list(
                        components.map { component in
                            .object(
                                [("component_tag", .number(component.tag))]
                                    + ticks("pts_offset", component.offset.ticks))
                        })
                ))
        }
        if let length = segmentation.durationTicks { members += ticks("segmentation_duration", length) }
        members += [
            ("segmentation_upid_type", .number(segmentation.upid.kind.rawValue)),
            ("segmentation_upid_type_name", .text(segmentation.upid.kind.name ?? "Reserved")),
            ("segmentation_upid", upid(segmentation.upid)),
            ("segmentation_upid_hex", hex(segmentation.upid.bytes)),
            ("segmentation_type_id", .number(segmentation.type.rawValue)),
        ]
        if let name = segmentation.type.name { members.append(("segmentation_type", .text(name))) }
        members += [
            ("segment_num", .number(segmentation.segment.number)),
            ("segments_expected", .number(segmentation.segment.expected)),
        ]
        if let part = segmentation.subSegment {
            members += [
                ("sub_segment_num", .number(part.number)), ("sub_segments_expected", .number(part.expected)),
            ]
        }
        return members
    }

    /// One identifier as text; several, of a MID, as a list of type and value.
    private static func upid(_ upid: SegmentationUPID) -> JSONText {
        guard case .multiple(let parts) = upid.value else { return .text(upid.text) }
        return .list(
            parts.map { part in .object([("type", .number(part.kind.rawValue)), ("value", self.upid(part))]) })
    }

    // MARK: Forms

    private static func hex(_ bytes: [UInt8]) -> JSONText {
        .text(String(SpliceText.hexadecimal(bytes).dropFirst(2)).lowercased())
    }

    private static func language(_ code: UInt32) -> String {
        let letters = (0..<3).map { UInt8(truncatingIfNeeded: code >> (16 - 8 * $0)) }
        return String(decoding: letters, as: UTF8.self)
    }

    /// `NAME_ticks` and `NAME_seconds`, to the microsecond.
    private static func ticks(_ name: String, _ ticks: UInt64) -> Members {
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: PresentationTime.ticksPerSecond)
        // Rest is below 90,000: a ninth of a hundred microseconds each.
        let fraction = String((rest * 100 + 4) / 9)
        let digits = String(repeating: "0", count: 6 - fraction.count) + fraction
        return [("\(name)_ticks", .number(ticks)), ("\(name)_seconds", .written("\(seconds).\(digits)"))]
    }
}
