internal import HLS
internal import Stitching
internal import Transport
internal import VAST

/// A decision as it is kept: with what its trackers tell of the break and the ads.
struct KeptDecision: Sendable, Codable {
    var decision: Decision
    var facts: BreakFacts?
    var macros: [AdMacroValues] = []
    /// What players are told of the ads, where they report themselves: in the order of the pod, nil for bumpers.
    var handouts: [AdHandout?]?
    /// What they are told besides.
    var breakHandout: BreakHandout?
}

/// A session as it is found in a store.
struct KeptSession: Sendable {
    var record: SessionRecord
    var start: StitchingSession.Start?
    /// Nil where they have not been found out.
    var ownBreaks: [ContentBreak]?
    var decisions: [BreakID: KeptDecision] = [:]
    var progress: StitchingSession.Progress?
    /// Where the timeline begins that its player counts on.
    var timelineStart: DateTime?
}

/// Sessions in a store: everything an answer depends on that is not in the channel's ledger, written before an answer shows it.
///
/// In a store that nobody else reads nothing is written: the sessions themselves are the memory.
struct SessionArchive: Sendable {
    var store: ResilientStore
    var time: any TimeSource
    var log: Log
    /// How long a session of a source lives without a request.
    var lifetime: @Sendable (SourceID) -> Duration
    let shelf = AdMediaShelf()

    struct StoredRecord: Codable {
        var startedAt: Int64
        var parameters: [String: String]
        var viewer: Viewer
        /// Nil for none.
        var origin: OriginParameters?
        /// Nil: the server.
        var tracking: SourceOptions.Tracking?

        init(_ record: SessionRecord) {
            startedAt = record.startedAt
            parameters = record.playerParameters
            viewer = record.viewer
            origin = record.originParameters.isEmpty ? nil : record.originParameters
            tracking = record.tellsPlayer ? record.tracking : nil
        }

        func record(_ key: SessionKey) -> SessionRecord {
            SessionRecord(
                key: key, startedAt: startedAt, playerParameters: parameters, viewer: viewer,
                originParameters: origin ?? OriginParameters(), tracking: tracking ?? .server)
        }
    }

    enum Name {
        static let record = "record"
        static let start = "start"
        static let breaks = "breaks"
        static let progress = "progress"
        static let timeline = "timeline"
        static let media = "media"
        static let decisions = "d/"
        static let requests = "r/"
    }

    var isShared: Bool { store.isShared }

    static func owner(_ key: SessionKey) -> String {
        "s/\(key.source.kind.rawValue)/\(key.source.name)/\(key.streamID.text)"
    }

    /// Of what is known of a stream ID alone.
    static func owner(streamID: StreamID) -> String { "i/\(streamID.text)" }

    static func owner(media name: String) -> String { "m/\(name)" }

    /// Sessions are not marked at every request, so they are let live a quarter longer.
    func expiry(_ key: SessionKey) -> Int64 {
        DateTime(nanoseconds: time.now()).advanced(by: lifetime(key.source) * 5 / 4).nanoseconds
    }

    // MARK: Reading

    /// What is kept of a session; nil where it has never been or has ended.
    func session(_ key: SessionKey) async -> KeptSession? {
        guard isShared else { return nil }
        let entries = await store.entries(of: Self.owner(key))
        guard let first = entries.first(where: { $0.name == Name.record }),
            let record: StoredRecord = value(first.value, "a record", of: key)
        else { return nil }
        var kept = KeptSession(record: record.record(key))
        for entry in entries {
            switch entry.name {
            case Name.start: kept.start = value(entry.value, "a start", of: key)
            case Name.breaks: kept.ownBreaks = value(entry.value, "a title's breaks", of: key)
            case Name.timeline: kept.timelineStart = value(entry.value, "a timeline's beginning", of: key)
            default: break
            }
        }
        kept.decisions = await decisions(in: entries, of: key)
        if let entry = entries.first(where: { $0.name == Name.progress }) {
            kept.progress = progress(entry.value, kept.decisions, of: key)
        }
        return kept
    }

