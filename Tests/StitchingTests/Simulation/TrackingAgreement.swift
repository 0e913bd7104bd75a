import HLS

@testable import Stitching

/// What players are told of breaks is what the leading rendition's playlist shows of them: each ad at its number and date, with the
/// lengths of what is listed.
struct TrackingAgreement {
    let session: StitchingSession
    let ledger: BreakLedger

    func check(_ answer: StitchedPlaylist, _ key: RenditionKey) throws {
        guard key == ledger.leading,
            answer.entries.contains(where: { if case .fill = $0.source { true } else { false } })
        else { return }
        let told = session.stitchedBreaks(in: ledger, since: answer.entries.first?.time)
            .reduce(into: [BreakID: StitchedBreak]()) { $0[$1.breakID] = $1 }
        var sums: [BreakID: (first: FillReference, duration: Duration)] = [:]
        for entry in answer.entries {
            guard case .fill(let reference) = entry.source else { continue }
            guard let pod = told[reference.breakID] else {
                throw TimelineRun.Violation(rule: "tracking", text: "\(reference.breakID) is listed and not told")
            }
            let before = sums[reference.breakID]
            if reference.segment == 0, let ad = pod.ads.first(where: { $0.index == reference.ad }) {
                try expect(ad.start.number == entry.number, "number \(entry.number)", ad.start, entry)
                try expect(ad.start.date == entry.date, "date", ad.start, entry)
                if let before, before.first.segment == 0, before.first.ad == pod.ads.first?.index {
                    let start = pod.ads.first?.start.time ?? .zero
                    try expect(
                        ad.start.time - start == before.duration, "\(before.duration) before it", ad.start, entry)
                }
            }
            sums[reference.breakID] = (before?.first ?? reference, (before?.duration ?? .zero) + entry.duration)
            try expect(
                sums[reference.breakID].map { $0.duration <= pod.duration } ?? true, "more than \(pod.duration)",
                pod.start, entry)
        }
        for (id, sum) in sums {
            guard let pod = told[id], pod.isSettled, sum.first == FillReference(breakID: id, ad: 0, segment: 0),
                case .content? = answer.entries.last?.source
            else { continue }
            guard sum.duration == pod.duration else {
                throw TimelineRun.Violation(rule: "tracking", text: "\(id): \(sum.duration), told \(pod.duration)")
            }
        }
    }

    private func expect(
        _ holds: Bool, _ what: String, _ told: StitchedBreak.Position, _ entry: StitchedPlaylist.Entry
    ) throws {
        guard !holds else { return }
        throw TimelineRun.Violation(rule: "tracking", text: "\(what): \(entry), told \(told)")
    }
}
