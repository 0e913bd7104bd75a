/// Makes a scenario from a seed. Everything that may be odd about origins, ads, viewers and servers is drawn here; most of it
/// seldom, so that each is met alone as well as together with others.
struct TimelineGenerator {
    var random: SeededGenerator
    var scenario = TimelineScenario(origin: TimelineScenario.Origin())
    private(set) var length = 0
    /// Of the leading rendition's segments.
    private(set) var grid = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// - Parameter varieties: those that may be met.
    static func scenario(
        seed: UInt64, varieties: [TimelineVariety] = TimelineVariety.allCases
    ) -> TimelineScenario {
        var generator = TimelineGenerator(seed: seed)
        generator.drawOrigin()
        generator.drawBreaks()
        generator.drawSegments()
        generator.drawRenditions()
        generator.drawMedia()
        generator.drawViewers()
        for variety in varieties { generator.draw(variety, seed: seed) }
        return generator.scenario
    }

    private mutating func drawOrigin() {
        grid = random.pick([2_000, 3_840, 4_000, 6_000, 6_006])
        length = grid * random.number(24...38)
        // A window of hours is one from which nothing leaves.
        scenario.origin.window = random.chance(5) ? length : grid * random.number(4...8)
        scenario.origin.targetDuration = max(grid / 1_000, random.chance(50) ? 7 : 1)
        scenario.origin.maximumAdSegment = random.chance(70) ? 6 : max(grid / 1_000, 2)
        if random.chance(75) { scenario.origin.dateJitter = random.chance(80) ? 0 : random.pick([1, 20, 400]) }
        // Without dates and without the counter there is nothing to align another grid by once a gap was not seen.
        scenario.origin.countsDiscontinuities =
            scenario.origin.dateJitter == nil || random.chance(60) ? true : nil
        // Half of the origins mark as most do.
        let styles: [SimulatedMarkers.Style] =
            random.chance(50) ? [.cueOut, .cueOutAttributes] : SimulatedMarkers.Style.allCases
        let style = random.pick(styles)
        let needsDates = style == .dateRange || style == .everything
        scenario.origin.markers = needsDates && scenario.origin.dateJitter == nil ? .cueOut : style
        if random.chance(10) { scenario.origin.ends = true }
        if random.chance(30) { drawEpochs() }
    }

    private mutating func drawEpochs() {
        // Without dates nothing tells what of another origin was seen already, nor, in a rendition that is first seen then,
        // where its numbers leapt.
        let kinds: [TimelineScenario.Epoch.Kind] =
            scenario.origin.dateJitter == nil ? [.restart] : TimelineScenario.Epoch.Kind.allCases
        scenario.origin.epochs = (0..<(random.chance(30) ? 2 : 1)).map { index in
            let kind = random.pick(kinds)
            return TimelineScenario.Epoch(
                kind: kind, start: length * random.number(index == 0 ? 25...55 : 60...85) / 100,
                number: random.pick(
                    kind == .restart ? [0, 1, 77] : kind == .jump ? [500, 100_000] : [-300, 500, 100_000]),
                discontinuityBase: random.pick([0, 0, 7]))
        }
    }

    private mutating func drawBreaks() {
        var next = grid * random.number(6...12)
        while next < length {
            let planned = random.pick([10, 15, 20, 30, 30, 30, 45])
            var drawn = TimelineScenario.Break(start: next)
            if !random.chance(8) { drawn.planned = planned }
            let isEarly = drawn.planned == nil || random.chance(15)
            if random.chance(85) { drawn.back = next + planned * (isEarly ? random.number(200...900) : 1_000) }
            if scenario.origin.markers == .dateRange, random.chance(30) { drawn.ahead = random.number(1...3) }
            if random.chance(50) { drawn.repeats = true }
            let count = random.chance(10) ? 0 : random.number(1...5)
            for _ in 0..<count { drawn.ads.append(drawAd()) }
            scenario.breaks.append(drawn)
            next += planned * 1_000 + grid * (random.chance(30) ? 0 : random.number(0...8))
        }
    }

    mutating func drawAd() -> TimelineScenario.Ad {
        let length = random.pick([5_000, 6_000, 10_000, 15_000, 15_015, 20_000, 30_000])
        let longest = scenario.origin.maximumAdSegment * 1_000
        let segments = [1_000, 2_000, 4_000, 6_000, 6_400].filter { $0 <= longest + 400 }
        var ad = TimelineScenario.Ad(
            video: entries(length, segment: random.pick(segments)),
            audio: entries(
                length + random.number(-40...40),
                segment: random.pick([2_000, 3_989, 4_000, 5_000].filter { $0 <= max(longest, 2_000) })))
        if random.chance(5) { ad.isEncrypted = true }
        return ad
    }

    func entries(_ length: Int, segment: Int) -> [Int] {
        var result: [Int] = []
        var left = length
        while left > 0 {
            // A rest shorter than a twelfth goes with the last segment, as encoders do.
            let next = left < segment + segment / 12 ? left : segment
            result.append(min(next, left))
            left -= next
        }
        return result
    }

