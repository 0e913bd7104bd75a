// Keys that the multivariant playlist announces.
extension RenditionsLint {
    /// Rule 611: a session key is the one of the media playlists.
    func checkKeys(_ report: inout RenditionsReport) {
        guard let multivariant, !multivariant.sessionKeys.isEmpty else { return }
        let base = BaseURI(url)
        var announced: [String: [KeyDescription]] = [:]
        for key in multivariant.sessionKeys {
            let attributes = key.attributes(in: multivariant.source)
            guard let uri = attributes["URI"]?.text, key.method != .none else { continue }
            announced[base.resolve(uri), default: []].append(KeyDescription(attributes))
        }
        for (index, source) in sources.enumerated() {
            guard let playlist = source.playlist else { continue }
            checkKeys(playlist, source: index, base: BaseURI(source.url), announced, &report)
        }
    }

    private func checkKeys(
        _ playlist: MediaPlaylist, source: Int, base: BaseURI, _ announced: [String: [KeyDescription]],
        _ report: inout RenditionsReport
    ) {
        var seen: Set<String> = []
        for line in playlist.lines where line.kind == .key {
            let attributes = AttributeList(playlist.source, line: line)
            guard let text = attributes["URI"]?.text else { continue }
            let uri = base.resolve(text)
            // One URI can give the keys of several formats.
            guard let keys = announced[uri] else { continue }
            let mine = KeyDescription(attributes)
            guard !keys.prefix(64).contains(mine), seen.insert("\(uri)\n\(mine.text)").inserted, let first = keys.first
            else { continue }
            report.add(
                611, source: source, at: line.range.lowerBound,
                "the key is \(mine.text), but \(first.text) as EXT-X-SESSION-KEY")
        }
    }
}

/// What has to be the same of a key in both playlists.
private struct KeyDescription: Hashable {
    let method: String
    let format: String
    let versions: String

    init(_ attributes: AttributeList) {
        method = attributes["METHOD"]?.text ?? ""
        format = attributes["KEYFORMAT"]?.text ?? "identity"
        versions = attributes["KEYFORMATVERSIONS"]?.text ?? "1"
    }

    var text: String { "\(method.excerpt) of KEYFORMAT \(format.excerpt), versions \(versions.excerpt)" }
}
