import HLS

@testable import Stitching

/// A live origin made from a scenario: renditions with their own segment grids, markers, a sliding window.
struct SimulatedOrigin {
    struct Segment {
        var number: Int64
        var start: Duration
        var duration: Duration
        var isDiscontinuity: Bool
        /// The lines before the address that stay the same: markers, the date, EXTINF.
        var markers: String
        var date: String
        var head: String
        /// The last part of its address.
        var name: String
        /// How often the encoder had started again.
        var restarts = 0
        var end: Duration { start + duration }
    }

    struct Track {
        var key: RenditionKey
        var segments: [Segment]
        var delay: Duration
    }

    /// What tells the versions of a playlist apart.
    struct Version: Equatable {
        var origin = 0
        var epoch: Int?
        var number: Int64
    }

    private(set) var tracks: [Track] = []
    private(set) var epochs: [TimelineScenario.Epoch]
    /// By epoch and track: what is added to the numbers.
    private var shifts: [[Int64]] = []
    let scenario: TimelineScenario
    let segmentDuration: Duration
    let length: Duration
    static let epoch = DateTime(nanoseconds: 1_800_000_000_000_000_000)

    init(_ scenario: TimelineScenario) {
        self.scenario = scenario
        let origin = scenario.origin
        segmentDuration = .milliseconds(origin.segments.map(\.duration).max() ?? 1)
        length = .milliseconds(origin.segments.reduce(0) { $0 + $1.duration })
        epochs = origin.epochs ?? []
        var time = 0
        var starts: [Int] = []
        for segment in origin.segments {
            starts.append(time)
            time += segment.duration
        }
        for index in epochs.indices where epochs[index].kind == .restart {
            epochs[index].start = starts.first { [start = epochs[index].start] in $0 >= start } ?? time
        }
        let markers = markerLines()
        time = 0
        let leading = origin.segments.enumerated().map { index, segment in
            defer { time += segment.duration }
            return self.segment(
                index, segment, at: time, TimelineScenario.leading, number: origin.firstNumber, markers: markers[index])
        }
        tracks.append(Track(key: RenditionKey(TimelineScenario.leading), segments: leading, delay: .zero))
        for rendition in origin.renditions {
            tracks.append(
                Track(
                    key: RenditionKey(rendition.key), segments: segments(of: rendition, markers: markers),
                    delay: .milliseconds(rendition.delay)))
        }
        for (index, epoch) in epochs.enumerated() {
            shifts.append(
                tracks.indices.map { track in
                    switch epoch.kind {
                    case .restart:
                        let first = tracks[track].segments.first { $0.start >= .milliseconds(epoch.start) }?.number ?? 0
                        return epoch.number - first
                    case .jump: return (index > 0 ? shifts[index - 1][track] : 0) + epoch.number
                    case .failover: return epoch.number
                    }
                })
        }
    }

    subscript(key: RenditionKey) -> Track? { tracks.first { $0.key == key } }

    /// How far nobody can tell how a rendition's times stand to the leading one's: its dates are wrong, and so are the other's; without
    /// dates those that are cut otherwise are taken to end together, though one may have a segment that the other has not yet.
    func uncertainty(of track: Track) -> Duration {
        if let jitter = scenario.origin.dateJitter { return .milliseconds(jitter * 2) }
        let isCutAlike = zip(track.segments, tracks[0].segments).allSatisfy { $0.duration == $1.duration }
        return isCutAlike ? .zero : longestStep(of: track.key)
    }

    /// The longest time between two versions of a rendition's playlist.
    func longestStep(of key: RenditionKey) -> Duration {
        guard let track = self[key] else { return .zero }
        return max(segmentDuration, track.segments.map(\.duration).max() ?? .zero) + track.delay.magnitude
    }

    // MARK: - Making it

