internal import HLS
internal import Stitching
internal import Transport

/// What is kept again where the store is another one than before: put in the place of one that was deleted, or was damaged.
extension SessionArchive {
    /// Keeps all that this process goes on with of a session, each unless there is another of its kind: of several that serve it the first
    /// has the word.
    func keepAgain(_ session: KeptSession) async {
        let key = session.record.key
        var entries: [StoreEntry] = []
        func add(_ value: some Encodable, _ name: String) {
            if let bytes = try? StateEncoder().bytes(value) { entries.append(StoreEntry(name: name, value: bytes)) }
        }
        add(StoredRecord(session.record), Name.record)
        if let start = session.start { add(start, Name.start) }
        if let ownBreaks = session.ownBreaks { add(ownBreaks, Name.breaks) }
        if let start = session.timelineStart { add(start, Name.timeline) }
        var media: Set<String> = []
        for (id, decision) in session.decisions.sorted(by: { $0.key < $1.key }) {
            guard let (bytes, names) = encoded(decision) else { continue }
            media.formUnion(names)
            entries.append(StoreEntry(name: Name.decisions + id.text, value: bytes))
        }
        let expiry = expiry(key)
        await keepSource(of: key)
        await keep(media: media, until: expiry)
        _ = await store.setIfAbsent(entries, of: Self.owner(key), until: expiry)
        if let progress = session.progress { await keep(progress, session.decisions.mapValues(\.decision), of: key) }
    }

    /// Keeps which source a stream ID has a session of.
    func keepSource(of key: SessionKey) async {
        let entry = StoreEntry(name: "\(key.source.kind.rawValue)/\(key.source.name)", value: [])
        _ = await store.setIfAbsent([entry], of: Self.owner(streamID: key.streamID), until: expiry(key))
    }

    /// A decision as it is kept, and the names of the media that it holds.
    func encoded(_ decision: KeptDecision) -> (bytes: [UInt8], media: Set<String>)? {
        var names: Set<String> = []
        let encoder = StateEncoder { value in
            guard let media = value as? AdMedia, let name = shelf.name(of: media) else { return nil }
            names.insert(name)
            return name
        }
        return (try? encoder.bytes(decision)).map { ($0, names) }
    }

    /// Keeps media that decisions name, before them.
    func keep(media names: Set<String>, until expiry: Int64) async {
        let (now, opening) = (time.monotonic(), store.openingCount)
        for name in names.sorted() {
            guard let media = shelf.unwritten(name, since: now - .seconds(30), until: expiry, opening: opening) else {
                continue
            }
            let entry = StoreEntry(name: Name.media, value: media)
            _ = await store.setIfAbsent([entry], of: Self.owner(media: name), until: expiry)
            shelf.wrote(name, at: now, until: expiry, opening: opening)
        }
    }
}
