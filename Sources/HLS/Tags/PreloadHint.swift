/// An EXT-X-PRELOAD-HINT, RFC 8216bis §4.4.5.3: what the playlist will list next, to be asked for already.
package struct PreloadHint: Sendable {
    package enum ResourceType: String, Hashable, Sendable {
        case part = "PART"
        /// A media initialization section.
        case map = "MAP"
    }

    package let line: PlaylistLine
    package let attributes: AttributeList

    init(_ source: [UInt8], line: PlaylistLine) {
        self.line = line
        attributes = AttributeList(source, line: line)
    }

    /// Nil for a type that is not in the standard: players ignore such hints.
    package var type: ResourceType? { attributes["TYPE"].flatMap { ResourceType(rawValue: $0.text) } }
    /// URI as spelled; empty where there is none.
    package var uri: String { attributes["URI"]?.text ?? "" }
    /// Where the resource begins in what the URI names, in bytes.
    package var byteRangeStart: Int64 { attributes["BYTERANGE-START"]?.integer ?? 0 }
    /// Bytes of the resource; nil where it extends to the end of what the URI names.
    package var byteRangeLength: Int64? { attributes["BYTERANGE-LENGTH"]?.integer }
}

extension MediaPlaylist {
    /// All hints, in the order of their lines.
    package var preloadHints: [PreloadHint] {
        lowLatencyLines(.preloadHint).map { PreloadHint(source, line: $0) }
    }

    /// The hint of a type that counts: the first (rule 1005).
    package func preloadHint(_ type: PreloadHint.ResourceType) -> PreloadHint? {
        preloadHints.first { $0.type == type }
    }

    /// Lines of hints or reports, wherever they stand.
    func lowLatencyLines(_ kind: TagKind) -> [PlaylistLine] {
        guard isLowLatency else { return [] }
        var result: [PlaylistLine] = []
        for index in storage.records.indices {
            let contents = MediaSegment.Contents(rawValue: storage.records[index].contents)
            guard contents.contains(.partialSegment) else { continue }
            result += lines(ofSegmentAt: index).filter { $0.kind == kind }
        }
        return result + trailerLines.filter { $0.kind == kind }
    }
}
