import HLS

/// When and how a simulated origin begins to count anew.
struct SimulatedEpoch {
    enum Kind: CaseIterable {
        /// The encoder starts again: other numbers and addresses, nothing listed of before.
        case restart
        /// The numbers leap, and all else goes on.
        case jump
        /// Another origin takes its place: other numbers and addresses for the same content.
        case failover
    }

    var kind: Kind
    var start: Duration
    /// Of the addresses.
    var folder = ""
    /// By track: what is added to the numbers.
    var numberShifts: [Int64] = []
    var discontinuityBase: Int

    /// None for most origins, else one or two.
    static func draw(length: Duration, hasDates: Bool, _ generator: inout SeededGenerator) -> [SimulatedEpoch] {
        guard generator.chance(35) else { return [] }
        return (0..<(generator.chance(30) ? 2 : 1)).map { index in
            // Without dates nothing tells what of another origin was seen already, nor, in a rendition that is first seen then,
            // where its numbers leapt.
            let kinds: [Kind] = hasDates ? Kind.allCases : [.restart]
            return SimulatedEpoch(
                kind: generator.pick(kinds),
                start: length * Int.random(in: (index == 0 ? 25...55 : 60...85), using: &generator) / 100,
                discontinuityBase: generator.pick([0, 0, 7]))
        }
    }
}
