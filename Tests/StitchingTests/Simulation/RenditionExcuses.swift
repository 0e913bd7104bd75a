@testable import HLS

@testable import Stitching

/// What renditions may break between them, where, and why.
struct RenditionExcuses {
    private let ledger: BreakLedger
    private let session: StitchingSession
    private let answers: [RenditionKey: StitchedPlaylist]
    private let playlists: [RenditionKey: MediaPlaylist]
    private let origin: SimulatedOrigin

    /// - Parameters:
    ///   - answers: those that are compared.
    ///   - playlists: as they were read.
    init(
        _ ledger: BreakLedger, _ session: StitchingSession, answers: [RenditionKey: StitchedPlaylist],
        playlists: [RenditionKey: MediaPlaylist], origin: SimulatedOrigin
    ) {
        self.origin = origin
        self.ledger = ledger
        self.session = session
        self.answers = answers
        self.playlists = playlists
    }

    /// Nil where nothing excuses it.
    func excuse(for finding: PlaylistFinding, in key: RenditionKey) -> Excuse? {
        switch finding.rule {
        case 821:
            return dateRangeExcuse(finding.message, in: key)
        case 504, 508, 1106, 1115:
            guard let place = JointPlace(finding, in: key, ledger, answers, playlists) else { return nil }
            if isBesideGap(place, key) { return .besideGap }
            if finding.rule != 504, let excuse = returnExcuse(place, key) { return excuse }
            return isPlacedWrongly(place, key) ? .placedWithoutDates : nil
        default: return nil
        }
    }

    // MARK: - Joints

    /// A segment that one of the two was never seen with lies there, or right beside it.
    private func isBesideGap(_ place: JointPlace, _ key: RenditionKey) -> Bool {
        [key, ledger.leading].contains { key in
            ledger.renditions[key]?.gaps.contains { place.touches($0.before.time...$0.after.end) } ?? false
        }
    }

    /// The joint is the return of a pod, and what differs is no more than an entry.
    private func returnExcuse(_ place: JointPlace, _ key: RenditionKey) -> Excuse? {
        let unforeseen = UnforeseenJoints(key, ledger, session)
        for pod in unforeseen.pods where place.isReturn(of: pod.own.breakID) {
            guard let own = end(of: pod.own, in: key), let model = end(of: pod.model, in: ledger.leading) else {
                continue
            }
            let fills = [pod.own.pod.fill(for: key), pod.own.pod.fill(for: ledger.leading)]
            let entry = fills.map(\.longestEntry).max() ?? .zero
            let grid = ledger.renditions[key]?.longestSegment ?? .zero
            guard own.duration(to: model).magnitude <= entry + grid else { continue }
            if pod.model.cut != nil { return .returnOfCutPod }
            if unforeseen.cannotComeBack(pod.own, pod.model) { return .unforeseenBoundary }
        }
        return nil
    }

    /// Without dates: between two joints, one of them of a pod, it is longer or shorter by no more than the rendition was placed wrongly.
    private func isPlacedWrongly(_ place: JointPlace, _ key: RenditionKey) -> Bool {
        guard let wrong = UnforeseenJoints(key, ledger, session).wrongTimes() ?? untoldTime(of: key) else {
            return false
        }
        // So wrongly that the two list nothing in common.
        guard let more = place.difference else { return true }
        return place.hasPod && more.magnitude <= wrong + (ledger.renditions[key]?.longestSegment ?? .zero)
    }

    /// How far a rendition without dates stands from where it belongs, while no discontinuity has told so yet: it was placed when it was
    /// first seen, and lists what the leading one has listed under the same numbers.
    private func untoldTime(of key: RenditionKey) -> Duration? {
        guard let own = shift(of: key), let model = shift(of: ledger.leading), let rendition = ledger.renditions[key],
            rendition.segments.allSatisfy({ $0.date == nil && $0.tagCount == 0 })
        else { return nil }
        let wrong = (own - model).magnitude
        return wrong > rendition.targetDuration ? wrong : nil
    }

    /// From the origin's own time of what a rendition lists last of its content to that which it was given.
    private func shift(of key: RenditionKey) -> Duration? {
        guard let answer = answers[key], let playlist = playlists[key], let track = origin[key] else { return nil }
        for (entry, segment) in zip(answer.entries, playlist.segments).reversed() {
            guard case .content = entry.source, let name = playlist.text(segment.uri).split(separator: "/").last,
                let index = track.segments.firstIndex(where: { $0.name == name })
            else { continue }
            return DateTime(nanoseconds: 0).duration(to: entry.time) - track.segments[index].start
        }
        return nil
    }

    /// Where the content comes back.
    private func end(of placement: Placement, in key: RenditionKey) -> DateTime? {
        placement.endTime ?? placement.end.flatMap { ledger.renditions[key]?.segment(numbered: $0)?.time }
    }

    // MARK: - Date ranges

    /// What one of two renditions lacks of the other's date ranges it cannot have. Nothing excuses attributes that differ.
    private func dateRangeExcuse(_ message: String, in key: RenditionKey) -> Excuse? {
        guard !message.hasPrefix("no date ranges here") else {
            let excuses = lines(of: ledger.leading).map { missing($0.id, of: ledger.leading, in: key) }
            return excuses.contains(nil) ? nil : excuses.first ?? .dateRangeToCome
        }
        guard message.hasPrefix("date range "), let id = message.split(separator: "\"").dropFirst().first else {
            return nil
        }
        return message.hasSuffix("is missing")
            ? missing(String(id), of: ledger.leading, in: key) : missing(String(id), of: key, in: ledger.leading)
    }

