import HLS

/// Writes the entries of a playlist one behind another.
struct EntryWriter {
    let list: EntryList
    let rendition: RenditionLedger
    let options: StitchOptions
    let markers: MarkerFilter
    private var marks: BreakMarkWriter
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
        marks: BreakMarkWriter
    ) {
        self.marks = marks
        self.list = list
        self.rendition = rendition
        self.options = options
        self.markers = markers
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
            appendDateRanges(replacedBy: list.placements[fill], to: &output)
            if options.markers == .all { output.append(markersReplaced(by: fill).beforeReturn) }
        }
        let skipped = written.union(markers.droppedRoles(segment)).union(dropped)
        if let piece = item.piece {
            appendPiece(piece, of: text, item, skipping: skipped, to: &output)
            return
        }
        let insertions = insertions
        let dropsStitchedAds = options.markers == .none
        writer.appendLines(
            of: text, skipping: skipped,
            explicitByteRange: placing.isRestated, to: &output
        ) { line in
            guard line.role.mayBeDateRange else { return nil }
            if dropsStitchedAds, text.isOfStitchedAd(line) { return [] }
            guard !insertions.isEmpty || segment.dateShift != .zero else { return nil }
            return Self.moved(text, line, of: segment, by: insertions)
        }
    }

    /// The segment stands in the playlist behind the one before it in the ledger.
    private func follows(_ index: Int) -> Bool {
        guard case .content(let before)? = previous else { return false }
        return before + 1 == index
    }

    /// Date ranges that stood before replaced segments, ad markers not among them, hold on (rule 819).
    private func appendDateRanges(replacedBy placement: Placement, to output: inout PlaylistText) {
        guard let end = placement.end, end > placement.start else { return }
        // Of segments that are not kept any more there are only those that still hold.
        let first = rendition.segments.first?.number ?? end
        for line in rendition.dateRanges.lines
        where !line.isMarker && line.number >= placement.start && line.number < min(first, end) {
            output.append(DateRangeShift.shifted(line.bytes, by: insertions))
        }
        for segment in rendition.segments[rendition.index(atOrAfter: placement.start)...] {
            if segment.number >= end { return }
            guard segment.text.roles.contains(.dateRange) else { continue }
            for line in segment.text.lines where line.role == .dateRange {
                if options.markers == .none, segment.text.isOfStitchedAd(line) { continue }
                output.append(Self.moved(segment.text, line, of: segment, by: insertions))
            }
        }
    }

    /// A date range with its dates where the content's are.
    private static func moved(
        _ text: SegmentText, _ line: SegmentText.Line, of segment: LedgerSegment,
        by insertions: DateRangeShift.Insertions
    ) -> [UInt8] {
        let bytes = Array(text.bytes[line.range])
        return DateRangeShift.shifted(
            segment.dateShift == .zero ? bytes : DateRangeShift.shifted(bytes, by: segment.dateShift), by: insertions)
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
        if options.markers == .all, let passed = markersReplaced(by: place.fill).byEntry[place.slot] {
            lines.append(passed)
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

    /// An entry of an ad that has nothing to show in an I-frame playlist. Nobody loads what it names.
    private func gap(like entry: SpliceEntry) -> SpliceEntry {
        var tags = PlaylistText()
        tags.append("#EXTINF:")
        tags.append(entry.duration)
        tags.append(",\n#EXT-X-GAP\n")
        return SpliceEntry(duration: entry.duration, isJoint: entry.isJoint, uri: entry.uri, tags: tags.bytes)
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
