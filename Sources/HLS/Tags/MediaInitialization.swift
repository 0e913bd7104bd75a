/// A part of a resource, in bytes from its start.
package struct ByteRange: Hashable, Sendable {
    package let offset: Int64
    package let length: Int64

    package init(offset: Int64, length: Int64) {
        self.offset = offset
        self.length = length
    }

    /// Nil for a range that no resource can have.
    init?(checkedOffset offset: Int64, length: Int64) {
        guard offset >= 0, length >= 0, !offset.addingReportingOverflow(length).overflow else { return nil }
        self.init(offset: offset, length: length)
    }

    /// The first byte after it. Cannot overflow: the reader refuses such ranges.
    package var end: Int64 { offset &+ length }

    /// `n[@o]`, blanks and quotes around it allowed.
    static func parse(_ bytes: Span<UInt8>, in range: Range<Int>) -> (length: Int64, offset: Int64?)? {
        var range = bytes.trimmed(range)
        if range.count >= 2, bytes[range.lowerBound] == 0x22, bytes[range.upperBound - 1] == 0x22 {
            range = range.lowerBound + 1..<range.upperBound - 1
        }
        guard let at = bytes.firstIndex(of: 0x40, in: range) else {
            return DecimalText.integer(bytes, in: range).map { ($0, nil) }
        }
        guard let length = DecimalText.integer(bytes, in: range.lowerBound..<at) else { return nil }
        // "n@" without an offset is read like "n".
        if bytes.trimmed(at + 1..<range.upperBound).isEmpty { return (length, nil) }
        guard let offset = DecimalText.integer(bytes, in: at + 1..<range.upperBound) else { return nil }
        return (length, offset)
    }
}

/// An EXT-X-MAP: the media initialization section of the segments after it, RFC 8216bis §4.4.4.5.
package struct MediaInitialization: Hashable, Sendable {
    package let line: PlaylistLine
    /// The text of its URI; empty where there is none.
    package let uri: Range<Int>
    package let byteRange: ByteRange?
    /// The keys in force at its place, which need not be those of the segments after it (rule 610).
    package let keys: [EncryptionKey]

    init(_ bytes: Span<UInt8>, line: PlaylistLine, keys: [EncryptionKey] = []) {
        var uri = line.range.upperBound..<line.range.upperBound
        var byteRange: ByteRange?
        var scanner = AttributeScanner(line.valueRange(in: bytes))
        while let attribute = scanner.next(in: bytes) {
            if bytes.equals("URI", in: attribute.name) {
                uri = attribute.value
            } else if bytes.equals("BYTERANGE", in: attribute.name) {
                // Without an offset (rule 701) the section is taken to begin the resource.
                byteRange = ByteRange.parse(bytes, in: attribute.value).flatMap {
                    ByteRange(checkedOffset: $0.offset ?? 0, length: $0.length)
                }
            }
        }
        self.line = line
        self.uri = uri
        self.byteRange = byteRange
        self.keys = keys
    }

    /// Whether players would decrypt it wrongly behind the keys of its segments: its own have to stand before it.
    package func isEncryptedOtherwise(than keys: [EncryptionKey], in source: [UInt8]) -> Bool {
        let own = self.keys.filter(\.isOfWholeResources)
        let theirs = keys.filter(\.isOfWholeResources)
        return own != theirs && !own.elementsEqual(theirs) { source[$0.line.range] == source[$1.line.range] }
    }
}
