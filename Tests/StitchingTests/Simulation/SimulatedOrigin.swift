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
        /// Index into ``SimulatedOrigin/epochs`` plus one, of the last restart before.
        var restarts = 0
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
    private(set) var epochs: [SimulatedEpoch]
    private let epoch = DateTime(nanoseconds: 1_800_000_000_000_000_000)
    private(set) var log: [String] = []

    init(_ generator: inout SeededGenerator, faults: inout SeededGenerator) {
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
        epochs = SimulatedEpoch.draw(length: length, hasDates: hasDates, &faults)
        build(&generator)
        number(&faults)
    }

    /// Gives each epoch its numbers and addresses.
    private mutating func number(_ faults: inout SeededGenerator) {
        // Without dates nothing tells how another grid stands to the leading rendition's after the numbers have changed.
        if !hasDates, tracks[2].segments.map(\.start) != tracks[0].segments.map(\.start) {
            epochs = []
            for track in tracks.indices {
                for index in tracks[track].segments.indices { tracks[track].segments[index].restarts = 0 }
            }
        }
        for index in epochs.indices {
            let kind = epochs[index].kind
            let before = index > 0 ? epochs[index - 1] : nil
            let lowest = tracks.compactMap { $0.segments.first?.number }.min() ?? 0
            let shift = faults.pick([-lowest, -lowest / 2, 500, 100_000])
            epochs[index].folder = kind == .jump ? before?.folder ?? "" : "e\(index)/"
            let base = faults.pick([0, 1, 77] as [Int64])
            epochs[index].numberShifts = tracks.indices.map { track in
                guard kind == .jump else {
                    let first = tracks[track].segments.first { $0.start >= epochs[index].start }?.number ?? 0
                    return kind == .restart ? base - first : shift
                }
                return (before?.numberShifts[track] ?? 0) + abs(shift)
            }
            log.append("\(kind) at \(epochs[index].start) numbers \(epochs[index].numberShifts)")
        }
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
        var restarts = 0
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
            var isDiscontinuity = time > .zero && generator.chance(generator.chance(50) ? 6 : 1)
            if let place = epochs.indices.last(where: { epochs[$0].start <= time }), place + 1 > restarts,
                epochs[place].kind == .restart
            {
                restarts = place + 1
                epochs[place].start = time
                isDiscontinuity = false
                cuts.append(time)
            } else if isDiscontinuity {
                cuts.append(time)
            }
            video.append(
                Segment(
                    number: number, start: time, duration: max(duration, .milliseconds(200)),
                    isDiscontinuity: isDiscontinuity, markers: markers, restarts: restarts))
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
            let restarts = (epochs.lastIndex { $0.kind == .restart && $0.start <= time } ?? -1) + 1
            let isRestart = isCut && restarts > (result.last?.restarts ?? 0)
            result.append(
                Segment(
                    number: number, start: time, duration: duration, isDiscontinuity: isCut && !isRestart,
                    restarts: restarts))
            time = time + duration
            number += 1
        }
        return result
    }

    func lastNumber(_ track: Track, at now: Duration) -> Int64? {
        listed(track, at: now).flatMap { place in
            track.segments[..<place.segments.upperBound].last.map { $0.number + shift(track, place.epoch) }
        }
    }

    private func shift(_ track: Track, _ epoch: Int?) -> Int64 {
        guard let epoch, let index = tracks.firstIndex(where: { $0.key == track.key }) else { return 0 }
        return epochs[epoch].numberShifts[index]
    }

    /// The segments that a playlist lists at a time, and the epoch that it is of.
    private func listed(_ track: Track, at now: Duration) -> (segments: Range<Int>, epoch: Int?)? {
        let edge = now - track.delay
        let ended = track.segments.firstIndex { $0.end > edge } ?? track.segments.count
        guard ended > 3 else { return nil }
        let last = track.segments[ended - 1]
        let epoch = epochs.indices.last { index in
            epochs[index].kind == .restart ? last.restarts > index : epochs[index].start <= edge
        }
        let start = last.end - window
        let first = min(track.segments.firstIndex { $0.start >= start } ?? 0, ended - 3)
        // The encoder that started again knows of nothing before.
        let known = track.segments.firstIndex { $0.restarts == last.restarts } ?? 0
        return (max(first, known)..<ended, epoch)
    }

    /// The playlist of a rendition as the origin serves it at a time; nil before there are segments.
    func playlist(_ track: Track, at now: Duration) -> [UInt8]? {
        guard let (range, epoch) = listed(track, at: now) else { return nil }
        let first = range.lowerBound
        var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:\(targetDuration)\n"
        text += "#EXT-X-MEDIA-SEQUENCE:\(track.segments[first].number + shift(track, epoch))\n"
        let gone = track.segments[..<first].filter { segment in
            segment.isDiscontinuity && segment.restarts == track.segments[first].restarts
        }.count
        let base = epoch.map { epochs[$0].discontinuityBase } ?? 0
        if declaresDiscontinuities { text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(base + gone)\n" }
        let folder = epoch.map { epochs[$0].folder } ?? ""
        for segment in track.segments[range] {
            if segment.isDiscontinuity { text += "#EXT-X-DISCONTINUITY\n" }
            for marker in segment.markers { text += marker + "\n" }
            if hasDates { text += "#EXT-X-PROGRAM-DATE-TIME:\(self.epoch.advanced(by: segment.start).formatted)\n" }
            text += "#EXTINF:\(DecimalText.text(segment.duration)),\n\(track.key)/\(folder)\(segment.number).m4s\n"
        }
        return Array(text.utf8)
    }
}
