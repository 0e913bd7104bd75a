import HLS

/// Writes the entries of a playlist, with what has to be said again at its head and at every joint.
///
/// At a joint the order is DISCONTINUITY, KEY, MAP, PROGRAM-DATE-TIME, then the segment (rules 609, 610, 706, 803).
struct EntryWriter {
    let list: EntryList
    let rendition: RenditionLedger
    let options: StitchOptions
    let markers: MarkerFilter
    /// What the lines added by the stitcher need (rule 201).
    private(set) var neededVersion = 1
    /// A key is in force at this place of the output.
    private var isEncrypted = false
    private var previous: EntryList.Item?
    /// EXT-X-BITRATE cannot be switched off for ads (rule 1301): with ads none is written.
    private let dropsBitrates: Bool
    /// What is inserted where on the content's own dates, for date ranges, which lie where their dates say (rule 807).
    private let insertions: [DateRangeShift.Insertion]

    init(list: EntryList, rendition: RenditionLedger, options: StitchOptions, markers: MarkerFilter) {
        self.list = list
        self.rendition = rendition
        self.options = options
        self.markers = markers
        dropsBitrates = !list.fills.isEmpty
        insertions = list.fills.compactMap { DateRangeShift.Insertion($0.placement) }
    }

    mutating func append(_ index: Int, isFirst: Bool, to output: inout PlaylistText) {
        let item = list.items[index]
        switch item.source {
        case .content(let segment):
            appendContent(rendition.segments[segment], segment, item, isFirst: isFirst, to: &output)
        case .fill(let fill, let slot):
            appendFill(list.fills[fill].fill.slots[slot], fill, item, isFirst: isFirst, to: &output)
        }
        previous = item
    }

    // MARK: - Content

    private mutating func appendContent(
        _ segment: LedgerSegment, _ index: Int, _ item: EntryList.Item, isFirst: Bool, to output: inout PlaylistText
    ) {
        let text = segment.text
        let rewritesKeys = item.isRenumbered && text.state.hasImplicitIV
        defer { isEncrypted = !text.state.keys.isEmpty }
        if !isFirst, item.returnsFrom == nil, !rewritesKeys, item.dateShift == .zero, !text.hasMarkers,
            !text.hasPartials, !(dropsBitrates && text.hasBitrate), insertions.isEmpty || !text.hasDateRanges,
            follows(index), item.tags == text.discontinuityCount
        {
            output.append(text.bytes)
            return
        }
        let isRestated = isFirst || item.returnsFrom != nil || !follows(index)
        var ownKeys = 0
        var ownMaps = 0
        for line in text.lines {
            if line.kind == .key { ownKeys += 1 }
            if line.kind == .map { ownMaps += 1 }
        }
        // Where the segment's own lines say it all, they stay as they are.
        let keysMissing = isRestated && ownKeys < max(text.state.keys.count, isEncrypted ? 1 : 0)
        let mapMissing = isRestated && ownMaps == 0 && !text.state.map.isEmpty
        let dateMissing = isRestated && !text.hasDate && item.date != nil
        let isJoint = item.returnsFrom != nil
        let leads = isJoint || rewritesKeys || keysMissing || mapMissing || dateMissing
        var skipped = markers.droppedRoles(segment)
        skipped.insert(.partial)
        if dropsBitrates { skipped.insert(.bitrate) }
        if leads {
            skipped.formUnion([.discontinuity, .key])
            for _ in 0..<item.tags { output.append("#EXT-X-DISCONTINUITY\n") }
            let number = item.isRenumbered ? segment.number : nil
            let writesMap = (isRestated || ownMaps > 0) && !text.state.map.isEmpty
            if writesMap { skipped.insert(.map) }
            if writesMap, let mapKeys = text.state.mapKeys {
                appendKeys(mapKeys, number: nil, to: &output)
                isEncrypted = !mapKeys.isEmpty
                output.append(text.state.map)
                output.endLine()
            }
            appendKeys(text.state.keys, number: number, to: &output)
            if writesMap, text.state.mapKeys == nil {
                output.append(text.state.map)
                output.endLine()
            }
        }
        if let date = item.date, leads && isRestated || item.dateShift != .zero && text.hasDate {
            skipped.insert(.programDateTime)
            appendDate(date, text, isShifted: item.dateShift != .zero, to: &output)
        }
        if let fill = item.returnsFrom { appendDateRanges(replacedBy: list.fills[fill].placement, to: &output) }
        appendLines(of: text, skipping: skipped, item: item, isRestated: isRestated, to: &output)
    }

