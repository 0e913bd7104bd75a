import HLS
import Server

/// One playlist of a lint run over its loads.
struct LintedPlaylist: Sendable {
    enum Kind: String, Sendable {
        case multivariant, media
    }

    /// Where it is loaded from.
    let location: String
    /// The same for people: no queries but the user's own.
    let shown: String
    /// What it is in the multivariant playlist: "variant 1280x720".
    let name: String?
    /// The line that names it there.
    let referenceLine: Int
    var kind = Kind.media
    private(set) var loads = 0
    private(set) var versions = 0
    private(set) var findings = LintedFindings()
    /// The newest version that could be read, and the base of its references.
    private(set) var newest: (playlist: MediaPlaylist, base: String)?
    /// Whether the last load brought something new.
    private(set) var hasChanged = false
    private var reloads = ReloadLint()
    private var source: [UInt8]?

    init(location: String, shown: String, name: String? = nil, referenceLine: Int = 1) {
        self.location = location
        self.shown = shown
        self.name = name
        self.referenceLine = referenceLine
    }

    /// Takes over a load of a multivariant playlist.
    mutating func take(_ playlist: MultivariantPlaylist, answer: LintAnswer?) {
        kind = .multivariant
        loads += 1
        versions += 1
        findings.add(playlist.lint() + (answer.map { AnswerLint.findings($0, .multivariant(playlist)) } ?? []))
    }

    /// Takes over a load of a media playlist, done at `time` on a clock that never goes back.
    ///
    /// - Returns: why it could not be read; nil where it could.
    @discardableResult
    mutating func take(_ load: LintLoad, at time: Duration) -> PlaylistFinding? {
        guard case .loaded(let bytes, let base, let answer) = load else {
            guard case .failed(let reason) = load else { return nil }
            loads += 1
            hasChanged = false
            return PlaylistFinding(rule: 1114, line: 1, severity: .error, message: "cannot be loaded: \(reason)")
        }
        loads += 1
        hasChanged = bytes != source
        if let answer, answer.status != 200 {
            return AnswerLint.findings(answer, nil).first
        }
        let playlist: MediaPlaylist
        do throws(PlaylistError) {
            playlist = try MediaPlaylist(parsing: bytes)
        } catch {
            return AnswerLint.finding(error, fromWeb: answer != nil)
        }
        var found = answer.map { AnswerLint.findings($0, .media(playlist)) } ?? []
        let ofReload = reloads.receive(playlist, at: time)
        if hasChanged {
            versions += 1
            // What both see is told once; what one version only hints at, reloads prove.
            let proven = Set(ofReload.filter { $0.severity == .error }.map(\.rule))
            let ofVersion = playlist.lint().filter { $0.severity == .error || !proven.contains($0.rule) }
            let rules = Set(ofVersion.map(\.rule))
            found += ofVersion + ofReload.filter { !rules.contains($0.rule) || $0.rule >= 400 && $0.rule < 503 }
        } else {
            found += ofReload
        }
        source = bytes
        newest = (playlist, base)
        findings.add(found)
        return nil
    }

    mutating func add(_ found: [PlaylistFinding]) {
        findings.add(found)
    }

    /// How long a player waits before it loads a live playlist again, RFC 8216bis §6.3.4; nil where it does not.
    var reloadInterval: Duration? {
        guard let playlist = newest?.playlist else { return .seconds(2) }
        guard !playlist.hasEndList else { return nil }
        let target = Duration.seconds(min(max(playlist.targetDuration ?? 0, 1), 3_600))
        return hasChanged ? target : target / 2
    }
}

/// Findings of one playlist over its loads. What was found in an earlier load is counted, not listed again.
struct LintedFindings: Sendable {
    struct Entry: Sendable {
        var finding: PlaylistFinding
        /// In how many loads.
        var count: Int
    }

    private struct Key: Hashable {
        var rule: Int
        var message: String
    }

    private(set) var entries: [Entry] = []
    private(set) var omitted = 0
    private var known: [Key: Int] = [:]

    /// Findings kept of one playlist.
    static let limit = 1_024

    /// Takes over the findings of one load.
    mutating func add(_ findings: [PlaylistFinding]) {
        var counted: Set<Key> = []
        var fresh: [Key: Int] = [:]
        for finding in findings {
            let key = Key(rule: finding.rule, message: finding.message)
            if let index = known[key] {
                if counted.insert(key).inserted { entries[index].count += 1 }
                continue
            }
            guard entries.count < Self.limit else {
                omitted += 1
                continue
            }
            if fresh[key] == nil { fresh[key] = entries.count }
            entries.append(Entry(finding: finding, count: 1))
        }
        known.merge(fresh) { first, _ in first }
    }
}
