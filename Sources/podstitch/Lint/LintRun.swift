import HLS
import Server
import Transport

/// Checks what a `lint` command names: loads it, follows a multivariant playlist to its media playlists, tries what servers
/// announce, and loads again as often as was asked. Cancelling the task ends it with what was found so far.
struct LintRun {
    let arguments: LintArguments
    let loader: any LintLoading
    let time: any TimeSource
    /// Names this run's playback where players would name theirs.
    var playbackID = "podstitch-lint"

    private var playlists: [LintedPlaylist] = []
    /// As it came.
    private var multivariant: MultivariantPlaylist?
    /// Where it was finally loaded from.
    private var base = ""
    /// The media playlists that it leads to, those of `playlists` after the first.
    private var references: [MediaPlaylistReference] = []
    private var variables = PlaylistVariables()

    /// Requests on their way at one time.
    private static let requestLimit = 8
    /// Media playlists followed. A stream has fewer.
    private static let renditionLimit = 256

    init(_ arguments: LintArguments, loader: any LintLoading, time: any TimeSource) {
        self.arguments = arguments
        self.loader = loader
        self.time = time
    }

    mutating func run() async -> LintResult {
        let source = arguments.source ?? "-"
        let shown = source == "-" ? "standard input" : source
        let load = await loader.load(source, timeout: nil)
        var first = LintedPlaylist(location: source, shown: shown)
        if case .cancelled = load { return result(wasStopped: true) }
        if let problem = readSource(load, into: &first) {
            first.add([problem])
            playlists = [first]
            return result(isUnreadable: true)
        }
        playlists = [first]
        if let multivariant {
            guard arguments.followsRenditions else { return result() }
            follow(multivariant)
            await loadAll()
        }
        checkRenditions()
        await tryServers()
        for _ in 1..<max(arguments.loads, 1) {
            guard !Task.isCancelled, await pause() else { return result(wasStopped: true) }
            await loadAll()
            checkRenditions()
        }
        return result(wasStopped: Task.isCancelled)
    }

    /// Takes over the first load. Returns why it cannot be read; nil where it can.
    private mutating func readSource(_ load: LintLoad, into first: inout LintedPlaylist) -> PlaylistFinding? {
        guard case .loaded(let bytes, let base, let answer) = load else {
            guard case .failed(let reason) = load else { return nil }
            return PlaylistFinding(
                rule: LintURL.isWeb(first.location) ? 1501 : LintReport.omissionRule, line: 1, severity: .error,
                message: "cannot be read: \(reason)")
        }
        if let answer, answer.status != 200 { return AnswerLint.findings(answer, nil).first }
        do throws(PlaylistError) {
            switch try Playlist(parsing: bytes) {
            case .media: return first.take(load, at: time.monotonic())
            case .multivariant(let playlist):
                first.take(playlist, answer: answer)
                multivariant = playlist
                self.base = base
                return nil
            }
        } catch {
            return AnswerLint.finding(error, fromWeb: answer != nil)
        }
    }

    // MARK: Media playlists

    /// Lists the media playlists that a multivariant playlist leads to, each once.
    private mutating func follow(_ source: MultivariantPlaylist) {
        let multivariant: MultivariantPlaylist
        (multivariant, variables) = source.plain(uri: base)
        let hasPlace = !base.isEmpty
        // A web page or playlist has no business on the local disk.
        let isWeb = LintURL.isWeb(base)
        let base = BaseURI(base)
        // Definitions are gone from the plain playlist, and lines with them.
        let original = source.mediaPlaylistReferences
        let plain = multivariant.mediaPlaylistReferences
        let names = Self.names(multivariant)
        var seen: Set<String> = []
        for (index, reference) in plain.enumerated() {
            guard references.count < Self.renditionLimit else {
                playlists[0].add([
                    PlaylistFinding(
                        rule: LintReport.omissionRule, line: reference.line, severity: .note,
                        message: "only \(Self.renditionLimit) of the media playlists are checked")
                ])
                break
            }
            let location = base.resolve(reference.uri)
            // What came on standard input is nowhere, so what it names relative to itself cannot be found.
            guard hasPlace || URIReference.isAbsolute(location), LintURL.isWeb(location) || !isWeb,
                seen.insert(location).inserted
            else { continue }
            let line = original.count == plain.count ? original[index].line : reference.line
            references.append(MediaPlaylistReference(uri: reference.uri, kind: reference.kind, line: line))
            playlists.append(
                LintedPlaylist(
                    location: location, shown: redactedURL(location), name: names[reference.uri], referenceLine: line))
        }
    }

