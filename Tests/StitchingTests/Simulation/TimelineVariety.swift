import FoundationEssentials

@testable import Stitching

/// What only some channels, operators and viewers have. Each is drawn from a generator of its own, behind all else: a timeline that
/// none is drawn for is what it is without them.
enum TimelineVariety: String, CaseIterable {
    /// EXT-X-PLAYLIST-TYPE:EVENT.
    case event
    /// Breaks near the live edge at which a session begins are left to the content.
    case suppression
    /// Breaks of the window that had ended get pods.
    case pastBreaks
    /// The operator's media before and behind the ads.
    case bumpers
    /// Other origins of the same content take the first one's place, and give it back.
    case backupOrigins
    /// I-frame playlists.
    case iFrames
    /// EXT-X-START.
    case start
    /// The session's own markers are cues.
    case cueMarks
    /// The session's own markers are date ranges.
    case dateRangeMarks
    /// All markers of the origin's pass.
    case allMarkers
    /// None of them does.
    case noMarkers
    /// EXT-X-GAP in one rendition alone.
    case renditionGaps
    /// Numbers from 0 on.
    case lowNumbers
    /// Numbers near the highest that there are.
    case highNumbers
    /// Segments of no or nearly no length.
    case shortSegments
    /// Keys and init sections that change inside breaks.
    case mapsInBreaks
    /// Dates on few segments.
    case sparseDates
    /// The origin lists less than three target durations.
    case shortWindow

    /// `PODSTITCH_VARIETIES=event,start`: these alone, in every scenario.
    static let only: [TimelineVariety]? = ProcessInfo.processInfo.environment["PODSTITCH_VARIETIES"].map { names in
        names.split(separator: ",").compactMap { TimelineVariety(rawValue: String($0)) }
    }

    /// How many of a hundred scenarios have it.
    var percentage: Int {
        if let only = Self.only { return only.contains(self) ? 100 : 0 }
        switch self {
        case .suppression, .bumpers, .backupOrigins, .iFrames, .pastBreaks: return 5
        default: return 3
        }
    }

    /// Takes it out of a scenario.
    func remove(from scenario: inout TimelineScenario) {
        switch self {
        case .event: scenario.origin.isEvent = nil
        case .suppression:
            for index in scenario.viewers.indices {
                scenario.viewers[index].suppressedBehind = nil
                scenario.viewers[index].suppressedUntil = nil
                scenario.viewers[index].fillsRest = nil
            }
        case .pastBreaks: for index in scenario.viewers.indices { scenario.viewers[index].stitchesPastBreaks = nil }
        case .bumpers: (scenario.startBumper, scenario.endBumper) = (nil, nil)
        case .backupOrigins: (scenario.origin.backups, scenario.origin.turns) = (nil, nil)
        case .iFrames:
            scenario.origin.renditions.removeAll { $0.key.hasPrefix("i") }
            for index in scenario.breaks.indices {
                for ad in scenario.breaks[index].ads.indices { scenario.breaks[index].ads[ad].hasIFrames = nil }
            }
        case .start: scenario.origin.startOffset = nil
        case .cueMarks, .dateRangeMarks: scenario.breakMarks = nil
        case .allMarkers, .noMarkers: scenario.markerPassthrough = nil
        case .renditionGaps:
            for index in scenario.origin.renditions.indices { scenario.origin.renditions[index].gaps = nil }
        case .mapsInBreaks: scenario.origin.mapRotation = nil
        case .sparseDates: scenario.origin.datesEvery = nil
        // Numbers and lengths are made plain as those of any scenario are.
        case .lowNumbers, .highNumbers, .shortSegments, .shortWindow: return
        }
    }

    /// What a run has shown of the varieties.
    struct Evidence {
        var hasPods = false
        var hasIFrameFill = false
        var hasSuppressed = false
        var hasPastPod = false
        var hasBumper = false
        var hasUnstitched = false
        /// The origin in use at the end.
        var turns = 0

        mutating func add(_ answer: StitchedPlaylist, of key: RenditionKey) {
            guard answer.entries.contains(where: { if case .fill = $0.source { true } else { false } }) else { return }
            hasPods = true
            if key.text.hasPrefix("i") { hasIFrameFill = true }
        }

        mutating func add(_ kept: SimulatedServers.Store.Kept) {
            for decision in kept.decisions.values {
                if decision.reason == .suppressed { hasSuppressed = true }
                if case .notStitchable? = decision.reason { hasUnstitched = true }
                let ids = [Bumpers.startID, Bumpers.endID]
                if decision.pod?.ads.contains(where: { ids.contains($0.id) }) ?? false { hasBumper = true }
            }
            guard let join = kept.start?.joinEdge else { return }
            let placements = kept.progress?.plan.renditions.values.flatMap(\.placements) ?? []
            if placements.contains(where: { $0.breakID != .preroll && $0.plannedEnd <= join }) { hasPastPod = true }
        }
    }

