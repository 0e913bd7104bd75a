import HLS

/// Writes the session's own markers around its pods. What it writes for an entry is the same in every playlist that lists it.
struct BreakMarkWriter {
    private let marks: BreakMarks
    /// The leading rendition's places, which all renditions tell of.
    private let leading: RenditionPlan?
    private let content: RenditionLedger
    private var pods: [Int: PodFacts] = [:]

    /// By which a stitcher behind this one knows that the time is filled.
    static let dateRangeClass = "podstitch-stitched-ad-break"

    private struct PodFacts {
        /// The length as planned, on the leading rendition.
        var length: Duration
        var adLengths: [Duration]
    }

    /// - Parameter content: the leading rendition.
    init(_ marks: BreakMarks, leading: RenditionPlan?, content: RenditionLedger) {
        self.marks = marks
        self.leading = leading
        self.content = content
    }

    /// What stands before an entry of a pod.
    ///
    /// - Parameters:
    ///   - isFirst: no entry of the pod stands before it in this playlist.
    ///   - endsOther: the entry before it is another pod's.
    mutating func append(
        before slot: PodFill.Slot, at index: Int, of placement: Placement, isFirst: Bool, endsOther: Bool,
        to output: inout PlaylistText
    ) {
        switch marks {
        case .none: return
        case .cue:
            if endsOther { output.append("#EXT-X-CUE-IN\n") }
            appendCue(slot, at: index, placement, to: &output)
        case .dateRange:
            if isFirst { appendDateRange(placement, to: &output) }
        }
    }

    /// The date ranges of pods whose entries have all left the list, as long as they map to what is listed: where the leading
    /// rendition returns later, by its longer segments (rule 819).
    mutating func appendHeld(_ placements: [Placement], before first: EntryList.Item, to output: inout PlaylistText) {
        guard marks == .dateRange, let date = first.date else { return }
        for placement in placements
        where placement.start &+ placement.numberOffset &+ Int64(placement.fillCount) <= first.number {
            guard let model = leading?.placement(ofPod: placement.podIndex), model.end != nil,
                let start = model.startDate?.inWholeMilliseconds,
                start.advanced(by: shownLength(model, from: start).inMilliseconds) > date
            else { continue }
            appendDateRange(placement, to: &output)
        }
    }

    /// What stands before the content that returns behind a pod.
    func appendReturn(to output: inout PlaylistText) {
        if marks == .cue { output.append("#EXT-X-CUE-IN\n") }
    }

    private mutating func appendCue(
        _ slot: PodFill.Slot, at index: Int, _ placement: Placement, to output: inout PlaylistText
    ) {
        let facts = facts(placement)
        let name = Self.escaped(placement.breakID.text)
        if index == 0 {
            output.append("#EXT-X-CUE-OUT:DURATION=")
            output.append(facts.length.inMilliseconds)
            output.append(",BREAKID=\"\(name)\"\n")
        } else {
            output.append("#EXT-X-CUE-OUT-CONT:")
            output.append(slot.offset.inMilliseconds)
            output.append("/")
            output.append(facts.length.inMilliseconds)
            output.endLine()
        }
        guard slot.index == 0, placement.pod.ads.indices.contains(slot.ad) else { return }
        output.append("#EXT-X-ASSET:BREAKID=\(name),ADID=\(Self.escaped(placement.pod.ads[slot.ad].id))")
        output.append(",AD=\(slot.ad + 1),ADS=\(placement.pod.ads.count)")
        if facts.adLengths.indices.contains(slot.ad) {
            output.append(",DURATION=")
            output.append(facts.adLengths[slot.ad].inMilliseconds)
        }
        output.endLine()
    }

    /// One line, the same in all renditions: planned while the break lasts, with its true length once it has ended (rule 820).
    private mutating func appendDateRange(_ placement: Placement, to output: inout PlaylistText) {
        let model = leading?.placement(ofPod: placement.podIndex) ?? placement
        guard let start = model.startDate?.inWholeMilliseconds else { return }
        let facts = facts(placement)
        let name = Self.escaped(placement.breakID.text)
        output.append("#EXT-X-DATERANGE:ID=\"podstitch-\(name)\",CLASS=\"\(Self.dateRangeClass)\",START-DATE=\"")
        output.append(start)
        output.append("\",")
        if model.end != nil {
            output.append("DURATION=")
            output.append(shownLength(model, from: start).inMilliseconds)
            output.append(",")
        }
        output.append("PLANNED-DURATION=")
        output.append(facts.length.inMilliseconds)
        output.append(",X-BREAK-ID=\"\(name)\",X-AD-IDS=\"")
        output.append(placement.pod.ads.map { Self.escaped($0.id) }.joined(separator: ","))
        output.append("\",X-AD-DURATIONS=\"")
        for (index, length) in facts.adLengths.enumerated() {
            if index > 0 { output.append(",") }
            output.append(length.inMilliseconds)
        }
        output.append("\"\n")
    }

    /// How long the range is on the dates' timeline: to the date of the content that returns and no further, else it would still
    /// map to that (rule 819).
    private func shownLength(_ model: Placement, from start: DateTime) -> Duration {
        let length = model.dated(model.duration(of: model.pod.fill(for: model.pod.leading)))
        guard let end = model.end, let date = content.segment(numbered: end)?.date else { return length }
        return max(min(length, start.duration(to: date.advanced(by: model.dateShiftAfter))), .zero)
    }

    private mutating func facts(_ placement: Placement) -> PodFacts {
        if let known = pods[placement.podIndex] { return known }
        let fill = placement.pod.fill(for: placement.pod.leading)
        var lengths = [Duration](repeating: .zero, count: placement.pod.ads.count)
        for slot in fill.slots where lengths.indices.contains(slot.ad) { lengths[slot.ad] += slot.entry.duration }
        let facts = PodFacts(length: fill.duration, adLengths: lengths)
        pods[placement.podIndex] = facts
        return facts
    }

    /// What ad servers and origins call things may hold quotes, commas and line ends.
    static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x3A:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = Array("0123456789ABCDEF".unicodeScalars)
                result += "%"
                result.unicodeScalars.append(digits[Int(byte >> 4)])
                result.unicodeScalars.append(digits[Int(byte & 0xF)])
            }
        }
        return result
    }
}

extension Duration {
    /// Cut to milliseconds, as lengths are written.
    var inMilliseconds: Duration { .milliseconds(wholeMilliseconds) }

    var wholeMilliseconds: Int64 { Int64(clamping: nanosecondCount / 1_000_000) }
}
