import VAST

extension AdAnswerReport {
    /// Everything, in the order in which it was met. What is not there is left out.
    var json: JSONText {
        var object = JSONMembers()
        object.add("source", source)
        switch form {
        case .vast(let version):
            object.add("form", "VAST")
            object.add("version", version)
        case .vmap(let version):
            object.add("form", "VMAP")
            object.add("version", version)
        case nil: break
        }
        object.add("problem", problem)
        object.add("problemCode", problemCode?.rawValue)
        object.add("requests", requests.map(Self.json))
        object.add("breaks", breaks.map(json))
        return object.object
    }

    private static func json(_ request: AdAnswerRequest) -> JSONText {
        var object = JSONMembers()
        object.add("url", request.url)
        object.add("finalURL", request.finalURL)
        object.add("depth", request.depth)
        switch request.outcome {
        case .success(let bytes): object.add("bytes", bytes)
        case .failure(let failure): object.add("failure", failure.text)
        }
        object.add("seconds", request.elapsed)
        return object.object
    }

    private func json(_ told: Break) -> JSONText {
        var object = JSONMembers()
        if let adBreak = told.adBreak {
            object.add("timeOffset", adBreak.timeOffsetText)
            object.add("breakId", adBreak.breakID)
            object.add("breakTypes", adBreak.breakTypes.map { .text($0) })
            object.add("repeatAfter", adBreak.repeatAfter)
            object.add("trackingEvents", AdJSON.events(adBreak.trackingEvents.events))
            object.add("extensions", adBreak.extensions.map(AdJSON.object))
            object.add("isUsed", adBreak.isLinear && adBreak.timeOffset != .invalid)
        }
        guard let ads = told.ads else { return object.object }
        object.add("mode", ads.mode.rawValue)
        object.add("isPartial", ads.isPartial ? true : nil)
        object.add("failure", ads.requestFailure?.text)
        object.add("answerError", ads.answerError?.rawValue)
        object.add("breakError", ads.breakErrorCode?.rawValue)
        object.addAlways("ads", ads.pod.enumerated().map { json($1, at: $0) })
        object.add("spares", ads.spares.map { AdJSON.object($0).object })
        object.add(
            "errors",
            errors(of: ads).map { error in
                var object = JSONMembers()
                object.add("adId", error.adID)
                object.add("code", error.code.rawValue)
                object.addAlways("calls", calls(of: error).map { .text($0) })
                return object.object
            })
        object.add(
            "notes",
            ads.log.map { note in
                var object = JSONMembers()
                object.add("kind", note.kind.rawValue)
                object.add("adId", note.adID)
                object.add("code", note.code?.rawValue)
                object.add("text", note.text)
                return object.object
            })
        return object.object
    }

    private func json(_ ad: ResolvedAd, at place: Int) -> JSONText {
        var object = AdJSON.object(ad)
        object.addAlways(
            "calls",
            calls(of: ad, at: place).map { call in
                var object = JSONMembers()
                object.add("event", call.event)
                object.add("time", call.time)
                object.add("url", call.url)
                return object.object
            })
        return object.object
    }
}
