// What older versions of the protocol had: read, kept, and of no effect (rule 204).

extension TagKind {
    /// Whether the tag was in the standard once: EXT-X-ALLOW-CACHE, gone in version 7.
    package var isObsolete: Bool { self == .allowCache }
}

extension MediaPlaylist {
    /// EXT-X-ALLOW-CACHE, gone in version 7; nil where it is not given or not readable.
    package var allowsCache: Bool? {
        guard let line = headerTag(.allowCache) else { return nil }
        let bytes = source.span
        let value = line.valueRange(in: bytes)
        if bytes.equals("YES", in: value) { return true }
        return bytes.equals("NO", in: value) ? false : nil
    }
}
