internal import HLS
internal import Stitching

extension AdDebugger.SessionReport {
    /// One line of the list of sessions.
    var summary: String {
        var object = JSONObject()
        object.add("session", name)
        object.add("source", "\(source.kind.rawValue)/\(source.name)")
        object.addOptional("unstitched", unstitched)
        object.add("breaks", json: "\(breaks.count)")
        object.add("changedAt", formatted(changedAt))
        return object.text
    }

    /// `GET /sessions/{id}`.
    var json: String {
        var object = JSONObject()
        object.add("session", name)
        object.add("source", "\(source.kind.rawValue)/\(source.name)")
        object.addOptional("unstitched", unstitched)
        object.add("changedAt", formatted(changedAt))
        object.add("droppedBreaks", json: "\(dropped)")
        object.add("breaks", list: breaks.map(\.json))
        return object.text
    }
}

extension BreakReport {
    var json: String {
        var object = JSONObject()
        object.add("id", id.text)
        if let opportunity {
            object.add("position", opportunity.position)
            object.add("index", json: "\(opportunity.index)")
            object.add("start", opportunity.start.formatted)
            object.add("plannedMilliseconds", json: opportunity.planned.map { milliseconds($0) } ?? "null")
            object.add("availableMilliseconds", json: milliseconds(opportunity.available))
        }
        object.add("requests", list: requests.map(\.json))
        object.add("ads", list: ads.map(\.json))
        object.add("notes", texts: notes)
        object.add("decision", json: decision?.json ?? "null")
        object.add("beacons", list: beacons.map(\.json))
        object.add("dropped", json: "\(dropped)")
        return object.text
    }
}

extension BreakReport.Outcome {
    var json: String {
        var object = JSONObject()
        object.add("kind", kind)
        object.add("at", formatted(at))
        object.addOptional("code", code)
        object.addOptional("reason", reason)
        object.add("durationMilliseconds", json: milliseconds(duration))
        object.add("slateMilliseconds", json: milliseconds(slate))
        object.addOptional("restAt", restAt?.formatted)
        return object.text
    }
}

extension BreakReport.Request {
    var json: String {
        var object = JSONObject()
        object.add("url", url)
        object.add("at", formatted(at))
        object.add("milliseconds", json: milliseconds(elapsed))
        object.add("outcome", outcome)
        object.add("bytes", json: "\(bytes)")
        object.add("isNamedByAnswer", isNamedByAnswer)
        if let body { object.add("body", body) }
        return object.text
    }
}

extension BreakReport.Ad {
    var json: String {
        var object = JSONObject()
        object.add("id", id)
        object.add("fate", skipped == nil ? "shown" : "skipped")
        if let skipped { object.add("reason", redactedText(skipped)) }
        if let duration { object.add("durationMilliseconds", json: milliseconds(duration)) }
        return object.text
    }
}

extension BreakReport.Beacon {
    var json: String {
        var object = JSONObject()
        object.add("event", event)
        object.add("url", url)
        object.add("at", formatted(at))
        object.add("outcome", outcome)
        return object.text
    }
}

private func formatted(_ nanoseconds: Int64) -> String { DateTime(nanoseconds: nanoseconds).formatted }

private func milliseconds(_ duration: Duration) -> String { "\(duration.wholeNanoseconds / 1_000_000)" }
