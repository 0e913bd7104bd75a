import FoundationEssentials

@testable import VAST

/// Documents in the shape of the expectations.
enum Described {
    static func document(_ document: VASTDocument) -> JSON {
        .object([
            "kind": .string("vast"), "version": JSON(document.version), "rootErrors": JSON(document.errors),
            "adCount": JSON(document.ads.count), "ads": .array(document.ads.map(ad)),
            "noAd": .bool(document.ads.isEmpty),
            "errorCode": document.ads.isEmpty ? .number(303) : .null,
            "pod": .array(
                document.pod.map {
                    .object([
                        "sequence": JSON(document.ads[$0].sequence), "id": JSON(document.ads[$0].id),
                        "index": JSON($0),
                    ])
                }),
            "standAlone": .array(
                document.standAlone.map { .object(["id": JSON(document.ads[$0].id), "index": JSON($0)]) }),
        ])
    }

    static func ad(_ ad: Ad) -> JSON {
        var members: [String: JSON] = [
            "id": JSON(ad.id), "sequence": JSON(ad.sequence), "sequenceInvalid": JSON(ad.invalidSequence),
            "adType": JSON(ad.adType), "conditionalAd": JSON(ad.conditionalAd),
        ]
        switch ad.content {
        case .invalid:
            members["type"] = .null
            members["errorCode"] = .number(101)
        case .inLine(let inLine):
            members["type"] = .string("InLine")
            members.merge(self.inLine(inLine)) { _, new in new }
        case .wrapper(let wrapper):
            members["type"] = .string("Wrapper")
            members["wrapper"] = .object([
                "uri": JSON(wrapper.adTagURI), "followAdditionalWrappers": JSON(wrapper.followAdditionalWrappers),
                "allowMultipleAds": JSON(wrapper.allowMultipleAds), "fallbackOnNoAd": JSON(wrapper.fallbackOnNoAd),
                "fromVASTAdTagURL": JSON(wrapper.usesLegacyTagURL),
            ])
            members["errorCode"] = wrapper.adTagURI == nil ? .number(300) : .null
            members["blockedAdCategories"] = .array(
                wrapper.blockedAdCategories.map {
                    .object(["authority": JSON($0.qualifier), "value": JSON($0.text)])
                })
        }
        if let elements = ad.elements { members.merge(common(elements)) { old, _ in old } }
        return .object(members)
    }

    private static func inLine(_ inLine: InLine) -> [String: JSON] {
        let all: Set<MediaUse> = [.hls, .dash, .progressive]
        let playable = inLine.playableLinear(all)
        let linear = playable?.linear ?? inLine.elements.creatives.compactMap(\.linear).first
        return [
            "adServingId": JSON(inLine.adServingID), "advertiser": JSON(inLine.advertiser?.text),
            "expires": JSON(seconds: inLine.expires), "surveys": JSON(inLine.surveys.count),
            "categories": .array(
                inLine.categories.map { .object(["authority": JSON($0.qualifier), "value": JSON($0.text)]) }),
            "duration": JSON(seconds: linear?.duration),
            "stitch": playable != nil
                ? .object(["ok": .bool(true)])
                : .object(["ok": .bool(false), "errorCode": JSON(inLine.unplayableCode.rawValue)]),
        ]
    }

