import Testing

@testable import SCTE35

struct SegmentationDescriptorTests {
    private func reread(_ descriptor: SegmentationDescriptor) throws -> SegmentationDescriptor {
        let section = try SpliceInfoSection(decoding: Samples.signal([.segmentation(descriptor)]).encoded())
        return try #require(section.segmentationDescriptors.first)
    }

    private func descriptor(_ type: SegmentationType) -> SegmentationDescriptor {
        SegmentationDescriptor(eventID: 1, segmentation: SegmentationDescriptor.Segmentation(type: type))
    }

    @Test(arguments: [
        SegmentationType.providerPlacementOpportunityStart, .distributorPlacementOpportunityStart,
        .providerOverlayPlacementOpportunityStart, .providerAdvertisementStart,
    ])
    func `sub-segments are there when the length says so, whatever the type`(type: SegmentationType) throws {
        var written = descriptor(type)
        #expect(try reread(written).segmentation?.subSegment == nil)
        written.segmentation?.subSegment = SegmentationDescriptor.SegmentPosition(number: 1, expected: 2)
        #expect(try reread(written) == written)
    }

    @Test func `one byte after the segment numbers is no sub-segment`() throws {
        var written = descriptor(.providerPlacementOpportunityStart)
        written.trailer = [7]
        #expect(try reread(written) == written)
    }

    @Test func `bytes after a cancellation are kept`() throws {
        var written = SegmentationDescriptor(eventID: 1, segmentation: nil)
        written.trailer = [1, 2, 3]
        #expect(try reread(written) == written)
        #expect(try reread(written).isCancelled)
    }

    @Test func `a UPID of type 0 with bytes is skipped by its length`() throws {
        var written = descriptor(.providerAdvertisementEnd)
        written.segmentation?.upid = SegmentationUPID(kind: .notUsed, bytes: Array("1000".utf8))
        written.segmentation?.segment = SegmentationDescriptor.SegmentPosition(number: 1, expected: 1)
        #expect(try reread(written) == written)
        #expect(try reread(written).segmentation?.upid.text == "0x31303030")
    }

    @Test(arguments: [DeviceRestrictions.group0, .group1, .group2, .none], [true, false])
    func `delivery flags are read as sent`(devices: DeviceRestrictions, flag: Bool) throws {
        var written = descriptor(.programStart)
        written.segmentation?.deliveryRestrictions = DeliveryRestrictions(
            isWebDeliveryAllowed: flag, hasNoRegionalBlackout: !flag, isArchiveAllowed: flag, devices: devices)
        #expect(try reread(written) == written)
    }

    @Test func `a duration has 40 bits, 90,000 ticks a second`() throws {
        var written = descriptor(.breakStart)
        written.segmentation?.durationTicks = 2_700_000
        #expect(try reread(written).segmentation?.duration == .seconds(30))
        written.segmentation?.durationTicks = (1 << 40) - 1
        #expect(try reread(written) == written)
        written.segmentation?.durationTicks = 1 << 40
        #expect(throws: SCTE35Error.self) { try reread(written) }
    }

    @Test(arguments: [
        (UInt8(0x10), UInt8(0x11)), (0x20, 0x21), (0x22, 0x23), (0x30, 0x31), (0x32, 0x33), (0x34, 0x35), (0x36, 0x37),
        (0x38, 0x39), (0x3A, 0x3B), (0x3C, 0x3D), (0x3E, 0x3F), (0x40, 0x41), (0x42, 0x43), (0x44, 0x45), (0x46, 0x47),
        (0x50, 0x51),
    ])
    func `starts and ends come in pairs`(start: UInt8, end: UInt8) {
        let (start, end) = (SegmentationType(rawValue: start), SegmentationType(rawValue: end))
        #expect(start.end == end && end.start == start)
        #expect(start.isStart && !start.isEnd && end.isEnd && !end.isStart)
    }

    @Test func `content identification neither starts nor ends anything`() {
        for type in [SegmentationType.notIndicated, .contentIdentification, .programBreakaway] {
            #expect(!type.isStart && !type.isEnd)
        }
    }

    @Test func `a program can end early, overlap the one before, or be joined`() {
        #expect(SegmentationType.programEarlyTermination.start == .programStart)
        #expect(SegmentationType.programOverlapStart.end == .programEnd)
        #expect(SegmentationType.programJoin.end == .programEnd)
    }

    @Test func `reserved types have no name`() {
        #expect(SegmentationType(rawValue: 0x60).name == nil)
        #expect(SegmentationType.breakStart.name == "Break Start")
    }
}