    /// The sources that had a session of a stream ID. Whether it lives is another question.
    func sources(of streamID: StreamID) async -> Set<SourceID> {
        guard isShared else { return [] }
        let entries = await store.entries(of: Self.owner(streamID: streamID))
        return Set(
            entries.compactMap { entry in
                let parts = entry.name.split(separator: "/", maxSplits: 1).map(String.init)
                guard parts.count == 2, let kind = SourceKind(rawValue: parts[0]) else { return nil }
                return SourceID(kind: kind, name: parts[1])
            })
    }

    /// The decision that is kept for a break.
    func decision(for adBreak: BreakID, in key: SessionKey) async -> KeptDecision? {
        guard isShared else { return nil }
        let name = Name.decisions + adBreak.text
        guard let value = await store.value(of: name, of: Self.owner(key)) else { return nil }
        return await decision(value, of: key)
    }

    private func decisions(in entries: [StoreEntry], of key: SessionKey) async -> [BreakID: KeptDecision] {
        var decisions: [BreakID: KeptDecision] = [:]
        for entry in entries where entry.name.hasPrefix(Name.decisions) {
            let id = BreakID(String(entry.name.dropFirst(Name.decisions.utf8.count)))
            decisions[id] = await decision(entry.value, of: key)
        }
        return decisions
    }

    private func decision(_ bytes: [UInt8], of key: SessionKey) async -> KeptDecision? {
        for name in (try? StateNode.parse(bytes).root.externalNames) ?? [] where shelf.media(name) == nil {
            if let media = await store.value(of: Name.media, of: Self.owner(media: name)) {
                _ = shelf.put(media, as: name)
            }
        }
        let decoder = StateDecoder { type, name in type == AdMedia.self ? shelf.media(name) : nil }
        return value(bytes, "a decision", of: key, with: decoder)
    }

    private func progress(
        _ bytes: [UInt8], _ decisions: [BreakID: KeptDecision], of key: SessionKey
    ) -> StitchingSession.Progress? {
        let decoder = StateDecoder { type, name in type == Pod.self ? decisions[BreakID(name)]?.decision.pod : nil }
        return value(bytes, "a session's progress", of: key, with: decoder)
    }

    /// Nil for what another version has written, or what names media that are not there.
    private func value<Value: Decodable>(
        _ bytes: [UInt8], _ what: String, of key: SessionKey, with decoder: StateDecoder = StateDecoder()
    ) -> Value? {
        do {
            return try decoder.value(Value.self, from: bytes)
        } catch {
            log.error("store.unreadable", session: key.publicName, reason: "\(what): \(error)")
            return nil
        }
    }

    // MARK: Writing, the first of everything

    /// Keeps a new session. The record that holds: that of another process which was first.
    func create(_ record: SessionRecord) async -> SessionRecord {
        if isShared { await keepSource(of: record.key) }
        return await first(StoredRecord(record), Name.record, "a record", of: record.key).record(record.key)
    }

    func begin(_ start: StitchingSession.Start, _ key: SessionKey) async -> StitchingSession.Start {
        await first(start, Name.start, "a start", of: key)
    }

    /// Keeps where the timeline of a session begins.
    func beginTimeline(at start: DateTime, _ key: SessionKey) async -> DateTime {
        await first(start, Name.timeline, "a timeline's beginning", of: key)
    }

    /// Keeps the breaks that only this session has.
    func add(_ ownBreaks: [ContentBreak], _ key: SessionKey) async -> [ContentBreak] {
        await first(ownBreaks, Name.breaks, "a title's breaks", of: key)
    }