    private static func common(_ elements: AdElements) -> [String: JSON] {
        let linears = elements.creatives.compactMap(\.linear)
        let companions = elements.creatives.compactMap(\.companionAds).flatMap(\.companions)
        let viewable = elements.viewableImpressions
        return [
            "infillion": infillion(elements),
            "adSystem": JSON(elements.adSystem), "adSystemVersion": JSON(elements.adSystemVersion),
            "adTitle": JSON(elements.adTitle), "impressions": JSON(elements.impressions.map(\.url)),
            "impressionsBlank": JSON(elements.blankImpressions), "errors": JSON(elements.errors),
            "extensions": .array(elements.extensions.map { JSON($0.type) }),
            "pricing": elements.pricing.map {
                .object(["model": JSON($0.model), "currency": JSON($0.currency), "value": JSON($0.value)])
            } ?? .null,
            "verifications": .array(elements.verifications.map(verification)),
            "viewable": .object([
                "Viewable": JSON(viewable.flatMap(\.viewable).count),
                "NotViewable": JSON(viewable.flatMap(\.notViewable).count),
                "ViewUndetermined": JSON(viewable.flatMap(\.viewUndetermined).count),
            ]),
            "creatives": .array(elements.creatives.map(creative)),
            "totals": .object([
                "mediaFiles": JSON(linears.flatMap(\.mediaFiles).count),
                "impressions": JSON(elements.impressions.count), "errors": JSON(elements.errors.count),
                "linear": JSON(linears.count), "companions": JSON(companions.count),
                "nonLinear": JSON(elements.creatives.compactMap(\.nonLinearAds).flatMap(\.nonLinears).count),
                "icons": JSON(linears.flatMap(\.icons).count),
                "verifications": JSON(elements.verifications.count),
                "tracking": JSON(counting: linears.flatMap(\.trackingEvents.events).map(\.event)),
            ]),
        ]
    }

    private static func infillion(_ elements: AdElements) -> JSON {
        guard let kind = InteractiveAd(adSystem: elements.adSystem) else { return .null }
        let companions = elements.creatives.compactMap(\.companionAds).flatMap(\.companions)
        let parameters = elements.creatives.compactMap(\.linear).compactMap(\.adParameters).first
        for candidate in InteractiveParameters.candidates(companions, parameters) {
            guard let json = try? JSONDecoder().decode(JSON.self, from: Data(candidate.json)), case .object = json
            else {
                continue
            }
            return .object([
                "kind": .string(kind.name.lowercased()), "from": .string(candidate.place.rawValue), "json": json,
            ])
        }
        return .object(["kind": .string(kind.name.lowercased()), "from": .null])
    }

    private static func verification(_ verification: AdVerification) -> JSON {
        .object([
            "vendor": JSON(verification.vendor),
            "javaScript": JSON(verification.resources.filter { $0.kind == .javaScript }.count),
            "executable": JSON(verification.resources.filter { $0.kind == .executable }.count),
            "apiFrameworks": JSON(verification.resources.map { $0.apiFramework ?? "" }),
            "parameters": .bool(verification.parameters?.isEmpty == false),
            "tracking": JSON(counting: verification.trackingEvents.events.map(\.event)),
            "fromExtension": .bool(verification.fromExtension),
        ])
    }

    private static func creative(_ creative: Creative) -> JSON {
        var parts: [JSON] = []
        if let linear = creative.linear { parts.append(self.linear(linear)) }
        if let nonLinear = creative.nonLinearAds {
            parts.append(
                .object([
                    "kind": .string("nonlinear"), "nonLinearCount": JSON(nonLinear.nonLinears.count),
                    "tracking": JSON(counting: nonLinear.trackingEvents.events.map(\.event)),
                    "trackingBlank": JSON(nonLinear.trackingEvents.blank),
                    "nonLinear": .array(
                        nonLinear.nonLinears.map {
                            .object([
                                "id": JSON($0.id), "apiFramework": JSON($0.apiFramework),
                                "resources": resources($0.resources),
                            ])
                        }),
                ]))
        }
        if let companionAds = creative.companionAds { parts.append(companion(companionAds)) }
        return .object([
            "id": JSON(creative.id), "adId": JSON(creative.adID), "sequence": JSON(creative.sequence),
            "apiFramework": JSON(creative.apiFramework), "parts": .array(parts),
            "universalAdIds": .array(
                creative.universalAdIDs.map {
                    .object(["registry": JSON($0.registry), "value": JSON($0.value)])
                }),
        ])
    }