    private mutating func drawSegments() {
        var time = 0
        let cutChance = random.chance(50) ? 6 : 1
        let gapChance = random.chance(10) ? 10 : 0
        while time < length {
            var segment = TimelineScenario.Segment(duration: grid)
            if random.chance(10) { segment.duration -= random.number(0...400) }
            // Half of the breaks and returns are conditioned: a segment ends where they are.
            let ends = scenario.breaks.flatMap { [$0.back, $0.start].compactMap(\.self) }
            for end in ends where end > time && end < time + segment.duration && random.chance(50) {
                segment.duration = max(end - time, 200)
            }
            if time > 0, random.chance(cutChance) { segment.discontinuity = true }
            if random.chance(gapChance) { segment.gap = true }
            if random.chance(6) { segment.dateRange = random.pick([1, 20, 60]) }
            scenario.origin.segments.append(segment)
            time += segment.duration
        }
        scenario.origin.firstNumber = Int64(
            random.number(scenario.origin.epochs == nil ? 0...1_000_000 : 300...1_000_000))
    }

    private mutating func drawRenditions() {
        let first = scenario.origin.firstNumber
        let longest = scenario.origin.targetDuration * 1_000
        let audioGrid = random.pick([grid, grid, 1_984, 3_989, 5_000].filter { $0 <= longest + 499 })
        let isAlike = audioGrid == grid && random.chance(50)
        if random.chance(85) {
            scenario.origin.renditions.append(
                .init(key: "v1", grid: nil, firstNumber: first, delay: random.number(0...1_500)))
        }
        if random.chance(85) {
            let number = random.chance(50) ? first : Int64(random.number(300...9_000))
            for key in random.chance(15) ? ["a-aud-en", "a-aud-fr"] : ["a-aud-en"] {
                scenario.origin.renditions.append(
                    .init(
                        key: key, grid: isAlike ? nil : audioGrid, firstNumber: number,
                        delay: random.number(-1_500...1_500)))
            }
        }
        if random.chance(10) {
            scenario.origin.renditions.append(
                .init(
                    key: "s-subs-en", grid: random.chance(50) ? nil : random.pick([grid, min(6_000, longest)]),
                    firstNumber: first,
                    delay: random.number(0...1_500)))
        }
    }

    private mutating func drawMedia() {
        // Without dates nothing tells how another grid stands to the leading rendition's after the numbers have changed.
        if scenario.origin.dateJitter == nil, scenario.origin.renditions.contains(where: { $0.grid != nil }) {
            scenario.origin.epochs = nil
        }
        if random.chance(25) { scenario.origin.media = random.chance(70) ? .fragmented : .byteRanges }
        if random.chance(25) {
            scenario.origin.keys = random.pick(TimelineScenario.Keys.allCases)
            if random.chance(50) { scenario.origin.keyRotation = random.number(2...8) }
        }
    }

    private mutating func drawViewers() {
        let count = random.chance(20) ? 1 : 2
        let completes = random.chance(33)
        let hasPolicies = random.chance(50)
        if hasPolicies, random.chance(90) { scenario.slate = drawAd() }
        for _ in 0..<count {
            var viewer = TimelineScenario.Viewer(joins: grid * random.number(4...8))
            if completes { viewer.completesAds = true }
            if random.chance(5) { viewer.threshold = random.number(0...10) }
            if hasPolicies {
                viewer.fill = random.pick([.content, .slate, .slate, .minimizeSlate])
                viewer.join = random.pick([.content, .slate, .fit])
                if random.chance(50) { viewer.retryRest = random.pick([5, 12]) }
            }
            if random.chance(5) { viewer.preroll = random.pick([10, 30]) }
            scenario.viewers.append(viewer)
        }
        for index in scenario.breaks.indices {
            if hasPolicies, random.chance(25) { scenario.breaks[index].fails = true }
            scenario.breaks[index].answersAfter = (0..<count).map { _ in
                random.chance(60) ? 0 : random.number(100...4_000)
            }
        }
        if random.chance(20) { scenario.replicaCount = 2 }
        drawPolls()
    }

    private mutating func drawPolls() {
        let keys = scenario.origin.renditions.map(\.key)
        // A rendition may be asked for late only, or not at all.
        let late = random.chance(30) ? keys.randomElement(using: &random) : nil
        let lateFrom = random.number(0...length)
        let slowest = random.pick([1_500, 3_000, 6_000])
        var now = grid * 4
        while now < length {
            now += random.number(200...(random.chance(2) ? slowest * 8 : slowest))
            var poll = TimelineScenario.Poll(at: now, viewer: random.number(0...scenario.viewers.count - 1))
            let key = random.number(0...keys.count)
            if key > 0, keys[key - 1] != late || now >= lateFrom { poll.rendition = keys[key - 1] }
            if scenario.replicaCount != nil, random.chance(50) { poll.replica = 1 }
            // Without dates an old version cannot be told from a new one when it is the first that is seen.
            if scenario.origin.dateJitter != nil, random.chance(4) { poll.staleBy = 9_000 }
            if random.chance(2) { poll.fails = true }
            if random.chance(10) { poll.restarts = true }
            if random.chance(12) { poll.compares = true }
            scenario.polls.append(poll)
        }
    }
}

extension SeededGenerator {
    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }
}