    private func segments(of rendition: TimelineScenario.Rendition, markers: [[String]]) -> [Segment] {
        var result: [Segment] = []
        var time = 0
        guard let grid = rendition.grid else {
            let areMarked = rendition.key.hasPrefix("v")
            for (index, leading) in scenario.origin.segments.enumerated() {
                var segment = leading
                if rendition.gaps?.contains(index) ?? false { segment.gap = true }
                result.append(
                    self.segment(
                        index, segment, at: time, rendition.key, number: rendition.firstNumber,
                        markers: areMarked ? markers[index] : dateRanges(in: markers[index])))
                time += segment.duration
            }
            return result
        }
        var cuts: [Int] = []
        var starts: [(time: Int, lines: [String])] = []
        for (index, segment) in scenario.origin.segments.enumerated() {
            if segment.discontinuity ?? false || isRestart(at: time) { cuts.append(time) }
            let ranges = dateRanges(in: markers[index])
            if !ranges.isEmpty { starts.append((time, ranges)) }
            time += segment.duration
        }
        let end = time
        time = 0
        while time < end {
            var segment = TimelineScenario.Segment(duration: grid)
            if let cut = cuts.first, time >= cut {
                segment.discontinuity = !isRestart(at: cut)
                cuts.removeFirst()
            }
            if let cut = cuts.first, time + grid > cut { segment.duration = cut - time }
            if rendition.gaps?.contains(result.count) ?? false { segment.gap = true }
            var lines: [String] = []
            while let next = starts.first, next.time < time + segment.duration {
                lines += next.lines
                starts.removeFirst()
            }
            result.append(
                self.segment(
                    result.count, segment, at: time, rendition.key, number: rendition.firstNumber, markers: lines))
            time += segment.duration
        }
        return result
    }

