import HLS

/// Fallbacks may name a time from which the rest of their break is a break of its own: asked for again, or joined.
extension StitchingSession {
    /// More parts than any break is divided into.
    private static let partLimit = 8

    /// How long before its start the rest of a break is asked for: a player comes once in a target duration, and what it then learns
    /// is a target duration old.
    var retryLead: Duration { (targetDuration ?? .seconds(6)) * 2 }

    /// The parts of a break that fallbacks have named: those whose first segment is known, in order, and the one still to come.
    func parts(of whole: ContentBreak, in ledger: BreakLedger) -> (begun: [ContentBreak], ahead: ContentBreak?) {
        var begun: [ContentBreak] = []
        var id = whole.id
        guard let leading = ledger.renditions[ledger.leading], let first = leading.segments.first else {
            return ([], nil)
        }
        while begun.count < Self.partLimit, let rest = decisions[id]?.rest {
            let index = leading.index(ofBoundaryNearest: rest.start)
            id = whole.id.part(rest.attempt)
            guard index < leading.segments.count else {
                return (begun, whole.part(id, from: rest.start, startNumber: nil))
            }
            // Where it begins is forgotten: it was lined up long ago, or nobody watched.
            if index == 0, first.time > rest.start { continue }
            let segment = leading.segments[index]
            guard let part = whole.part(id, from: segment.time, startNumber: segment.number) else { break }
            begun.append(part)
        }
        return (begun, nil)
    }

    /// The part of a break that is still to come.
    func partsAhead(in ledger: BreakLedger) -> [ContentBreak] {
        guard ledger.settings.kind == .live else { return [] }
        return ledger.breaks.compactMap { parts(of: $0, in: ledger).ahead }
    }

    /// The session shows slate in what is left of the break inside which it began, and asks nobody.
    func isJoinedWithSlate(_ contentBreak: ContentBreak) -> Bool {
        guard settings.join == .slate, let root = contentBreak.root, decisions[root.id]?.reason == .joinedInside else {
            return false
        }
        return contentBreak.id == root.id.part(0)
    }

    /// All that may be decided, by name.
    func knownBreaks(in ledger: BreakLedger) -> [BreakID: ContentBreak] {
        (breaks(in: ledger) + partsAhead(in: ledger) + ledger.announcedBreaks)
            .reduce(into: [:]) { known, one in if known[one.id] == nil { known[one.id] = one } }
    }

    /// What an ad provider would be asked about a break, without the break being counted.
    func opportunity(for contentBreak: ContentBreak, ledger: BreakLedger) -> Opportunity {
        opportunity(for: contentBreak, index: indices[contentBreak.id] ?? breakCount + 1, ledger: ledger)
    }
}

extension BreakID {
    /// The rest of the break after so many attempts.
    func part(_ attempt: Int) -> BreakID { BreakID("\(text)~\(attempt)") }

    /// After how many attempts this is the rest of `whole`.
    func attempt(of whole: BreakID) -> Int? {
        guard text.hasPrefix("\(whole.text)~") else { return nil }
        return Int(text.dropFirst(whole.text.count + 1))
    }
}
