/// An EXT-X-SCTE35 (SCTE 35 §12.2) or EXT-SCTE35 (SCTE 67): a splice information section and what it says, as attributes.
package struct SpliceTag: Hashable, Sendable {
    /// CUE-OUT: how a segment stands to the break.
    package enum CueOutState: String, Hashable, Sendable {
        case begins = "YES"
        case continues = "CONT"
        case none = "NO"
    }

    /// BLACKOUT.
    package enum Blackout: String, Hashable, Sendable {
        case yes = "YES"
        case no = "NO"
        case maybe = "MAYBE"
    }

    /// One segmentation UPID, `type:value`, both hexadecimal.
    package struct UPID: Hashable, Sendable {
        package let type: UInt8
        package let value: [UInt8]

        package init(type: UInt8, value: [UInt8]) {
            self.type = type
            self.value = value
        }
    }

    package let line: PlaylistLine
    package let attributes: CueAttributes

    init(_ bytes: Span<UInt8>, line: PlaylistLine) {
        self.line = line
        attributes = CueAttributes(bytes, in: line.valueRange(in: bytes))
    }

    /// CUE decoded: the splice information section. Quoted (typographic quotes too) or bare.
    package var section: [UInt8]? { attributes.base64("CUE") }
    package var id: String? { attributes["ID"] }
    /// TYPE, the segmentation type; decimal or hexadecimal.
    package var segmentationType: Int? { attributes.integer("TYPE") }
    /// DURATION: the break's length, or that of what the type names.
    package var duration: Duration? { attributes.duration("DURATION") }
    /// ELAPSED: what has passed of it before the next segment.
    package var elapsed: Duration? { attributes.duration("ELAPSED") }
    package var cueOut: EnumeratedValue<CueOutState>? { attributes.enumerated("CUE-OUT") }
    /// CUE-IN=YES: the break ends.
    package var isCueIn: Bool { attributes.enumerated("CUE-IN") == EnumeratedValue<SpliceTag.Answer>.known(.yes) }
    package var blackout: EnumeratedValue<Blackout>? { attributes.enumerated("BLACKOUT") }
    /// UPID as spelled.
    package var upidText: String? { attributes["UPID"] }
    /// UPID taken apart; nil where it has another form.
    package var upid: UPID? {
        guard let text = attributes["UPID"], let colon = text.utf8.firstIndex(of: 0x3A),
            let type = HexadecimalText.decoded(String(text[..<colon])), type.count == 1,
            let value = HexadecimalText.decoded(String(text[text.utf8.index(after: colon)...]))
        else { return nil }
        return UPID(type: type[0], value: value)
    }
    /// SEGNE, `number:expected`: which of how many segments of the break it is.
    package var segmentNumber: (number: Int, expected: Int)? {
        guard let text = attributes["SEGNE"], let colon = text.utf8.firstIndex(of: 0x3A),
            let number = Int(text[..<colon]), let expected = Int(text[text.utf8.index(after: colon)...]),
            number >= 0, expected >= 0
        else { return nil }
        return (number, expected)
    }
    /// TIME as a point on the wall clock.
    package var date: DateTime? { attributes["TIME"].flatMap { DateTime($0) } }
    /// TIME as a count of seconds.
    package var time: Duration? { attributes.duration("TIME") }

    /// CUE-OUT and CUE-IN say what it is; without them it only tells of something inside or outside a break.
    package var meaning: AdSignal.Meaning {
        switch cueOut {
        case .known(.begins): .begins
        case .known(.continues): .continues
        default: isCueIn ? .ends : .information
        }
    }

    /// YES or NO.
    private enum Answer: String, Hashable, Sendable {
        case yes = "YES"
        case no = "NO"
    }
}

extension CueAttributes {
    /// The value of a key as an enumerated string; letters of either case are equal.
    func enumerated<Known>(_ name: String) -> EnumeratedValue<Known>? {
        guard let text = self[name] else { return nil }
        if let value = Known(rawValue: text.uppercased()) { return .known(value) }
        return .unknown(text)
    }
}
