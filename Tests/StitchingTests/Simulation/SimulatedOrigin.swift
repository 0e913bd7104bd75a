import HLS

@testable import Stitching

/// A live origin made from a seed: renditions with their own segment grids, breaks, discontinuities, a sliding window.
struct SimulatedOrigin {
    struct Segment {
        var number: Int64
        var start: Duration
        var duration: Duration
        var isDiscontinuity: Bool
        var markers: [String] = []
        var end: Duration { start + duration }
    }

    struct Track {
        var key: RenditionKey
        var segments: [Segment]
        /// Its playlists run behind the leading rendition's by this.
        var delay: Duration
    }

    var tracks: [Track] = []
    let hasDates: Bool
    let window: Duration
    let declaresDiscontinuities: Bool
    let targetDuration: Int
    let length: Duration
    let segmentDuration: Duration
    let audioDuration: Duration
    let markers: SimulatedMarkers
    private let epoch = DateTime(nanoseconds: 1_800_000_000_000_000_000)
    private(set) var log: [String] = []

    init(_ generator: inout SeededGenerator) {
        hasDates = generator.chance(75)
        segmentDuration = generator.pick([
            .seconds(2), .seconds(4), .milliseconds(3840), .seconds(6), .milliseconds(6006),
        ])
        audioDuration = generator.pick([
            segmentDuration, segmentDuration, .milliseconds(1984), .milliseconds(3989), .seconds(5),
        ])
        window = segmentDuration * Int.random(in: 4...8, using: &generator)
        // Without dates and without the counter there is nothing to align another grid by once a gap was not seen.
        declaresDiscontinuities = !hasDates || generator.chance(60)
        targetDuration = 7
        markers = SimulatedMarkers(hasDates: hasDates, epoch: epoch, &generator)
        log.append("\(markers.style)")
        length = segmentDuration * Int.random(in: 24...38, using: &generator)
        build(&generator)
    }

    private mutating func build(_ generator: inout SeededGenerator) {
        var cuts: [Duration] = []
        var video: [Segment] = []
        var number = Int64.random(in: 0...1_000_000, using: &generator)
        let audioNumber = generator.chance(50) ? number : Int64.random(in: 0...9_000, using: &generator)
        var time = Duration.zero
        var pending: [String] = []
        var openUntil: Duration?
        var running: SimulatedMarkers.Break?
        var returnsAt: Duration?
        var nextBreak = segmentDuration * Int.random(in: 6...12, using: &generator)
        while time < length {
            var duration = segmentDuration
            if generator.chance(10) { duration = duration - .milliseconds(Int.random(in: 0...400, using: &generator)) }
            var markers = pending
            pending = []
            if let back = returnsAt, time >= back {
                if let running, generator.chance(85) { markers += self.markers.back(running, at: time) }
                running = nil
                returnsAt = nil
                openUntil = nil
            }
            if openUntil == nil, time >= nextBreak {
                let planned = generator.pick([10, 15, 20, 30, 30, 30, 45])
                let isUnknown = generator.chance(8)
                let begun = SimulatedMarkers.Break(
                    event: UInt32(truncatingIfNeeded: log.count), start: time, planned: isUnknown ? nil : planned)
                running = begun
                let lines = self.markers.out(begun, &generator)
                if let ahead = self.markers.segmentsAhead(&generator), video.count > ahead {
                    video[video.count - ahead].markers += lines
                } else {
                    markers += lines
                }
                openUntil = time + .seconds(planned)
                let early = isUnknown || generator.chance(15)
                returnsAt =
                    early ? time + .seconds(planned) * Int.random(in: 20...90, using: &generator) / 100 : openUntil
                nextBreak =
                    time + .seconds(planned) + segmentDuration
                    * (generator.chance(30) ? 0 : Int.random(in: 0...8, using: &generator))
                log.append("break at \(time) planned \(isUnknown ? 0 : planned) back \(String(describing: returnsAt))")
            } else if let running, openUntil != nil, generator.chance(50) {
                markers += self.markers.inside(running, at: time)
            }
            if hasDates, generator.chance(6) {
                markers.append(
                    "#EXT-X-DATERANGE:ID=\"p\(number)\",START-DATE=\"\(epoch.advanced(by: time).formatted)\",DURATION=\(generator.pick([1, 20, 60]))"
                )
            }
            // Half of the returns are conditioned: a segment ends where the break does.
            if let back = returnsAt, time + duration > back, time < back, generator.chance(50) {
                duration = back - time
            }
            let isDiscontinuity = time > .zero && generator.chance(generator.chance(50) ? 6 : 1)
            if isDiscontinuity { cuts.append(time) }
            video.append(
                Segment(
                    number: number, start: time, duration: max(duration, .milliseconds(200)),
                    isDiscontinuity: isDiscontinuity, markers: markers))
            time = video[video.count - 1].end
            number += 1
        }
        tracks.append(Track(key: RenditionKey("v0"), segments: video, delay: .zero))
        tracks.append(
            Track(key: RenditionKey("v1"), segments: video, delay: generator.milliseconds(0...1500)))
        let audio =
            audioDuration == segmentDuration && generator.chance(50)
            ? video.map { segment in
                var copy = segment
                copy.markers = []
                return copy
            } : audioSegments(until: time, cuts: cuts, number: audioNumber)
        tracks.append(
            Track(key: RenditionKey("a-aud-en"), segments: audio, delay: generator.milliseconds(-1500...1500)))
    }

    /// Audio on a grid of its own, begun anew at each discontinuity.
    private func audioSegments(until end: Duration, cuts: [Duration], number: Int64) -> [Segment] {
        var result: [Segment] = []
        var time = Duration.zero
        var number = number
        var cutIndex = 0
        while time < end {
            var duration = audioDuration
            var isCut = false
            if cutIndex < cuts.count, time >= cuts[cutIndex] {
                isCut = true
                cutIndex += 1
            }
            if cutIndex < cuts.count, time + duration > cuts[cutIndex] { duration = cuts[cutIndex] - time }
            result.append(Segment(number: number, start: time, duration: duration, isDiscontinuity: isCut))
            time = time + duration
            number += 1
        }
        return result
    }

    func lastNumber(_ track: Track, at now: Duration) -> Int64? {
        track.segments.last { $0.end <= now - track.delay }?.number
    }

    /// The playlist of a rendition as the origin serves it at a time; nil before there are segments.
    func playlist(_ track: Track, at now: Duration) -> [UInt8]? {
        let edge = now - track.delay
        let ended = track.segments.firstIndex { $0.end > edge } ?? track.segments.count
        guard ended > 3 else { return nil }
        let start = track.segments[ended - 1].end - window
        let first = min(track.segments.firstIndex { $0.start >= start } ?? 0, ended - 3)
        var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:\(targetDuration)\n"
        text += "#EXT-X-MEDIA-SEQUENCE:\(track.segments[first].number)\n"
        let gone = track.segments[..<first].filter(\.isDiscontinuity).count
        if declaresDiscontinuities { text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(gone)\n" }
        for segment in track.segments[first..<ended] {
            if segment.isDiscontinuity { text += "#EXT-X-DISCONTINUITY\n" }
            for marker in segment.markers { text += marker + "\n" }
            if hasDates { text += "#EXT-X-PROGRAM-DATE-TIME:\(epoch.advanced(by: segment.start).formatted)\n" }
            text += "#EXTINF:\(DecimalText.text(segment.duration)),\n\(track.key)/\(segment.number).m4s\n"
        }
        return Array(text.utf8)
    }
}
