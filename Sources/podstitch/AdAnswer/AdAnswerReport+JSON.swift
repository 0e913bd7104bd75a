import VAST

extension AdAnswerReport {
    /// Everything, in the order in which it was met. What is not there is left out.
    var json: JSONText {
        JSONMembers.object {
            $0.add("source", source)
            switch form {
            case .vast(let version):
                $0.add("form", "VAST")
                $0.add("version", version)
            case .vmap(let version):
                $0.add("form", "VMAP")
                $0.add("version", version)
            case nil: break
            }
            $0.add("problem", problem)
            $0.add("problemCode", problemCode?.rawValue)
            $0.add("requests", requests.map(Self.json))
            $0.add("breaks", breaks.map(json))
        }
    }

    private static func json(_ request: AdAnswerRequest) -> JSONText {
        JSONMembers.object {
            $0.add("url", request.url)
            $0.add("finalURL", request.finalURL)
            $0.add("depth", request.depth)
            switch request.outcome {
            case .success(let bytes): $0.add("bytes", bytes)
            case .failure(let failure): $0.add("failure", failure.text)
            }
            $0.add("seconds", request.elapsed)
        }
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
                JSONMembers.object {
                    $0.add("adId", error.adID)
                    $0.add("code", error.code.rawValue)
                    $0.addAlways("calls", calls(of: error).map { .text($0) })
                }
            })
        object.add(
            "notes",
            ads.log.map { note in
                JSONMembers.object {
                    $0.add("kind", note.kind.rawValue)
                    $0.add("adId", note.adID)
                    $0.add("code", note.code?.rawValue)
                    $0.add("text", note.text)
                }
            })
        return object.object
    }

    private func json(_ ad: ResolvedAd, at place: Int) -> JSONText {
        var object = AdJSON.object(ad)
        object.addAlways(
            "calls",
            calls(of: ad, at: place).map { call in
                JSONMembers.object {
                    $0.add("event", call.event)
                    $0.add("time", call.time)
                    $0.add("url", call.url)
                }
            })
        return object.object
    }
}