    /// It has shown itself in a run.
    func shows(in scenario: TimelineScenario, _ shown: Evidence) -> Bool {
        let origin = scenario.origin
        switch self {
        case .event: return origin.isEvent ?? false && shown.hasPods
        case .suppression: return shown.hasSuppressed
        case .pastBreaks: return shown.hasPastPod
        case .bumpers: return shown.hasBumper
        case .backupOrigins: return origin.turns != nil && shown.hasPods
        case .iFrames: return shown.hasIFrameFill
        case .start: return origin.startOffset != nil && shown.hasPods
        case .cueMarks: return scenario.breakMarks == .cue && shown.hasPods
        case .dateRangeMarks: return scenario.breakMarks == .dateRange && shown.hasPods
        case .allMarkers: return scenario.markerPassthrough == .all && shown.hasPods
        case .noMarkers: return scenario.markerPassthrough == .some(.none) && shown.hasPods
        case .renditionGaps: return origin.renditions.contains { $0.gaps != nil } && shown.hasPods
        case .lowNumbers: return origin.firstNumber == 0 && shown.hasPods
        case .highNumbers: return origin.firstNumber > 1 << 52 && shown.hasPods
        case .shortSegments: return origin.segments.contains { $0.duration < 50 } && shown.hasPods
        case .mapsInBreaks: return origin.mapRotation != nil && origin.keyRotation != nil && shown.hasPods
        case .sparseDates: return origin.datesEvery != nil && shown.hasPods
        case .shortWindow:
            let target = max(origin.targetDuration, origin.maximumAdSegment)
            return origin.window < target * 3_000 && shown.hasUnstitched
        }
    }
}

extension TimelineGenerator {
    /// Adds a variety to the scenario of a seed, if it is drawn for that.
    mutating func draw(_ variety: TimelineVariety, seed: UInt64) {
        // The hash of the name: an order of cases is no part of a seed.
        let name = variety.rawValue.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        random = SeededGenerator(seed: seed ^ name)
        guard random.chance(variety.percentage) else { return }
        switch variety {
        case .event: drawEvent()
        case .suppression: drawSuppression()
        case .pastBreaks: drawPastBreaks()
        case .bumpers: drawBumpers()
        case .backupOrigins: drawBackups()
        case .iFrames: drawIFrames()
        case .start:
            let target = scenario.origin.targetDuration * 1_000
            scenario.origin.startOffset = random.pick([-target * 3, -target * 5, -target * 10, 0, target, target * 4])
        case .cueMarks: scenario.breakMarks = .cue
        case .dateRangeMarks: scenario.breakMarks = .dateRange
        case .allMarkers: scenario.markerPassthrough = .all
        case .noMarkers: scenario.markerPassthrough = MarkerPassthrough.none
        case .renditionGaps:
            guard let index = scenario.origin.renditions.indices.randomElement(using: &random) else { return }
            let chance = random.pick([5, 20])
            scenario.origin.renditions[index].gaps = (0..<length / 1_000).filter { _ in random.chance(chance) }
        case .lowNumbers: number(from: 0)
        case .highNumbers:
            scenario.origin.epochs?.removeAll { $0.kind != .restart }
            scenario.origin.backups = nil
            scenario.origin.turns = nil
            // A playlist with a higher one is refused.
            let highest = Int64.max - Int64(UInt32.max)
            number(from: random.pick([1 << 53, highest - 2_000_000, highest - 1_000]))
        case .shortSegments:
            for index in scenario.origin.segments.indices.dropFirst() where random.chance(5) {
                scenario.origin.segments[index].duration = random.pick([0, 1, 20, 40, 200, 500])
            }
            // The content is as long as before.
            while scenario.origin.segments.reduce(0, { $0 + $1.duration }) < length {
                scenario.origin.segments.append(TimelineScenario.Segment(duration: grid))
            }
        case .mapsInBreaks:
            scenario.origin.media = scenario.origin.media ?? .fragmented
            scenario.origin.keys = scenario.origin.keys ?? random.pick(TimelineScenario.Keys.allCases)
            scenario.origin.keyRotation = random.number(1...3)
            scenario.origin.mapRotation = random.number(1...4)
        case .sparseDates:
            guard scenario.origin.dateJitter != nil else { return }
            scenario.origin.datesEvery = random.pick([0, 2, 3, 5, 10])
        case .shortWindow: drawShortWindow()
        }
    }

    private mutating func drawEvent() {
        scenario.origin.isEvent = true
        // A list that keeps all its segments keeps their numbers.
        scenario.origin.epochs?.removeAll { $0.kind != .failover }
    }

    /// Some sessions begin before enough was seen, some behind; and most players ask often enough for nothing to be missed.
    private mutating func drawShortWindow() {
        scenario.origin.window = grid * random.number(2...3)
        for index in scenario.viewers.indices { scenario.viewers[index].joins = grid * random.number(4...12) }
        guard random.chance(70) else { return }
        var now = grid * 4
        while now < length {
            scenario.polls.append(TimelineScenario.Poll(at: now, viewer: random.number(0...scenario.viewers.count - 1)))
            now += random.number(grid / 2...grid)
        }
        scenario.polls.sort { $0.at < $1.at }
    }

