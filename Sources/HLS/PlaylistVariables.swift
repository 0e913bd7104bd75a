/// The variables of EXT-X-DEFINE, RFC 8216bis §4.3 and §4.4.2.3: read from one playlist, offered to those it leads to.
package struct PlaylistVariables: Hashable, Sendable {
    package private(set) var values: [String: [UInt8]] = [:]

    package init() {}

    package init(_ values: [String: String]) {
        self.values = values.mapValues { Array($0.utf8) }
    }

    /// Longest value. Values may name earlier variables, and would double with each definition.
    private static let valueLimit = 65_536

    /// The bytes of a playlist in plain text: references replaced in URI lines, quoted strings and hexadecimal sequences,
    /// definitions gone (rules 1201-1204). Reads the definitions on its way.
    mutating func substitute(
        _ source: [UInt8], _ lines: PlaylistLines, imported: PlaylistVariables, uri: String
    ) throws(PlaylistError) -> [UInt8] {
        let bytes = source.span
        let limit = source.count &* 16 &+ 1_048_576
        var output = PlaylistText(reservingBytes: source.count)
        var position = 0
        var number = 0
        for line in lines {
            number += 1
            switch line.kind {
            case .define:
                try define(line, source, imported: imported, uri: uri, number: number)
                output.append(source, in: position..<line.fullRange.lowerBound)
                position = line.fullRange.upperBound
            case .uri:
                try append(source, line.range, from: &position, to: &output, number: number)
            case .blank, .comment, .unknownTag, .segmentDuration, .programDateTime, .byteRange, .discontinuity:
                break
            default:
                var scanner = AttributeScanner(line.valueRange(in: bytes))
                while let attribute = scanner.next(in: bytes) {
                    guard attribute.isQuoted || bytes.matches("0x", at: attribute.value.lowerBound) else { continue }
                    try append(source, attribute.value, from: &position, to: &output, number: number)
                }
            }
            guard output.count <= limit else {
                throw PlaylistError(.tooLarge, line: number, detail: "variables make it too large")
            }
        }
        output.append(source, in: position..<source.count)
        return output.bytes
    }

    /// Appends the source up to `range`, and `range` with its references replaced.
    private func append(
        _ source: [UInt8], _ range: Range<Int>, from position: inout Int, to output: inout PlaylistText, number: Int
    ) throws(PlaylistError) {
        output.append(source, in: position..<range.lowerBound)
        position = range.lowerBound
        while let brace = source.span.firstIndex(of: 0x7B, in: position..<range.upperBound) {
            guard let reference = Self.reference(source.span, at: brace, end: range.upperBound) else {
                output.append(source, in: position..<brace + 1)
                position = brace + 1
                continue
            }
            let name = source.text(in: reference)
            guard let value = values[name] else {
                throw PlaylistError(.undefinedVariable, line: number, detail: "{$\(name)} is not defined before it")
            }
            output.append(source, in: position..<brace)
            output.append(value)
            position = reference.upperBound + 1
        }
        output.append(source, in: position..<range.upperBound)
        position = range.upperBound
    }

    /// The name of a reference `{$name}` whose brace stands at `start`.
    private static func reference(_ bytes: Span<UInt8>, at start: Int, end: Int) -> Range<Int>? {
        guard start + 3 < end, bytes[start + 1] == 0x24 else { return nil }
        for position in start + 2..<end {
            let byte = bytes[position]
            if byte == 0x7D { return position > start + 2 ? start + 2..<position : nil }
            guard byte.isASCIILetter || byte.isDigit || byte == 0x2D || byte == 0x5F else { return nil }
        }
        return nil
    }

    private mutating func define(
        _ line: PlaylistLine, _ source: [UInt8], imported: PlaylistVariables, uri: String, number: Int
    ) throws(PlaylistError) {
        let attributes = AttributeList(source, line: line)
        if let name = attributes["NAME"]?.text {
            let raw = attributes["VALUE"]?.range ?? 0..<0
            var position = raw.lowerBound
            var text = PlaylistText()
            try append(source, raw, from: &position, to: &text, number: number)
            // What `append` took from before the value is nothing: it began there.
            guard text.count <= Self.valueLimit else {
                throw PlaylistError(.tooLarge, line: number, detail: "value of a variable")
            }
            values[name] = text.bytes
        } else if let name = attributes["IMPORT"]?.text {
            guard let value = imported.values[name] else {
                throw PlaylistError(.undefinedVariable, line: number, detail: "nothing to import as \(name)")
            }
            values[name] = value
        } else if let name = attributes["QUERYPARAM"]?.text {
            guard let value = Self.queryParameter(name, of: Array(uri.utf8)) else {
                throw PlaylistError(.undefinedVariable, line: number, detail: "no query parameter \(name)")
            }
            values[name] = value
        }
    }

    /// The percent-decoded value of the first parameter of that name.
    private static func queryParameter(_ name: String, of uri: [UInt8]) -> [UInt8]? {
        guard let query = URIComponents(uri.span, in: 0..<uri.count).query else { return nil }
        for pair in uri[query].split(separator: 0x26) {
            let sign = pair.firstIndex(of: 0x3D) ?? pair.endIndex
            guard decoded(pair[..<sign]).elementsEqual(name.utf8) else { continue }
            return sign < pair.endIndex ? decoded(pair[(sign + 1)...]) : []
        }
        return nil
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var position = text.startIndex
        while position < text.endIndex {
            if text[position] == 0x25, text.endIndex - position > 2, let high = digit(text[position + 1]),
                let low = digit(text[position + 2])
            {
                result.append(high << 4 | low)
                position += 3
            } else {
                result.append(text[position])
                position += 1
            }
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        if byte.isDigit { return byte &- 0x30 }
        let letter = byte.loweredASCII &- 0x61
        return letter < 6 ? letter + 10 : nil
    }
}

extension MultivariantPlaylist {
    /// The playlist in plain text, without variables, and the variables that its media playlists may import. `uri` is where
    /// it was finally fetched from.
    package func substitutingVariables(
        uri: String
    ) throws(PlaylistError) -> (bytes: [UInt8], variables: PlaylistVariables) {
        guard !definitions.isEmpty else { return (source, PlaylistVariables()) }
        var variables = PlaylistVariables()
        let bytes = try variables.substitute(source, lines, imported: PlaylistVariables(), uri: uri)
        return (bytes, variables)
    }
}

extension MediaPlaylist {
    /// The playlist in plain text, without variables; to be read again with ``init(parsing:)``. `imported` are those of the
    /// multivariant playlist, `uri` is where this one was finally fetched from.
    package func substitutingVariables(
        imported: PlaylistVariables, uri: String
    ) throws(PlaylistError) -> [UInt8] {
        guard hasDefinitions else { return source }
        var variables = PlaylistVariables()
        return try variables.substitute(source, lines, imported: imported, uri: uri)
    }
}

extension MultivariantPlaylist {
    /// The playlist in plain text, and what its media playlists may import; itself where it defines nothing or refers to
    /// what is not defined.
    package func plain(uri: String) -> (playlist: MultivariantPlaylist, variables: PlaylistVariables) {
        guard !definitions.isEmpty, let (bytes, variables) = try? substitutingVariables(uri: uri),
            let playlist = try? MultivariantPlaylist(parsing: bytes)
        else { return (self, PlaylistVariables()) }
        return (playlist, variables)
    }
}

extension MediaPlaylist {
    /// The playlist in plain text; itself where it defines nothing or refers to what is not defined.
    package func plain(importing imported: PlaylistVariables, uri: String) -> MediaPlaylist {
        guard hasDefinitions, let bytes = try? substitutingVariables(imported: imported, uri: uri),
            let playlist = try? MediaPlaylist(parsing: bytes)
        else { return self }
        return playlist
    }
}
