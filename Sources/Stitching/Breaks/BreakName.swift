/// What tells a break from others in the words of its markers.
package enum BreakName: Hashable, Sendable, Codable {
    /// BreakID, CAID, ID, SignalId of a vendor's tag.
    case text(String)
    /// ID of an EXT-X-DATERANGE.
    case dateRange(String)
    /// splice_event_id.
    case splice(UInt32)
    /// segmentation_event_id.
    case segmentation(UInt32)

    /// Ids of one kind can be compared with each other.
    var kind: Int {
        switch self {
        case .text: 0
        case .dateRange: 1
        case .splice: 2
        case .segmentation: 3
        }
    }
}
