import HLS

/// Writes the entries of a playlist one behind another.
struct EntryWriter {
    let list: EntryList
    let rendition: RenditionLedger
    let options: StitchOptions
    let markers: MarkerFilter
    let dateRanges: DateRangeFilter
    var marks: BreakMarkWriter
    /// Markers of replaced segments, by pod; where they pass.
    private var replaced: [Int: ReplacedMarkers] = [:]
    private var writer = SegmentWriter()
    private var previous: EntryList.Item.Source?
    /// Of content: lines that never go out. EXT-X-BITRATE cannot be switched off for ads (rule 1301): with ads none is written.
    private let dropped: LineRoles
    /// Of content: lines for which more has to be looked at than the segment's place.
    private let delicate: LineRoles
    /// What is inserted where on the content's own dates, for date ranges, which lie where their dates say (rule 807).
    let insertions: DateRangeShift.Insertions

    init(
        list: EntryList, rendition: RenditionLedger, options: StitchOptions, isEvent: Bool, markers: MarkerFilter,
        dateRanges: DateRangeFilter, marks: BreakMarkWriter
    ) {
        self.marks = marks
        self.list = list
        self.rendition = rendition
        self.options = options
        self.markers = markers
        self.dateRanges = dateRanges
        insertions = DateRangeShift.Insertions(list.placements.compactMap(DateRangeShift.Insertion.init))
        // No line that an EVENT playlist has shown may go (rule 904).
        dropped = list.fills.isEmpty && !isEvent ? .partial : .partial.union(.bitrate)
        var delicate = dropped.union(.allMarkers)
        if !insertions.isEmpty || options.markers == .none { delicate.formUnion(.dateRange) }
        self.delicate = delicate
    }

    /// What the lines added by the stitcher need (rule 201).
    var neededVersion: Int { writer.neededVersion }

    mutating func append(_ index: Int, isFirst: Bool, to output: inout PlaylistText) {
        let item = list.items[index]
        switch item.source {
        case .content(let segment):
            appendContent(rendition.segments[segment], segment, item, isFirst: isFirst, to: &output)
        case .fill(let fill, let slot):
            appendFill(list.fills[fill].slots[slot], (fill, slot), item, isFirst: isFirst, to: &output)
        }
        previous = item.source
    }

    private mutating func appendContent(
        _ segment: LedgerSegment, _ index: Int, _ item: EntryList.Item, isFirst: Bool, to output: inout PlaylistText
    ) {
        let text = segment.text
        var placing = SegmentWriter.Placing(discontinuities: item.tags)
        placing.isJoint =
            item.returnsFrom != nil || segment.succession == .beginsEpoch || item.tags != text.discontinuityCount
        placing.isRestated = isFirst || placing.isJoint || segment.succession != .follows || !follows(index)
        placing.formerNumber = item.isRenumbered ? segment.originNumber : nil
        placing.date = item.date
        placing.isDateMoved = item.dateShift != .zero
        let isBehindFill = if case .fill? = previous { true } else { item.returnsFrom != nil }
        if item.piece?.from ?? .zero > .zero { placing.isDateMoved = item.date != nil }
        if item.piece == nil, !SegmentWriter.hasToWrite(text, placing), text.roles.isDisjoint(with: delicate) {
            output.append(text.bytes)
            writer.pass(text.state)
            return
        }
        let written = writer.appendHead(of: text, placing, to: &output)
        if isBehindFill { marks.appendReturn(to: &output) }
        if let fill = item.returnsFrom {
            appendDateRanges(replacedBy: fill, to: &output)
            if options.markers == .all { output.append(markersReplaced(by: fill).beforeReturn) }
        }
        let skipped = written.union(dropped)
        let droppedMarkers = markers.droppedRoles(segment)
        if let piece = item.piece {
            appendPiece(piece, of: segment, item, skipping: skipped, droppedMarkers, to: &output)
            return
        }
        let (dateRanges, insertions) = (dateRanges, insertions)
        writer.appendLines(of: text, skipping: skipped, explicitByteRange: placing.isRestated, to: &output) { line in
            if let range = HeldDateRanges.Line(line, of: segment) {
                guard dateRanges.keeps(range) else { return [] }
                return insertions.isEmpty ? nil : DateRangeShift.shifted(range.bytes, by: insertions)
            }
            return droppedMarkers.contains(line.role) ? [] : nil
        }
    }

    /// The segment stands in the playlist behind the one before it in the ledger.
    private func follows(_ index: Int) -> Bool {
        guard case .content(let before)? = previous else { return false }
        return before + 1 == index
    }

