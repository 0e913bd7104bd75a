@testable import SCTE35

/// Messages made here, one of each command and descriptor.
enum Samples {
    static let outOfNetwork = SpliceInsert.Event(
        isOutOfNetwork: true, target: .program(SpliceTime(PresentationTime(ticks: 900_000))),
        breakDuration: BreakDuration(ticks: 2_700_000, isAutoReturn: true), uniqueProgramID: 7, availNumber: 1,
        availsExpected: 2)

    static let schedule = SpliceSchedule(entries: [
        SpliceSchedule.Entry(
            eventID: 1,
            event: SpliceSchedule.Event(
                isOutOfNetwork: true, target: .program(UTCSpliceTime(seconds: 1_450_000_000)),
                breakDuration: BreakDuration(ticks: 90_000, isAutoReturn: false), uniqueProgramID: 3)),
        SpliceSchedule.Entry(eventID: 2, hasCompliantEventID: true, event: nil),
        SpliceSchedule.Entry(
            eventID: 3,
            event: SpliceSchedule.Event(
                isOutOfNetwork: false,
                target: .components([
                    SpliceSchedule.Component(tag: 9, time: UTCSpliceTime(seconds: 5)),
                    SpliceSchedule.Component(tag: 10, time: UTCSpliceTime(seconds: 6)),
                ]), availNumber: 1, availsExpected: 1)),
    ])

    static let componentInsert = SpliceInsert(
        eventID: 77,
        event: SpliceInsert.Event(
            isOutOfNetwork: false, isImmediate: true,
            target: .components([
                SpliceInsert.Component(tag: 1, time: SpliceTime()), SpliceInsert.Component(tag: 2, time: SpliceTime()),
            ])))

    static let opportunity = SegmentationDescriptor(
        eventID: 0x4800_00BF, hasCompliantEventID: true,
        segmentation: SegmentationDescriptor.Segmentation(
            type: .providerPlacementOpportunityStart,
            upid: SegmentationUPID(kind: .adID, bytes: Array("ABCD1234567H".utf8)), durationTicks: 1 << 39,
            deliveryRestrictions: DeliveryRestrictions(
                isWebDeliveryAllowed: false, hasNoRegionalBlackout: true, isArchiveAllowed: false, devices: .group2),
            components: [SegmentationDescriptor.Component(tag: 4, offset: PresentationTime(ticks: 90))],
            segment: SegmentationDescriptor.SegmentPosition(number: 1, expected: 2),
            subSegment: SegmentationDescriptor.SegmentPosition(number: 3, expected: 4)))

    static let descriptors: [SpliceDescriptor] = [
        .avail(AvailDescriptor(providerAvailID: 0x135)),
        .dtmf(DTMFDescriptor(preroll: 177, characters: Array("121*".utf8))),
        .segmentation(opportunity),
        .segmentation(SegmentationDescriptor(eventID: 5, segmentation: nil)),
        .time(TimeDescriptor(atomicSeconds: 1_700_000_037, atomicNanoseconds: 999_999_999, utcOffset: 37)),
        .audio(
            AudioDescriptor(services: [
                AudioDescriptor.Service(
                    componentTag: 1, languageCode: 0x656E67, bitStreamMode: 5, channelMode: 12, isFullService: true)
            ])),
        .unknown(RawDescriptor(tag: 2, bytes: Array("SAPS".utf8) + [0x0B])),
        .unknown(RawDescriptor(tag: 200, bytes: [])),
    ]

    static let commands: [SpliceCommand] = [
        .null, .schedule(schedule), .insert(SpliceInsert(eventID: 1, event: outOfNetwork)), .insert(componentInsert),
        .insert(SpliceInsert(eventID: 1, event: nil)), .timeSignal(TimeSignal(SpliceTime())),
        .timeSignal(TimeSignal(SpliceTime(PresentationTime(ticks: 1)))), .bandwidthReservation,
        .privateCommand(PrivateCommand(identifier: FormatIdentifier(rawValue: 0x4142_4344), bytes: [1, 2, 3])),
        .unknown(type: 0x42, bytes: [4, 5]),
    ]

    /// A time signal with the given descriptors.
    static func signal(_ descriptors: [SpliceDescriptor]) -> SpliceInfoSection {
        SpliceInfoSection(
            command: .timeSignal(TimeSignal(SpliceTime(PresentationTime(ticks: 900_000)))), descriptors: descriptors)
    }

    /// `bytes` after `change`, with section_length and CRC_32 put right.
    static func altered(_ bytes: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var altered = Array(bytes.dropLast(4))
        change(&altered)
        guard altered.count >= 3 else { return altered }
        let length = altered.count + 4 - 3
        altered[1] = altered[1] & 0xF0 | UInt8(truncatingIfNeeded: length >> 8) & 0x0F
        altered[2] = UInt8(truncatingIfNeeded: length)
        let checksum = CRC32.checksum(altered)
        return altered + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * $0)) }
    }
}
