internal import HLS
internal import Stitching
internal import VAST

/// The answer to a player that asks what its stream's breaks hold: MediaTailor's client-side tracking JSON.
struct TrackingDocument {
    static let contentType = "application/json"

    /// A page has no more breaks, and no more bytes once it has one.
    struct Page {
        var breaks = 100
        var bytes = 1 << 20
    }

    /// Who sends the beacons: who does not is told no addresses (R-K6).
    var mode: SourceOptions.Tracking
    var session: Session
    var macros: SessionMacros
    /// Scheme, host and path that viewers reach the server under; without it addresses of ours begin with a slash.
    var publicURL: String?
    var page = Page()

    /// - Parameter token: `nextToken` of an earlier answer: breaks that were told then and cannot have changed are not told again.
    func json(_ breaks: [StitchedBreak], after token: String?) -> String {
        let told = token.flatMap { Int64($0) }
        var avails: [String] = []
        var bytes = 0
        var next = told
        for one in breaks where told.map({ one.start.number > $0 }) ?? true {
            guard avails.count < page.breaks, avails.isEmpty || bytes < page.bytes else { break }
            let avail = avail(one)
            bytes += avail.utf8.count
            avails.append(avail)
            if one.isSettled { next = max(next ?? one.start.number, one.start.number) }
        }
        var root = JSONObject()
        root.add("avails", list: avails)
        root.addOptional("nextToken", next.map { "\($0)" })
        root.add("nonLinearAvails", list: [])
        return root.text + "\n"
    }

    private func avail(_ stitched: StitchedBreak) -> String {
        let known = session.facts(of: stitched.breakID)
        let pod = session.decision(for: stitched.breakID)?.pod
        let handouts = session.handouts(of: stitched.breakID)
        var context = macros.context(session.record, known?.facts ?? BreakFacts(unknown: stitched.breakID))
        var ads: [String] = []
        var nonLinears: [String] = []
        for ad in stitched.ads {
            context.ad = known.flatMap { $0.ads.indices.contains(ad.index) ? $0.ads[ad.index] : nil }
            let handout = handouts.indices.contains(ad.index) ? handouts[ad.index] : nil
            ads.append(self.ad(ad, of: stitched, pod, handout ?? AdHandout(vastAdID: ad.id), context))
            nonLinears += handout?.nonLinears ?? []
        }
        nonLinears += session.overlays(of: stitched.breakID)
        context.ad = nil
        let events = stitched.events.compactMap { due in
            pod?.event(due).map { event($0, due, lasting: .zero, of: stitched.breakID, context) }
        }
        var object = JSONObject()
        object.add("adBreakTrackingEvents", list: events)
        object.addOptional("adMarkerDuration", stitched.plannedDuration.map(JSONObject.iso8601))
        object.add("ads", list: ads)
        object.add("availId", "\(stitched.start.number)")
        object.addOptional("availProgramDateTime", stitched.start.date?.formatted)
        object.add("duration", stitched.duration)
        object.addOptional("meta", nil as String?)
        object.add("nonLinearAdsList", list: nonLinears)
        object.add("startTime", stitched.start.time)
        return object.text
    }

    private func ad(
        _ ad: StitchedBreak.Ad, of stitched: StitchedBreak, _ pod: Pod?, _ handout: AdHandout, _ context: MacroContext
    ) -> String {
        var events = ad.events.compactMap { due -> String? in
            guard let event = pod?.event(due) else { return nil }
            // An impression lasts as long as its ad, the others are moments.
            let length = event.name == "impression" ? ad.duration : .zero
            return self.event(event, due, lasting: length, of: stitched.breakID, context)
        }
        let known = pod?.ads ?? []
        let timed = known.indices.contains(ad.index) ? known[ad.index].tracking.events.count : 0
        for (index, action) in handout.actions.enumerated() {
            let due = StitchedBreak.Event(ad: ad.index, index: timed + index, position: ad.start)
            events.append(event(action, due, lasting: ad.duration, of: stitched.breakID, context))
        }
        var object = JSONObject()
        object.add("adId", "\(ad.start.number)")
        object.addOptional("adProgramDateTime", ad.start.date?.formatted)
        object.add(members: handout.members)
        object.add("duration", ad.duration)
        object.add("startTime", ad.start.time)
        object.add("trackingEvents", list: events)
        return object.text
    }

    private func event(
        _ event: AdTracking.Event, _ due: StitchedBreak.Event, lasting length: Duration, of adBreak: BreakID,
        _ context: MacroContext
    ) -> String {
        var object = JSONObject()
        object.add("beaconUrls", texts: urls(event, due, of: adBreak, context))
        object.add("duration", length)
        object.add("eventId", "\(due.position.number)")
        object.addOptional("eventProgramDateTime", due.position.date?.formatted)
        object.add("eventType", event.name)
        object.add("startTime", due.position.time)
        return object.text
    }

    private func urls(
        _ event: AdTracking.Event, _ due: StitchedBreak.Event, of adBreak: BreakID, _ context: MacroContext
    ) -> [String] {
        switch mode {
        case .server: return []
        case .relay where !event.isOpened:
            let relayed = RelayedEvent(breakID: adBreak, ad: due.ad, event: due.index)
            return ["\(publicURL ?? "")\(relayed.path(in: session.key))"]
        case .relay, .client: return event.urls.map { Macros.requestURL($0, in: context, for: .client) }
        }
    }
}

extension AdTracking.Event {
    /// A page that the player opens, nothing to be reported.
    var isOpened: Bool { name == "clickThrough" }
}

extension Pod {
    fileprivate func event(_ due: StitchedBreak.Event) -> AdTracking.Event? {
        guard ads.indices.contains(due.ad), ads[due.ad].tracking.events.indices.contains(due.index) else { return nil }
        return ads[due.ad].tracking.events[due.index]
    }
}
