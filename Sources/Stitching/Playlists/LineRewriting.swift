package import HLS

/// Copies lines of an upstream playlist with every URI absolute (rule 1210) and nothing else changed.
struct LineCopier {
    let source: [UInt8]
    let base: BaseURI

    /// Appends the line; if it has no line end, one is added unless `keepsMissingEnd`.
    func append(_ line: PlaylistLine, to output: inout PlaylistText, keepsMissingEnd: Bool = false) {
        switch line.kind {
        case .uri:
            output.append(source, in: line.fullRange.lowerBound..<line.range.lowerBound)
            base.appendResolved(source, in: line.range, to: &output)
            output.append(source, in: line.range.upperBound..<line.fullRange.upperBound)
        case .key, .map, .part, .preloadHint, .sessionKey, .sessionData, .media, .iFrameStreamInformation,
            .imageStreamInformation, .contentSteering, .dateRange:
            appendResolvingAttributes(line, to: &output)
        default:
            output.append(source, in: line.fullRange)
        }
        if !keepsMissingEnd, output.bytes.last != 0x0A { output.endLine() }
    }

    /// The text of the line, URIs absolute, without blanks around it and without its line end.
    func text(of line: PlaylistLine) -> [UInt8] {
        var output = PlaylistText()
        append(line, to: &output)
        var bytes = output.bytes
        while let last = bytes.last, last == 0x0A || last == 0x0D || last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }

    private func appendResolvingAttributes(_ line: PlaylistLine, to output: inout PlaylistText) {
        var copied = line.fullRange.lowerBound
        for attribute in AttributeList(source, line: line) where Self.holdsURI(attribute.name) {
            let value = attribute.value.range
            guard value.lowerBound >= copied, !value.isEmpty else { continue }
            output.append(source, in: copied..<value.lowerBound)
            if !attribute.value.isQuoted { output.append(byte: 0x22) }
            base.appendResolved(source, in: value, to: &output)
            if !attribute.value.isQuoted { output.append(byte: 0x22) }
            copied = value.upperBound
        }
        output.append(source, in: copied..<line.fullRange.upperBound)
    }

    private static func holdsURI(_ name: String) -> Bool {
        switch name {
        case "URI", "X-ASSET-URI", "X-ASSET-LIST", "X-URI", "SERVER-URI": true
        default: false
        }
    }
}

/// A playlist as the origin has it, URIs absolute: what a session without ads is served.
package enum PassthroughPlaylist {
    /// All lines of a media playlist, byte for byte but for URLs.
    package static func bytes(of playlist: MediaPlaylist, at url: String) -> [UInt8] {
        playlist.resolvingURIs(against: BaseURI(url))
    }

    /// The same as an answer. Nil where bytes alone would promise what a server in between does not keep: low-latency
    /// delivery (rules 1006, 1011).
    package static func playlist(_ playlist: MediaPlaylist, at url: String) -> StitchedPlaylist? {
        guard !playlist.isLowLatency, playlist.skippedSegments == 0 else { return nil }
        return StitchedPlaylist(bytes: bytes(of: playlist, at: url), entries: [], hasEnded: playlist.hasEndList)
    }
}