    private static func companion(_ ads: CompanionAds) -> JSON {
        .object([
            "kind": .string("companion"), "required": JSON(ads.required), "companionCount": JSON(ads.companions.count),
            "tracking": JSON(counting: ads.companions.flatMap(\.trackingEvents.events).map(\.event)),
            "companions": .array(
                ads.companions.map {
                    .object([
                        "id": JSON($0.id), "width": JSON($0.width), "height": JSON($0.height),
                        "apiFramework": JSON($0.apiFramework), "renderingMode": JSON($0.renderingMode),
                        "clickTracking": JSON($0.clickTracking.count), "resources": resources($0.resources),
                    ])
                }),
        ])
    }

    private static func resources(_ resources: [AdResource]) -> JSON {
        .array(
            resources.map {
                .object([
                    "kind": JSON($0.kind.rawValue), "creativeType": JSON($0.creativeType),
                    "blank": .bool(URLText.isPlaceholder($0.content)),
                ])
            })
    }

    private static func offset(_ text: String?, _ offset: TimeOffset?, in duration: Duration?) -> JSON {
        var members: [String: JSON] = ["raw": JSON(text), "valid": .bool(offset != nil)]
        members["seconds"] = JSON(seconds: offset?.time(in: duration))
        if let text, text.hasSuffix("%") { members["percent"] = Double(text.dropLast()).map { .number($0) } }
        return .object(members)
    }

    private static func linear(_ linear: Linear) -> JSON {
        let playable = linear.mediaFiles.contains { [.hls, .dash, .progressive].contains($0.use) }
        return .object([
            "kind": .string("linear"), "tracking": JSON(counting: linear.trackingEvents.events.map(\.event)),
            "trackingBlank": JSON(linear.trackingEvents.blank),
            "trackingWithoutEvent": JSON(linear.trackingEvents.unnamed),
            "clickThrough": JSON(linear.clickThrough?.url), "clickTracking": JSON(linear.clickTracking.count),
            "customClick": JSON(linear.customClicks.count), "durationRaw": JSON(linear.durationText),
            "duration": JSON(seconds: linear.duration), "mediaFileCount": JSON(linear.mediaFiles.count),
            "mediaFiles": .array(linear.mediaFiles.map(mediaFile)), "playable": .bool(playable),
            "mezzanine": .array(
                linear.mezzanines.map { .object(["url": JSON($0.url), "type": JSON($0.type)]) }),
            "captions": .array(
                linear.closedCaptions.map { .object(["type": JSON($0.type), "language": JSON($0.language)]) }),
            "interactive": .array(
                linear.interactiveFiles.map {
                    .object([
                        "apiFramework": JSON($0.apiFramework), "type": JSON($0.type),
                        "variableDuration": JSON($0.variableDuration),
                    ])
                }),
            "icons": .array(
                linear.icons.map {
                    .object(["program": JSON($0.program), "viewTracking": JSON($0.viewTracking.count)])
                }),
            "skipoffset": offset(linear.skipOffsetText, linear.skipOffset, in: linear.duration),
            "progress": .array(
                linear.trackingEvents.events.filter { $0.event == "progress" }.map {
                    offset($0.offsetText, $0.offset, in: linear.duration)
                }),
            "adParameters": linear.adParameters.map {
                .object(["length": JSON($0.text.unicodeScalars.count), "xmlEncoded": JSON($0.xmlEncoded)])
            } ?? .null,
        ])
    }

    private static func mediaFile(_ file: MediaFile) -> JSON {
        .object([
            "url": JSON(file.url), "delivery": JSON(file.delivery), "type": JSON(file.type),
            "width": JSON(file.width), "height": JSON(file.height), "bitrate": JSON(file.bitrate),
            "minBitrate": JSON(file.minBitrate), "maxBitrate": JSON(file.maxBitrate), "codec": JSON(file.codec),
            "apiFramework": JSON(file.apiFramework), "use": JSON(file.use.rawValue),
        ])
    }

