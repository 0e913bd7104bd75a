internal import HLS
internal import Stitching

/// What happened to the ads of one break of a session, for operators.
struct BreakReport: Sendable {
    /// A request to an ad server, or to one that its answer named.
    struct Request: Sendable {
        /// As it was called, the values of the query masked.
        var url: String
        /// Wall clock, nanoseconds since 1970.
        var at: Int64
        var elapsed: Duration
        /// `answered`, or why there was no answer.
        var outcome: String
        /// Of the answer, decompressed.
        var bytes: Int
        /// An answer named the address, and not the operator.
        var isNamedByAnswer: Bool
        /// What came, where bodies are kept.
        var body: String?
    }

    struct Ad: Sendable {
        var id: String
        /// Nil: it is shown.
        var skipped: String?
        /// As shown; nil for an ad that is not.
        var duration: Duration?
    }

    struct Beacon: Sendable {
        var event: String
        /// The query masked.
        var url: String
        var at: Int64
        var outcome: String
    }

    /// What was asked about.
    struct Facts: Sendable {
        var position: String
        var index: Int
        var start: DateTime
        var planned: Duration?
        var available: Duration

        init(_ opportunity: Opportunity) {
            position = opportunity.position.rawValue
            index = opportunity.index
            start = opportunity.start
            planned = opportunity.plannedDuration
            available = opportunity.availableDuration
        }
    }

    /// What the session shows. The pod itself is not held: it may be large.
    struct Outcome: Sendable {
        /// `ads`, `slate` or `content`.
        var kind: String
        var at: Int64
        var code: String?
        var reason: String?
        var duration: Duration
        var slate: Duration
        var restAt: DateTime?

        init(_ decision: Decision, at time: Int64) {
            kind = decision.reason == nil ? "ads" : decision.pod == nil ? "content" : "slate"
            at = time
            code = decision.reason?.code
            reason = decision.reason?.detail.map { String(redactedText($0).prefix(1_000)) }
            duration = decision.pod?.duration ?? .zero
            slate = decision.pod?.slateDuration ?? .zero
            restAt = decision.rest?.start
        }
    }

    var id: BreakID
    /// Nil until something is asked for it: a break that content was the decision for at once has none.
    var opportunity: Facts?
    var requests: [Request] = []
    var ads: [Ad] = []
    /// What was odd in the answers and cost nothing, or gave no ads at all.
    var notes: [String] = []
    var decision: Outcome?
    var beacons: [Beacon] = []
    /// Requests and beacons that were not kept, when there were too many.
    var dropped = 0

    init(_ id: BreakID) { self.id = id }

    /// About what it takes up, bytes.
    var cost: Int {
        let strings =
            requests.reduce(0) { $0 + $1.url.utf8.count + ($1.body?.utf8.count ?? 0) + 160 }
            + ads.reduce(0) { $0 + $1.id.utf8.count + ($1.skipped?.utf8.count ?? 0) + 80 }
            + notes.reduce(0) { $0 + $1.utf8.count + 16 } + beacons.reduce(0) { $0 + $1.url.utf8.count + 120 }
        return 400 + id.text.utf8.count + (decision?.reason?.utf8.count ?? 0) + strings
    }
}
