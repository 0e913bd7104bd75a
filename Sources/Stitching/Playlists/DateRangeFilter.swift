import HLS

/// Which date ranges of a rendition go. Those that mark ads go where the leading rendition's go, so that all renditions have the
/// same (rule 821).
struct DateRangeFilter {
    private let markers: MarkerFilter
    /// The leading rendition's, for other renditions.
    private let leading: MarkerFilter?
    private let content: RenditionLedger
    /// The leading rendition's lines that mark ads.
    private var twins: [HeldDateRanges.Name: HeldDateRanges.Line] = [:]
    /// IDs of ranges whose beginning went with a pod: what is said of them later goes, too.
    private var replaced: Set<String> = []
    /// Up to where the leading rendition is listed; nil: wholly.
    private let edge: DateTime?

    /// - Parameters:
    ///   - markers: of the rendition itself.
    ///   - leading: of the leading one; nil for itself.
    ///   - content: the leading rendition.
    init(_ markers: MarkerFilter, leading: MarkerFilter?, content: RenditionLedger, edge: DateTime?) {
        self.markers = markers
        self.leading = leading
        self.content = content
        self.edge = edge
        if markers.passthrough == .unstitched {
            let judge = leading ?? markers
            for line in content.dateRanges.lines where line.opensBreak && !judge.keeps(line) {
                replaced.insert(line.id)
            }
        }
        guard leading != nil else { return }
        for line in content.dateRanges.lines where line.isMarker { twins[line.name] = line }
    }

    func keeps(_ line: HeldDateRanges.Line) -> Bool {
        if isReplaced(line) { return false }
        guard let leading, line.isMarker, markers.passthrough == .unstitched else { return markers.keeps(line) }
        guard let twin = twins[line.name] else {
            // It may still come there, and where dates jitter a little later.
            guard let edge = edge ?? content.edge else { return false }
            return line.time.advanced(by: content.targetDuration + Self.jitter) < edge && markers.keeps(line)
        }
        // What becomes of its break is not known before the edge is beyond it.
        if let edge, content.edge(at: twin.time) >= edge { return false }
        return leading.keeps(twin)
    }

    /// Of two renditions' dates against each other.
    private static let jitter = Duration.seconds(1)

    /// One of the leading rendition's own.
    func keepsOfLeading(_ line: HeldDateRanges.Line) -> Bool { !isReplaced(line) && (leading ?? markers).keeps(line) }

    private func isReplaced(_ line: HeldDateRanges.Line) -> Bool {
        line.isMarker && !line.opensBreak && replaced.contains(line.id)
    }
}
