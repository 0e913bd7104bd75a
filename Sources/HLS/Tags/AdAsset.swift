/// An EXT-X-ASSET: what names the content, for the ad request. Stands beside the CUE-OUT of the "enhanced" style.
package struct AdAsset: Hashable, Sendable {
    package let line: PlaylistLine
    /// The pairs as spelled.
    package let attributes: CueAttributes

    init(_ bytes: Span<UInt8>, line: PlaylistLine) {
        self.line = line
        attributes = CueAttributes(bytes, in: line.valueRange(in: bytes))
    }

    /// CAID, the content's id: hexadecimal digits after `0x`, mostly those of an AiringID.
    package var contentID: String? { attributes["CAID"] }
    /// The bytes of CAID; nil where it is not hexadecimal.
    package var contentIDBytes: [UInt8]? { contentID.flatMap(HexadecimalText.decoded) }

    /// The value of a key with its percent escapes resolved, whatever the case of the key's letters.
    package subscript(_ name: String) -> String? { attributes[name].map(PercentText.decoded) }

    /// All pairs in their order, the percent escapes of the values resolved.
    package var pairs: [CueAttributes.Pair] {
        attributes.pairs.map { CueAttributes.Pair(name: $0.name, value: PercentText.decoded($0.value)) }
    }
}
