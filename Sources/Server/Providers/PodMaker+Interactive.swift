package import VAST

extension PodMaker.Outcome {
    /// What operators should know of the interactive ads of the pod. Nothing of what these carry is in it (R-I9).
    var interactiveNotes: [String] {
        let shown = ads.compactMap(\.self)
        var notes = standsIn
        for (place, ad) in shown.enumerated() {
            guard let interactive = ad.interactive else { continue }
            let name = "\(ad.id ?? "ad") (\(interactive.name))"
            if interactive == .trueX, place > 0 {
                notes.append("\(name) is ad \(place + 1) of its pod: it is interactive as the first one only")
            }
            if ad.interactiveParameters == nil {
                notes.append("\(name) has no parameters that can be read: its film is all there is of it")
            }
        }
        return notes
    }
}

extension ResolvedAd {
    /// The parameters of an interactive ad, a JSON object: those of its companion, else those of its linear creative (R-I2).
    package var interactiveParameters: InteractiveParameters? {
        guard interactive != nil else { return nil }
        return interactiveCandidates.first { candidate in
            guard let value = try? JSON5Parser.parse(candidate.json) else { return false }
            if case .object = value.content { return true }
            return false
        }
    }
}
