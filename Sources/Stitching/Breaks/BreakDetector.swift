import HLS

/// Finds the breaks of the leading rendition, segment by segment in the order of their numbers.
///
/// A break ends at the first of: a return marker, a new out marker, its planned length or, where none is known, the cap.
/// What was found stays: a break that turns out longer than planned is followed by another one.
struct BreakDetector: Sendable, Codable {
    struct Settings: Sendable, Codable {
        /// How long a break without a length may be filled.
        var unknownLengthCap: Duration
        var isTitle = false
        var levels = BreakLevels.standard
    }

    /// A segment of the leading rendition.
    struct Place: Sendable, Codable {
        var number: Int64
        var time: DateTime
        var duration: Duration
        /// As the origin has it: date ranges are placed by it.
        var date: DateTime?
        /// What it is moved by on the timeline.
        var dateShift = Duration.zero
        /// The origin has begun anew with this segment.
        var beginsEpoch = false

        var movedDate: DateTime? { date?.advanced(by: dateShift) }
    }

    var settings: Settings
    /// Ascending on the timeline.
    private(set) var breaks: [ContentBreak] = []
    var open: OpenBreak?
    /// Names of the last break that ended.
    private var lastNames: Set<BreakName> = []
    var announcements = BreakAnnouncements()
    private var stitched = StitchedSpans()
    /// A segment has been read.
    private(set) var hasRead = false
    /// By which the newest segment's date is moved; nil for none.
    private(set) var dateShift: Duration?

    init(_ settings: Settings) { self.settings = settings }

    /// Another stitcher's ads: no break begins within.
    mutating func addStitchedAd(start: DateTime, length: Duration) {
        stitched.insert(start..<start.advanced(by: max(length, .milliseconds(1))))
    }

    /// Reads a segment.
    mutating func read(_ signals: SegmentSignals, at place: Place) {
        defer { hasRead = true }
        dateShift = place.dateShift == .zero ? nil : place.dateShift
        var signals = signals
        var start = Start()
        closeByLength(at: place)
        // Whoever counts anew may know nothing of a break that was to last until its return. One of a known length goes on: its
        // ads play to their end.
        if place.beginsEpoch, let open, !open.hasLength, signals.inside == nil { close(at: place) }
        while let announcement = announcements.next(by: place) {
            admit(announcement, at: place, to: &signals, start: &start)
        }
        if !signals.cancelled.isEmpty {
            announcements.cancel(signals.cancelled)
            if !(signals.out?.names.isDisjoint(with: signals.cancelled) ?? true) { signals.out = nil }
        }
        if open?.isEnded(by: signals, settings.levels) ?? false { close(at: place) }
        continueExtended(at: place)
        if let out = signals.out {
            begin(out, signals, at: place, start: start)
        } else if let inside = signals.inside {
            if open != nil {
                complete(with: inside, signals, at: place)
            } else if signals.ends.isEmpty {
                join(inside, signals, at: place)
            }
        } else if signals.isPoint, open == nil {
            insert(signals, at: place)
        }
    }

    /// Reads markers behind the last segment of a title: nothing stands there that could be replaced, whatever the length.
    mutating func readEnd(_ signals: SegmentSignals, at place: Place) {
        guard signals.out != nil || signals.isPoint else { return }
        closeByLength(at: place)
        if open != nil { close(at: place) }
        insert(signals, at: place)
    }

    // MARK: - Beginning

