import SCTE35

/// SCTE-35 messages for markers.
struct TestSplice {
    let section: SpliceInfoSection

    var base64: String { (try? section.base64()) ?? "" }
    var hexadecimal: String { (try? section.hexadecimal()) ?? "" }

    static func out(
        _ event: UInt32 = 7, seconds: UInt64? = nil, autoReturn: Bool = true, immediate: Bool = false, avail: UInt8 = 0
    ) -> TestSplice {
        insert(
            event, isOut: true, seconds: seconds, autoReturn: autoReturn, immediate: immediate, avail: avail)
    }

    static func back(_ event: UInt32 = 7, immediate: Bool = false) -> TestSplice {
        insert(event, isOut: false, seconds: nil, autoReturn: false, immediate: immediate, avail: 0)
    }

    static func cancel(_ event: UInt32 = 7) -> TestSplice {
        TestSplice(section: SpliceInfoSection(command: .insert(SpliceInsert(eventID: event, event: nil))))
    }

    private static func insert(
        _ event: UInt32, isOut: Bool, seconds: UInt64?, autoReturn: Bool, immediate: Bool, avail: UInt8
    ) -> TestSplice {
        TestSplice(
            section: SpliceInfoSection(
                command: .insert(
                    SpliceInsert(
                        eventID: event,
                        event: SpliceInsert.Event(
                            isOutOfNetwork: isOut, isImmediate: immediate,
                            target: .program(immediate ? SpliceTime() : SpliceTime(PresentationTime(ticks: 900_000))),
                            breakDuration: seconds.map { BreakDuration(ticks: $0 * 90_000, isAutoReturn: autoReturn) },
                            uniqueProgramID: 17, availNumber: avail, availsExpected: avail)))))
    }

    /// A part of a time_signal.
    struct Segment {
        var type: UInt8
        var event: UInt32 = 1
        var seconds: UInt64?
        var number: UInt8 = 0
        var expected: UInt8 = 0
        var upid = SegmentationUPID.none
        var restrictions: DeliveryRestrictions?
        var isCancelled = false
    }

    static func signal(_ segments: Segment...) -> TestSplice {
        TestSplice(
            section: SpliceInfoSection(
                command: .timeSignal(TimeSignal(SpliceTime(PresentationTime(ticks: 900_000)))),
                descriptors: segments.map { segment in
                    .segmentation(
                        SegmentationDescriptor(
                            eventID: segment.event,
                            segmentation: segment.isCancelled
                                ? nil
                                : SegmentationDescriptor.Segmentation(
                                    type: SegmentationType(rawValue: segment.type), upid: segment.upid,
                                    durationTicks: segment.seconds.map { $0 * 90_000 },
                                    deliveryRestrictions: segment.restrictions,
                                    segment: SegmentationDescriptor.SegmentPosition(
                                        number: segment.number, expected: segment.expected))))
                }))
    }

    /// The base64 text with a CRC that does not match.
    var broken: String {
        var bytes = (try? section.encoded()) ?? []
        if let last = bytes.indices.last { bytes[last] ^= 0x55 }
        return SpliceText.base64(bytes)
    }
}