    /// The segment stands in the playlist behind the one before it in the ledger.
    private func follows(_ index: Int) -> Bool {
        guard case .content(let before)? = previous?.source else { return false }
        return before + 1 == index
    }

    private mutating func appendLines(
        of text: SegmentText, skipping skipped: Set<SegmentText.LineRole>, item: EntryList.Item, isRestated: Bool,
        to output: inout PlaylistText
    ) {
        for line in text.lines where !skipped.contains(line.kind) {
            if line.kind == .byteRange, isRestated, !text.explicitByteRange.isEmpty {
                output.append(text.explicitByteRange)
                neededVersion = max(neededVersion, 4)
            } else if !insertions.isEmpty, line.kind.mayBeDateRange {
                output.append(DateRangeShift.shifted(Array(text.bytes[line.range]), by: insertions))
            } else {
                output.append(text.bytes, in: line.range)
            }
        }
    }

    /// - Parameter number: the origin's, for IVs that have to be written out.
    private mutating func appendKeys(_ keys: [SegmentText.Key], number: Int64?, to output: inout PlaylistText) {
        if keys.isEmpty, isEncrypted { output.append("#EXT-X-KEY:METHOD=NONE\n") }
        for key in keys {
            output.append(key.line)
            if key.hasImplicitIV, let number {
                output.append(",IV=")
                output.append(hexadecimal: UInt64(bitPattern: number), digits: 32)
                neededVersion = max(neededVersion, 2)
            }
            output.endLine()
        }
    }

    private func appendDate(_ date: DateTime, _ text: SegmentText, isShifted: Bool, to output: inout PlaylistText) {
        if !isShifted, let line = text.lines.first(where: { $0.kind == .programDateTime }) {
            output.append(text.bytes, in: line.range)
        } else {
            output.append("#EXT-X-PROGRAM-DATE-TIME:")
            output.append(date)
            output.endLine()
        }
    }

    /// Date ranges that stood before replaced segments, ad markers not among them, hold on (rule 819).
    private func appendDateRanges(replacedBy placement: Placement, to output: inout PlaylistText) {
        guard let end = placement.end, end > placement.start else { return }
        for segment in rendition.segments[rendition.index(atOrAfter: placement.start)...] {
            if segment.number >= end { return }
            guard segment.text.hasDateRanges else { continue }
            for line in segment.text.lines where line.kind == .dateRange {
                output.append(DateRangeShift.shifted(Array(segment.text.bytes[line.range]), by: insertions))
            }
        }
    }

    // MARK: - Fill

    private mutating func appendFill(
        _ slot: PodFill.Slot, _ fill: Int, _ item: EntryList.Item, isFirst: Bool, to output: inout PlaylistText
    ) {
        let entry = slot.entry
        let before = previousSlot(fill)
        let isRestated = isFirst || before == nil || entry.isJoint
        for _ in 0..<item.tags { output.append("#EXT-X-DISCONTINUITY\n") }
        let keys = slot.isSubtitleFiller ? [] : entry.keys
        if keys.isEmpty {
            if isEncrypted { output.append("#EXT-X-KEY:METHOD=NONE\n") }
        } else if isRestated || before?.entry.keys != keys {
            output.append(keys)
        }
        isEncrypted = !keys.isEmpty
        if !slot.isSubtitleFiller, !entry.map.isEmpty, isRestated || before?.entry.map != entry.map {
            output.append(entry.map)
        }
        if let date = item.date {
            output.append("#EXT-X-PROGRAM-DATE-TIME:")
            output.append(date)
            output.endLine()
        }
        if slot.isSubtitleFiller {
            output.append("#EXTINF:")
            output.append(entry.duration)
            output.append(",\n")
            output.append(options.emptySubtitlesURI)
        } else {
            output.append(entry.tags)
            output.append(options.fillURI?(list.reference(fill, index(of: item)), entry) ?? entry.uri)
            neededVersion = max(neededVersion, entry.neededVersion)
        }
        output.endLine()
        neededVersion = max(neededVersion, 3)
    }

    private func index(of item: EntryList.Item) -> Int {
        guard case .fill(_, let slot) = item.source else { return 0 }
        return slot
    }

    private func previousSlot(_ fill: Int) -> PodFill.Slot? {
        guard case .fill(fill, let slot)? = previous?.source else { return nil }
        return list.fills[fill].fill.slots[slot]
    }
}
