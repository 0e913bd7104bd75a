import HLS

extension EntryWriter {
    /// Writes date ranges whose segments have left the list, as long as they map to what is listed (rule 819). Those that
    /// came while nobody watched this rendition are taken from the leading one, if both are cut alike (rule 821).
    mutating func appendHeldDateRanges(window: Range<Int>, leading: RenditionLedger, to output: inout PlaylistText) {
        guard let first = window.first, let number = firstNumber(of: window) else { return }
        let date = list.items[first].date
        let markerNumber = firstMarkerNumber(of: first) ?? number
        var lines = rendition.dateRanges.lines(before: max(number, markerNumber), from: date).filter {
            $0.number < ($0.isMarker ? markerNumber : number)
        }
        if rendition.key != leading.key, rendition.dateRanges.isUsed,
            let shift = rendition.gridShift(at: number, to: leading)
        {
            let known = Set(rendition.dateRanges.lines.map(\.id))
            let missed = leading.dateRanges.lines(before: number &+ shift, from: date).filter { !known.contains($0.id) }
            if !missed.isEmpty { lines = (lines + missed).sorted { $0.time < $1.time } }
        }
        for line in lines where markers.keeps(line) { output.append(line.bytes) }
    }

    /// Where all markers pass, those of replaced segments stand with the entries of the pod: the content's number from which on
    /// the list itself has them.
    private mutating func firstMarkerNumber(of first: Int) -> Int64? {
        guard options.markers == .all else { return nil }
        let item = list.items[first]
        if case .fill(let fill, let slot) = item.source { return markersReplaced(by: fill).firstNumber(from: slot) }
        guard let fill = item.returnsFrom else { return nil }
        let placement = list.placements[fill]
        return markersReplaced(by: fill).firstNumber(from: placement.fillCount) ?? placement.end
    }

    /// The content's number from which on the list itself has the date ranges; those that a pod has replaced are written where
    /// it returns, as far as their segments are still known.
    private func firstNumber(of window: Range<Int>) -> Int64? {
        guard let kept = rendition.segments.first?.number else { return nil }
        for index in window {
            let item = list.items[index]
            guard case .content(let segment) = item.source else { continue }
            return item.returnsFrom.map { max(list.placements[$0].start, kept) } ?? rendition.segments[segment].number
        }
        guard let first = window.first, case .fill(let fill, _) = list.items[first].source else { return nil }
        return max(list.placements[fill].start, kept)
    }
}

extension RenditionLedger {
    /// What has to be added to the numbers from one on where the segments are those of the other rendition; nil where they are
    /// not. The origin's numbers are the same, and the renditions may have gone over to an epoch behind other segments.
    func gridShift(at number: Int64, to other: RenditionLedger) -> Int64? {
        let index = index(atOrAfter: number)
        for segment in segments[index...] + segments[..<index].reversed() {
            let epoch = runs.last { $0.firstNumber <= segment.number }?.epoch ?? epoch
            guard let twin = other.segment(originNumber: segment.originNumber, epoch: epoch) else { continue }
            let isTwin =
                twin.time.duration(to: segment.time).magnitude <= .milliseconds(20)
                && (twin.duration - segment.duration).magnitude <= .milliseconds(20)
            return isTwin ? twin.number &- segment.number : nil
        }
        return nil
    }

    /// The segment is one of the other rendition's: same number, same time.
    func sharesGrid(_ segment: LedgerSegment, with other: RenditionLedger) -> Bool {
        guard let twin = other.segment(numbered: segment.number) else { return false }
        return twin.time.duration(to: segment.time).magnitude <= .milliseconds(20)
            && (twin.duration - segment.duration).magnitude <= .milliseconds(20)
    }
}
