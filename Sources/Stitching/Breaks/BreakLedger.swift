package import HLS

/// What is known of a source's content: the segments of each rendition and the breaks, shared by all its sessions.
///
/// Every fact (a segment with its time and discontinuity number, a break) is set when it is first seen and stays.
package struct BreakLedger: Sendable, Codable {
    package enum Kind: Sendable, Codable { case live, vod }

    package struct Settings: Sendable, Equatable, Codable {
        package var kind: Kind
        /// The longest segment an ad may bring; with the origin's the session's target duration (rule 307).
        package var maximumAdSegmentDuration: Duration
        /// How long a break without a length may be filled.
        package var unknownLengthCap: Duration
        /// Which segmentation types open a break.
        package var levels = BreakLevels.standard
        package var dateRangePlacing = DateRangePlacing.date
        /// Markers of all renditions count, not only those of the leading one. Playlists are then read in rounds:
        /// ``BreakLedger/finishRound()``.
        package var readsAllRenditions = false

        package init(
            kind: Kind, maximumAdSegmentDuration: Duration = .seconds(6), unknownLengthCap: Duration = .seconds(120)
        ) {
            self.kind = kind
            self.maximumAdSegmentDuration = maximumAdSegmentDuration
            self.unknownLengthCap = unknownLengthCap
        }

        fileprivate var detection: BreakDetector.Settings {
            BreakDetector.Settings(unknownLengthCap: unknownLengthCap, isTitle: kind == .vod, levels: levels)
        }
    }

    /// What became of an observed playlist.
    package enum Observation: Sendable, Equatable {
        /// New segments, breaks, or an end.
        case advanced
        case unchanged
        /// An older version than one seen before: ignored.
        case stale
        /// The origin counts anew, or another one took its place: the rendition goes on behind a discontinuity.
        case restarted
        /// It counts anew in a rendition other than the leading one, which has not: nothing is taken from it yet.
        case waiting
    }

    package private(set) var settings: Settings
    /// The rendition on whose timeline breaks and returns are chosen.
    package let leading: RenditionKey
    package internal(set) var renditions: [RenditionKey: RenditionLedger] = [:]
    /// Counts how often the origin has begun anew.
    package internal(set) var epoch = 0
    /// Where the leading rendition went over to the newest epoch.
    var joint: EpochJoint?
    /// The joints before it: renditions may not have got to them yet.
    var formerJoints: [EpochJoint]?
    /// Which of the channel's origins is in use; ``use(origin:)``.
    package private(set) var origin = 0
    /// Counts how often the channel has gone over to another origin.
    private(set) var turns: Int?
    /// Another object after each change: whoever has worked with it knows whether anything is new.
    private(set) var version = Version()
    final class Version: Sendable {}
    private var detector: BreakDetector
    private var dateRanges: DateRangeReader
    /// Nil where there were none.
    private var register: DateRangeRegister?
    /// Segments of the leading rendition whose markers wait for those of other renditions.
    private var unread: [Unread] = []

    private struct Unread: Sendable, Codable {
        var signals: SegmentSignals
        var place: BreakDetector.Place
    }

    private var surveyed = Duration.zero
    /// Of surveyed renditions.
    private var traits: [RenditionKey: RenditionTraits]?
    /// Counts the playlists taken in. Ledgers that took in the same ones in the same order are alike.
    package private(set) var revision: Int64 = 0

    /// All but ``version``, which belongs to the process.
    private enum CodingKeys: CodingKey {
        case settings, leading, renditions, epoch, joint, formerJoints, origin, turns, detector, dateRanges, register,
            unread, surveyed, traits, revision
    }

    /// - Parameter revision: of the ledger that this one takes the place of.
    package init(leading: RenditionKey, settings: Settings, revision: Int64 = 0) {
        self.leading = leading
        self.revision = revision
        self.settings = settings
        detector = BreakDetector(settings.detection)
        dateRanges = DateRangeReader(levels: settings.levels, placing: settings.dateRangePlacing)
    }

    /// Takes over the operator's settings of today for what is still to come; for a ledger that was kept from an earlier run.
    package mutating func use(_ settings: Settings) {
        self.settings = settings
        detector.settings = settings.detection
        dateRanges.levels = settings.levels
        dateRanges.placing = settings.dateRangePlacing
    }

    /// From now on another of the channel's origins counts.
    package mutating func use(origin: Int) {
        revision &+= 1
        if origin != self.origin { turns = (turns ?? 0) &+ 1 }
        self.origin = origin
    }

    /// The breaks that may still matter, in timeline order.
    package var breaks: [ContentBreak] { detector.breaks }

    /// Breaks that are announced for later than all known segments, as far as they are known by now.
    package var announcedBreaks: [ContentBreak] { detector.announced }

    /// What is known of a break by now.
    func current(_ contentBreak: ContentBreak) -> ContentBreak {
        if let root = contentBreak.root {
            let whole = detector.breaks.last { $0.id == root.id }
            return whole?.part(contentBreak.id, from: contentBreak.start, startNumber: contentBreak.startNumber)
                ?? contentBreak
        }
        let breaks = detector.breaks
        var low = 0
        var high = breaks.count
        while low < high {
            let middle = (low + high) / 2
            if ContentBreak.isBefore(breaks[middle], contentBreak) { low = middle + 1 } else { high = middle }
        }
        return low < breaks.count && breaks[low].id == contentBreak.id ? breaks[low] : contentBreak
    }

    /// The end of the leading rendition, beyond which no rendition is listed. Nil before it was seen. Never falls.
    package var heldEdge: DateTime? { renditions[leading]?.edge }

    /// The largest target duration of the renditions known so far and of ads.
    package var targetDuration: Duration { max(settings.maximumAdSegmentDuration, contentTargetDuration) }

    /// Without ads.
    var contentTargetDuration: Duration {
        renditions.values.reduce(surveyed) { isApart($1.key) ? $0 : max($0, $1.targetDuration) }
    }

    private func isApart(_ key: RenditionKey) -> Bool { settings.kind == .vod && key.mayDifferInTargetDuration }

    /// Counts the target duration of a rendition that nobody may ask for (rule 308), and what its segments are like, without
    /// keeping them.
    package mutating func survey(_ playlist: MediaPlaylist, as key: RenditionKey) {
        revision &+= 1
        if !isApart(key) { surveyed = max(surveyed, Self.targetDuration(of: playlist)) }
        traits = (traits ?? [:]).merging([key: RenditionTraits(playlist)]) { _, new in new }
    }

    /// What the segments of a rendition are like; nil where nothing of it was seen.
    package func traits(of key: RenditionKey) -> RenditionTraits? {
        if let rendition = renditions[key], let last = rendition.segments.last {
            return RenditionTraits(
                container: rendition.container, canBeCut: last.canBeCut, targetDuration: rendition.targetDuration)
        }
        return traits?[key]
    }

    /// Takes in a rendition's playlist. The leading rendition's newest is to be observed before another rendition's.
    ///
    /// - Parameters:
    ///   - url: where the playlist was finally fetched from, for its relative URIs.
    ///   - origin: which of the channel's origins it is from; one that is not in use counts not.
    ///   - silence: how long the leading rendition has brought nothing new.
    @discardableResult
    package mutating func observe(
        _ playlist: MediaPlaylist, at url: String, as key: RenditionKey, from origin: Int? = nil,
        after silence: Duration = .zero
    ) -> Observation {
        version = Version()
        revision &+= 1
        let origin = origin ?? self.origin
        guard origin == self.origin else { return .stale }
        var ledger = renditions[key] ?? RenditionLedger(key: key)
        guard let first = playlist.segments.first else {
            // What has segments does not lose them.
            guard ledger.segments.isEmpty else { return .stale }
            ledger.frame = PlaylistFrame(playlist, url: url)
            renditions[key] = ledger
            return .unchanged
        }
        if ledger.segments.isEmpty, let leading = reference(for: key) {
            if let joint {
                ledger.begin(
                    with: leading.run(of: playlist, behind: joint) ?? leading.run, firstNumber: first.number,
                    lowest: leading.segments.first?.number ?? 0)
            }
            if isOfUnknownCount(playlist, in: ledger.epoch) { ledger.noteBegunAlone(at: heldEdge) }
        }
        if ledger.segments.isEmpty, key != leading, isAhead(playlist) { return .waiting }
        switch succession(of: playlist, to: ledger, from: origin, after: silence) {
        case .stale: return .stale
        case .begunAnew(let firstNew, let isNext):
            return enter(playlist, url: url, into: ledger, at: firstNew, isNext: isNext, origin: origin)
        case .follows: break
        }
        if isUncounted(playlist, behind: ledger) { return enter(playlist, url: url, behindGap: ledger, origin: origin) }
        if ledger.epoch < epoch, let joint {
            let next = firstNewSegment(of: playlist, ledger: ledger, reference: nil)
            if !isAhead(ledger, playlist, of: joint), isBeyond(joint, playlist, ledger) {
                return enter(playlist, url: url, into: ledger, at: next ?? 0, isNext: true, origin: origin)
            }
            // The channel has come back to the origin whose numbers these are: they are those of the newest epoch, too.
            if let next, ledger.turn != turns, ledger.key != leading, playlist.hasDates,
                enter(playlist, url: url, into: ledger, at: next, isNext: false, origin: origin) == .restarted
            {
                return .restarted
            }
        }
        let before = ledger.lastNumber
        let endedBefore = ledger.hasEnded
        ledger.origin = origin
        if ledger.epoch == epoch { ledger.turn = turns }
        ledger.noteAgreement()
        append(playlist, url: url, to: &ledger)
        let isOver = follow(playlist, url: url, &ledger)
        renditions[key] = ledger
        forgetOldSegments(of: key)
        if isOver { return .restarted }
        return before == ledger.lastNumber && endedBefore == ledger.hasEnded ? .unchanged : .advanced
    }

    // MARK: - Segments

    /// - Parameter entrance: of the run that the playlist begins.
    mutating func append(
        _ playlist: MediaPlaylist, url: String, to ledger: inout RenditionLedger, entrance: RunEntrance? = nil
    ) {
        ledger.frame = PlaylistFrame(playlist, url: url)
        ledger.hasEnded = ledger.hasEnded || playlist.hasEndList
        if ledger.segments.isEmpty {
            ledger.playlistType = playlist.playlistType
        } else if ledger.number(of: playlist.segments[0]) > ledger.windowStart {
            ledger.hasSlid = true
        }
        defer {
            ledger.moveWindow(to: playlist)
            detector.announcements.settle()
        }
        ledger.targetDuration = max(ledger.targetDuration, Self.targetDuration(of: playlist))
        if playlist.segments.contains(where: { $0.map != nil }) { ledger.container = .fragmentedMP4 }
        let reference = reference(for: ledger.key)
        let firstNew =
            entrance?.firstNew ?? firstNewSegment(of: playlist, ledger: ledger, reference: reference)
        let isRead = ledger.key == leading || settings.readsAllRenditions
        let placed = isRead ? readDateRanges(playlist, firstNew: firstNew ?? playlist.segments.count) : [:]
        guard let firstNew else {
            readPostrollMarkers(playlist, key: ledger.key, ledger: ledger)
            return
        }
        // A channel may go on behind an end.
        if settings.kind == .live { ledger.hasEnded = playlist.hasEndList }
        var clock = SegmentClock(ledger: ledger, playlist: playlist, reference: reference, entrance: entrance)
        if ledger.segments.isEmpty {
            for segment in playlist.segments[..<firstNew] { _ = clock.place(segment) }
        }
        var reader = SegmentTextReader(playlist, base: BaseURI(url), keepsHeaderTags: false)
        let markers = MarkerReader(levels: settings.levels)
        // Nothing of an epoch is listed beyond its end.
        let limit = end(of: ledger.epoch)
        ledger.segments.reserveCapacity(ledger.segments.count + playlist.segments.count - firstNew)
        for index in firstNew..<playlist.segments.endIndex {
            let segment = playlist.segments[index]
            var place = clock.place(segment)
            if ledger.segments.isEmpty { place.tagCount = Int(min(Int64(place.tagCount), max(place.discontinuity, 0))) }
            let text = reader.text(of: segment)
            if index == firstNew, place.succession == .follows, let last = ledger.segments.last,
                !text.follows(last.text)
            {
                place.succession = .isRenumbered
            }
            let record = LedgerSegment(place, text: written(text, shift: place.dateShift))
            if let limit, limit.isBehind(record, targetDuration: ledger.targetDuration) { return }
            ledger.segments.append(record)
            if settings.kind == .live {
                ledger.memory.append(SegmentMark(segment, in: playlist.source), at: record.number)
                ledger.dateRanges.read(record)
            }
            guard isRead else { continue }
            var signals = markers.signals(of: playlist.markers(ofSegmentAt: index))
            if let told = placed[index] { signals.merge(told) }
            read(signals, of: record, key: ledger.key)
        }
        readPostrollMarkers(playlist, key: ledger.key, ledger: ledger)
    }

    // MARK: - Markers

    private mutating func readDateRanges(_ playlist: MediaPlaylist, firstNew: Int) -> [Int: SegmentSignals] {
        let findings = dateRanges.read(playlist, firstNew: firstNew)
        for ad in findings.stitched { detector.addStitchedAd(start: ad.start, length: ad.length) }
        for announcement in findings.announcements { detector.announce(announcement) }
        return findings.placed
    }

    private mutating func read(_ signals: SegmentSignals, of segment: LedgerSegment, key: RenditionKey) {
        guard key == leading else {
            if !signals.isEmpty {
                detector.announce(BreakAnnouncement(source: .rendition, time: segment.time, signals: signals))
            }
            return
        }
        let place = BreakDetector.Place(segment)
        if settings.readsAllRenditions {
            unread.append(Unread(signals: signals, place: place))
        } else {
            detector.read(signals, at: place)
        }
    }

    /// There is something for ``finishRound()`` to do.
    package var hasUnreadMarkers: Bool { !unread.isEmpty }

    /// Ends a round of playlists that were observed together, the leading rendition's first: where markers of all renditions
    /// count, those of its new segments are read now.
    package mutating func finishRound() {
        guard !unread.isEmpty else { return }
        version = Version()
        revision &+= 1
        for segment in unread { detector.read(segment.signals, at: segment.place) }
        unread = []
    }

    private mutating func written(_ text: SegmentText, shift: Duration) -> SegmentText {
        guard text.lines.contains(where: { $0.role.mayBeDateRange }) else { return text }
        if register == nil { register = DateRangeRegister() }
        return register?.written(text, shift: shift) ?? text
    }

    private func firstNewSegment(
        of playlist: MediaPlaylist, ledger: RenditionLedger, reference: RenditionLedger?
    ) -> Int? {
        if let last = ledger.lastNumber { return playlist.segments.firstIndex { ledger.number(of: $0) > last } }
        if reference != nil, let joint = beginning(of: ledger.epoch), ledger.epoch == epoch || playlist.hasDates {
            // What lies before the joint would need the numbers of the epoch before.
            return places(of: playlist, as: ledger.key).firstIndex { $0.middle >= joint.time }
        }
        guard let reference, settings.kind == .live else { return 0 }
        // Discontinuities before the first segment seen of the leading rendition may not have been counted there: none has a number
        // below 0.
        var clock = SegmentClock(ledger: ledger, playlist: playlist, reference: reference)
        return playlist.segments.firstIndex { clock.place($0).discontinuity >= 0 }
    }

    /// A pair of markers after the last segment of a VOD asks for a post-roll.
    private mutating func readPostrollMarkers(_ playlist: MediaPlaylist, key: RenditionKey, ledger: RenditionLedger) {
        guard key == leading, settings.kind == .vod, let last = ledger.segments.last else { return }
        let signals = MarkerReader(levels: settings.levels).signals(of: playlist.trailerMarkers)
        guard !detector.breaks.contains(where: { $0.startNumber == last.number &+ 1 }) else { return }
        detector.readEnd(
            signals,
            at: BreakDetector.Place(
                number: last.number &+ 1, time: last.end, duration: .zero, date: last.date?.advanced(by: last.duration))
        )
    }

    func reference(for key: RenditionKey) -> RenditionLedger? {
        key == leading ? nil : renditions[leading]
    }

    mutating func forgetOldSegments(of key: RenditionKey) {
        guard settings.kind == .live else { return }
        // Three target durations, the longest fill entry and half a segment behind the window.
        let kept = targetDuration * 5
        renditions[key]?.forgetSegments(behindWindow: kept)
        if key == leading, let first = renditions[key]?.segments.first { detector.forgetBreaks(before: first.time) }
    }

    /// Whole seconds, and no less than the longest segment rounded (rule 303).
    static func targetDuration(of playlist: MediaPlaylist) -> Duration {
        let declared = Duration.seconds(min(max(playlist.targetDuration ?? 0, 1), 86_400))
        return playlist.segments.reduce(declared) { max($0, $1.duration.roundedToSeconds) }
    }
}

extension Duration {
    /// To the nearest second, halves up (rule 303).
    var roundedToSeconds: Duration {
        let (seconds, attoseconds) = components
        return .seconds(attoseconds >= 500_000_000_000_000_000 ? seconds &+ 1 : seconds)
    }
}
