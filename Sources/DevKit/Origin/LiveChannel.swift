internal import HLS

/// A live channel that plays the programme over and over by the wall clock. Everything it says follows from the time asked
/// for, so a restart of the demo is invisible.
///
/// Slot n is the n-th two seconds since 2020 and shows segment n mod (segments of the programme). It appears when its last
/// frame has been "recorded". A break begins once a minute.
struct LiveChannel: Sendable {
    /// Slots in the window.
    static let windowSlots = 15
    /// A break begins every so many slots, …
    static let breakEverySlots = 30
    /// … `breakOffset` slots into that time, …
    static let breakOffsetSlots = 5
    /// … and takes so many slots, by turns.
    static let breakLengthsInSlots = [15, 13]

    /// Where slot 0 begins: 2020-01-01T00:00:00Z, seconds since 1970.
    static let epochSeconds: Int64 = 1_577_836_800
    static let slotSeconds = Int64(MediaMaker.segmentSeconds)

    let tracks: [DemoPackaging: [String: DemoTrack]]
    let programmeSlots: Int64

    init(media: DemoMedia, programme: DemoItem = .programme) throws(DemoError) {
        var tracks: [DemoPackaging: [String: DemoTrack]] = [:]
        for packaging in DemoPackaging.allCases {
            for name in packaging.tracks {
                tracks[packaging, default: [:]][name] = try media.track(programme, packaging, name)
            }
        }
        self.tracks = tracks
        let counts = tracks.values.flatMap(\.values).map(\.segments.count)
        programmeSlots = Int64(counts.min() ?? 1)
    }

    /// Where a slot lies in a break.
    struct BreakPosition: Equatable {
        /// The break's number since slot 0.
        let number: Int64
        /// Slots since the break began.
        let elapsed: Int64
        let length: Int64
    }

    /// The break that slot `slot` lies in.
    func breakPosition(of slot: Int64) -> BreakPosition? {
        let every = Int64(Self.breakEverySlots)
        let sinceFirst = slot - Int64(Self.breakOffsetSlots)
        guard sinceFirst >= 0 else { return nil }
        let number = sinceFirst / every
        let lengths = Self.breakLengthsInSlots
        let length = Int64(lengths[Int(number % Int64(lengths.count))])
        let elapsed = sinceFirst % every
        return elapsed < length ? BreakPosition(number: number, elapsed: elapsed, length: length) : nil
    }

    /// Whether a slot starts with a discontinuity: the programme begins anew.
    func isDiscontinuity(_ slot: Int64) -> Bool { slot > 0 && slot % programmeSlots == 0 }

    /// Discontinuities before the first slot of a window. That slot's own tag is still in the playlist and not counted.
    func discontinuitySequence(ofWindowFrom slot: Int64) -> Int64 { slot > 0 ? (slot - 1) / programmeSlots : 0 }

    /// The newest complete slot at a time, seconds since 1970.
    func newestSlot(at seconds: Int64) -> Int64 {
        max(Int64(Self.windowSlots), (seconds - Self.epochSeconds) / Self.slotSeconds - 1)
    }

    /// The media playlist of a track at a time (seconds since 1970); `nil` when there is no such track.
    func mediaPlaylist(_ packaging: DemoPackaging, _ name: String, at seconds: Int64) -> String? {
        guard let track = tracks[packaging]?[name] else { return nil }
        let newest = newestSlot(at: seconds)
        let oldest = newest - Int64(Self.windowSlots) + 1
        var text = "#EXTM3U\n#EXT-X-VERSION:\(packaging == .ts ? 3 : 7)\n"
        text += "#EXT-X-TARGETDURATION:\(track.targetDuration)\n"
        text += "#EXT-X-MEDIA-SEQUENCE:\(oldest)\n"
        text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence(ofWindowFrom: oldest))\n"
        for slot in oldest...newest {
            if isDiscontinuity(slot) { text += "#EXT-X-DISCONTINUITY\n" }
            // Only the bytes after a discontinuity begin at zero again, the initialization section is the same.
            if slot == oldest, let map = track.map { text += "#EXT-X-MAP:URI=\"\(map)\"\n" }
            let begin = Self.epochSeconds + slot * Self.slotSeconds
            text += "#EXT-X-PROGRAM-DATE-TIME:\(DateTime(nanoseconds: begin * 1_000_000_000).formatted)\n"
            text += cues(at: slot)
            let segment = track.segments[Int(slot % programmeSlots)]
            text += "#EXTINF:\(segment.seconds),\n\(slot).\(packaging.segmentExtension)\n"
        }
        return text
    }

    /// Path on disk of a file that the live playlists name: a slot's segment or the initialization section.
    func file(_ packaging: DemoPackaging, _ name: String, _ file: String) -> String? {
        guard let track = tracks[packaging]?[name] else { return nil }
        if let map = track.map, file == map { return "\(track.folder)/\(map)" }
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == packaging.segmentExtension, let slot = Int64(parts[0]), slot >= 0 else {
            return nil
        }
        return "\(track.folder)/\(track.segments[Int(slot % programmeSlots)].file)"
    }

    private func cues(at slot: Int64) -> String {
        if let position = breakPosition(of: slot) {
            let length = position.length * Self.slotSeconds
            if position.elapsed == 0 { return "#EXT-X-CUE-OUT:\(length).000\n" }
            let elapsed = position.elapsed * Self.slotSeconds
            return "#EXT-X-CUE-OUT-CONT:ElapsedTime=\(elapsed).000,Duration=\(length).000\n"
        }
        return slot > 0 && breakPosition(of: slot - 1) != nil ? "#EXT-X-CUE-IN\n" : ""
    }
}

extension DemoPackaging {
    /// What a segment's file name ends in, without the dot.
    var segmentExtension: String { self == .ts ? "ts" : "m4s" }
}