    private mutating func begin(
        _ out: SegmentSignals.Out, _ signals: SegmentSignals, at place: Place, start: Start
    ) {
        guard !isStitched(place.time) else { return }
        let isInsertion = out.textLength == .zero && (settings.isTitle || signals.hasTextEnd)
        if let open {
            if repeats(out, signals, at: place) { return }
            if let told = OpenBreak.Told(out, at: place), open.goesOn(with: told, at: place) {
                self.open?.told = told
                add(signals)
                return
            }
            if open.holds(out) {
                // Maybe the next of the ads that make up the break.
                if out.level == open.level { self.open?.names.formUnion(out.names) }
                add(signals)
                return
            }
            if isInsertion { return }
            close(at: place)
        } else if isEcho(out, at: place) {
            return
        }
        if isInsertion {
            insert(signals, at: place)
            return
        }
        let length = out.positiveLength
        var begun = place.time
        var number: Int64? = place.number
        var id = Self.id(place, kind: "b")
        if let date = start.date { id = Self.id(date: date) }
        let end = (start.time ?? begun).advanced(by: length ?? settings.unknownLengthCap)
        if let time = start.time {
            // Told of late: what is left of it. Before anything was seen of the content, it is one that had begun.
            guard end > place.time.advanced(by: place.duration / 2) else { return }
            if !hasRead {
                begun = time
                number = nil
            }
        }
        let left = begun.duration(to: end)
        let isNew = append(
            ContentBreak(
                id: id, startNumber: number, start: begun, plannedDuration: length == nil ? nil : left,
                availableDuration: left, isInsertion: false, attributes: signals.attributes, splice: signals.splice,
                asset: signals.asset))
        guard isNew else { return }
        open = OpenBreak(
            names: out.names, type: out.type, level: out.level, origin: start.time ?? begun, end: end,
            hasLength: length != nil, told: OpenBreak.Told(out, at: place))
    }

    /// A message of the open break comes again, and may say another length.
    private mutating func repeats(_ out: SegmentSignals.Out, _ signals: SegmentSignals, at place: Place) -> Bool {
        guard let open, open.isRepeated(by: out, at: place) else { return false }
        self.open?.names.formUnion(out.names)
        add(signals)
        if let length = out.positiveLength { revise(to: open.origin.advanced(by: length), at: place) }
        return true
    }

    /// The break that ended early is told of once more.
    private func isEcho(_ out: SegmentSignals.Out, at place: Place) -> Bool {
        guard let last = breaks.last, !last.isInsertion, !lastNames.isDisjoint(with: out.names) else { return false }
        return out.namesEvent && place.time.advanced(by: place.duration / 2) < last.plannedEnd
    }

    private mutating func insert(_ signals: SegmentSignals, at place: Place) {
        guard !isStitched(place.time) else { return }
        _ = append(
            ContentBreak(
                id: Self.id(place, kind: "i"), startNumber: place.number, start: place.time, plannedDuration: nil,
                availableDuration: settings.unknownLengthCap, isInsertion: true,
                end: ContentBreak.End(time: place.time, number: place.number), attributes: signals.attributes,
                splice: signals.splice, asset: signals.asset))
    }

    /// False where it would lie before one that is known.
    private mutating func append(_ contentBreak: ContentBreak) -> Bool {
        if let last = breaks.last, !ContentBreak.isBefore(last, contentBreak) { return false }
        breaks.append(contentBreak)
        return true
    }

    /// The first thing seen of a break is that it goes on.
    private mutating func join(_ inside: SegmentSignals.Inside, _ signals: SegmentSignals, at place: Place) {
        guard !isStitched(place.time) else { return }
        let elapsed = max(inside.elapsed ?? .zero, .zero)
        let length = inside.length.flatMap { $0 > .zero ? $0 : nil }
        if let length, elapsed >= length { return }
        let start = place.time.advanced(by: .zero - elapsed)
        // The origin's break outlasts its planned length: no new one.
        if let last = breaks.last, let end = last.end {
            if inside.elapsed == nil, end.time.advanced(by: place.duration) >= place.time { return }
            if start < end.time { return }
        }
        var found = ContentBreak(
            id: BreakID("c\(start.nanoseconds / 1_000_000)"), startNumber: nil, start: start,
            plannedDuration: length, availableDuration: length ?? settings.unknownLengthCap, isInsertion: false,
            attributes: signals.attributes, splice: signals.splice, asset: signals.asset)
        found.foundAt = place.time
        guard append(found) else { return }
        open = OpenBreak(
            names: inside.names, type: inside.type, level: inside.level, origin: start,
            end: start.advanced(by: length ?? settings.unknownLengthCap), hasLength: length != nil)
    }

    // MARK: - While it lasts

    /// A continuation names the length that the out marker left open, or another one than before.
    private mutating func complete(with inside: SegmentSignals.Inside, _ signals: SegmentSignals, at place: Place) {
        guard let open else { return }
        add(signals)
        if open.names.isEmpty { self.open?.names = inside.names }
        guard let length = inside.length, length > .zero else { return }
        if !open.hasLength {
            revise(to: open.origin.advanced(by: length), at: place)
        } else if let elapsed = inside.elapsed {
            // Some round, and some count from elsewhere: only what fits the break and differs clearly is a change.
            let origin = place.time.advanced(by: .zero - elapsed)
            let distance = open.origin.duration(to: origin)
            guard distance < .seconds(2), distance > .seconds(-2) else { return }
            revise(to: open.origin.advanced(by: length), at: place)
        }
    }

