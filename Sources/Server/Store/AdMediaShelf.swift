internal import Stitching
internal import Synchronization

/// The media of ads under names made from what they hold, so that a decision names them in a few bytes and every process lists
/// the same segments for it, whatever the ad's playlists say by then.
final class AdMediaShelf: Sendable {
    private struct State {
        var media: [String: AdMedia] = [:]
        /// By the first entry of the first rendition, which the media on the shelf hold.
        var names: [ObjectIdentifier: String] = [:]
        /// Encoded media that have not been written yet, or not for a while.
        var bytes: [String: [UInt8]] = [:]
        /// When that was (monotonic), until when the store keeps them (nanoseconds since 1970), and which store that was.
        var written: [String: (at: Duration, until: Int64, opening: Int)] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int = 2_000) { self.limit = limit }

    /// The name of an ad's media, which lie on the shelf from now on.
    func name(of media: AdMedia) -> String? {
        let first = media.renditions.first?.entries.first.map { ObjectIdentifier($0) }
        if let first, let known = state.withLock({ $0.names[first] }) { return known }
        guard let bytes = try? StateEncoder().bytes(media) else { return nil }
        let name = Self.name(bytes)
        state.withLock { state in
            makeRoom(&state)
            // Of equal media the first stays, and so do its entries.
            if state.media[name] == nil {
                state.media[name] = media
                if let first { state.names[first] = name }
            }
            state.bytes[name] = bytes
        }
        return name
    }

    /// The media of that name, if they lie here.
    func media(_ name: String) -> AdMedia? { state.withLock { $0.media[name] } }

    /// Puts media on the shelf that were read from a store.
    func put(_ bytes: [UInt8], as name: String) -> AdMedia? {
        guard Self.name(bytes) == name, let media = try? StateDecoder().value(AdMedia.self, from: bytes) else {
            return nil
        }
        return state.withLock { state in
            if let known = state.media[name] { return known }
            makeRoom(&state)
            state.media[name] = media
            if let first = media.renditions.first?.entries.first { state.names[ObjectIdentifier(first)] = name }
            return media
        }
    }

    /// The bytes of media that were not written since `time` (monotonic), or not to be kept so long, or to another store.
    func unwritten(_ name: String, since time: Duration, until expiry: Int64, opening: Int) -> [UInt8]? {
        state.withLock { state in
            // A channel's sessions end earlier than a title's; those of one source differ by moments.
            if let written = state.written[name], written.at >= time, written.until >= expiry - 60_000_000_000,
                written.opening == opening
            {
                return nil
            }
            return state.bytes[name] ?? state.media[name].flatMap { try? StateEncoder().bytes($0) }
        }
    }

    func wrote(_ name: String, at now: Duration, until expiry: Int64, opening: Int) {
        state.withLock { state in
            state.written[name] = (now, max(expiry, state.written[name]?.until ?? expiry), opening)
            state.bytes[name] = nil
        }
    }

    private func makeRoom(_ state: inout State) {
        if state.media.count >= limit { state = State() }
    }

    /// 128 bits of what they hold. Only for telling media apart that ad servers send: who writes to the store is trusted.
    private static func name(_ bytes: [UInt8]) -> String {
        var first: UInt64 = 0xcbf2_9ce4_8422_2325
        var second: UInt64 = 0x9e37_79b9_7f4a_7c15
        for byte in bytes {
            first = (first ^ UInt64(byte)) &* 0x100_0000_01b3
            second = ((second ^ UInt64(byte)) &* 0xff51_afd7_ed55_8ccd) ^ (second >> 29)
        }
        return hexadecimal(first) + hexadecimal(second)
    }
}
