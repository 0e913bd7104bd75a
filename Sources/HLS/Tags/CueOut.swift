/// An EXT-X-CUE-OUT: a break begins with the next segment.
package struct CueOut: Hashable, Sendable {
    package let line: PlaylistLine
    /// The planned length; nil where it is not told. Zero, with an EXT-X-CUE-IN at once, is an empty break: a place to insert.
    package let duration: Duration?
    /// Everything else of the tag: BreakID and the like.
    package let attributes: CueAttributes

    /// What names the break, where the tag says it.
    package var id: String? { attributes.breakID }
    /// The splice information section of an SCTE35 attribute.
    package var scte35: [UInt8]? { attributes.base64("SCTE35") }

    /// Reads all spellings: `30.000`, `"30"`, `DURATION=30`, `Duration="30"`, `30.0,BreakID=7`, nothing; blanks allowed.
    init(_ bytes: Span<UInt8>, line: PlaylistLine) {
        self.line = line
        let attributes = CueAttributes(bytes, in: line.valueRange(in: bytes))
        self.attributes = attributes
        if let named = attributes.duration("DURATION") {
            duration = named
        } else if let first = attributes.pairs.first, first.name.isEmpty {
            duration = CueAttributes.duration(first.value)
        } else {
            duration = nil
        }
    }
}

/// An EXT-X-CUE-IN: content returns with the next segment.
package struct CueIn: Hashable, Sendable {
    package let line: PlaylistLine
    package let attributes: CueAttributes

    /// What names the break, where the tag says it.
    package var id: String? { attributes.breakID }
    /// The splice information section of an SCTE35 attribute.
    package var scte35: [UInt8]? { attributes.base64("SCTE35") }

    init(_ bytes: Span<UInt8>, line: PlaylistLine) {
        self.line = line
        attributes = CueAttributes(bytes, in: line.valueRange(in: bytes))
    }
}

extension CueAttributes {
    /// The break's name in the tags of the CUE-OUT family.
    var breakID: String? { self["BreakID"] ?? self["BREAK-ID"] ?? self["ID"] ?? self["CAID"] }
}
