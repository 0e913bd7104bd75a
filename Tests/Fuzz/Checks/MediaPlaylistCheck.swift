import HLS

/// What holds for any bytes that a media playlist could be read from.
enum MediaPlaylistCheck {
    static func run(_ playlist: MediaPlaylist, _ bytes: [UInt8]) throws(FuzzFailure) {
        try require(playlist.serialized() == bytes, "a media playlist does not round-trip")
        let all = try PlaylistCheck.cover(playlist.lines, bytes)
        var parts = LineSum()
        parts.add(playlist.headerLines)
        parts.add(playlist.trailerLines)
        for index in playlist.segments.indices { parts.add(playlist.lines(ofSegmentAt: index)) }
        try require(all == parts, "header, segments and trailer are not all lines")
        try segments(playlist, bytes)
        try TimelineCheck.run(playlist)
        try LowLatencyCheck.run(playlist)
        try VersionCheck.run(playlist, bytes)
        header(playlist)
        try MarkerCheck.run(playlist, bytes)
        try PlaylistCheck.uris(playlist.uris, bytes)
        try resolution(playlist)
        try VariableCheck.run(playlist)
    }

    private static func segments(_ playlist: MediaPlaylist, _ bytes: [UInt8]) throws(FuzzFailure) {
        let places = SegmentPlaces(bytes)
        try require(
            places.uriStarts.count == playlist.segments.count,
            "\(playlist.segments.count) segments where there are \(places.uriStarts.count)")
        var number = playlist.mediaSequence &+ playlist.skippedSegments
        var discontinuity = playlist.discontinuitySequence ?? 0
        for (segment, place) in zip(playlist.segments, places.uriStarts) {
            try require(segment.uri.lowerBound == place, "a URI at \(segment.uri), not at \(place)")
            try require(segment.number == number, "segment number \(segment.number), not \(number)")
            number &+= 1
            try require(segment.duration >= .zero, "duration \(segment.duration)")
            try require(
                segment.discontinuityNumber >= discontinuity
                    && segment.discontinuityNumber - discontinuity >= segment.discontinuityCount,
                "discontinuity \(segment.discontinuityNumber) after \(discontinuity)")
            discontinuity = segment.discontinuityNumber
            if let spelled = DecimalText.duration(playlist.text(segment.durationText)), spelled >= .zero {
                try require(segment.duration == spelled, "duration \(segment.duration), spelled \(spelled)")
            }
            try require(playlist.keyGroups.indices.contains(segment.keyGroup), "key group \(segment.keyGroup)")
            if let map = segment.map { try require(playlist.maps.indices.contains(map), "map \(map)") }
            if let range = segment.byteRange {
                try require(range.offset >= 0 && range.length >= 0 && range.end >= range.offset, "\(range)")
            }
            let uri = segment.uri.clamped(to: segment.range)
            try require(uri == segment.uri, "a URI outside its segment at \(segment.uri)")
            _ = playlist.text(segment.title)
        }
        for map in playlist.maps {
            _ = (playlist.text(map.uri), map.isEncryptedOtherwise(than: playlist.keyGroups.last?.keys ?? [], in: bytes))
        }
        for key in playlist.keyGroups.last?.keys ?? [] {
            _ = (key.keyFormatVersions(in: bytes), key.initializationVector(ofSegment: number, in: bytes)?.text)
        }
        _ = (playlist.trailerMap, playlist.trailerKeyGroup)
        try require(playlist.trailerDiscontinuityNumber >= discontinuity, "the trailer's discontinuity number")
    }

    private static func header(_ playlist: MediaPlaylist) {
        _ = (playlist.version, playlist.targetDuration, playlist.hasMediaSequence, playlist.playlistType)
        _ = (playlist.hasEndList, playlist.isIFramesOnly, playlist.hasIndependentSegments, playlist.start)
        _ = (playlist.isLowLatency, playlist.hasDefinitions)
    }

    /// Absolute URIs resolve to themselves, and no line is gained or lost.
    private static func resolution(_ playlist: MediaPlaylist) throws(FuzzFailure) {
        let resolved = playlist.resolvingURIs(against: PlaylistCheck.base)
        guard let again = try? MediaPlaylist(parsing: resolved) else {
            throw FuzzFailure(description: "a playlist with its URIs resolved cannot be read")
        }
        try require(again.segments.count == playlist.segments.count, "resolving URIs changes the segments")
        try require(
            again.resolvingURIs(against: PlaylistCheck.otherBase) == resolved, "resolved URIs are not absolute")
    }
}

/// Where the URI lines of segments stand, found in the plainest way there is.
struct SegmentPlaces {
    private(set) var uriStarts: [Int] = []

    init(_ bytes: [UInt8]) {
        var hasDuration = false
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            var first = start
            while first < end, Self.isBlank(bytes[first]) { first += 1 }
            var last = end
            while last > first, Self.isBlank(bytes[last - 1]) { last -= 1 }
            if first < last {
                if bytes[first] != 0x23 {
                    if hasDuration { uriStarts.append(first) }
                    hasDuration = false
                } else if Self.isDuration(bytes[first..<last]) {
                    hasDuration = true
                }
            }
            start = end + 1
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    private static func isDuration(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.starts(with: Self.name) else { return false }
        guard let next = line.dropFirst(Self.name.count).first else { return true }
        return next == 0x3A || next == 0x20 || next == 0x09
    }

    private static let name = Array("#EXTINF".utf8)
}
