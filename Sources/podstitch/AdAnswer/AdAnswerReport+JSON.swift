import Server
import Stitching
import VAST

extension AdAnswerReport {
    /// Everything, in the order in which it was met; an ad in the words in which players are told of it. What is not there is left out.
    var json: JSONText {
        .object {
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
            $0.addUnlessEmpty("notes", notes)
            $0.addUnlessEmpty("requests", requests.map(Self.json))
            $0.addUnlessEmpty("breaks", breaks.map(json))
        }
    }

    private static func json(_ request: AdAnswerRequest) -> JSONText {
        .object {
            $0.add("url", request.url)
            $0.add("finalURL", request.finalURL)
            $0.add("depth", request.depth)
            switch request.outcome {
            case .success(let bytes): $0.add("bytes", bytes)
            case .failure(let failure): $0.add("failure", failure.text)
            }
            $0.add("seconds", seconds: request.elapsed)
        }
    }

    private func json(_ told: Break) -> JSONText {
        var object = JSONMembers()
        if let adBreak = told.adBreak {
            object.add("timeOffset", adBreak.timeOffsetText)
            object.add("breakId", adBreak.breakID)
            object.addUnlessEmpty("breakTypes", adBreak.breakTypes)
            object.add("repeatAfterInSeconds", seconds: adBreak.repeatAfter)
            object.addUnlessEmpty("trackingEvents", AdJSON.asAnswered.events(adBreak.trackingEvents.events))
            object.addUnlessEmpty("extensions", adBreak.extensions.map(AdJSON.adExtension))
        }
        object.add("skipped", told.skipped)
        guard let ads = told.ads else { return object.object }
        object.add("mode", ads.mode.rawValue)
        object.add("isPartial", ads.isPartial ? true : nil)
        object.add("failure", ads.requestFailure?.text)
        object.add("answerError", ads.answerError?.rawValue)
        object.add("breakError", ads.breakErrorCode?.rawValue)
        object.add("ads", ads.pod.enumerated().map { json($1, at: $0) })
        object.addUnlessEmpty("replacements", ads.spares.map { members(of: $0).object })
        object.addUnlessEmpty("nonLinearAdsList", overlays(of: ads).map(\.withoutEmptyMembers))
        object.addUnlessEmpty(
            "errors",
            errors(of: told).map { error in
                .object {
                    $0.add("vastAdId", error.adID)
                    $0.add("code", error.code.rawValue)
                    $0.add("reason", error.code.meaning)
                    $0.add("calls", calls(of: error))
                }
            })
        object.addUnlessEmpty("breakCalls", breakCalls(of: told).map(json))
        object.addUnlessEmpty(
            "notes",
            ads.log.map { note in
                .object {
                    $0.add("kind", note.kind.rawValue)
                    $0.add("vastAdId", note.adID)
                    $0.add("code", note.code?.rawValue)
                    $0.add("text", note.text)
                }
            })
        return object.object
    }

    private func json(_ ad: ResolvedAd, at place: Int) -> JSONText {
        var object = members(of: ad)
        object.add("adPosition", place + 1)
        object.add("calls", ad.canBeStitched ? calls(of: ad, at: place).map(json) : [])
        if ad.needsConditioning { object.addUnlessEmpty("callsOnceMade", calls(of: ad, at: place).map(json)) }
        object.addUnlessEmpty(
            "playerEvents",
            PlayerEvents.events(of: ad).map { event in
                .object {
                    $0.add("eventType", event.name)
                    $0.add("beaconUrls", event.urls)
                }
            })
        return object.object
    }

    private func json(_ call: Call) -> JSONText {
        .object {
            $0.add("eventType", call.event)
            $0.add("startTimeInSeconds", seconds: call.time)
            $0.add("url", call.url)
        }
    }

    /// Addresses are as the answer has them, macros still in them.
    private func members(of ad: ResolvedAd) -> JSONMembers {
        var object = JSONMembers()
        object.add("fate", ad.fate)
        object.add("sequence", ad.sequence)
        object.add("interactive", ad.interactive?.name)
        if ad.interactive != nil {
            object.add("interactiveParameters", ad.interactiveParameters?.place.rawValue ?? "none that can be read")
        }
        object.add("wrappers", ad.wrapperCount > 0 ? ad.wrapperCount : nil)
        object.addUnlessEmpty("wrapperAdSystems", ad.wrapperAdSystems)
        object.add("unusedLinears", ad.unusedLinears.isEmpty ? nil : ad.unusedLinears.count)
        object.add("durationInSeconds", seconds: ad.duration)
        object.addUnlessEmpty(
            "nonLinearAdsList", AdJSON.asAnswered.nonLinears(of: ad, isAlone: false).map(\.withoutEmptyMembers))
        object.add(contentsOf: AdJSON.asAnswered.members(of: ad).withoutEmptyMembers)
        return object
    }
}
