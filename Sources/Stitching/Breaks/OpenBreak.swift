import HLS

/// The last break of a channel while it lasts.
struct OpenBreak: Sendable, Codable {
    var names: Set<BreakName>
    var type: UInt8?
    var level: Int?
    /// Where it began, also if what came before is a break of its own.
    var origin: DateTime
    /// Where it ends if nothing ends it.
    var end: DateTime
    var hasLength: Bool
    /// A later message has moved the end forward.
    var isShortened = false
    /// A later message has moved the end back: another break follows.
    var extendedEnd: DateTime?
    /// The last segment with its tag, where that has no name, as on each segment so far.
    var told: Told?

    /// What a tag without a name said.
    struct Told: Sendable, Codable {
        var number: Int64
        var length: Duration?

        init?(_ out: SegmentSignals.Out, at place: BreakDetector.Place) {
            guard out.isText, out.names.isEmpty else { return nil }
            number = place.number
            length = out.length
        }
    }

    // MARK: - What else begins

    /// Whether a message is one of the break's own once more.
    func isRepeated(by out: SegmentSignals.Out, at place: BreakDetector.Place) -> Bool {
        guard !names.isDisjoint(with: out.names) else { return false }
        let isNearEnd = place.time.advanced(by: place.duration / 2) >= (extendedEnd ?? end)
        // Names in vendors' tags may be the content's: at its end the next break begins.
        return !isNearEnd || out.namesEvent
    }

    /// Whether a tag without a name is the break's own, as some write it before each of its segments: with one length, or with what
    /// is left of it.
    func goesOn(with told: Told, at place: BreakDetector.Place) -> Bool {
        guard names.isEmpty, let before = self.told, before.number &+ 1 == told.number else { return false }
        guard let length = told.length, length != before.length else { return told.length == before.length }
        let left = place.time.advanced(by: length).duration(to: extendedEnd ?? end).magnitude
        return left + left <= place.duration
    }

    /// Whether what begins lies within it, as an ad lies within an opportunity.
    func holds(_ out: SegmentSignals.Out) -> Bool {
        guard let level = out.level else { return false }
        guard let openLevel = self.level else { return !out.isText }
        return level > openLevel || level == openLevel && level == BreakLevels.ads
    }

    // MARK: - What ends it

    /// Where its length has ended it by the time of a segment; nil as long as it lasts.
    func endByLength(at place: BreakDetector.Place) -> ContentBreak.End? {
        if isShortened {
            let isOver = end <= place.time.advanced(by: place.duration / 2)
            return isOver ? ContentBreak.End(time: place.time, number: place.number) : nil
        }
        // Where it was extended and nothing was seen of the rest, it ends where it was to end.
        return extendedEnd ?? end <= place.time ? ContentBreak.End(time: end, number: nil) : nil
    }

    /// Whether a marker ends it.
    func isEnded(by signals: SegmentSignals, _ levels: BreakLevels) -> Bool {
        signals.ends.contains { end in
            switch end {
            case .program, .splice: true
            case .text(let names, let level): isOwn(names) && level ?? 0 <= self.level ?? .max
            case .segmentation(let type, let event, let isLast):
                isLast && isEnded(type: type, event: event, followedBy: signals.out, levels)
            }
        }
    }

    /// Whether an end's names are those of the open break, as far as both have names of one kind.
    private func isOwn(_ names: Set<BreakName>) -> Bool {
        let kinds = Set(names.map(\.kind))
        let comparable = self.names.filter { kinds.contains($0.kind) }
        return comparable.isEmpty || !comparable.isDisjoint(with: names)
    }

    private func isEnded(
        type: UInt8, event: UInt32, followedBy out: SegmentSignals.Out?, _ levels: BreakLevels
    ) -> Bool {
        guard let level = levels.level(ofStart: type & ~1) else { return false }
        guard let openLevel = self.level else { return level != BreakLevels.ads }
        if level < openLevel { return true }
        guard level == openLevel, self.type == type & ~1 || level == BreakLevels.ads else { return false }
        // One ad follows another: the break goes on.
        if level == BreakLevels.ads, out?.level == level { return false }
        return names.contains(.segmentation(event)) || !hasLength
    }
}

extension SegmentSignals.Out {
    /// Names an event, and not only what a vendor's tag calls it.
    var namesEvent: Bool { names.contains { if case .text = $0 { false } else { true } } }
}
