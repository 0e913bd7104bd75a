@testable import VAST

/// An ad server made of a dictionary, for flows that need no network.
struct AdServerScript {
    var answers: [String: AdResolution.FetchResult]
    var asked: [String] = []
    /// The most requests that were under way at once.
    var parallel = 0

    init(_ documents: [String: String]) {
        answers = documents.mapValues { .body(Array($0.utf8), finalURL: nil) }
    }

    mutating func run(_ resolution: inout AdResolution) -> ResolvedAds {
        for _ in 0..<500 {
            switch resolution.next() {
            case .finished(let ads): return ads
            case .fetch(let requests):
                parallel = max(parallel, requests.count)
                for request in requests {
                    asked.append(request.url)
                    resolution.receive(answers[request.url] ?? .failure(.status(404)), for: request.id)
                }
            }
        }
        return ResolvedAds()
    }

    static func resolve(
        _ document: String, _ others: [String: String] = [:], playable: Set<MediaUse> = [.hls, .progressive],
        limits: VASTLimits = VASTLimits(), enforcingCategories: Bool = false, takingMezzanines: Bool = false
    ) -> ResolvedAds {
        var documents = others
        documents["http://ads.test/first"] = document
        var script = AdServerScript(documents)
        var options = AdResolution.Options()
        options.playable = playable
        options.limits = limits
        options.enforcesBlockedCategories = enforcingCategories
        options.takesMezzanines = takingMezzanines
        var resolution = AdResolution(url: "http://ads.test/first", options: options)
        return script.run(&resolution)
    }
}

/// Pieces of documents.
enum Sample {
    static func vast(_ ads: String..., version: String = "4.2") -> String {
        "<VAST version=\"\(version)\">\(ads.joined())</VAST>"
    }

    static func inLine(_ id: String, sequence: Int? = nil, media: String? = nil, extra: String = "") -> String {
        let place = sequence.map { " sequence=\"\($0)\"" } ?? ""
        let file =
            media
            ?? "<MediaFile type=\"application/x-mpegURL\" delivery=\"streaming\">http://m.test/\(id).m3u8</MediaFile>"
        return """
            <Ad id="\(id)"\(place)><InLine><AdSystem>T</AdSystem><AdTitle>\(id)</AdTitle>\
            <Impression>http://t.test/\(id)/imp</Impression><Error>http://t.test/\(id)/err?c=[ERRORCODE]</Error>\
            \(extra)<Creatives><Creative id="c-\(id)"><Linear><Duration>00:00:10</Duration><TrackingEvents>\
            <Tracking event="start">http://t.test/\(id)/start</Tracking></TrackingEvents><MediaFiles>\(file)\
            </MediaFiles></Linear></Creative></Creatives></InLine></Ad>
            """
    }

    static func wrapper(
        _ id: String, to uri: String, sequence: Int? = nil, attributes: String = "", extra: String = ""
    ) -> String {
        let place = sequence.map { " sequence=\"\($0)\"" } ?? ""
        return """
            <Ad id="\(id)"\(place)><Wrapper \(attributes)><AdSystem>W</AdSystem>\
            <VASTAdTagURI><![CDATA[\(uri)]]></VASTAdTagURI><Impression>http://t.test/\(id)/imp</Impression>\
            <Error>http://t.test/\(id)/err</Error>\(extra)</Wrapper></Ad>
            """
    }
}

extension VASTDocument {
    init(_ text: String) throws(VASTError) {
        try self.init(parsing: Array(text.utf8))
    }

    /// The InLine of the only ad.
    var onlyInLine: InLine? {
        if case .inLine(let inLine) = ads.first?.content { inLine } else { nil }
    }
}
