internal import HLS
internal import Stitching

/// Addresses under which a VOD session lists the segments of its ads: players that ask for one are sent on to where it lies, and the
/// server learns what they see. `ad/BREAK/AD/SEGMENT/RENDITION.ts`, relative to the session.
enum AdSegmentAddress {
    static func writer(for rendition: RenditionKey) -> @Sendable (FillReference, SpliceEntry) -> String? {
        { reference, entry in
            "\(Route.adSegmentFolder)/\(percentEscaped(reference.breakID.text))/\(reference.ad)/\(reference.segment)/"
                + "\(percentEscaped(rendition.text))\(suffix(of: entry.uri))"
        }
    }

    /// The parts of a path behind `ad/`, percent-decoded.
    static func read(_ parts: [String]) -> (segment: FillReference, rendition: RenditionKey)? {
        guard parts.count == 4, let ad = Int(parts[1]), let index = Int(parts[2]), ad >= 0, index >= 0 else {
            return nil
        }
        let name = parts[3].lastIndex(of: ".").map { parts[3][..<$0] } ?? parts[3][...]
        return (FillReference(breakID: BreakID(parts[0]), ad: ad, segment: index), RenditionKey(String(name)))
    }

    /// The ending of the real address: some players look at it.
    private static func suffix(of uri: String) -> String {
        let path = uri.prefix { $0 != "?" && $0 != "#" }
        guard let dot = path.lastIndex(of: "."), path[dot...].utf8.count <= 6,
            path[dot...].dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) }
            )
        else { return ".ts" }
        return String(path[dot...])
    }
}
