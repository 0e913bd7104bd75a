import HLS

/// Ad markers of replaced segments, where all pass: each stands before the entry of the pod that takes its place on the timeline,
/// or before the content that returns.
struct ReplacedMarkers {
    /// By the entry's place in the pod.
    private(set) var byEntry: [Int: [UInt8]] = [:]
    private(set) var beforeReturn: [UInt8] = []
    /// The numbers of the segments whose markers stand before an entry or, at the end, before the return: rising.
    private var anchors: [(number: Int64, entry: Int)] = []

    /// An entry is listed once the content is known up to where it begins (``EntryList``), so what was known of it when it was first
    /// listed is all there is.
    init(_ placement: Placement, _ fill: PodFill, rendition: RenditionLedger) {
        let count = min(placement.fillCount, fill.slots.count)
        let first = rendition.index(atOrAfter: placement.start)
        var entry = 0
        for segment in rendition.segments[min(first, rendition.segments.count)...] {
            if let end = placement.end, segment.number >= end { break }
            let offset = placement.startTime.duration(to: segment.time)
            while entry < count, placement.dated(fill.slots[entry].offset) + Placement.dateTolerance < offset {
                entry += 1
            }
            // Behind the last entry they wait for the return, which is not known yet.
            if entry >= count, placement.end == nil { break }
            anchors.append((segment.number, entry))
            guard !segment.text.roles.isDisjoint(with: .allMarkers) else { continue }
            // What lies inside the break does not where the content returns.
            let roles = entry < count ? LineRoles.allMarkers : .allMarkers.subtracting(.insideBreak)
            var lines: [UInt8] = []
            for line in segment.text.lines where roles.contains(line.role) {
                lines += segment.text.bytes[line.range]
            }
            if entry < count { byEntry[entry, default: []] += lines } else { beforeReturn += lines }
        }
    }

    /// Markers of segments from this number on stand before the entry or behind it.
    func firstNumber(from entry: Int) -> Int64? {
        anchors.first { $0.entry >= entry }?.number ?? anchors.last.map { $0.number &+ 1 }
    }
}
