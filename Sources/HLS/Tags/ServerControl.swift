/// An EXT-X-SERVER-CONTROL, RFC 8216bis §4.4.3.8: what its server can do for players.
package struct ServerControl: Sendable {
    package let line: PlaylistLine
    package let attributes: AttributeList

    init(_ source: [UInt8], line: PlaylistLine) {
        self.line = line
        attributes = AttributeList(source, line: line)
    }

    /// The skip boundary: what is further than this from the end can be left out of delta updates. Nil: there are none.
    package var canSkipUntil: Duration? { attributes["CAN-SKIP-UNTIL"]?.duration }
    /// Whether delta updates can leave out date ranges too.
    package var canSkipDateRanges: Bool { attributes["CAN-SKIP-DATERANGES"]?.isYes ?? false }
    /// Least distance from the end at which to play; nil where it is not given, which means three target durations.
    package var holdBack: Duration? { attributes["HOLD-BACK"]?.duration }
    /// The same for players with low latency.
    package var partHoldBack: Duration? { attributes["PART-HOLD-BACK"]?.duration }
    /// Whether requests can wait for what is not there yet (`_HLS_msn`).
    package var canBlockReload: Bool { attributes["CAN-BLOCK-RELOAD"]?.isYes ?? false }
}

/// An EXT-X-PART-INF, RFC 8216bis §4.4.3.7.
package struct PartInformation: Sendable {
    package let line: PlaylistLine
    package let attributes: AttributeList

    init(_ source: [UInt8], line: PlaylistLine) {
        self.line = line
        attributes = AttributeList(source, line: line)
    }

    /// Upper bound of a part's duration; nil where it is missing or unreadable.
    package var partTarget: Duration? { attributes["PART-TARGET"]?.duration }
}

extension MediaPlaylist {
    package var serverControl: ServerControl? {
        headerTag(.serverControl).map { ServerControl(source, line: $0) }
    }

    package var partInformation: PartInformation? {
        headerTag(.partInformation).map { PartInformation(source, line: $0) }
    }

    /// The first line of a tag that speaks of the whole playlist, wherever it stands.
    package func headerTag(_ kind: TagKind) -> PlaylistLine? {
        if let line = headerLines.first(where: { $0.kind == kind }) { return line }
        for index in storage.records.indices {
            let contents = MediaSegment.Contents(rawValue: storage.records[index].contents)
            guard contents.contains(.misplaced) else { continue }
            if let line = lines(ofSegmentAt: index).first(where: { $0.kind == kind }) { return line }
        }
        return trailerLines.first { $0.kind == kind }
    }
}
