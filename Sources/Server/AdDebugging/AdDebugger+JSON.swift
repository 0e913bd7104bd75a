internal import HLS
internal import Stitching

extension AdDebugger.SessionReport {
    /// One line of the list of sessions.
    var summary: JSONText {
        var object = JSONMembers()
        object.add("session", name)
        object.add("source", "\(source.kind.rawValue)/\(source.name)")
        object.add("unstitched", orNull: unstitched)
        object.add("breaks", breaks.count)
        object.add("changedAt", formatted(changedAt))
        return object.object
    }

    /// `GET /sessions/{id}`.
    var json: JSONText {
        var object = JSONMembers()
        object.add("session", name)
        object.add("source", "\(source.kind.rawValue)/\(source.name)")
        object.add("unstitched", orNull: unstitched)
        object.add("changedAt", formatted(changedAt))
        object.add("droppedBreaks", dropped)
        object.add("breaks", breaks.map(\.json))
        return object.object
    }
}

extension BreakReport {
    var json: JSONText {
        var object = JSONMembers()
        object.add("id", id.text)
        if let opportunity {
            object.add("position", opportunity.position)
            object.add("index", opportunity.index)
            object.add("start", opportunity.start.formatted)
            object.add("plannedMilliseconds", opportunity.planned.map(JSONTime.milliseconds) ?? .null)
            object.add("availableMilliseconds", JSONTime.milliseconds(opportunity.available))
        }
        object.add("requests", requests.map(\.json))
        object.add("ads", ads.map(\.json))
        object.add("notes", notes)
        object.add("decision", decision?.json ?? .null)
        object.add("beacons", beacons.map(\.json))
        object.add("dropped", dropped)
        return object.object
    }
}

extension BreakReport.Outcome {
    var json: JSONText {
        var object = JSONMembers()
        object.add("kind", kind)
        object.add("at", formatted(at))
        object.add("code", orNull: code)
        object.add("reason", orNull: reason)
        object.add("durationMilliseconds", JSONTime.milliseconds(duration))
        object.add("slateMilliseconds", JSONTime.milliseconds(slate))
        object.add("restAt", orNull: restAt?.formatted)
        return object.object
    }
}

extension BreakReport.Request {
    var json: JSONText {
        var object = JSONMembers()
        object.add("url", url)
        object.add("at", formatted(at))
        object.add("milliseconds", JSONTime.milliseconds(elapsed))
        object.add("outcome", outcome)
        object.add("bytes", bytes)
        object.add("isNamedByAnswer", isNamedByAnswer)
        object.add("body", body)
        return object.object
    }
}

extension BreakReport.Ad {
    var json: JSONText {
        var object = JSONMembers()
        object.add("id", id)
        object.add("fate", skipped == nil ? "shown" : "skipped")
        if let skipped { object.add("reason", redactedText(skipped)) }
        if let duration { object.add("durationMilliseconds", JSONTime.milliseconds(duration)) }
        return object.object
    }
}

extension BreakReport.Beacon {
    var json: JSONText {
        var object = JSONMembers()
        object.add("event", event)
        object.add("url", url)
        object.add("at", formatted(at))
        object.add("outcome", outcome)
        return object.object
    }
}

private func formatted(_ nanoseconds: Int64) -> String { DateTime(nanoseconds: nanoseconds).formatted }