    private mutating func drawSuppression() {
        for index in scenario.viewers.indices where random.chance(70) {
            if random.chance(40) {
                scenario.viewers[index].suppressedBehind = random.pick([0, 4_000, 10_000, 30_000])
            } else {
                scenario.viewers[index].suppressedUntil = random.pick([1_000, 10_000, 40_000, 90_000])
                if random.chance(60) { scenario.viewers[index].fillsRest = true }
            }
        }
    }

    private mutating func drawPastBreaks() {
        scenario.origin.window = max(scenario.origin.window, grid * random.number(8...16))
        for index in scenario.viewers.indices where random.chance(80) {
            scenario.viewers[index].stitchesPastBreaks = true
            scenario.viewers[index].joins = grid * random.number(8...24)
        }
    }

    private mutating func drawBumpers() {
        let longest = scenario.origin.maximumAdSegment * 1_000
        func bumper(_ length: Int) -> TimelineScenario.Ad {
            TimelineScenario.Ad(
                video: entries(length, segment: min(2_000, longest)), audio: entries(length + 20, segment: 2_000))
        }
        let which = random.number(0...2)
        if which != 1 { scenario.startBumper = bumper(random.pick([1_000, 2_500, 5_000])) }
        if which != 2 { scenario.endBumper = bumper(random.pick([1_000, 2_500, 5_000])) }
    }

    private mutating func drawBackups() {
        // Without dates nothing tells what of another origin was seen already.
        guard scenario.origin.dateJitter != nil else { return }
        // Lists with other addresses are not one list that only grows.
        guard scenario.origin.isEvent == nil else { return }
        let hasRestart = scenario.origin.epochs?.contains { $0.kind == .restart } ?? false
        let lowest =
            hasRestart ? 0 : ([scenario.origin.firstNumber] + scenario.origin.renditions.map(\.firstNumber)).min() ?? 0
        scenario.origin.backups = (0..<random.number(1...2)).map { _ in
            TimelineScenario.Backup(
                number: random.pick([lowest >= 300 ? -300 : 300, 700, 200_000]),
                discontinuityBase: random.pick([0, 0, 7]), delay: random.pick([0, 0, 500, 3_000]))
        }
        // Under equal numbers, names and dates nothing tells the first origin from what was seen of its backup.
        for index in scenario.origin.backups?.indices ?? 0..<0 {
            let number = scenario.origin.backups?[index].number
            if scenario.origin.epochs?.contains(where: { $0.number == number }) ?? false {
                scenario.origin.backups?[index].number += 1
            }
        }
        var now = length * random.number(25...45) / 100
        scenario.origin.turns = [TimelineScenario.Turn(at: now, origin: 1)]
        if scenario.origin.backups?.count == 2 {
            now += length * random.number(5...25) / 100
            scenario.origin.turns?.append(TimelineScenario.Turn(at: now, origin: 2))
        }
        now += length * random.number(5...30) / 100
        if random.chance(80) { scenario.origin.turns?.append(TimelineScenario.Turn(at: now, origin: 0)) }
    }

    private mutating func drawIFrames() {
        let longest = scenario.origin.targetDuration * 1_000
        let first = scenario.origin.firstNumber
        // One for each segment, or for each of the shorter groups of pictures.
        let lengths = [1_000, 2_000].filter { $0 <= longest }
        scenario.origin.renditions.append(
            .init(
                key: "i0", grid: scenario.origin.epochs == nil && random.chance(60) ? random.pick(lengths) : nil,
                firstNumber: random.chance(50) ? first : Int64(random.number(300...9_000)),
                delay: random.number(0...1_500)))
        let chance = random.pick([0, 50, 100])
        for index in scenario.breaks.indices {
            for ad in scenario.breaks[index].ads.indices where random.chance(chance) {
                scenario.breaks[index].ads[ad].hasIFrames = true
            }
        }
        for index in scenario.polls.indices where scenario.polls[index].rendition == nil && random.chance(30) {
            scenario.polls[index].rendition = "i0"
        }
    }

    /// The numbers of all renditions begin there, or those that began together still do.
    private mutating func number(from first: Int64) {
        let former = scenario.origin.firstNumber
        scenario.origin.firstNumber = first
        for index in scenario.origin.renditions.indices {
            let isAlike = scenario.origin.renditions[index].firstNumber == former
            if isAlike || random.chance(50) { scenario.origin.renditions[index].firstNumber = first }
        }
        if first == 0 {
            scenario.origin.epochs?.removeAll { $0.number < 0 }
            scenario.origin.backups = scenario.origin.backups?.map { backup in
                var backup = backup
                backup.number = Swift.max(backup.number, 300)
                return backup
            }
        }
    }
}
