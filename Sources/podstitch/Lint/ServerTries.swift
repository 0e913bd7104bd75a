import HLS
import Server

/// Tries what the server of a media playlist announces, once: rules 1007, 1008, 1011, 824 and 1114.
struct ServerTries: Sendable {
    let loader: any LintLoading
    let playbackID: String
    /// Those of the multivariant playlist.
    let variables: PlaylistVariables

    /// Asset lists asked for, of one playlist.
    private static let assetListLimit = 8
    /// Init sections tried, of one playlist.
    private static let mapLimit = 4

    /// - Parameter base: where the playlist was finally loaded from.
    func findings(_ playlist: MediaPlaylist, base: String) async -> [PlaylistFinding] {
        let plain = playlist.plain(importing: variables, uri: base)
        var findings = await resources(playlist, plain, base: base)
        findings += await deltaUpdate(playlist, base: base)
        findings += await blockingReload(playlist, base: base)
        findings += await assetLists(playlist, plain, base: base)
        return findings
    }

    private func blockingReload(_ playlist: MediaPlaylist, base: String) async -> [PlaylistFinding] {
        guard let lint = BlockingReloadLint(playlist) else { return [] }
        var findings: [PlaylistFinding] = []
        for probe in lint.probes where !Task.isCancelled {
            let load = await loader.load(LintURL.adding(probe.parameters, to: base), timeout: probe.timeout)
            if case .cancelled = load { break }
            if let finding = lint.finding(probe, Self.answer(load)) { findings.append(finding) }
        }
        return findings
    }

    private func deltaUpdate(_ playlist: MediaPlaylist, base: String) async -> [PlaylistFinding] {
        guard let lint = DeltaUpdateLint(playlist), !Task.isCancelled else { return [] }
        let load = await loader.load(LintURL.adding(DeltaUpdateLint.parameters, to: base), timeout: nil)
        return Self.answer(load).map { lint.findings($0) } ?? []
    }

    private func assetLists(
        _ playlist: MediaPlaylist, _ plain: MediaPlaylist, base: String
    ) async -> [PlaylistFinding] {
        let references = AssetListLint.references(in: plain, base: base, primaryID: playbackID)
        guard !references.isEmpty else { return [] }
        // Definitions are gone from the plain playlist, and lines with them.
        let lines = Self.lineNumbers(of: .dateRange, in: playlist)
        let plainLines = Self.lineNumbers(of: .dateRange, in: plain)
        var findings: [PlaylistFinding] = []
        for reference in references.prefix(Self.assetListLimit) where !Task.isCancelled {
            let load = await loader.load(reference.url, timeout: nil)
            if case .cancelled = load { break }
            var reference = reference
            if let index = plainLines.firstIndex(of: reference.line), lines.indices.contains(index) {
                reference.line = lines[index]
            }
            findings += AssetListLint.findings(reference, Self.answer(load))
        }
        return findings
    }

    /// The oldest and the newest segment, and the init sections.
    private func resources(
        _ playlist: MediaPlaylist, _ plain: MediaPlaylist, base: String
    ) async -> [PlaylistFinding] {
        let baseURI = BaseURI(base)
        var places: [(text: Range<Int>, original: Range<Int>)] = []
        for (map, original) in zip(plain.maps, playlist.maps).prefix(Self.mapLimit) {
            places.append((map.uri, original.uri))
        }
        // A line that is a tag only once its variables are replaced makes segments where the playlist as it came has none.
        let count = plain.segments.count == playlist.segments.count ? plain.segments.count : 0
        for index in Set([0, count - 1]).sorted() where index >= 0 && index < count {
            let segment = plain.segments[index]
            if !segment.isGap { places.append((segment.uri, playlist.segments[index].uri)) }
        }
        var findings: [PlaylistFinding] = []
        for (text, original) in places where !Task.isCancelled {
            let url = baseURI.resolve(plain.text(text))
            guard LintURL.isWeb(url), let problem = await loader.problem(with: url) else { continue }
            findings.append(
                PlaylistFinding(
                    rule: 1114, line: playlist.lineNumber(at: original.lowerBound), severity: .error,
                    message: "\(redactedURL(url)) cannot be loaded: \(problem)"))
        }
        return findings
    }

    private static func lineNumbers(of kind: TagKind, in playlist: MediaPlaylist) -> [Int] {
        playlist.lines.enumerated().compactMap { $0.element.kind == kind ? $0.offset + 1 : nil }
    }

    private static func answer(_ load: LintLoad) -> LintAnswer? {
        guard case .loaded(_, _, let answer) = load else { return nil }
        return answer
    }
}
