import HLS

/// Three target durations of a live channel cannot be listed (rule 309): no ads are stitched where that is so.
///
/// What has left the origin's window is listed on, as far as it was seen, while the origin has to serve it: for as long as the segment
/// and the longest list that it was in last together (RFC 8216bis §6.2.2).
enum WindowShortage: Sendable, Equatable {
    /// Of what the origin has to serve. It stays so while the origin's window is what it is.
    case served(Duration, of: Duration)
    /// Of what was seen in one piece. That grows.
    case seen(Duration, of: Duration)

    /// For operators.
    var text: String {
        switch self {
        case .served(let length, let needed):
            "the origin lists and has to serve \(DecimalText.text(length)) s, and three target durations are \(DecimalText.text(needed)) s: "
                + "its window is to be longer, or maxAdSegmentDuration shorter"
        case .seen(let length, let needed):
            "\(DecimalText.text(length)) s of the channel were seen in one piece, and three target durations are \(DecimalText.text(needed)) s"
        }
    }
}

extension RenditionLedger {
    /// Segments leave the list: it is not an EVENT that keeps them all, nor has it ended.
    private var isSliding: Bool { !hasEnded && (hasSlid || playlistType != .event) }

    /// Too little of it can be listed for sessions with a target duration, as long as the origin's window is so short.
    func lastingShortage(for targetDuration: Duration) -> WindowShortage? {
        let needed = targetDuration * 3
        // Before anything has left the list, it may be short because the stream has only begun.
        guard isSliding, hasSlid, windowLength * 2 < needed else { return nil }
        let window = segments[index(atOrAfter: windowStart)...]
        let served = windowLength * 2 + (window.map(\.duration).max() ?? .zero)
        return served < needed ? .served(served, of: needed) : nil
    }

    /// Too little of it is known so far before a segment; nil: before what comes next, at a time.
    func shortage(for targetDuration: Duration, before number: Int64?, at time: DateTime) -> WindowShortage? {
        guard isSliding, let last = segments.last else { return nil }
        if let lasting = lastingShortage(for: targetDuration) { return lasting }
        let needed = targetDuration * 3
        let seen =
            number.map { knownDuration(before: $0) }
            ?? (knownDuration(before: last.number &+ 1) + max(last.end.duration(to: time), .zero))
        return seen < needed ? .seen(seen, of: needed) : nil
    }
}

extension StitchingSession {
    /// Why the session gets no ads for all its life: its window would be too short (rule 309), and its target duration is the content's
    /// own; nil where it may get some.
    package var unstitched: String? { start?.unstitched }

    /// Why a break is not stitched: no three target durations would be listed when its first entry is. What needs no more than
    /// that they are listed once all that is known is, has no number.
    func shortage(before number: Int64?, at time: DateTime, in ledger: BreakLedger) -> ContentReason? {
        if let unstitched { return .notStitchable(unstitched) }
        guard settings.needsWindow, let start, start.joinEdge != nil, let leading = ledger.renditions[ledger.leading]
        else { return nil }
        return leading.shortage(for: start.targetDuration, before: number, at: time).map { .notStitchable($0.text) }
    }
}
