/// Why something that reads like a broken rule is none. Each holds in one rendition, at one place, for as long as it says.
enum Excuse: String, CaseIterable {
    // MARK: Between renditions: ``RenditionExcuses``

    /// 508, 1106, 1115: the return of a pod that was cut. Pods of renditions may differ by one entry there.
    case returnOfCutPod
    /// 504, 508, 1106, 1115: right beside segments that were never seen of one of the two.
    case besideGap
    /// 1106, 1115: the return of a pod whose entries were all due before a discontinuity came that moved the boundaries.
    case unforeseenBoundary
    /// 504, 508, 1106, 1115: without dates a rendition was placed before a discontinuity told where it belongs.
    case placedWithoutDates
    /// 821: the segment that brings a date range is not there yet.
    case dateRangeToCome
    /// 821: of audio that has brought no date range nothing tells that it has any.
    case dateRangesOfVideoAlone
    /// 821: the leading rendition has never seen the segment that brings it.
    case dateRangeUnseen

    // MARK: Over reloads: ``ReloadExcuses``

    /// 309: nothing was ever seen of what comes before the first entry.
    case nothingBefore
    /// 310: nothing is due behind the last entry.
    case nothingDue
    /// 405: between the last entry that this viewer was shown and the first one nothing was ever seen, or it has left the window.
    case notSeenBetween
    /// 819: ads are listed whose place in the content the ledger has forgotten.
    case forgottenPlace

    // MARK: Over a whole run: ``SessionHistory``

    /// 504: a segment's dates say that it lies on the other side of a joint, and dates are wrong by less than that.
    case datesOtherwise
    /// 504: without dates nothing told better.
    case timesOtherwise
    /// 504: it lies on a joint of the leading rendition, of which this viewer was never shown the one side.
    case otherSideUnlisted
}

/// What a timeline needed.
final class ExcuseLog {
    /// Excuse and rule.
    private(set) var used: Set<String> = []

    func note(_ excuse: Excuse, _ rule: Int) { used.insert("\(excuse) \(rule)") }
}
