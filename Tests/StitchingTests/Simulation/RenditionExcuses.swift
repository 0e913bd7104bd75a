import HLS

@testable import Stitching

/// What the renditions may break between them, and why.
struct RenditionExcuses {
    private let ledger: BreakLedger
    private let hasEnded: Bool
    private let hasDates: Bool
    /// t of the first listed entry.
    private let starts: [RenditionKey: DateTime]
    /// The end of the last one.
    private let ends: [RenditionKey: DateTime]
    /// Their joints lie apart from the leading rendition's, and nothing could tell.
    private let unforeseen: Set<RenditionKey>

    /// Pods that were cut may differ by an entry (item 8).
    private let hasCut: Bool

    /// - Parameter answers: those that are compared.
    init(_ ledger: BreakLedger, _ session: StitchingSession, answers: [RenditionKey: StitchedPlaylist]) {
        self.ledger = ledger
        hasCut = session.plan.renditions.values.contains { $0.placements.contains { $0.cut != nil } }
        unforeseen = Set(
            ledger.renditions.keys.filter { key in
                guard key != ledger.leading, let start = answers[key]?.entries.first?.time else { return false }
                return UnforeseenJoints(key, ledger, session, since: start).areApart
            })
        hasEnded = ledger.renditions[ledger.leading]?.hasEnded ?? false
        hasDates = ledger.renditions[ledger.leading]?.hasDates ?? false
        starts = answers.compactMapValues { $0.entries.first?.time }
        ends = answers.compactMapValues { $0.entries.last.map { $0.time.advanced(by: $0.duration) } }
    }

    /// Without dates ended playlists are compared from their beginnings, and a channel's do not begin at one time.
    private var hasNoCommonTime: Bool { hasEnded && !hasDates }

    /// A segment that one of the two lists was never seen of the other: its joint is nowhere there.
    private func misses(_ key: RenditionKey) -> Bool {
        guard let start = [key, ledger.leading].compactMap({ starts[$0] }).min() else { return false }
        return [key, ledger.leading].contains { ledger.renditions[$0]?.hasGap(since: start) ?? false }
    }

    func covers(_ finding: PlaylistFinding, in key: RenditionKey) -> Bool {
        switch finding.rule {
        case 821: isMissed(finding.message, in: key)
        // Joints that came to lie apart behind a gap are told as other numbers. The content is always compared, and has no excuse:
        // ``SessionHistory/checkAcross(_:)``.
        case 504, 508: hasNoCommonTime || misses(key) || unforeseen.contains(key)
        case 1106, 1115: hasNoCommonTime || misses(key) || unforeseen.contains(key) || hasCut
        default: false
        }
    }

    // MARK: - Date ranges

    /// What one of two renditions lacks of the other's date ranges it cannot have. Nothing excuses attributes that differ.
    private func isMissed(_ message: String, in key: RenditionKey) -> Bool {
        guard !message.hasPrefix("no date ranges here") else {
            return lines(of: ledger.leading).allSatisfy { isMissed($0.id, of: ledger.leading, in: key) }
        }
        guard message.hasPrefix("date range "), let id = message.split(separator: "\"").dropFirst().first else {
            return false
        }
        return message.hasSuffix("is missing")
            ? isMissed(String(id), of: ledger.leading, in: key) : isMissed(String(id), of: key, in: ledger.leading)
    }

    private func lines(of key: RenditionKey) -> [HeldDateRanges.Line] { ledger.renditions[key]?.dateRanges.lines ?? [] }

    /// The segment that brings a date range is not listed there yet, which may be the one before or behind; or it is the leading rendition
    /// that lacks it, and has never seen that segment: of other renditions it takes none.
    private func isMissed(_ id: String, of other: RenditionKey, in key: RenditionKey) -> Bool {
        guard let rendition = ledger.renditions[key], let edge = rendition.edge, let end = ends[key],
            let line = lines(of: other).first(where: { $0.id == id })
        else { return false }
        if line.time.advanced(by: rendition.targetDuration) > min(edge, end) { return true }
        // Origins that write date ranges in video alone are many: of audio that has brought none nothing tells that it has any.
        if !rendition.dateRanges.isUsed, !key.isVariant { return true }
        return key == ledger.leading && isUnseen(line.time, in: rendition)
    }

    private func isUnseen(_ time: DateTime, in rendition: RenditionLedger) -> Bool {
        zip(rendition.segments, rendition.segments.dropFirst()).contains { before, after in
            after.isBehindGap(before) && time.advanced(by: rendition.targetDuration) > before.end
                && time < after.time.advanced(by: rendition.targetDuration)
        }
    }
}
