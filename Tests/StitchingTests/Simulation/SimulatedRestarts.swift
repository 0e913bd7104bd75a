import FoundationEssentials
import HLS

@testable import Stitching

/// Ends the process now and then: what was kept of a session and its ledger is all that goes on.
struct SimulatedRestarts {
    private var generator: SeededGenerator
    /// By viewer: what was kept when a pod last got a place or an end.
    private var kept: [Int: (milestones: Int, progress: StitchingSession.Progress)] = [:]

    init(seed: UInt64) { generator = SeededGenerator(seed: seed ^ 0x5DEE_CE66) }

    /// After an answer, sometimes puts in place of the session what another process makes of what was kept. It has to answer alike.
    mutating func restart(
        _ session: inout StitchingSession, _ viewer: Int, after playlist: StitchedPlaylist, of key: RenditionKey,
        ledger: inout BreakLedger
    ) throws {
        if kept[viewer]?.milestones != session.milestones {
            kept[viewer] = (session.milestones, session.progress)
        }
        guard generator.chance(15), let target = session.targetDuration, let progress = kept[viewer]?.progress else {
            return
        }
        let isWritten = generator.chance(2)
        if isWritten { ledger = try written(ledger) }
        var next = StitchingSession(settings: session.settings)
        next.begin(StitchingSession.Start(targetDuration: target, joinEdge: session.joinEdge))
        for (id, decision) in session.decisions { next.decide(decision, for: id) }
        // Pods are written with their decisions, here not: the progress alone would bring its own copies.
        next.resume(progress)
        guard let again = next.stitch(key, ledger: ledger), again.bytes == playlist.bytes else {
            throw SimulatedViewer.Violation(description: "another process answers otherwise")
        }
        session = next
    }

    private func written<T: Codable>(_ value: T) throws -> T {
        try JSONDecoder().decode(T.self, from: JSONEncoder().encode(value))
    }
}
