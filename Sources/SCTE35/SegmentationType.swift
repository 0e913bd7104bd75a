/// segmentation_type_id: what begins or ends. SCTE 35 §10.3.3.1, table of types.
package struct SegmentationType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let notIndicated = SegmentationType(rawValue: 0x00)
    package static let contentIdentification = SegmentationType(rawValue: 0x01)
    package static let programStart = SegmentationType(rawValue: 0x10)
    package static let programEnd = SegmentationType(rawValue: 0x11)
    package static let programEarlyTermination = SegmentationType(rawValue: 0x12)
    package static let programBreakaway = SegmentationType(rawValue: 0x13)
    package static let programResumption = SegmentationType(rawValue: 0x14)
    package static let programRunoverPlanned = SegmentationType(rawValue: 0x15)
    package static let programRunoverUnplanned = SegmentationType(rawValue: 0x16)
    package static let programOverlapStart = SegmentationType(rawValue: 0x17)
    package static let programBlackoutOverride = SegmentationType(rawValue: 0x18)
    package static let programJoin = SegmentationType(rawValue: 0x19)
    package static let programImmediateResumption = SegmentationType(rawValue: 0x1A)
    package static let chapterStart = SegmentationType(rawValue: 0x20)
    package static let chapterEnd = SegmentationType(rawValue: 0x21)
    package static let breakStart = SegmentationType(rawValue: 0x22)
    package static let breakEnd = SegmentationType(rawValue: 0x23)
    package static let openingCreditStart = SegmentationType(rawValue: 0x24)
    package static let openingCreditEnd = SegmentationType(rawValue: 0x25)
    package static let closingCreditStart = SegmentationType(rawValue: 0x26)
    package static let closingCreditEnd = SegmentationType(rawValue: 0x27)
    package static let providerAdvertisementStart = SegmentationType(rawValue: 0x30)
    package static let providerAdvertisementEnd = SegmentationType(rawValue: 0x31)
    package static let distributorAdvertisementStart = SegmentationType(rawValue: 0x32)
    package static let distributorAdvertisementEnd = SegmentationType(rawValue: 0x33)
    package static let providerPlacementOpportunityStart = SegmentationType(rawValue: 0x34)
    package static let providerPlacementOpportunityEnd = SegmentationType(rawValue: 0x35)
    package static let distributorPlacementOpportunityStart = SegmentationType(rawValue: 0x36)
    package static let distributorPlacementOpportunityEnd = SegmentationType(rawValue: 0x37)
    package static let providerOverlayPlacementOpportunityStart = SegmentationType(rawValue: 0x38)
    package static let providerOverlayPlacementOpportunityEnd = SegmentationType(rawValue: 0x39)
    package static let distributorOverlayPlacementOpportunityStart = SegmentationType(rawValue: 0x3A)
    package static let distributorOverlayPlacementOpportunityEnd = SegmentationType(rawValue: 0x3B)
    package static let providerPromoStart = SegmentationType(rawValue: 0x3C)
    package static let providerPromoEnd = SegmentationType(rawValue: 0x3D)
    package static let distributorPromoStart = SegmentationType(rawValue: 0x3E)
    package static let distributorPromoEnd = SegmentationType(rawValue: 0x3F)
    package static let unscheduledEventStart = SegmentationType(rawValue: 0x40)
    package static let unscheduledEventEnd = SegmentationType(rawValue: 0x41)
    package static let alternateContentOpportunityStart = SegmentationType(rawValue: 0x42)
    package static let alternateContentOpportunityEnd = SegmentationType(rawValue: 0x43)
    package static let providerAdBlockStart = SegmentationType(rawValue: 0x44)
    package static let providerAdBlockEnd = SegmentationType(rawValue: 0x45)
    package static let distributorAdBlockStart = SegmentationType(rawValue: 0x46)
    package static let distributorAdBlockEnd = SegmentationType(rawValue: 0x47)
    package static let networkStart = SegmentationType(rawValue: 0x50)
    package static let networkEnd = SegmentationType(rawValue: 0x51)
}

extension SegmentationType {
    /// The name in the standard's table; nil for a reserved number.
    package var name: String? { Self.names[rawValue] }

    /// Whether it opens something that an end of the same event id closes.
    package var isStart: Bool { end != nil }

    /// Whether it closes something. A program also ends early (0x12).
    package var isEnd: Bool { start != nil }

    /// The type that regularly ends what this one starts.
    package var end: SegmentationType? {
        if self == .programOverlapStart || self == .programJoin { return .programEnd }
        guard rawValue & 1 == 0, isPaired else { return nil }
        return SegmentationType(rawValue: rawValue | 1)
    }

    /// The type that starts what this one ends.
    package var start: SegmentationType? {
        if self == .programEarlyTermination { return .programStart }
        guard rawValue & 1 == 1, isPaired else { return nil }
        return SegmentationType(rawValue: rawValue & ~1)
    }

    private var isPaired: Bool {
        switch rawValue {
        case 0x10, 0x11, 0x20...0x27, 0x30...0x47, 0x50, 0x51: true
        default: false
        }
    }

    private static let names: [UInt8: String] = [
        0x00: "Not Indicated", 0x01: "Content Identification",
        0x10: "Program Start", 0x11: "Program End", 0x12: "Program Early Termination", 0x13: "Program Breakaway",
        0x14: "Program Resumption", 0x15: "Program Runover Planned", 0x16: "Program Runover Unplanned",
        0x17: "Program Overlap Start", 0x18: "Program Blackout Override", 0x19: "Program Join",
        0x1A: "Program Immediate Resumption",
        0x20: "Chapter Start", 0x21: "Chapter End", 0x22: "Break Start", 0x23: "Break End",
        0x24: "Opening Credit Start", 0x25: "Opening Credit End",
        0x26: "Closing Credit Start", 0x27: "Closing Credit End",
        0x30: "Provider Advertisement Start", 0x31: "Provider Advertisement End",
        0x32: "Distributor Advertisement Start", 0x33: "Distributor Advertisement End",
        0x34: "Provider Placement Opportunity Start", 0x35: "Provider Placement Opportunity End",
        0x36: "Distributor Placement Opportunity Start", 0x37: "Distributor Placement Opportunity End",
        0x38: "Provider Overlay Placement Opportunity Start", 0x39: "Provider Overlay Placement Opportunity End",
        0x3A: "Distributor Overlay Placement Opportunity Start",
        0x3B: "Distributor Overlay Placement Opportunity End",
        0x3C: "Provider Promo Start", 0x3D: "Provider Promo End",
        0x3E: "Distributor Promo Start", 0x3F: "Distributor Promo End",
        0x40: "Unscheduled Event Start", 0x41: "Unscheduled Event End",
        0x42: "Alternate Content Opportunity Start", 0x43: "Alternate Content Opportunity End",
        0x44: "Provider Ad Block Start", 0x45: "Provider Ad Block End",
        0x46: "Distributor Ad Block Start", 0x47: "Distributor Ad Block End",
        0x50: "Network Start", 0x51: "Network End",
    ]
}
