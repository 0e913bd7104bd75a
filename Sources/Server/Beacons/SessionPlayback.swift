internal import HLS
internal import Stitching

/// What requests for the segments of ads tell of when a session's viewer sees them.
///
/// Players load ahead. A segment that is asked for `n` seconds early for who has played without a break since the last known moment is
/// taken to be played then; one that is late, or earlier than any player loads ahead, tells that the viewer has paused or jumped, and
/// that he is somewhere else now. What is due is held until the session asks for something again at or after its time: a viewer
/// who has left is told of no more.
struct SessionPlayback: Sendable {
    /// Players load no farther ahead than this.
    private static let longestLead = Duration.seconds(60)
    /// What of an ad was not asked for when it should play is waited for so long: requests may cross.
    private static let patience = Duration.seconds(2)
    private static let limit = 1_000

    /// A monotonic time, and the position that was played then.
    private var anchor: (at: Duration, position: Duration)?
    /// How far ahead of what is played the last request was.
    private var lead = Duration.zero
    /// The pod of the last request, and up to where it has been asked for since the last jump.
    private var current: (adBreak: BreakID, end: Duration)?
    private var starts: [BreakID: Duration] = [:]
    /// Due beacons of ads that are asked for.
    private var waiting: [DueBeacon] = []
    /// Breaks of which the last segment has been asked for.
    private var asked: Set<BreakID> = []
    /// The first break that was asked for here.
    private(set) var firstBreak: BreakID?

    /// Playing begins. Only the first time counts.
    mutating func begin(at now: Duration, position: Duration) {
        if anchor == nil { anchor = (now, position) }
    }

    var hasBegun: Bool { anchor != nil }

    /// The position that is played.
    func position(at now: Duration) -> Duration? { anchor.map { $0.position + (now - $0.at) } }

    /// When a position is played, if nothing comes between. Monotonic.
    func time(of position: Duration, after now: Duration) -> Duration {
        guard let anchor else { return now }
        return max(anchor.at + (position - anchor.position), now)
    }

    /// Where a pod begins, as `known` tells when the pod is first asked for; of one without a place: as if its segment `offset` were
    /// played now.
    mutating func start(of adBreak: BreakID, offset: Duration, at now: Duration, known: () -> Duration?) -> Duration {
        if let start = starts[adBreak] { return start }
        if starts.count >= Self.limit { starts = [:] }
        let start = known() ?? (position(at: now) ?? .zero) - offset
        starts[adBreak] = start
        return start
    }

    /// A segment is asked for that is played in `span`.
    mutating func ask(for span: Range<Duration>, of adBreak: BreakID, isLast: Bool, at now: Duration) {
        if firstBreak == nil { firstBreak = adBreak }
        if isLast {
            if asked.count >= Self.limit { asked = [] }
            asked.insert(adBreak)
        }
        defer {
            if let current, current.adBreak == adBreak {
                self.current = (adBreak, max(current.end, span.upperBound))
            } else {
                current = (adBreak, span.upperBound)
            }
        }
        guard let position = position(at: now) else {
            anchor = (now, span.lowerBound)
            return
        }
        let early = span.lowerBound - position
        var isJump = early > Self.longestLead
        if let current, current.adBreak == adBreak {
            let length = span.upperBound - span.lowerBound
            isJump = isJump || span.lowerBound > current.end + max(length * 3, .seconds(1))
        }
        if isJump {
            // What lies between is not seen.
            waiting.removeAll { $0.position > position }
            anchor = (now, span.lowerBound)
            lead = .zero
            current = nil
        } else if early < .zero {
            // A pause: what was loaded ahead is still to be played.
            anchor = (now, span.lowerBound - lead)
        } else {
            lead = early
        }
    }

    mutating func wait(for due: [DueBeacon]) {
        for beacon in due where waiting.count < Self.limit { waiting.append(beacon) }
    }

    /// What shows that the viewer is still there.
    enum Sign: Equatable {
        case playlist
        case segment(of: BreakID)
    }

    /// Takes what is due by `now`, with a sign that the viewer is there.
    ///
    /// - Parameter isPassedOver: the player has left it out, see ``StitchingSession/isPassedOver(_:)``.
    mutating func take(by sign: Sign, at now: Duration, isPassedOver: (DueBeacon) -> Bool) -> [DueBeacon] {
        guard !waiting.isEmpty, let position = position(at: now) else { return [] }
        var taken: [DueBeacon] = []
        waiting.removeAll { due in
            guard due.position <= position else { return false }
            if case .segment(let adBreak) = sign, due.breakID != adBreak {
                // Nothing more was asked for of it until it was over: the viewer went elsewhere.
                return true
            }
            if isPassedOver(due) { return position - due.position > Self.patience }
            taken.append(due)
            return true
        }
        return taken
    }

    /// Takes what is to come of breaks of which all has been asked for, with the times at which it is played: no more signs come.
    mutating func takeRest(
        at now: Duration, isPassedOver: (DueBeacon) -> Bool
    ) -> [(due: DueBeacon, at: Duration)] {
        guard !waiting.isEmpty else { return [] }
        let taken = waiting.filter { asked.contains($0.breakID) && !isPassedOver($0) }
        waiting.removeAll { taken.contains($0) }
        return taken.map { ($0, time(of: $0.position, after: now)) }
    }

    /// Nobody was there for a while.
    mutating func drop(upTo now: Duration) {
        guard let position = position(at: now) else { return }
        waiting.removeAll { $0.position <= position }
    }
}
