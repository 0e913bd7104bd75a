/// An EXT-X-CUE of Adobe Primetime; Elemental writes it in its "Adobe" style.
package struct PrimetimeCue: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case spliceOut = "SpliceOut"
        case spliceIn = "SpliceIn"
        /// A point to insert at, written by an offline packager: nothing is replaced.
        case spliceInsert = "SpliceInsert"
    }

    package let line: PlaylistLine
    package let attributes: CueAttributes

    init(_ bytes: Span<UInt8>, line: PlaylistLine) {
        self.line = line
        attributes = CueAttributes(bytes, in: line.valueRange(in: bytes))
    }

    /// TYPE; letters of either case are equal. Nil where it is missing.
    package var kind: EnumeratedValue<Kind>? {
        guard let text = attributes["TYPE"] else { return nil }
        let folded = text.lowercased()
        let known = [Kind.spliceOut, .spliceIn, .spliceInsert].first { $0.rawValue.lowercased() == folded }
        return known.map(EnumeratedValue.known) ?? .unknown(text)
    }

    /// What the cues of one break share.
    package var id: String? { attributes["ID"] }
    /// The presentation time of the splice with the adjustment of the message, in seconds.
    package var time: Duration? { attributes.duration("TIME") }
    /// The planned length; zero in the tag means that it is not known, and a SpliceIn of the same id ends the break.
    package var duration: Duration? {
        guard let duration = attributes.duration("DURATION"), duration > .zero else { return nil }
        return duration
    }
    /// Which avail of the program it is; nil where it is not told, 0 for unused.
    package var availNumber: Int? { attributes.integer("AVAIL-NUM") }
    package var availsExpected: Int? { attributes.integer("AVAILS-EXPECTED") }
    package var programID: Int? { attributes.integer("PROGRAM-ID") }
    /// The time for which the cue is known before the splice.
    package var prerollTime: Duration? { attributes.duration("PRE-ROLL-TIME") }

    var meaning: AdSignal.Meaning {
        switch kind {
        case .known(.spliceOut): .begins
        case .known(.spliceIn): .ends
        case .known(.spliceInsert): .point
        case .unknown, nil: .information
        }
    }
}

/// An EXT-X-CUE-CONT of Adobe Primetime: the next segment lies inside the break of the EXT-X-CUE of the same id.
package struct PrimetimeCueContinued: Hashable, Sendable {
    package let line: PlaylistLine
    package let attributes: CueAttributes

    init(_ bytes: Span<UInt8>, line: PlaylistLine) {
        self.line = line
        attributes = CueAttributes(bytes, in: line.valueRange(in: bytes))
    }

    package var id: String? { attributes["ID"] }
    /// The time of the break that has passed before the next segment.
    package var elapsed: Duration? {
        attributes.duration("AVAIL-DUR-ELAPSED") ?? attributes.duration("ELAPSED")
    }
    /// The break's whole length, where the tag repeats it.
    package var duration: Duration? {
        attributes.duration("AVAIL-DURATION") ?? attributes.duration("DURATION")
    }
}