    /// Date ranges that stood before replaced segments, the pod's own markers not among them, hold on (rule 819).
    private func appendDateRanges(replacedBy fill: Int, to output: inout PlaylistText) {
        let start = firstReplaced(by: fill)
        let placement = list.placements[fill]
        // Where the content comes back within a segment, what stood before that one has not been written either.
        guard var end = placement.end else { return }
        if placement.endTime != nil { end = end &+ 1 }
        guard end > start else { return }
        // Of segments that are not kept any more there are only those that still hold.
        let first = rendition.segments.first?.number ?? end
        for line in rendition.dateRanges.lines
        where line.number >= start && line.number < min(first, end) && isKept(line) {
            output.append(DateRangeShift.shifted(line.bytes, by: insertions))
        }
        for segment in rendition.segments[rendition.index(atOrAfter: start)...] {
            if segment.number >= end { return }
            for line in segment.text.lines {
                guard let range = HeldDateRanges.Line(line, of: segment), isKept(range) else { continue }
                output.append(DateRangeShift.shifted(range.bytes, by: insertions))
            }
        }
    }

    /// Where all markers pass, those of replaced segments stand with the entries of the pod.
    func isKept(_ replaced: HeldDateRanges.Line) -> Bool {
        dateRanges.keeps(replaced) && !(replaced.isMarker && options.markers == .all)
    }

    private mutating func appendFill(
        _ slot: PodFill.Slot, _ place: (fill: Int, slot: Int), _ item: EntryList.Item, isFirst: Bool,
        to output: inout PlaylistText
    ) {
        var isRestated = isFirst || slot.entry.isJoint
        var isFirstOfPod = true
        var endsOther = false
        if case .fill(let fill, _)? = previous {
            isFirstOfPod = fill != place.fill
            endsOther = isFirstOfPod
        }
        if isFirstOfPod { isRestated = true }
        var lines = PlaylistText()
        marks.append(
            before: slot, at: place.slot, of: list.placements[place.fill], isFirst: isFirstOfPod, endsOther: endsOther,
            to: &lines)
        if options.markers == .all {
            // What waited for the return of the pod before, which has none.
            if place.slot == 0, place.fill > 0, list.placements[place.fill].isJoined {
                lines.append(markersReplaced(by: place.fill - 1).beforeReturn)
            }
            if let passed = markersReplaced(by: place.fill).byEntry[place.slot] { lines.append(passed) }
        }
        let entry = slot.isSubtitleFiller ? emptySubtitles(like: slot) : slot.isGap ? gap(like: slot.entry) : slot.entry
        var uri: String?
        // Of slate nothing is reported: players need not come by for it.
        if !slot.isSubtitleFiller, !slot.isGap, !slot.isSlate, let fillURI = options.fillURI,
            options.seenByRequest.contains(list.placements[place.fill])
        {
            uri = fillURI(list.reference(place.fill, place.slot), entry)
        }
        writer.append(
            entry, uri: uri, discontinuities: item.tags, isRestated: isRestated, date: item.date,
            marks: lines.bytes, to: &output)
    }

    mutating func markersReplaced(by fill: Int) -> ReplacedMarkers {
        if let known = replaced[fill] { return known }
        let markers = ReplacedMarkers(list.placements[fill], list.fills[fill], rendition: rendition)
        replaced[fill] = markers
        return markers
    }

    /// An entry of an ad that has nothing to show in an I-frame playlist. Nobody loads what it names; its map and keys hold whatever
    /// is listed before it (rule 404).
    private func gap(like entry: SpliceEntry) -> SpliceEntry {
        var tags = PlaylistText()
        tags.append("#EXTINF:")
        tags.append(entry.duration)
        tags.append(",\n#EXT-X-GAP\n")
        return SpliceEntry(
            duration: entry.duration, isJoint: entry.isJoint, uri: entry.uri, tags: tags.bytes, keys: entry.keys,
            map: entry.map, neededVersion: entry.neededVersion)
    }

    /// An entry of an ad in a rendition of subtitles.
    private func emptySubtitles(like slot: PodFill.Slot) -> SpliceEntry {
        let entry = slot.entry
        var tags = PlaylistText()
        tags.append("#EXTINF:")
        tags.append(entry.duration)
        tags.append(",\n")
        return SpliceEntry(
            duration: entry.duration, isJoint: entry.isJoint, uri: options.emptySubtitlesURI(slot.timestamp),
            tags: tags.bytes)
    }
}