    /// Keeps a decision, unless there is one for this break already: then that one is returned. Where it cannot be read the break
    /// is content: other ads than those that another process shows and reports are no answer. Nil while the store is away, if others
    /// use it: they could not know.
    func decide(_ decision: KeptDecision, for adBreak: BreakID, in key: SessionKey) async -> KeptDecision? {
        guard isShared else { return decision }
        guard let (bytes, media) = encoded(decision) else { return decision }
        guard !store.holdsBack else { return await self.decision(for: adBreak, in: key) }
        let expiry = expiry(key)
        await keep(media: media, until: expiry)
        let entry = StoreEntry(name: Name.decisions + adBreak.text, value: bytes)
        guard let values = await store.commit([entry], of: Self.owner(key), until: expiry) else {
            return await self.decision(for: adBreak, in: key)
        }
        guard let held = values.first, held != bytes else { return decision }
        return await self.decision(held, of: key) ?? KeptDecision(decision: .content(.unreadable))
    }

    /// Keeps breaks as content, each unless there is a decision for it already, in one go. The decisions that hold; while the store is
    /// away those of them that can be read, else content.
    func decide(
        _ content: [(id: BreakID, reason: ContentReason)], in key: SessionKey
    ) async -> [KeptDecision] {
        let own = content.map { KeptDecision(decision: .content($0.reason)) }
        guard isShared, let entries = Self.entries(content, own) else { return own }
        if let held = await store.commit(entries, of: Self.owner(key), until: expiry(key)) {
            return await decisions(held, entries, own, of: key)
        }
        let known = await decisions(in: store.entries(of: Self.owner(key), from: Name.decisions), of: key)
        let left = content.filter { known[$0.id] == nil }.map { (id: $0.id, reason: $0.reason.whileAway) }
        let ownLeft = left.map { KeptDecision(decision: .content($0.reason)) }
        guard let entries = Self.entries(left, ownLeft) else { return own }
        let held = await store.setIfAbsent(entries, of: Self.owner(key), until: expiry(key))
        var kept = known
        for (one, decision) in zip(left, await decisions(held, entries, ownLeft, of: key)) { kept[one.id] = decision }
        return zip(content, own).map { kept[$0.id] ?? $1 }
    }

    private static func entries(
        _ content: [(id: BreakID, reason: ContentReason)], _ decisions: [KeptDecision]
    ) -> [StoreEntry]? {
        var entries: [StoreEntry] = []
        for (one, decision) in zip(content, decisions) {
            guard let bytes = try? StateEncoder().bytes(decision) else { return nil }
            entries.append(StoreEntry(name: Name.decisions + one.id.text, value: bytes))
        }
        return entries
    }

    /// What a store holds after `entries` were offered to it.
    private func decisions(
        _ held: [[UInt8]], _ entries: [StoreEntry], _ own: [KeptDecision], of key: SessionKey
    ) async -> [KeptDecision] {
        var result: [KeptDecision] = []
        for (index, decision) in own.enumerated() {
            guard held.indices.contains(index), held[index] != entries[index].value else {
                result.append(decision)
                continue
            }
            result.append(await self.decision(held[index], of: key) ?? KeptDecision(decision: .content(.unreadable)))
        }
        return result
    }

    /// The value that holds. Where that cannot be read the session goes on with its own: it cannot be without.
    private func first<Value: Codable>(
        _ own: Value, _ name: String, _ what: String, of key: SessionKey
    ) async -> Value {
        guard isShared, let bytes = try? StateEncoder().bytes(own) else { return own }
        let entry = StoreEntry(name: name, value: bytes)
        let held = await store.setIfAbsent([entry], of: Self.owner(key), until: expiry(key)).first
        guard let held, held != bytes else { return own }
        return value(held, what, of: key) ?? own
    }

    // MARK: Writing on

