import HLS

/// Ad markers answer whatever they are asked, and stay at their lines.
enum MarkerCheck {
    static func run(_ playlist: MediaPlaylist, _ bytes: [UInt8]) throws(FuzzFailure) {
        var marked = 0
        for line in playlist.lines {
            guard let marker = AdMarker(bytes, line: line) else { continue }
            try require(marker.line == line, "a marker of \(line.range) stands at \(marker.line.range)")
            try ask(marker)
            marked += 1
        }
        let bySegment = playlist.segments.indices.reduce(0) { $0 + playlist.markers(ofSegmentAt: $1).count }
        let found = bySegment + playlist.trailerMarkers.count
        try require(found == marked, "\(marked) markers, by segments \(found)")
    }

    private static func ask(_ marker: AdMarker) throws(FuzzFailure) {
        let signal = marker.signal
        if let duration = signal.plannedDuration {
            try require(duration >= .zero, "a break of \(duration)")
        }
        if let elapsed = signal.elapsed { try require(elapsed >= .zero, "\(elapsed) of a break have passed") }
        _ = (signal.id, signal.scte35, signal.meaning)
        switch marker {
        case .cueOutContinued(let cue), .cueSpan(let cue):
            if let remaining = cue.remaining { try require(remaining >= .zero, "\(remaining) of a break remain") }
        case .asset(let asset): _ = (asset.contentIDBytes, asset.pairs)
        case .scte35(let tag), .legacySCTE35(let tag):
            _ = (tag.section, tag.segmentationType, tag.duration, tag.elapsed, tag.cueOut, tag.isCueIn)
            _ = (tag.blackout, tag.upid, tag.segmentNumber, tag.date, tag.time, tag.meaning)
        case .primetimeCue(let cue): _ = (cue.kind, cue.time, cue.availNumber, cue.programID, cue.prerollTime)
        case .signalExit(let signal), .signalSpan(let signal), .signalReturn(let signal):
            _ = (signal.spliceType, signal.signalID, signal.streamID, signal.providerAssetID)
        default: break
        }
    }
}