    private func lines(of key: RenditionKey) -> [HeldDateRanges.Line] { ledger.renditions[key]?.dateRanges.lines ?? [] }

    /// The segment that brings a date range is not listed there yet, which may be the one before or behind; or it is the leading rendition
    /// that lacks it, and has never seen that segment: of other renditions it takes none.
    private func missing(_ id: String, of other: RenditionKey, in key: RenditionKey) -> Excuse? {
        guard let rendition = ledger.renditions[key], let edge = rendition.edge, let last = answers[key]?.entries.last,
            let line = lines(of: other).first(where: { $0.id == id })
        else { return nil }
        let end = last.time.advanced(by: last.duration)
        if line.time.advanced(by: rendition.targetDuration) > min(edge, end) { return .dateRangeToCome }
        // Origins that write date ranges in video alone are many: of audio that has brought none nothing tells that it has any.
        if !rendition.dateRanges.isUsed, !key.isVariant { return .dateRangesOfVideoAlone }
        return key == ledger.leading && isUnseen(line.time, in: rendition) ? .dateRangeUnseen : nil
    }

    private func isUnseen(_ time: DateTime, in rendition: RenditionLedger) -> Bool {
        rendition.gaps.contains { before, after in
            time.advanced(by: rendition.targetDuration) > before.end
                && time < after.time.advanced(by: rendition.targetDuration)
        }
    }
}

/// What of two lists a finding about joints is of: with dates one entry, without them the part from one discontinuity to the next.
struct JointPlace {
    private let own: Part
    private let leading: Part?

    /// Entries of one list, and those right beside them.
    private struct Part {
        let before: StitchedPlaylist.Entry?
        let entries: ArraySlice<StitchedPlaylist.Entry>
        let after: StitchedPlaylist.Entry?

        init(_ all: [StitchedPlaylist.Entry], _ range: Range<Int>) {
            entries = all[range]
            before = range.lowerBound > 0 ? all[range.lowerBound - 1] : nil
            after = range.upperBound < all.count ? all[range.upperBound] : nil
        }

        /// It begins or ends with the return of a pod; where it has none of its joints.
        func isReturn(of breakID: BreakID) -> Bool {
            let steps = zip([before] + entries.map(Optional.some), entries.map(Optional.some) + [after])
            return steps.contains { one, other in
                one?.source.breakID == breakID && other != nil && other?.source.breakID != breakID
            }
        }

        /// It begins or ends with a joint of a pod.
        var hasPod: Bool {
            (before?.source.breakID != nil || after?.source.breakID != nil)
                || entries.contains { $0.source.breakID != nil }
        }

        var length: Duration { entries.reduce(.zero) { $0 + $1.duration } }

        func touches(_ range: ClosedRange<DateTime>) -> Bool {
            guard let first = entries.first, let last = entries.last else { return false }
            return first.time <= range.upperBound && last.time.advanced(by: last.duration) >= range.lowerBound
        }
    }

    init?(
        _ finding: PlaylistFinding, in key: RenditionKey, _ ledger: BreakLedger,
        _ answers: [RenditionKey: StitchedPlaylist], _ playlists: [RenditionKey: MediaPlaylist]
    ) {
        guard let answer = answers[key], let playlist = playlists[key],
            let index = playlist.segmentIndex(atLine: finding.line), answer.entries.indices.contains(index),
            let model = answers[ledger.leading]
        else { return nil }
        let entry = answer.entries[index]
        if entry.date != nil {
            own = Part(answer.entries, index..<index + 1)
            let covered = model.entries.indices.filter { other in
                model.entries[other].time < entry.time.advanced(by: entry.duration)
                    && model.entries[other].time.advanced(by: model.entries[other].duration) > entry.time
            }
            leading = covered.first.map { Part(model.entries, $0..<(covered.last ?? $0) + 1) }
        } else {
            guard let period = Self.period(entry.discontinuity, answer.entries) else { return nil }
            own = period
            leading = Self.period(entry.discontinuity, model.entries)
        }
    }

    private static func period(_ number: Int64, _ entries: [StitchedPlaylist.Entry]) -> Part? {
        guard let first = entries.firstIndex(where: { $0.discontinuity == number }),
            let last = entries.lastIndex(where: { $0.discontinuity == number })
        else { return nil }
        return Part(entries, first..<last + 1)
    }

    func isReturn(of breakID: BreakID) -> Bool {
        own.isReturn(of: breakID) || leading?.isReturn(of: breakID) ?? false
    }

    var hasPod: Bool { own.hasPod || leading?.hasPod ?? false }

    /// How much longer than the leading rendition's part it is.
    var difference: Duration? { leading.map { own.length - $0.length } }

    func touches(_ range: ClosedRange<DateTime>) -> Bool {
        own.touches(range) || leading?.touches(range) ?? false
    }
}

extension StitchedPlaylist.Entry.Source {
    /// Of an entry of a pod.
    var breakID: BreakID? {
        if case .fill(let reference) = self { reference.breakID } else { nil }
    }
}

extension MediaPlaylist {
    /// The segment whose address stands in a line, or whose tags do.
    func segmentIndex(atLine line: Int) -> Int? {
        let starts = LineNumbers(self)
        return segments.first { starts.number(at: $0.uri.lowerBound) >= line }?.index
    }
}

extension RenditionLedger {
    /// Where something was never seen.
    var gaps: [(before: LedgerSegment, after: LedgerSegment)] {
        Array(zip(segments, segments.dropFirst()).filter { $1.isBehindGap($0) })
    }

    var longestSegment: Duration { segments.map(\.duration).max() ?? .zero }
}
