import HLS

extension EntryWriter {
    /// Writes date ranges whose segments have left the list, as long as they map to what is listed (rule 819), and those that came
    /// while nobody watched this rendition, as the leading one has them (rule 821).
    mutating func appendHeldDateRanges(window: Range<Int>, leading: RenditionLedger, to output: inout PlaylistText) {
        guard let first = window.first, let last = window.last, let number = firstNumber(of: window) else { return }
        let date = list.items[first].date
        let markerNumber = firstMarkerNumber(of: first) ?? number
        let end = list.items[last].time.advanced(by: list.items[last].duration)
        let missed = missedDateRanges(of: leading, from: date, to: end)
        let completed = Set(missed.map(\.id))
        var lines = rendition.dateRanges.lines(before: max(number, markerNumber), from: date, or: completed).filter {
            $0.number < ($0.isMarker ? markerNumber : number) && dateRanges.keeps($0)
        }
        if let start = startOfOpenPod(last) {
            lines += rendition.dateRanges.lines(from: date).filter {
                // Markers where the leading rendition lists them before the pod.
                $0.number >= max(number, start) && $0.time < end && isKept($0) && isSettled($0.number)
                    && (!$0.isMarker || rendition.key != leading.key)
            }
        }
        if !missed.isEmpty { lines = (lines + missed).sorted { $0.time < $1.time } }
        for line in lines { output.append(line.bytes) }
        marks.appendHeld(list.placements, before: list.items[first], to: &output)
    }

    private func missedDateRanges(
        of leading: RenditionLedger, from date: DateTime?, to end: DateTime
    ) -> [HeldDateRanges.Line] {
        guard rendition.key != leading.key, rendition.dateRanges.isUsed || rendition.key.isVariant else { return [] }
        return rendition.dateRangesMissed(of: leading, from: date, to: end).filter(dateRanges.keepsOfLeading)
    }

    /// What stands before a segment that is not may yet go with it.
    private func isSettled(_ number: Int64) -> Bool {
        rendition.segment(numbered: number).map(list.isSettled) ?? true
    }

    /// The first content that is replaced by a pod which has not returned yet: date ranges of it hold while it lasts.
    private func startOfOpenPod(_ last: Int) -> Int64? {
        guard case .fill(let fill, _) = list.items[last].source else { return nil }
        return firstReplaced(by: fill)
    }

    /// The first content that a pod, and those that it follows on, have replaced.
    func firstReplaced(by fill: Int) -> Int64 {
        var first = fill
        while first > 0, list.placements[first - 1].end == list.placements[first].start { first -= 1 }
        return list.placements[first].start
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
            return item.returnsFrom.map { max(firstReplaced(by: $0), kept) } ?? rendition.segments[segment].number
        }
        guard let first = window.first, case .fill(let fill, _) = list.items[first].source else { return nil }
        return max(firstReplaced(by: fill), kept)
    }
}

extension RenditionLedger {
    /// The date ranges that the leading rendition has brought by a time while nobody watched this one, of those that map to
    /// something from `date` on.
    fileprivate func dateRangesMissed(
        of leading: RenditionLedger, from date: DateTime?, to end: DateTime
    ) -> [HeldDateRanges.Line] {
        let known = Set(dateRanges.lines.map(\.name))
        // A rendition may bring it with the segment before or behind.
        let unknown = leading.dateRanges.lines(from: date).filter { line in
            !known.contains(line.name) && line.time.advanced(by: targetDuration) <= end
        }
        // Of a range of which one line was missed this rendition may have let go of another one before.
        let missed = Set(unknown.filter { !isKnown(around: $0.time, by: targetDuration) }.map(\.id))
        return unknown.filter { missed.contains($0.id) }
    }

    /// Of the content around a time nothing was missed, though some may be still to come.
    private func isKnown(around time: DateTime, by span: Duration) -> Bool {
        let start = time.advanced(by: .zero - span)
        var index = index(covering: start)
        guard index < segments.count else { return true }
        // Where dates jitter there is a little between segments.
        if segments[index].time > start, index == 0 || segments[index].isBehindGap(segments[index - 1]) { return false }
        while segments[index].end < time.advanced(by: span) {
            guard index + 1 < segments.count else { return true }
            guard !segments[index + 1].isBehindGap(segments[index]) else { return false }
            index += 1
        }
        return true
    }

    /// The segment is one of the other rendition's: same number, same time.
    func sharesGrid(_ segment: LedgerSegment, with other: RenditionLedger) -> Bool {
        guard let twin = other.segment(numbered: segment.number) else { return false }
        return twin.time.duration(to: segment.time).magnitude <= .milliseconds(20)
            && (twin.duration - segment.duration).magnitude <= .milliseconds(20)
    }
}
