import HLS

/// Reads the markers that stand with a segment. Date ranges are read by ``DateRangeReader``: they stand by their dates.
struct MarkerReader {
    let levels: BreakLevels

    func signals(of markers: [AdMarker]) -> SegmentSignals {
        var signals = SegmentSignals()
        for marker in markers { read(marker, into: &signals) }
        return signals
    }

    private func read(_ marker: AdMarker, into signals: inout SegmentSignals) {
        switch marker {
        case .dateRange, .stitchedAd, .other: return
        case .asset(let asset):
            signals.add(asset.attributes)
            for pair in asset.pairs where !pair.name.isEmpty {
                let name = pair.name.uppercased()
                if signals.asset[name] == nil { signals.asset[name] = pair.value }
            }
            return
        case .cueOut(let cue): signals.add(cue.attributes)
        case .cueOutContinued(let cue), .cueSpan(let cue): signals.add(cue.attributes)
        case .primetimeCue(let cue):
            signals.add(cue.attributes)
            addValues(cue, to: &signals)
        case .signalExit(let signal): signals.add(signal.attributes)
        case .scte35(let tag):
            signals.add(tag.attributes)
            addValues(tag, to: &signals)
        case .oatclsSCTE35(let message):
            if signals.attributes["SCTE35"] == nil { signals.attributes["SCTE35"] = message.text }
        default: break
        }
        read(marker.signal, of: marker, into: &signals)
    }

    private func read(_ signal: AdSignal, of marker: AdMarker, into signals: inout SegmentSignals) {
        let message = SpliceReader(signal.scte35, levels: levels)
        let names: Set<BreakName> = signal.id.map { [.text($0)] } ?? []
        if let message {
            signals.splice.merge(message.values) { first, _ in first }
            signals.cancelled.formUnion(message.cancelled)
        }
        switch signal.meaning {
        case .begins:
            if case .scte35(let tag) = marker, opensNothing(tag, message) {
                signals.ends += message?.ends ?? []
                return
            }
            var out = SegmentSignals.Out()
            out.isText = true
            out.names = names
            if case .scte35(let tag) = marker {
                out.rangeLength = signal.plannedDuration
                if message == nil { addType(of: tag, to: &out) }
            } else {
                out.textLength = signal.plannedDuration
            }
            if let begins = message?.out { out.merge(begins) }
            signals.add(out)
        case .continues:
            var inside = SegmentSignals.Inside(elapsed: signal.elapsed, length: signal.plannedDuration, names: names)
            inside.names.formUnion(message?.out?.names ?? [])
            // The message is that of the beginning, said once more.
            inside.length = inside.length ?? message?.out?.messageLength
            inside.type = message?.out?.type
            inside.level = message?.out?.level
            signals.add(inside)
        case .ends:
            guard case .scte35(let tag) = marker else {
                signals.ends.append(.text(names))
                return
            }
            // Not the first of several ends.
            if let place = tag.segmentNumber, place.number < place.expected { return }
            let type = tag.segmentationType.map { UInt8(clamping: $0) & ~1 }
            signals.ends.append(.text(names, level: type.flatMap(levels.level)))
        case .point:
            signals.isPoint = true
        case .information:
            // EXT-X-SCTE35 says by CUE-OUT and CUE-IN what it is; without them it only informs.
            if case .scte35 = marker { return }
            if let begins = message?.out { signals.add(begins) }
            signals.ends += message?.ends ?? []
        }
    }

    /// The tag says that a break begins, of a kind that does not open one here.
    private func opensNothing(_ tag: SpliceTag, _ message: SpliceReader?) -> Bool {
        if let message { return message.isAboutOtherThings }
        guard let type = tag.segmentationType else { return false }
        return levels.level(ofStart: UInt8(clamping: type)) == nil
    }

    private func addType(of tag: SpliceTag, to out: inout SegmentSignals.Out) {
        guard let type = tag.segmentationType.map({ UInt8(clamping: $0) }), let level = levels.level(ofStart: type)
        else { return }
        out.type = type
        out.level = level
    }

    /// What the attributes tell where the message cannot be read.
    private func addValues(_ tag: SpliceTag, to signals: inout SegmentSignals) {
        guard SpliceReader(tag.section, levels: levels) == nil else { return }
        var values: [String: String] = [:]
        if let type = tag.segmentationType { values["segmentation_type_id"] = String(type) }
        if let upid = tag.upidText { values["segmentation_upid"] = upid }
        if let place = tag.segmentNumber {
            values["segment_num"] = String(place.number)
            values["segments_expected"] = String(place.expected)
        }
        signals.splice.merge(values) { first, _ in first }
    }

    private func addValues(_ cue: PrimetimeCue, to signals: inout SegmentSignals) {
        var values: [String: String] = [:]
        if let id = cue.id { values["event_id"] = id }
        if let number = cue.availNumber { values["avail_num"] = String(number) }
        if let number = cue.availsExpected { values["avails_expected"] = String(number) }
        if let id = cue.programID { values["unique_program_id"] = String(id) }
        signals.splice.merge(values) { first, _ in first }
    }
}