    /// Date ranges stand in all renditions (rule 821).
    private func dateRanges(in lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix("#EXT-X-DATERANGE") }
    }

    /// The markers of each leading segment.
    private func markerLines() -> [[String]] {
        var result = Array(repeating: [String](), count: scenario.origin.segments.count)
        var starts: [Int] = []
        var time = 0
        for segment in scenario.origin.segments {
            starts.append(time)
            time += segment.duration
        }
        let markers = SimulatedMarkers(style: scenario.origin.markers, epoch: Self.epoch)
        for (event, planned) in scenario.breaks.enumerated() {
            guard let first = starts.firstIndex(where: { $0 >= planned.start }) else { continue }
            let begun = SimulatedMarkers.Break(
                event: UInt32(event + 1), start: .milliseconds(starts[first]), planned: planned.planned)
            let ahead = min(planned.ahead ?? 0, first)
            let back = planned.back.flatMap { back in starts.firstIndex { $0 >= back && $0 > planned.start } }
            result[first - ahead] += markers.out(begun)
            if planned.repeats ?? false {
                for index in result.indices where index > first && index < back ?? first {
                    result[index] += markers.inside(begun, at: .milliseconds(starts[index]))
                }
            }
            guard let back else { continue }
            // The return stands before what begins on the same segment.
            result[back] = markers.back(begun, at: .milliseconds(starts[back])) + result[back]
        }
        if scenario.origin.dateJitter != nil {
            for (index, segment) in scenario.origin.segments.enumerated() {
                guard let length = segment.dateRange else { continue }
                let date = Self.epoch.advanced(by: .milliseconds(starts[index])).formatted
                result[index].append("#EXT-X-DATERANGE:ID=\"p\(index)\",START-DATE=\"\(date)\",DURATION=\(length)")
            }
        }
        return result
    }

    private func segment(
        _ index: Int, _ segment: TimelineScenario.Segment, at time: Int, _ key: String, number first: Int64,
        markers: [String]
    ) -> Segment {
        let origin = scenario.origin
        var date = ""
        var head = ""
        if let jitter = origin.dateJitter {
            // Its own in each rendition.
            let hash = (index &* 7919 &+ key.utf8.reduce(0) { $0 &* 31 &+ Int($1) }) & 0xFFFF
            let wrong = jitter == 0 ? 0 : hash % (jitter * 2 + 1) - jitter
            date = "#EXT-X-PROGRAM-DATE-TIME:\(Self.epoch.advanced(by: .milliseconds(time + wrong)).formatted)\n"
        }
        if segment.gap ?? false { head += "#EXT-X-GAP\n" }
        let duration = Duration.milliseconds(segment.duration)
        head += "#EXTINF:\(DecimalText.text(duration)),\n"
        var name = "\(first + Int64(index)).\(origin.media == nil ? "ts" : "m4s")"
        if key.hasPrefix("s") {
            name = "\(first + Int64(index)).vtt"
        } else if key.hasPrefix("i"), origin.media != .byteRanges {
            head += "#EXT-X-BYTERANGE:5000@\(Self.iFrameOffset)\n"
        } else if origin.media == .byteRanges {
            head += "#EXT-X-BYTERANGE:5000\n"
            name = "all.mp4"
        }
        return Segment(
            number: first + Int64(index), start: .milliseconds(time), duration: duration,
            isDiscontinuity: segment.discontinuity ?? false && !isRestart(at: time),
            markers: markers.map { $0 + "\n" }.joined(), date: date, head: head, name: name,
            restarts: epochs.count { $0.kind == .restart && $0.start <= time })
    }

    // MARK: - Serving it

    private func isRestart(at time: Int) -> Bool { epochs.contains { $0.kind == .restart && $0.start == time } }

    /// The newest version of a rendition's playlist at a time; nil before there is one.
    ///
    /// - Parameter place: which of the channel's origins is asked.
    func version(_ track: Track, at now: Duration, from place: Int = 0) -> Version? {
        listed(track, at: now, from: place).map { listed in
            let number = track.segments[listed.segments.upperBound - 1].number
            return Version(
                origin: place, epoch: listed.epoch,
                number: number + shift(track, listed.epoch) + (backup(place)?.number ?? 0))
        }
    }

    /// The end of the newest segment of a rendition's playlist.
    func newestEnd(_ track: Track, at now: Duration, from place: Int) -> Duration? {
        listed(track, at: now, from: place).map { track.segments[$0.segments.upperBound - 1].end }
    }

    /// Which of the channel's origins is in use.
    func place(at now: Duration) -> Int {
        scenario.origin.turns?.last { .milliseconds($0.at) <= now }?.origin ?? 0
    }

    private func backup(_ place: Int) -> TimelineScenario.Backup? {
        let backups = scenario.origin.backups ?? []
        return backups.indices.contains(place - 1) ? backups[place - 1] : nil
    }

    private func shift(_ track: Track, _ epoch: Int?) -> Int64 {
        guard let epoch, let index = tracks.firstIndex(where: { $0.key == track.key }) else { return 0 }
        return shifts[epoch][index]
    }

    /// Of the addresses.
    func folder(_ epoch: Int?, from place: Int = 0) -> String {
        let backup = place == 0 ? "" : "b\(place)/"
        guard let place = epoch.flatMap({ epoch in epochs[...epoch].lastIndex { $0.kind != .jump } }) else {
            return backup
        }
        return "\(backup)e\(place)/"
    }

    /// How the addresses of a segment end, in an epoch.
    func name(_ track: Track, _ index: Int, _ epoch: Int?, from place: Int = 0) -> String {
        var range = ""
        if track.segments[index].name == "all.mp4" {
            range = "@\(700 + index * 5000)"
        } else if track.key.text.hasPrefix("i") {
            range = "@\(Self.iFrameOffset)"
        }
        return folder(epoch, from: place) + track.segments[index].name + range
    }

    /// The segments that a playlist lists at a time, and the epoch that it is of.
    private func listed(
        _ track: Track, at now: Duration, from place: Int
    ) -> (segments: Range<Int>, epoch: Int?)? {
        let edge = now - track.delay - .milliseconds(backup(place)?.delay ?? 0)
        let ended = track.segments.firstIndex { $0.end > edge } ?? track.segments.count
        guard ended > 3 else { return nil }
        let last = track.segments[ended - 1]
        let epoch = epochs.indices.last { index in
            epochs[index].kind == .restart
                ? last.start >= .milliseconds(epochs[index].start) : .milliseconds(epochs[index].start) <= edge
        }
        let isEvent = scenario.origin.isEvent ?? false
        let start = isEvent ? .zero : last.end - .milliseconds(scenario.origin.window)
        let first = min(track.segments.firstIndex { $0.start >= start } ?? 0, ended - 3)
        // The encoder that started again knows of nothing before.
        let known = track.segments.firstIndex { $0.restarts == last.restarts } ?? 0
        return (max(first, known)..<ended, epoch)
    }

    /// The playlist of a rendition as an origin serves it at a time; nil before there are segments.
    func playlist(_ track: Track, at now: Duration, from place: Int = 0) -> [UInt8]? {
        guard let (range, epoch) = listed(track, at: now, from: place) else { return nil }
        let backup = backup(place)
        let origin = scenario.origin
        let first = range.lowerBound
        var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:\(origin.targetDuration)\n"
        if origin.isEvent ?? false { text += "#EXT-X-PLAYLIST-TYPE:EVENT\n" }
        if track.key.text.hasPrefix("i") { text += "#EXT-X-I-FRAMES-ONLY\n" }
        if let start = origin.startOffset {
            text += "#EXT-X-START:TIME-OFFSET=\(start < 0 ? "-" : "")\(DecimalText.text(.milliseconds(abs(start))))\n"
        }
        let number = track.segments[first].number + shift(track, epoch) + (backup?.number ?? 0)
        text += "#EXT-X-MEDIA-SEQUENCE:\(number)\n"
        let gone = track.segments[..<first].count {
            $0.isDiscontinuity && $0.restarts == track.segments[first].restarts
        }
        let base = (epoch.map { epochs[$0].discontinuityBase } ?? 0) + (backup?.discontinuityBase ?? 0)
        if origin.countsDiscontinuities ?? false { text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(base + gone)\n" }
        let isMedia = !track.key.text.hasPrefix("s")
        let folder = "\(track.key)/\(folder(epoch, from: place))"
        for index in range {
            let segment = track.segments[index]
            if segment.isDiscontinuity { text += "#EXT-X-DISCONTINUITY\n" }
            if isMedia { text += mediaLines(index, isFirst: index == first, segment.isDiscontinuity) }
            text += segment.markers
            if isDated(index, isFirst: index == first) { text += segment.date }
            if isMedia, origin.media == .byteRanges, index == first || segment.isDiscontinuity {
                // A range behind another needs no offset.
                text += String(segment.head.dropLast()) + "@\(700 + index * 5000)\n"
            } else {
                text += segment.head
            }
            text += "\(folder)\(segment.name)\n"
        }
        if origin.ends ?? false, range.upperBound == track.segments.count { text += "#EXT-X-ENDLIST\n" }
        return Array(text.utf8)
    }

    private func isDated(_ index: Int, isFirst: Bool) -> Bool {
        guard let period = scenario.origin.datesEvery, !isFirst else { return true }
        return period > 0 && index % period == 0
    }

    /// Where I-frames begin in their segments.
    private static let iFrameOffset = 376

    /// EXT-X-KEY and EXT-X-MAP where they begin to hold.
    private func mediaLines(_ index: Int, isFirst: Bool, _ isDiscontinuity: Bool) -> String {
        let origin = scenario.origin
        var text = ""
        let period = index / (origin.keyRotation ?? .max)
        let isRotated = period != (index - 1) / (origin.keyRotation ?? .max) || index == 0
        if let keys = origin.keys, isFirst || isRotated { text += lines(of: keys, period) }
        let map = index / (origin.mapRotation ?? .max)
        let isOther = map != max(index - 1, 0) / (origin.mapRotation ?? .max)
        if origin.media != nil, isFirst || isDiscontinuity || isOther {
            let range = origin.media == .byteRanges ? ",BYTERANGE=\"700@0\"" : ""
            text += "#EXT-X-MAP:URI=\"init\(origin.mapRotation == nil ? "" : "\(map)").mp4\"\(range)\n"
        }
        return text
    }

    private func lines(of keys: TimelineScenario.Keys, _ period: Int) -> String {
        let identity = "URI=\"k\(period)\""
        let iv = ",IV=0x" + String(repeating: "0", count: 24) + String(10_000_000 + period)
        switch keys {
        // An init section under AES-128 needs an IV (rule 607).
        case .implicitIV:
            let method = scenario.origin.media == nil ? "AES-128" : "SAMPLE-AES"
            return "#EXT-X-KEY:METHOD=\(method),\(identity)\n"
        case .explicitIV: return "#EXT-X-KEY:METHOD=AES-128,\(identity)\(iv)\n"
        case .sampleAES: return "#EXT-X-KEY:METHOD=SAMPLE-AES,\(identity)\(iv)\n"
        case .severalFormats:
            return """
                #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://k\(period)",KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1"
                #EXT-X-KEY:METHOD=SAMPLE-AES,URI="data:text/plain;base64,a\(period)",KEYFORMAT="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed",KEYFORMATVERSIONS="1"

                """
        }
    }
}
