import HLS

/// What the renditions of a source are called by players that play already: a key keeps meaning the same rendition, also when the
/// origin lists its variants in another order, leaves some out, or adds some.
///
/// The first multivariant playlist that was seen gives keys by kind and place (`v0`, `v1`), group and language (`a-aud-en`). Later ones
/// are held against what was known then.
package struct RenditionNames: Sendable, Equatable {
    /// As each was when it was first seen, one for each key.
    package var known: [MediaRendition]
    /// On whose timeline breaks and returns are chosen, also when it is left out; nil before anything was seen.
    package var leading: RenditionKey?

    /// More are not remembered: those have their keys by their places.
    package static let limit = 256

    package init(known: [MediaRendition] = [], leading: RenditionKey? = nil) {
        self.known = known
        self.leading = leading
    }

    /// Takes in what was found out elsewhere; what is known stays.
    package mutating func add(_ other: RenditionNames) {
        let keys = Set(known.map(\.key))
        known += other.known.filter { !keys.contains($0.key) }
        // In the order of their numbers, whoever has come across them in what order.
        known.sort { ($0.key.text.utf8.count, $0.key.text) < ($1.key.text.utf8.count, $1.key.text) }
        leading = leading ?? other.leading
    }
}

/// Finds which renditions of one kind are still what they were: of the variants, of the I-frame playlists, or of one group and language.
struct RenditionNaming {
    /// By place among what is listed now; nil for what is new.
    private(set) var keys: [RenditionKey?]

    /// - Parameters:
    ///   - renditions: what is listed now; their own keys do not matter.
    ///   - known: of the kind.
    init(_ renditions: [MediaRendition], known: [MediaRendition]) {
        keys = renditions.map { _ in nil }
        guard !known.isEmpty else { return }
        var free = Set(known.indices)
        for trait in Self.traits where !free.isEmpty {
            var places: [String: [Int]] = [:]
            for index in known.indices where free.contains(index) {
                if let trait = trait(known[index]) { places[trait, default: []].append(index) }
            }
            for (index, rendition) in renditions.enumerated() where keys[index] == nil {
                guard let trait = trait(rendition),
                    let place = places[trait]?.firstIndex(where: { Self.mayBe(known[$0], rendition) }),
                    let found = places[trait]?.remove(at: place)
                else { continue }
                keys[index] = known[found].key
                free.remove(found)
            }
        }
    }

    /// What has a stable name is what bears it.
    private static func mayBe(_ known: MediaRendition, _ listed: MediaRendition) -> Bool {
        known.stableID == nil || listed.stableID == nil || known.stableID == listed.stableID
    }

    /// What is the same in two that are one, the surest first. Addresses may bear a token, or the number of a place in the list;
    /// bandwidths may be measured: what players see comes before either alone.
    private static let traits: [@Sendable (MediaRendition) -> String?] = [
        { $0.stableID },
        { "\($0.resource) \($0.look)" },
        { "\($0.path) \($0.look)" },
        { $0.bandwidth > 0 ? "\($0.bandwidth) \($0.look)" : nil },
        { $0.tellsItself ? $0.look : nil },
        { String($0.resource) },
        { String($0.path) },
        { $0.look },
    ]
}

extension MediaRendition {
    /// Path and query of the address: the host may change.
    fileprivate var resource: Substring {
        guard let scheme = upstreamURL.firstRange(of: "://") else { return upstreamURL[...] }
        let rest = upstreamURL[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
    }

    fileprivate var path: Substring { resource.prefix { $0 != "?" && $0 != "#" } }

    /// Something but bandwidth and address tells it from others of its kind.
    fileprivate var tellsItself: Bool { resolution != nil || kind != .variant && kind != .iFrames }

    /// What players see and hear.
    fileprivate var look: String {
        let size = resolution.map { "\($0.width)x\($0.height)" } ?? ""
        let rate = frameRate.map { "\($0)" } ?? ""
        return "\(size) \(rate) \(videoRange ?? "") \(audioGroup ?? "") \(codecs.map(Codec.family)) \(name ?? "")"
    }
}
