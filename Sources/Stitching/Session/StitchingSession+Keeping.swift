import HLS

extension StitchingSession {
    /// What a session has worked out and could not work out again once the ledger has forgotten the segments it was made from:
    /// the places of its pods and the sums of those that went by. With start, own breaks and decisions it is the whole session.
    package struct Progress: Sendable, Codable {
        var plan: SessionPlan
        var breakCount: Int
        var indices: [BreakID: Int]
        var beacons: BeaconProgress
        /// ``BreakLedger/revision`` with which the plan was last made.
        package let revision: Int64
    }

    package var progress: Progress {
        Progress(plan: plan, breakCount: breakCount, indices: indices, beacons: beacons, revision: plannedRevision)
    }

    /// Goes on from where this session had got to in another process, unless it has got further here.
    package mutating func resume(_ progress: Progress) {
        guard progress.revision > plannedRevision else { return }
        plan = progress.plan
        plannedRevision = progress.revision
        plannedVersion = nil
        breakCount = max(breakCount, progress.breakCount)
        indices.merge(progress.indices) { _, kept in kept }
        beacons.merge(progress.beacons)
        if joinEdge != nil { forgetOwnBreaks() }
    }

    /// Beacons that were handed out already, by whom this session takes the place of.
    package mutating func leaveOut(_ handedOut: BeaconProgress) { beacons.merge(handedOut) }

    /// There is anything to keep: pods have places, or had.
    package var hasPlaces: Bool { plan.hasPods }

    /// Changes when a pod is lined up, or gets a place, or an end, in any rendition: what has to be kept then. The ledger may have
    /// forgotten the break by the time that its pod gets a place.
    package var milestones: Int {
        var hasher = Hasher()
        hasher.combine(plan.podCount)
        for key in plan.renditions.keys.sorted() {
            guard let rendition = plan.renditions[key] else { continue }
            hasher.combine(rendition.nextPod)
            hasher.combine(rendition.isOpen)
            hasher.combine(rendition.placements.last?.cut?.time)
        }
        return hasher.finalize()
    }
}
