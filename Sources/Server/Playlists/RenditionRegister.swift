internal import HLS
internal import Stitching
internal import Synchronization
internal import Transport

/// What a source's renditions are called, for all processes that share the store and after a restart: each origin of the source has
/// names of its own.
final class RenditionRegister: Sendable {
    private struct State {
        /// By origin.
        var names: [Int: RenditionNames] = [:]
        /// Monotonic time at which the store was last told that they are in use.
        var extendedAt: Duration?

        mutating func isDue(after interval: Duration, at now: Duration) -> Bool {
            if let extendedAt, now - extendedAt < interval { return false }
            extendedAt = now
            return true
        }
    }

    private let owner: String
    /// Nil where nobody else reads it: then they are in memory alone.
    private let store: ResilientStore?
    private let time: any TimeSource
    /// Of the names while nobody asks for the source.
    private let lifetime: Duration
    private let state = Mutex(State())

    init(
        _ source: SourceID, window: OriginParameters = OriginParameters(), store: ResilientStore?,
        time: any TimeSource, lifetime: Duration
    ) {
        owner = "n/\(source.kind.rawValue)/\(source.name)" + (window.isEmpty ? "" : "?\(window.text)")
        self.store = store
        self.time = time
        self.lifetime = lifetime
    }

    /// The catalog of a multivariant playlist by the names that hold. What is new in it is given names.
    ///
    /// - Parameters:
    ///   - choice: the operator's words for the leading rendition.
    ///   - leading: which one it is, where that was never found out.
    ///   - make: makes the catalog by names.
    func catalog(
        of origin: Int, choice: String?, leading: (SourceCatalog) -> RenditionKey,
        _ make: (RenditionNames) -> SourceCatalog
    ) async -> SourceCatalog {
        var names = await known(origin, choice)
        while true {
            let catalog = make(names)
            let first = names.leading == nil ? leading(catalog) : nil
            // What is taken in is not new any more.
            guard !catalog.new.isEmpty || first != nil else { return catalog }
            names = await add(RenditionNames(known: catalog.new, leading: first), to: names, origin, choice)
        }
    }

    /// Tells the store now and then that the names are in use.
    func extend() async {
        let now = time.monotonic()
        guard let store, state.withLock({ $0.isDue(after: lifetime / 4, at: now) }) else { return }
        await store.extend([owner], until: expiry)
    }

    private func known(_ origin: Int, _ choice: String?) async -> RenditionNames {
        if let known = state.withLock({ $0.names[origin] }) { return known }
        guard let store else { return RenditionNames() }
        var found = RenditionNames()
        let prefix = Self.prefix(origin)
        for entry in await store.entries(of: owner) where entry.name.hasPrefix(prefix) {
            if entry.name == Self.leadingName(origin, choice) {
                found.leading = RenditionKey(String(decoding: entry.value, as: UTF8.self))
            } else if let rendition = try? StateDecoder().value(MediaRendition.self, from: entry.value) {
                found.known.append(rendition)
            }
        }
        return keep(found, origin)
    }

    /// Each name is what it is by who was first to give it.
    private func add(
        _ new: RenditionNames, to names: RenditionNames, _ origin: Int, _ choice: String?
    ) async -> RenditionNames {
        var held = new
        if let store {
            var entries: [StoreEntry] = new.known.compactMap { rendition in
                guard let bytes = try? StateEncoder().bytes(rendition) else { return nil }
                return StoreEntry(name: "\(Self.prefix(origin))key/\(rendition.key)", value: bytes)
            }
            if let leading = new.leading {
                entries.append(StoreEntry(name: Self.leadingName(origin, choice), value: Array(leading.text.utf8)))
            }
            let values = await store.setIfAbsent(entries, of: owner, until: expiry)
            let renditions = zip(new.known, values).map { own, value in
                (try? StateDecoder().value(MediaRendition.self, from: value)) ?? own
            }
            if values.count == entries.count {
                held.known = renditions
                if new.leading != nil, let value = values.last {
                    held.leading = RenditionKey(String(decoding: value, as: UTF8.self))
                }
            }
        }
        held.known = names.known + held.known
        held.leading = names.leading ?? held.leading
        return keep(held, origin)
    }

    /// What another request has found out meanwhile stays.
    private func keep(_ names: RenditionNames, _ origin: Int) -> RenditionNames {
        state.withLock { state in
            var kept = state.names[origin] ?? RenditionNames()
            kept.add(names)
            state.names[origin] = kept
            return kept
        }
    }

    private static func prefix(_ origin: Int) -> String { "\(origin)/" }
    private static func leadingName(_ origin: Int, _ choice: String?) -> String {
        "\(prefix(origin))leading/\(choice ?? "")"
    }

    private var expiry: Int64 { DateTime(nanoseconds: time.now()).advanced(by: lifetime).nanoseconds }
}
