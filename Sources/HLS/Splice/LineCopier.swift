/// Copies lines of a playlist with every URI absolute (rule 1210) and nothing else changed.
package struct LineCopier: Sendable {
    package let source: [UInt8]
    /// What URIs are resolved against; nil: they stay as they are.
    package let base: BaseURI?

    package init(_ source: [UInt8], base: BaseURI?) {
        self.source = source
        self.base = base
    }

    /// Appends the line; if it has no line end, one is added.
    package func append(_ line: PlaylistLine, to output: inout PlaylistText) {
        var position = line.fullRange.lowerBound
        if let base, line.kind != .renditionReport {
            PlaylistURI.forEach(in: line, source.span) { uri in
                output.append(source, in: position..<uri.range.lowerBound)
                if uri.needsQuotes { output.append(byte: 0x22) }
                base.appendResolved(source, in: uri.range, to: &output)
                if uri.needsQuotes { output.append(byte: 0x22) }
                position = uri.range.upperBound
            }
        }
        output.append(source, in: position..<line.fullRange.upperBound)
        if !output.endsLine { output.endLine() }
    }

    /// The text of the line, URIs absolute, without blanks around it and without its line end. A quote that a key leaves open is
    /// closed, so that an attribute can be put behind it.
    package func text(of line: PlaylistLine) -> [UInt8] {
        var output = PlaylistText()
        append(line, to: &output)
        let bytes = output.bytes
        let text = Array(bytes[bytes.span.trimmed(0..<bytes.count)])
        guard line.kind == .key, source.span.hasOpenQuote(in: line.valueRange(in: source)) else { return text }
        return text + [0x22]
    }
}