    /// What the multivariant playlist calls its media playlists, by URI.
    private static func names(_ multivariant: MultivariantPlaylist) -> [String: String] {
        var names: [String: String] = [:]
        func size(_ variant: Variant) -> String {
            variant.resolution.map { "\($0)" } ?? variant.bandwidth.map { "\($0) bit/s" } ?? ""
        }
        for variant in multivariant.variants where names[variant.uri] == nil {
            names[variant.uri] = "variant \(size(variant))"
        }
        for variant in multivariant.iFrameVariants where names[variant.uri] == nil {
            names[variant.uri] = "I-frames \(size(variant))"
        }
        for rendition in multivariant.renditions {
            guard let uri = rendition.uri, names[uri] == nil else { continue }
            let type = rendition.attributes["TYPE"]?.text.lowercased() ?? "rendition"
            names[uri] = "\(type) \(rendition.groupID)/\(rendition.name)"
        }
        return names
    }

    private var mediaIndices: [Int] { playlists.indices.filter { playlists[$0].kind == .media } }

    private mutating func loadAll() async {
        let indices = mediaIndices
        let loader = loader
        let time = time
        let loads = await inParallel(indices.map { playlists[$0].location }, limit: Self.requestLimit) { location in
            (await loader.load(location, timeout: nil), time.monotonic())
        }
        for (index, (load, moment)) in zip(indices, loads) {
            guard let problem = playlists[index].take(load, at: moment) else { continue }
            // Where a rendition cannot be had from the start, the line that leads to it is wrong.
            if multivariant != nil, playlists[index].newest == nil {
                let message =
                    "\(playlists[index].name ?? "media playlist") \(playlists[index].shown): \(problem.message)"
                // Saved multivariant playlists often stand without the others.
                let severity: PlaylistFinding.Severity = LintURL.isWeb(playlists[index].location) ? .error : .warning
                playlists[0].add([
                    PlaylistFinding(
                        rule: 1114, line: playlists[index].referenceLine, severity: severity, message: message)
                ])
            } else {
                playlists[index].add([problem])
            }
        }
    }

    /// Waits until the next load is due; false when the run was stopped meanwhile.
    private func pause() async -> Bool {
        let indices = mediaIndices
        let due = indices.compactMap { playlists[$0].reloadInterval }.max()
        // An ended playlist is not loaded again by players; here it is, to see that it stays.
        let usual = indices.compactMap { playlists[$0].newest?.playlist.targetDuration }.max() ?? 2
        let interval = arguments.interval ?? due ?? .seconds(min(max(usual, 1), 10))
        do {
            try await time.sleep(for: interval)
            return true
        } catch {
            return false
        }
    }

    // MARK: Rules over several playlists, and what servers announce

    private mutating func checkRenditions() {
        guard let multivariant else { return }
        var sources: [RenditionsLint.Source] = []
        var indices: [Int] = []
        // Those that are not there have been told of, with the reason.
        for (index, reference) in zip(mediaIndices, references) {
            guard let (playlist, base) = playlists[index].newest else { continue }
            indices.append(index)
            sources.append(RenditionsLint.Source(reference, url: base, playlist: playlist))
        }
        for found in RenditionsLint(multivariant, url: base, sources: sources).findings() {
            playlists[found.source.map { indices[$0] } ?? 0].add([found.finding])
        }
    }

    /// Asks for what playlists announce: blocking reloads, delta updates, asset lists, and some of the resources they name.
    private mutating func tryServers() async {
        let indices = mediaIndices.filter { LintURL.isWeb(playlists[$0].location) && playlists[$0].newest != nil }
        let subjects = indices.compactMap { index in
            playlists[index].newest.map { (index, $0.playlist, $0.base) }
        }
        let tries = ServerTries(loader: loader, playbackID: playbackID, variables: variables)
        let found = await inParallel(subjects, limit: Self.requestLimit) { index, playlist, base in
            (index, await tries.findings(playlist, base: base))
        }
        for (index, findings) in found { playlists[index].add(findings) }
    }

    // MARK: The result

    private func result(isUnreadable: Bool = false, wasStopped: Bool = false) -> LintResult {
        LintResult(arguments, playlists, isUnreadable: isUnreadable, wasStopped: wasStopped)
    }
}
