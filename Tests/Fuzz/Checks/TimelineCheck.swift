import HLS

/// Times, numbers and dates of a media playlist fit together, and what is placed on its timeline lies on it.
enum TimelineCheck {
    static func run(_ playlist: MediaPlaylist) throws(FuzzFailure) {
        let timeline = Timeline(playlist)
        try require(timeline.segmentCount == playlist.segments.count, "segments of a timeline")
        try require([0, timeline.starts.count].contains(timeline.dates.count), "dates of a timeline")
        for (index, segment) in playlist.segments.enumerated() {
            let start = timeline.starts[index]
            try require(timeline.starts[index + 1] == start + segment.duration, "start of segment \(index + 1)")
            try require(timeline.duration(ofSegmentAt: index) == segment.duration, "duration of segment \(index)")
            try require(timeline.segmentIndex(number: segment.number) == index, "segment \(segment.number)")
            if let date = segment.programDateTime {
                try require(timeline.dates[index] == date, "date of segment \(index)")
            }
            guard segment.duration > .zero else { continue }
            try require(timeline.segmentIndex(at: start) == index, "segment at the start of \(index)")
            try require(timeline.nearestBoundary(to: start) == start, "boundary at \(start)")
            if !timeline.dates.isEmpty {
                try require(timeline.date(at: start) == timeline.dates[index], "date at the start of \(index)")
            }
        }
        try require(timeline.segmentIndex(at: timeline.duration) == nil, "a segment at the end")
        if let start = playlist.start { try lies(timeline.time(of: start), on: timeline) }
        for part in playlist.parts {
            try require(timeline.start(of: part) >= timeline.starts[part.parent], "start of part \(part.index)")
        }
        try dateRanges(playlist, timeline)
    }

    private static func lies(_ time: Duration, on timeline: Timeline) throws(FuzzFailure) {
        try require(time >= .zero && time <= timeline.duration, "\(time) of \(timeline.duration)")
    }

    private static func dateRanges(_ playlist: MediaPlaylist, _ timeline: Timeline) throws(FuzzFailure) {
        let tags = playlist.dateRanges
        for range in tags {
            _ = (range.id, range.dateRangeClass, range.startDate, range.endDate, range.duration, range.plannedDuration)
            _ = (range.endsOnNext, range.scte35Command, range.scte35Out, range.scte35In, range.triggers)
        }
        let combined = playlist.combinedDateRanges
        let named = tags.count { !$0.id.isEmpty }
        try require(combined.reduce(0) { $0 + $1.tags.count } == named, "tags of combined date ranges")
        for range in combined {
            _ = (range.duration, range.expectedEndDate, range.conflicts, range.extensionAttributes, range.scte35Out)
            if let start = range.startDate, let end = range.endDate {
                _ = timeline.overlaps(from: start, to: end)
                if let time = timeline.time(at: start) { try lies(time, on: timeline) }
            }
        }
        for interstitial in playlist.interstitials {
            _ = (interstitial.asset, interstitial.snap, interstitial.restrictions, interstitial.contentMayVary)
            _ = (interstitial.occupancy, interstitial.timelineStyle, interstitial.skipControl)
            if let start = interstitial.startTime(on: timeline) { try lies(start, on: timeline) }
            for outcome in [.played(assets: .seconds(30)), .empty, .failed] as [Interstitial.Outcome] {
                if let time = interstitial.resumeTime(on: timeline, after: outcome) { try lies(time, on: timeline) }
            }
        }
        for preload in playlist.preloadRanges {
            _ = (preload.uri, combined.first.map(preload.isMeant))
        }
    }
}
