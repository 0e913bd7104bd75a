import HLS

/// What holds for parts, hints, reports and the tags that belong to them.
enum LowLatencyCheck {
    static func run(_ playlist: MediaPlaylist) throws(FuzzFailure) {
        var parts = 0
        for index in 0...playlist.segments.count {
            for (place, part) in playlist.parts(ofSegmentAt: index).enumerated() {
                try require(part.parent == index && part.index == place, "part \(part.index) of \(part.parent)")
                if index < playlist.segments.count {
                    try require(part.number == playlist.segments[index].number, "part of segment \(part.number)")
                }
                if let range = part.byteRange { try require(range.end >= range.offset, "\(range)") }
                _ = (part.uri, part.duration, part.isIndependent, part.isGap)
                parts += 1
            }
        }
        try require(playlist.parts.count == parts, "\(playlist.parts.count) parts, by segments \(parts)")
        for hint in playlist.preloadHints { _ = (hint.type, hint.uri, hint.byteRangeStart, hint.byteRangeLength) }
        for report in playlist.renditionReports { _ = (report.uri, report.lastPosition(in: playlist)) }
        if let last = playlist.lastPosition, let index = last.part {
            try require(playlist.part(mediaSequence: last.mediaSequence, index: index) != nil, "no part at \(last)")
        }
        if let control = playlist.serverControl {
            _ = (control.canSkipUntil, control.canSkipDateRanges, control.holdBack, control.partHoldBack)
        }
        _ = (playlist.partInformation?.partTarget, playlist.skip?.count, playlist.skip?.recentlyRemovedDateRanges)
    }
}
