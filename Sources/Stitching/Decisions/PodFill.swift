package import HLS

/// The entries of a pod in one rendition.
package struct PodFill: Sendable {
    package struct Slot: Sendable {
        /// Index of the ad in the pod; passes of slate count on from the last ad.
        package let ad: Int
        /// Index of the entry in the ad's rendition.
        package let index: Int
        package let entry: SpliceEntry
        /// Σ of the durations before it.
        package let offset: Duration
        package let isSubtitleFiller: Bool
        /// It stands for nothing to be shown.
        package let isGap: Bool
        package let isSlate: Bool
        /// Discontinuities of the pod up to and with this entry.
        package let joints: Int
        /// When the entry begins on the ad's own clock (90 kHz, 33 bits); nil where it is not known.
        package let timestamp: Int64?

        package var end: Duration { offset + entry.duration }
    }

    package private(set) var slots: [Slot] = []
    package private(set) var duration = Duration.zero
    package private(set) var longestEntry = Duration.zero

    init(ads: [(media: AdMedia, match: AdMatch)]) {
        for (index, ad) in ads.enumerated() {
            guard let rendition = ad.media.rendition(of: ad.match) else { continue }
            append(rendition.entries[...], of: ad.media, as: index, ad.match, isSlate: false)
        }
    }

    /// What ads last, without listing their entries.
    static func duration(of ads: [(media: AdMedia, match: AdMatch)]) -> Duration {
        ads.reduce(.zero) { $0 + ($1.media.rendition(of: $1.match)?.duration ?? .zero) }
    }

    private mutating func append(
        _ entries: ArraySlice<SpliceEntry>, of media: AdMedia, as ad: Int, _ match: AdMatch, isSlate: Bool
    ) {
        var joints = slots.last?.joints ?? 0
        let (isSubtitleFiller, isGap) =
            switch match {
            case .rendition: (false, false)
            case .emptySubtitles: (true, false)
            case .gaps: (false, true)
            }
        let timestamps = media.timestamps ?? []
        var run = -1
        var elapsed = Duration.zero
        slots.reserveCapacity(slots.count + entries.count)
        for (index, entry) in entries.enumerated() {
            if entry.isJoint {
                joints += 1
                run += 1
                elapsed = .zero
            }
            let start = timestamps.indices.contains(run) ? timestamps[run] : nil
            slots.append(
                Slot(
                    ad: ad, index: index, entry: entry, offset: duration, isSubtitleFiller: isSubtitleFiller,
                    isGap: isGap, isSlate: isSlate, joints: joints,
                    timestamp: start.map { ($0 &+ elapsed.ticks) & (MediaTimestamps.period - 1) }))
            elapsed += entry.duration
            duration += entry.duration
            longestEntry = max(longestEntry, entry.duration)
        }
    }

    /// Passes of slate. In a rendition that is cut otherwise than the leading one each ends as near to where it ends there as whole
    /// entries allow, with the same discontinuities, and differences do not add up; the last one goes on as far as there are entries.
    ///
    /// - Parameters:
    ///   - ads: what the ads last on the leading rendition.
    ///   - first: index of the first pass.
    mutating func append(
        _ slate: PodSlate, in key: RenditionKey, leading: RenditionKey, after ads: Duration, pass first: Int
    ) {
        guard let leadingMatch = slate.matches[leading], let model = slate.media.rendition(of: leadingMatch),
            let own = slate.media.rendition(of: slate.matches[key] ?? leadingMatch)
        else { return }
        let match = slate.matches[key] ?? leadingMatch
        var end = ads
        for pass in 0..<max(slate.passes, 0) {
            let isLast = pass == slate.passes - 1
            let wanted = isLast ? model.entries.prefix(max(slate.lastEntries, 0)) : model.entries[...]
            end += isLast ? .seconds(86_400) : model.duration
            var count = wanted.count
            if match.index != leadingMatch.index {
                let joints = wanted.reduce(0) { $0 + ($1.isJoint ? 1 : 0) }
                count = Self.entries(of: own, lasting: end - duration, joints: joints)
            }
            append(own.entries.prefix(count), of: slate.media, as: first + pass, match, isSlate: true)
        }
    }

    /// How many entries bring the end nearest to `end`, where only slate of the last pass may be left out.
    func entries(endingNear end: Duration) -> Int {
        var count = slots.count
        while count > 1, slots[count - 1].isSlate, slots[count - 2].joints == slots[count - 1].joints,
            slots[count - 2].ad == slots[count - 1].ad,
            (slots[count - 2].end - end).magnitude <= (slots[count - 1].end - end).magnitude
        {
            count -= 1
        }
        return count
    }

    /// How many entries of a rendition last nearest to `length`, of those counts with so many discontinuities.
    private static func entries(of rendition: AdRendition, lasting length: Duration, joints: Int) -> Int {
        var best = 0
        var distance: Duration?
        var sum = Duration.zero
        var passed = 0
        for (index, entry) in rendition.entries.enumerated() {
            sum += entry.duration
            if entry.isJoint { passed += 1 }
            if passed > joints { break }
            guard passed == joints else { continue }
            if let distance, (sum - length).magnitude >= distance {
                // Sums do not fall: what follows is farther still. A rendition may have thousands of entries, and a pod as many passes.
                if sum > length { break }
                continue
            }
            distance = (sum - length).magnitude
            best = index + 1
        }
        return best
    }
}

extension AdMedia {
    func rendition(of match: AdMatch) -> AdRendition? {
        renditions.indices.contains(match.index) ? renditions[match.index] : nil
    }
}
