/// A place in a playlist where a URI stands: a URI line or the value of an attribute.
package struct PlaylistURI: Sendable {
    /// The tag whose URI it is; for a URI line of a multivariant playlist EXT-X-STREAM-INF is not named but `.uri` is.
    package let kind: TagKind
    package let line: PlaylistLine
    /// The URI's text, without quotes.
    package let range: Range<Int>
    /// Whether quotes have to be put around a new text.
    let needsQuotes: Bool

    /// Every URI of a line, RFC 8216bis §4.4: rule 1210 has the list.
    static func forEach(
        in line: PlaylistLine, _ bytes: Span<UInt8>, _ body: (PlaylistURI) -> Void
    ) {
        switch line.kind {
        case .uri:
            body(PlaylistURI(kind: .uri, line: line, range: line.range, needsQuotes: false))
        case .key, .map, .part, .preloadHint, .renditionReport, .media, .iFrameStreamInformation,
            .imageStreamInformation, .sessionData, .sessionKey, .contentSteering, .dateRange:
            var scanner = AttributeScanner(line.valueRange(in: bytes))
            while let attribute = scanner.next(in: bytes) {
                guard isURI(bytes, attribute.name, of: line.kind), !attribute.value.isEmpty else { continue }
                body(
                    PlaylistURI(
                        kind: line.kind, line: line, range: attribute.value, needsQuotes: !attribute.isQuoted))
            }
        default: break
        }
    }

    private static func isURI(_ bytes: Span<UInt8>, _ name: Range<Int>, of kind: TagKind) -> Bool {
        switch kind {
        case .dateRange:
            bytes.equals("X-ASSET-URI", in: name) || bytes.equals("X-ASSET-LIST", in: name)
                || bytes.equals("X-URI", in: name)
        case .contentSteering: bytes.equals("SERVER-URI", in: name)
        default: bytes.equals("URI", in: name)
        }
    }

    /// The bytes of a playlist with every URI absolute; a rendition report's stays relative (rule 1006).
    static func resolved(_ source: [UInt8], _ lines: PlaylistLines, against base: BaseURI) -> [UInt8] {
        let bytes = source.span
        var output = PlaylistText(reservingBytes: source.count &+ source.count / 2)
        var position = 0
        for line in lines {
            if line.kind == .renditionReport { continue }
            forEach(in: line, bytes) { uri in
                output.append(source, in: position..<uri.range.lowerBound)
                if uri.needsQuotes { output.append(byte: 0x22) }
                base.appendResolved(source, in: uri.range, to: &output)
                if uri.needsQuotes { output.append(byte: 0x22) }
                position = uri.range.upperBound
            }
        }
        output.append(source, in: position..<source.count)
        return output.bytes
    }

    static func all(_ lines: some Sequence<PlaylistLine>, _ bytes: Span<UInt8>) -> [PlaylistURI] {
        var result: [PlaylistURI] = []
        for line in lines {
            forEach(in: line, bytes) { result.append($0) }
        }
        return result
    }
}

extension MediaPlaylist {
    /// Every URI of the playlist, in its order: segment lines, KEY, MAP, PART, PRELOAD-HINT, RENDITION-REPORT, and the
    /// asset URIs of date ranges.
    package var uris: [PlaylistURI] { PlaylistURI.all(lines, source.span) }

    /// The playlist's bytes with every URI absolute, resolved against the URI it was finally fetched from (rule 1210).
    /// All else stays byte for byte; `data:` and `skd:` URIs and rendition reports do too.
    package func resolvingURIs(against base: BaseURI) -> [UInt8] {
        PlaylistURI.resolved(source, lines, against: base)
    }
}

extension MultivariantPlaylist {
    /// Every URI of the playlist, in its order: variants, renditions, I-frame variants, session keys and data, steering.
    package var uris: [PlaylistURI] { PlaylistURI.all(lines, source.span) }

    /// The playlist's bytes with every URI absolute, resolved against the URI it was finally fetched from (rule 1210).
    package func resolvingURIs(against base: BaseURI) -> [UInt8] {
        PlaylistURI.resolved(source, lines, against: base)
    }

    /// The playlist's bytes with URIs replaced: `replacement` gets each with its text, and nil leaves it as it is.
    package func rewritten(_ replacement: (PlaylistURI, String) -> String?) -> [UInt8] {
        var editor = PlaylistEditor(self)
        for uri in uris {
            if let text = replacement(uri, source.text(in: uri.range)) { editor.replace(uri, with: text) }
        }
        return editor.applied()
    }
}
