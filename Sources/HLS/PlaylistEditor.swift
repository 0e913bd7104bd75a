/// Collects edits of a playlist and makes the new bytes: what is not edited stays byte for byte.
package struct PlaylistEditor: Sendable {
    private struct Edit {
        var range: Range<Int>
        var text: [UInt8]
        /// Edits at one place keep the order they were made in.
        var order: Int
    }

    private let source: [UInt8]
    private var edits: [Edit] = []
    /// Attributes to take out, by where their line begins.
    private var removals: [Int: Removal] = [:]

    private struct Removal {
        let line: PlaylistLine
        var names: Set<String> = []
    }

    /// An editor of the bytes that lines and ranges point into.
    package init(_ source: [UInt8]) {
        self.source = source
    }

    package init(_ playlist: MediaPlaylist) { self.init(playlist.source) }
    package init(_ playlist: MultivariantPlaylist) { self.init(playlist.source) }

    /// Replaces a part of the bytes.
    package mutating func replace(_ range: Range<Int>, with text: String) {
        replace(range, with: Array(text.utf8))
    }

    package mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) {
        edits.append(Edit(range: range.clamped(to: 0..<source.count), text: bytes, order: edits.count))
    }

    /// Removes a line with its terminator.
    package mutating func remove(_ line: PlaylistLine) {
        replace(line.fullRange, with: [UInt8]())
    }

    /// Removes a variant: its tag and its URI line, each with the comments and unknown tags right before it (rule 109).
    package mutating func remove(_ variant: Variant) {
        removeWithClinging(variant.line)
        if let uriLine = variant.uriLine { removeWithClinging(uriLine) }
    }

    /// Removes a rendition's tag with the comments and unknown tags right before it (rule 109).
    package mutating func remove(_ rendition: Rendition) {
        removeWithClinging(rendition.line)
    }

    private mutating func removeWithClinging(_ line: PlaylistLine) {
        let clinging = PlaylistLines.clingingRange(to: line, in: source)
        if !clinging.isEmpty { replace(clinging, with: [UInt8]()) }
        remove(line)
    }

    /// Puts lines (each with its terminator) before a line.
    package mutating func insert(_ lines: String, before line: PlaylistLine) {
        replace(line.fullRange.lowerBound..<line.fullRange.lowerBound, with: lines)
    }

    /// Replaces the text of a URI that ``MediaPlaylist/uris`` or ``MultivariantPlaylist/uris`` named.
    package mutating func replace(_ uri: PlaylistURI, with text: String) {
        replace(uri, with: Array(text.utf8))
    }

    package mutating func replace(_ uri: PlaylistURI, with text: [UInt8]) {
        // A URI attribute without its quotes gets them: the new text may hold a comma.
        replace(uri.range, with: uri.needsQuotes ? [0x22] + text + [0x22] : text)
    }

    /// Replaces the value of an attribute, quotes included where it needs them (`"a,b"`, `YES`, `12`), or appends the
    /// attribute to the line.
    package mutating func setAttribute(_ name: String, to value: String, in line: PlaylistLine) {
        guard let found = attribute(name, in: line) else {
            let list = line.valueRange(in: source)
            let hasColon = source.span.firstIndex(of: 0x3A, in: line.range) != nil
            var separator = hasColon ? (list.isEmpty ? "" : ",") : ":"
            if source.span.hasOpenQuote(in: list) { separator = "\"" + separator }
            replace(list.upperBound..<list.upperBound, with: separator + name + "=" + value)
            return
        }
        let start = found.isQuoted ? found.value.lowerBound - 1 : found.value.lowerBound
        replace(start..<found.whole.upperBound, with: value)
    }

    /// Removes an attribute, and the comma between it and another.
    package mutating func removeAttribute(_ name: String, in line: PlaylistLine) {
        removals[line.fullRange.lowerBound, default: Removal(line: line)].names.insert(name)
    }

    /// The edits that take attributes out of a line: each run of them up to the attribute after it, and the last one from
    /// the attribute before it, so that no comma is left over.
    private func edits(of removal: Removal) -> [Range<Int>] {
        let bytes = source.span
        let list = removal.line.valueRange(in: bytes)
        var ranges: [Range<Int>] = []
        var start: Int?
        var keptEnd = list.lowerBound
        var scanner = AttributeScanner(list)
        while let attribute = scanner.next(in: bytes) {
            if removal.names.contains(bytes.string(attribute.name)) {
                start = start ?? attribute.whole.lowerBound
            } else {
                if let start { ranges.append(start..<attribute.whole.lowerBound) }
                start = nil
                keptEnd = attribute.whole.upperBound
            }
        }
        if start != nil { ranges.append(keptEnd..<list.upperBound) }
        return ranges
    }

    private func attribute(_ name: String, in line: PlaylistLine) -> AttributeScanner.Attribute? {
        let bytes = source.span
        var scanner = AttributeScanner(line.valueRange(in: bytes))
        while let attribute = scanner.next(in: bytes) {
            if bytes.string(attribute.name) == name { return attribute }
        }
        return nil
    }

    /// The new bytes. Of edits that overlap the one that begins first holds, and of those at one place the one made first;
    /// insertions at one place are all kept.
    package func applied() -> [UInt8] {
        guard !edits.isEmpty || !removals.isEmpty else { return source }
        var sorted = edits
        for range in removals.values.flatMap(edits) {
            sorted.append(Edit(range: range, text: [], order: sorted.count))
        }
        sorted.sort { left, right in
            // Insertions come before what replaces the text at their place.
            (left.range.lowerBound, left.range.isEmpty ? 0 : 1, left.order)
                < (right.range.lowerBound, right.range.isEmpty ? 0 : 1, right.order)
        }
        var output = PlaylistText(reservingBytes: source.count + edits.reduce(0) { $0 + $1.text.count })
        var position = 0
        for edit in sorted where edit.range.lowerBound >= position {
            output.append(source, in: position..<edit.range.lowerBound)
            output.append(edit.text)
            position = edit.range.upperBound
        }
        output.append(source, in: position..<source.count)
        return output.bytes
    }
}
