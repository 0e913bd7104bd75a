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

    var session: Session
    var macros: SessionMacros
    /// Scheme, host and path that viewers reach the server under; without it addresses of ours begin with a slash.
    var publicURL: String?
    var page = Page()

    /// Who sends the beacons: who does not is told no addresses (R-K6).
    private var mode: SourceOptions.Tracking { session.record.tracking }

    init(session: Session, macros: SessionMacros, publicURL: String?) {
        self.session = session
        self.macros = macros
        self.publicURL = publicURL
    }

    /// - Parameters:
    ///   - breaks: in timeline order.
    ///   - isFinal: no break can come before one of them any more.
    ///   - token: of an earlier answer: breaks that were told then and cannot have changed are not told again.
    func json(_ breaks: [StitchedBreak], isFinal: Bool, after token: TrackingToken?) -> String {
        var avails: [JSONText] = []
        var nonLinears: [JSONText] = []
        var bytes = 0
        var next = token
        // The token leads past breaks only as long as none before them may change.
        var isSettled = isFinal
        for one in breaks where token?.isBefore(one) ?? true {
            guard avails.count + nonLinears.count < page.breaks, bytes == 0 || bytes < page.bytes else { break }
            let handout = session.breakHandout(of: one.breakID)
            let text = avail(one, handout).compact
            bytes += text.utf8.count
            if handout?.isNonLinear ?? false {
                nonLinears.append(.written(text))
            } else {
                avails.append(.written(text))
            }
            isSettled = isSettled && one.isSettled
            if isSettled { next = TrackingToken(behind: one, of: session.key) }
        }
        var root = JSONMembers()
        root.add("avails", avails)
        root.add("nextToken", orNull: next?.text)
        root.add("nonLinearAvails", nonLinears)
        return root.object.compact + "\n"
    }

    private func avail(_ stitched: StitchedBreak, _ breakHandout: BreakHandout?) -> JSONText {
        let known = session.facts(of: stitched.breakID)
        let pod = session.decision(for: stitched.breakID)?.pod
        let handouts = session.handouts(of: stitched.breakID)
        var context = macros.context(session.record, known?.facts ?? BreakFacts(unknown: stitched.breakID))
        var ads: [JSONText] = []
        var nonLinears: [JSONText] = []
        for (place, ad) in stitched.ads.enumerated() {
            context.ad = known.flatMap { $0.ads.indices.contains(ad.index) ? $0.ads[ad.index] : nil }
            let handout = handouts.indices.contains(ad.index) ? handouts[ad.index] : nil
            ads.append(self.ad(ad, at: place, of: stitched, pod, handout ?? AdHandout(vastAdID: ad.id), context))
            nonLinears += (handout?.nonLinears ?? []).map(JSONText.written)
        }
        nonLinears += (breakHandout?.overlays ?? []).map(JSONText.written)
        context.ad = nil
        var events = stitched.events.compactMap { due in
            pod?.event(due).map { event($0, due, lasting: .zero, of: stitched.breakID, context) }
        }
        for (index, known) in (breakHandout?.events ?? []).enumerated() {
            var position = stitched.start
            if known.time == .end { position.move(by: stitched.duration) }
            let due = StitchedBreak.Event(ad: 0, index: index, position: position)
            events.append(event(known, due, lasting: .zero, of: stitched.breakID, context))
        }
        var object = JSONMembers()
        object.add("adBreakTrackingEvents", events)
        object.add("adMarkerDuration", orNull: stitched.plannedDuration.map(JSONTime.iso8601))
        object.add("ads", ads)
        object.add("availId", "\(stitched.start.number)")
        object.add("availProgramDateTime", orNull: stitched.start.date?.formatted)
        object.add("duration", bothForms: stitched.duration)
        object.add("meta", JSONText.null)
        object.add("nonLinearAdsList", nonLinears)
        object.add("startTime", bothForms: stitched.start.time)
        return object.object
    }

    private func ad(
        _ ad: StitchedBreak.Ad, at place: Int, of stitched: StitchedBreak, _ pod: Pod?, _ handout: AdHandout,
        _ context: MacroContext
    ) -> JSONText {
        var events = ad.events.compactMap { due -> JSONText? in
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
        var object = JSONMembers()
        object.add("adId", "\(ad.start.number)")
        object.add("adProgramDateTime", orNull: ad.start.date?.formatted)
        object.add(written: handout.members)
        object.add("duration", bothForms: ad.duration)
        object.add("startTime", bothForms: ad.start.time)
        object.add("trackingEvents", events)
        // In the pod as it is stitched, from 1: what is no ad does not count (R-I5).
        object.add("adPosition", place + 1)
        return object.object
    }

    private func event(
        _ event: AdTracking.Event, _ due: StitchedBreak.Event, lasting length: Duration, of adBreak: BreakID,
        _ context: MacroContext
    ) -> JSONText {
        var object = JSONMembers()
        object.add("beaconUrls", urls(event, due, of: adBreak, context))
        object.add("duration", bothForms: length)
        object.add("eventId", "\(due.position.number)")
        object.add("eventProgramDateTime", orNull: due.position.date?.formatted)
        object.add("eventType", event.name)
        object.add("startTime", bothForms: due.position.time)
        return object.object
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

extension StitchedBreak.Position {
    /// To where a break ends.
    fileprivate mutating func move(by duration: Duration) {
        time += duration
        date = date?.advanced(by: duration)
    }
}

extension Pod {
    fileprivate func event(_ due: StitchedBreak.Event) -> AdTracking.Event? {
        guard ads.indices.contains(due.ad), ads[due.ad].tracking.events.indices.contains(due.index) else { return nil }
        return ads[due.ad].tracking.events[due.index]
    }
}