    static func schedule(_ document: VMAPDocument) -> JSON {
        .object([
            "kind": .string("vmap"), "version": JSON(document.version), "adBreakCount": JSON(document.breaks.count),
            "adBreaks": .array(document.breaks.map(adBreak)),
        ])
    }

    private static func adBreak(_ adBreak: AdBreak) -> JSON {
        .object([
            "timeOffset": JSON(adBreak.timeOffsetText), "offset": offset(adBreak),
            "breakType": JSON(adBreak.breakTypes), "breakId": JSON(adBreak.breakID),
            "repeatAfter": JSON(seconds: adBreak.repeatAfter),
            "adSource": adBreak.source.map(source) ?? .null,
            "tracking": JSON(counting: adBreak.trackingEvents.events.map(\.event)),
            "extensions": .array(adBreak.extensions.map { JSON($0.type) }),
        ])
    }

    private static func offset(_ adBreak: AdBreak) -> JSON {
        switch adBreak.timeOffset {
        case .start: .object(["type": .string("start")])
        case .end: .object(["type": .string("end")])
        case .time(let time): .object(["type": .string("time"), "seconds": JSON(seconds: time)])
        case .fraction(let millionths):
            .object(["type": .string("percent"), "value": .number(Double(millionths) / 10_000)])
        case .position(let number): .object(["type": .string("position"), "value": JSON(number)])
        case .invalid: .object(["type": .string(adBreak.timeOffsetText == nil ? "missing" : "invalid")])
        }
    }

    private static func source(_ source: AdSource) -> JSON {
        var members: [String: JSON] = [
            "id": JSON(source.id), "allowMultipleAds": JSON(source.allowMultipleAds),
            "followRedirects": JSON(source.followRedirects), "vastInText": .bool(source.isVASTInText),
        ]
        switch source.content {
        case .vast(let document):
            members["kind"] = .string("VASTAdData")
            members["vast"] = Described.document(document)
        case .unreadable(let code):
            members["kind"] = .string("VASTAdData")
            members["errorCode"] = JSON(code.rawValue)
        case .adTagURI(let uri, let template):
            members["kind"] = .string("AdTagURI")
            members["uri"] = JSON(uri)
            members["templateType"] = JSON(template)
        case .custom(let template, let length, _):
            members["kind"] = .string("CustomAdData")
            members["templateType"] = JSON(template)
            members["length"] = JSON(length)
        case .none:
            members["kind"] = .null
        }
        return .object(members)
    }

    static func resolved(_ ads: ResolvedAds) -> JSON {
        .object([
            "mode": JSON(ads.mode.rawValue), "play": .array(ads.pod.map(resolvedAd)),
            "failed": .array(
                ads.errors.map {
                    .object([
                        "id": JSON($0.adID), "errorCode": JSON($0.code.rawValue), "errors": JSON($0.urls),
                    ])
                }),
        ])
    }

    /// The expectations count the trackers of all linear creatives of an ad, also of those not chosen.
    private static func resolvedAd(_ ad: ResolvedAd) -> JSON {
        .object([
            "id": JSON(ad.id), "adSystem": JSON(ad.adSystem), "wrappers": JSON(ad.wrapperCount),
            "duration": JSON(seconds: ad.duration), "impressions": JSON(ad.impressions),
            "errors": JSON(ad.errorURLs),
            "tracking": JSON(
                counting: (ad.trackingEvents + ad.unusedLinears.flatMap(\.trackingEvents.events)).map(\.event)),
            "clickTracking": JSON(ad.clickTracking.count), "customClick": JSON(ad.customClicks.count),
            "clickThrough": JSON(ad.clickThrough), "icons": JSON(ad.icons.count),
            "companionsInLine": JSON(ad.companionsOfInLine), "companionsWrappers": JSON(ad.companionsOfWrappers),
            "verifications": JSON(ad.verifications.count), "extensions": JSON(ad.extensions.count),
        ])
    }
}
