import HLS

@testable import Stitching

/// All that a player takes for a segment from the lines of a playlist, wherever those stand: what it decrypts it with, which
/// initialization section it reads before it, which bytes of which file it asks for.
struct SegmentFacts: Equatable, CustomStringConvertible {
    /// METHOD, URI, KEYFORMAT, KEYFORMATVERSIONS and IV of each key in force, the IV as it results from the number where none is
    /// written (rule 605); keys of formats without IVs have none (rule 606). In no order.
    var keys: Set<String>
    /// URI, byte range, and the keys that it stands under (rule 610).
    var map: String?
    var mapKeys: Set<String> = []
    var uri: String
    var range: ByteRange?
    var isGap: Bool
    var duration: String

    var description: String {
        "\(uri) \(range.map { "\($0.length)@\($0.offset)" } ?? "") \(map ?? "") \(keys.sorted())"
    }

    /// Of each segment.
    static func all(of playlist: MediaPlaylist, base: String = "") -> [SegmentFacts] {
        playlist.segments.map { segment in
            let source = playlist.source
            let inForce =
                playlist.keyGroups.indices.contains(segment.keyGroup)
                ? playlist.keyGroups[segment.keyGroup].keys : []
            var facts = SegmentFacts(
                keys: texts(inForce, number: segment.number, source),
                uri: absolute(playlist.text(segment.uri), base), range: segment.byteRange, isGap: segment.isGap,
                duration: playlist.text(segment.durationText))
            if let index = segment.map, playlist.maps.indices.contains(index) {
                let map = playlist.maps[index]
                let bytes = map.byteRange.map { "\($0.length)@\($0.offset)" } ?? ""
                facts.map = absolute(playlist.text(map.uri), base) + " " + bytes
                // Only keys of whole files matter to a section.
                facts.mapKeys = texts(map.keys.filter(\.isOfWholeResources), number: nil, source)
            }
            return facts
        }
    }

    private static func texts(_ keys: [EncryptionKey], number: Int64?, _ source: [UInt8]) -> Set<String> {
        Set(
            keys.filter { $0.method != .none }.map { key in
                let attributes = key.attributes(in: source)
                var text = ["METHOD", "URI", "KEYFORMAT", "KEYFORMATVERSIONS"].map { attributes[$0]?.text ?? "-" }
                if let written = key.initializationVector(in: source) {
                    text.append(written.text)
                } else if key.hasImplicitIV {
                    text.append(number.map { InitializationVector(mediaSequence: $0).text } ?? "none")
                }
                return text.joined(separator: " ")
            })
    }

    private static func absolute(_ uri: String, _ base: String) -> String {
        uri.contains(":") || base.isEmpty ? uri : base + uri
    }
}
