internal import SCTE35

/// Which segmentation types open a break, and how they nest: program, break, opportunities, ad blocks, ads.
package struct BreakLevels: Sendable, Equatable, Codable {
    /// segmentation_type_id of the starts that open a break.
    package let opening: Set<UInt8>

    /// Break, provider and distributor ads, placement opportunities and ad blocks.
    package static let standard = BreakLevels(opening: [0x22, 0x30, 0x32, 0x34, 0x36, 0x44, 0x46])

    package init(opening: Set<UInt8>) { self.opening = opening }

    /// The level of a start, smaller ones around larger ones; nil where it opens no break.
    func level(ofStart type: UInt8) -> Int? {
        guard opening.contains(type) else { return nil }
        switch type {
        case 0x10, 0x17, 0x19: return 0
        case 0x20: return 1
        case 0x22: return 2
        case 0x34: return 3
        case 0x36: return 4
        case 0x44: return 5
        case 0x46: return 6
        case 0x30, 0x32, 0x3C, 0x3E: return Self.ads
        // Whatever else an operator names stands beside the opportunities.
        default: return 3
        }
    }

    /// One ad follows another within the break that they make up.
    static let ads = 7
}

extension SegmentationType {
    /// The types that say where a program stands. A break does not last over them.
    var isProgramBoundary: Bool { (0x10...0x12).contains(rawValue) || rawValue == 0x17 }
}
