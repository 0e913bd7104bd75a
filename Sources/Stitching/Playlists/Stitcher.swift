import HLS

/// Writes a session's media playlist.
struct Stitcher {
    let rendition: RenditionLedger
    let ledger: BreakLedger
    let plan: SessionPlan
    let targetDuration: Duration
    /// Up to where the timeline is released; nil: wholly.
    let edge: DateTime?
    /// Where the first break begins of which nothing is decided: ads before it may reach beyond.
    let undecided: DateTime?
    let options: StitchOptions

    func playlist() -> StitchedPlaylist? {
        guard let leading = ledger.renditions[ledger.leading] else { return nil }
        let list = EntryList(
            rendition: rendition, leading: leading, plan: plan, edge: edge, carriesMarkers: options.markers == .all)
        let liveType = liveType(leading)
        let isEvent = ledger.settings.kind == .live && liveType == .event
        let window: Range<Int>
        switch ledger.settings.kind {
        case .live: window = list.window(targetDuration: sessionTarget, keepsAll: isEvent)
        case .vod: window = 0..<list.items.count
        }
        let hasEnded = rendition.hasEnded && list.isComplete && (edge == nil || ledger.settings.kind == .vod)
        let markers = MarkerFilter(
            list.placements, passthrough: options.markers,
            former: plan.renditions[rendition.key]?.formerPlaces ?? [])
        var writer = EntryWriter(
            list: list, rendition: rendition, options: options, isEvent: isEvent, markers: markers,
            dateRanges: DateRangeFilter(markers, leading: leadingMarkers, content: leading, edge: markerEdge),
            marks: BreakMarkWriter(options.breakMarks, leading: plan.renditions[ledger.leading], content: leading))
        var body = PlaylistText(reservingBytes: window.count * 256 + 1024)
        if ledger.settings.kind == .live { writer.appendHeldDateRanges(window: window, leading: leading, to: &body) }
        for index in window { writer.append(index, isFirst: index == window.lowerBound, to: &body) }

        var output = PlaylistText(reservingBytes: body.count + 1024)
        let first = window.isEmpty ? nil : list.items[window.lowerBound]
        HeaderWriter(
            frame: rendition.frame, targetDuration: sessionTarget,
            mediaSequence: first?.number ?? max(rendition.windowStart, 0),
            discontinuitySequence: first.map { $0.discontinuity &- Int64($0.tags) } ?? 0,
            neededVersion: max(
                writer.neededVersion, rendition.frame.requiredVersion, isEvent ? Self.versionForAds : 0),
            inserted: insertedTimes(list), isVOD: ledger.settings.kind == .vod, liveType: liveType
        ).append(to: &output)
        output.append(body.bytes)
        if !isEvent || hasEnded { writer.appendTrailer(to: &output) }
        if hasEnded { output.append(rendition.frame.endList) }
        return StitchedPlaylist(
            bytes: output.bytes, entries: window.map { entry(list.items[$0], list) }, hasEnded: hasEnded)
    }

    /// What becomes of markers is known up to here; nil: of all.
    private var markerEdge: DateTime? {
        guard let edge else { return nil }
        return undecided.map { min($0, edge) } ?? edge
    }

    /// Of the leading rendition, for live renditions other than it.
    private var leadingMarkers: MarkerFilter? {
        guard rendition.key != ledger.leading, ledger.settings.kind == .live else { return nil }
        let plan = plan.renditions[ledger.leading]
        return MarkerFilter(
            (plan?.placements ?? []).filter { !$0.isUnseen }, passthrough: options.markers,
            former: plan?.formerPlaces ?? [])
    }

    /// Type of a live playlist. One that was promised to keep all its segments and does not is none (rule 903).
    private func liveType(_ leading: RenditionLedger) -> MediaPlaylist.PlaylistType? {
        leading.hasSlid && leading.playlistType == .event ? nil : leading.playlistType
    }

    /// To an EVENT playlist lines are only added (rule 904): what ads may bring in later is there from the first answer on.
    private static let versionForAds = 6

    /// The session's, unless the origin gives this rendition longer segments than it gave the others.
    private var sessionTarget: Duration { max(targetDuration, rendition.targetDuration) }

    private func entry(_ item: EntryList.Item, _ list: EntryList) -> StitchedPlaylist.Entry {
        let source: StitchedPlaylist.Entry.Source =
            switch item.source {
            case .content(let index): .content(rendition.segments[index].number)
            case .fill(let fill, let slot): .fill(list.reference(fill, slot))
            }
        return StitchedPlaylist.Entry(
            number: item.number, discontinuity: item.discontinuity, source: source, duration: item.duration,
            time: item.time, date: item.date)
    }

    /// For EXT-X-START: what was inserted where, on the content's own timeline.
    private func insertedTimes(_ list: EntryList) -> [HeaderWriter.Insertion] {
        guard ledger.settings.kind == .vod, rendition.frame.start != nil, let start = rendition.segments.first?.time
        else { return [] }
        return zip(list.placements, list.fills).map { placement, fill in
            let replaced =
                placement.endTime ?? placement.end.flatMap { rendition.segment(numbered: $0)?.time } ?? rendition.edge
                ?? start
            let gone = placement.isInsertion ? Duration.zero : placement.startTime.duration(to: replaced)
            return HeaderWriter.Insertion(
                at: start.duration(to: placement.startTime), length: placement.duration(of: fill) - gone)
        }
    }
}

extension EntryList {
    func reference(_ fill: Int, _ slot: Int) -> FillReference {
        let entry = fills[fill].slots[slot]
        return FillReference(breakID: placements[fill].breakID, ad: entry.ad, segment: entry.index)
    }
}
