import HLS

extension BreakLedger {
    /// Those of some renditions that have to be looked at though nobody asks for them now: what they last showed is about to leave
    /// the origin's window, or was never seen.
    ///
    /// Where pods stand in a rendition is found on its own segments; those that went by unseen cannot be found again.
    package func renditionsToWatch(among keys: [RenditionKey]) -> [RenditionKey] {
        guard settings.kind == .live, let leading = renditions[leading], !leading.hasEnded, let edge = leading.edge,
            let start = leading.windowStartTime
        else { return [] }
        let middle = start.advanced(by: start.duration(to: edge) / 2)
        return keys.filter { key in renditions[key]?.edge.map { $0 < middle } ?? true }
    }
}