    /// Keeps where the session has got to.
    func keep(_ progress: StitchingSession.Progress, _ decisions: [BreakID: Decision], of key: SessionKey) async {
        var names: [ObjectIdentifier: String] = [:]
        for (id, decision) in decisions { if let pod = decision.pod { names[ObjectIdentifier(pod)] = id.text } }
        let encoder = StateEncoder { value in (value as? Pod).flatMap { names[ObjectIdentifier($0)] } }
        guard let bytes = try? encoder.bytes(progress) else { return }
        await store.keepNewest(
            StoreEntry(name: Name.progress, value: bytes), rank: progress.revision, of: Self.owner(key),
            until: expiry(key))
    }

    /// Lets a session and the media of its ads live on.
    func extend(_ key: SessionKey, _ decisions: [BreakID: Decision]) async {
        let media = decisions.values.compactMap(\.pod).flatMap {
            $0.ads.map(\.media) + ($0.slate.map { [$0.media] } ?? [])
        }
        .compactMap { shelf.name(of: $0) }
        let owners =
            [Self.owner(key), Self.owner(streamID: key.streamID)] + Set(media).sorted().map(Self.owner(media:))
        await store.extend(owners, until: expiry(key))
    }

    /// Who asks for a break's ads.
    enum RequestClaim {
        case thisProcess
        /// And how long it has for it, nanoseconds since 1970.
        case another(until: Int64)
        /// Nobody can be told: the store is away, and others use it.
        case nobody
    }

    /// Of several processes that would ask for a break's ads at one time one does so.
    ///
    /// - Parameter deadline: until when this process will have asked.
    func claimRequest(
        for adBreak: BreakID, in key: SessionKey, by process: String, until deadline: Int64
    ) async -> RequestClaim {
        guard isShared else { return .thisProcess }
        let own = "\(deadline) \(process)"
        // The second claim is for when who made the first one has come to nothing.
        for turn in 0..<2 {
            let entry = StoreEntry(name: "\(Name.requests)\(adBreak.text)/\(turn)", value: Array(own.utf8))
            guard let held = await store.commit([entry], of: Self.owner(key), until: expiry(key)) else {
                return .nobody
            }
            let parts = String(decoding: held.first ?? entry.value, as: UTF8.self).split(separator: " ")
            if parts.last.map(String.init) == process { return .thisProcess }
            if let other = parts.first.flatMap({ Int64($0) }), other > time.now() { return .another(until: other) }
        }
        return .thisProcess
    }

    // MARK: Whose word holds

    /// Whether another server's word has taken the place of one that this one had to go on with while the store was away. True once.
    func takeOverruled(_ key: SessionKey) -> Bool { store.takeOverruled(Self.owner(key)) }

    /// Whether two decisions show the same.
    func isAlike(_ one: Decision, _ other: Decision) -> Bool {
        guard let left = one.pod, let right = other.pod else {
            return one.pod == nil && other.pod == nil && one.rest == other.rest
        }
        if left === right { return true }
        let encoder = StateEncoder { value in (value as? AdMedia).flatMap { shelf.name(of: $0) } }
        guard let bytes = try? encoder.bytes(one) else { return false }
        return bytes == (try? encoder.bytes(other))
    }

    /// Removes decisions and requests of breaks that no playlist of the session shows any more.
    func forget(_ breaks: [BreakID], of key: SessionKey) async {
        let owner = Self.owner(key)
        for id in breaks {
            let decision = Name.decisions + id.text
            await store.remove(decision..<"\(decision)\u{1}", of: owner)
            // "0" is what comes behind "/".
            let request = Name.requests + id.text
            await store.remove("\(request)/"..<"\(request)0", of: owner)
        }
    }

    /// This process serves the session no more.
    func release(_ key: SessionKey) async { await store.release(Self.owner(key)) }
}

extension StateNode {
    /// The names of all that is kept elsewhere.
    var externalNames: Set<String> {
        if case .external(let name) = kind { return [name] }
        return children.reduce(into: []) { $0.formUnion($1.externalNames) }
    }
}

extension ContentReason {
    /// Why a break is content that may have been ads but for the store.
    fileprivate var whileAway: ContentReason { self == .deadline ? .storeAway : self }
}