    /// Changes of less are rounding.
    private static let tolerance = Duration.seconds(1)

    mutating func revise(to end: DateTime, at place: Place) {
        guard var open, let index = breaks.indices.last else { return }
        defer { if self.open != nil { self.open = open } }
        guard open.hasLength else {
            open.hasLength = true
            open.end = end
            breaks[index].learn(length: breaks[index].start.duration(to: end))
            if end <= place.time {
                self.open = open
                close(at: place)
            }
            return
        }
        // What was published stays: the planned end of the break as it was found.
        let planned = breaks[index].plannedEnd
        let change = planned.duration(to: end)
        open.extendedEnd = change > Self.tolerance ? end : nil
        open.isShortened = change < .zero - Self.tolerance
        open.end = open.isShortened ? end : planned
        if open.isShortened, end <= place.time.advanced(by: place.duration / 2) {
            self.open = open
            close(at: place)
        }
    }

    mutating func add(_ signals: SegmentSignals) {
        guard let index = breaks.indices.last else { return }
        breaks[index].attributes.merge(signals.attributes) { first, _ in first }
        breaks[index].splice.merge(signals.splice) { first, _ in first }
        breaks[index].asset.merge(signals.asset) { first, _ in first }
    }

    // MARK: - Ending

    private mutating func close(at place: Place) {
        close(ContentBreak.End(time: place.time, number: place.number))
    }

    private mutating func close(_ end: ContentBreak.End) {
        guard let open, let index = breaks.indices.last else { return }
        lastNames = open.names
        self.open = nil
        breaks[index].end = end
        if !open.hasLength { breaks[index].availableDuration = breaks[index].start.duration(to: end.time) }
    }

    private mutating func closeByLength(at place: Place) {
        guard let end = open?.endByLength(at: place) else { return }
        close(end)
    }

    /// Begins the break that makes up for what was added to the open one.
    private mutating func continueExtended(at place: Place) {
        guard let ended = open, let extended = ended.extendedEnd, let before = breaks.last,
            ended.end <= place.time.advanced(by: place.duration / 2)
        else { return }
        close(at: place)
        let left = place.time.duration(to: extended)
        guard left > place.duration / 2 else { return }
        let isNew = append(
            ContentBreak(
                id: BreakID(before.id.text + "x"), startNumber: place.number, start: place.time, plannedDuration: left,
                availableDuration: left, isInsertion: false, attributes: before.attributes, splice: before.splice,
                asset: before.asset))
        guard isNew else { return }
        open = OpenBreak(
            names: ended.names, type: ended.type, level: ended.level, origin: ended.origin, end: extended,
            hasLength: true)
    }

    // MARK: - Other things

    private func isStitched(_ time: DateTime) -> Bool {
        stitched.contains(time)
    }

    /// Forgets breaks that ended before `time`. One that ended early is told of once more for a while, not for as long as an origin may
    /// have planned it.
    mutating func forgetBreaks(before time: DateTime) {
        var count = 0
        while count < breaks.count, let end = breaks[count].end?.time {
            let latest = end.advanced(by: settings.unknownLengthCap)
            guard max(end, min(breaks[count].plannedEnd, latest)) < time else { break }
            count += 1
        }
        if count > 0 { breaks.removeFirst(count) }
        stitched.forget(before: time)
    }

    /// A date names a break for ever, also after the origin has begun to count anew; a number only without dates.
    private static func id(_ place: Place, kind: String) -> BreakID {
        guard let date = place.movedDate else { return BreakID("\(kind)n\(place.number)") }
        return BreakID("\(kind)\(date.nanoseconds / 1_000_000)")
    }

    static func id(date: DateTime) -> BreakID { BreakID("b\(date.nanoseconds / 1_000_000)") }
}

extension BreakDetector.Place {
    init(_ segment: LedgerSegment) {
        self.init(
            number: segment.number, time: segment.time, duration: segment.duration, date: segment.originDate,
            dateShift: segment.dateShift, beginsEpoch: segment.succession == .beginsEpoch)
    }
}
