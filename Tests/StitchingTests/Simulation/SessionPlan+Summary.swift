import HLS

@testable import Stitching

extension SessionPlan {
    /// The places of all pods, a line each.
    var summary: String {
        var result = ""
        for (key, plan) in renditions.sorted(by: { $0.key < $1.key }) {
            for place in plan.placements {
                result += "    \(key) [\(place.start), \(place.end.map { "\($0)" } ?? "?")) f \(place.fillCount) at "
                result +=
                    "\(place.startTime.formatted) D \(place.drift) -> \(place.driftAfter) tags \(place.startTags) "
                result += "\(place.endTags) number \(place.numberOffset) -> \(place.numberOffsetAfter) discontinuity "
                result += "\(place.discontinuityOffset) -> \(place.discontinuityOffsetAfter) q \(place.dateShortening)"
                result += "\(place.isUnseen ? " unseen" : "")\(place.cut == nil ? "" : " cut")\n"
            }
        }
        return result
    }
}
