/// The ad server's answers: VAST 4.2 and VMAP 1.0.
struct DemoAdDocuments: Sendable {
    /// Base address of the ad server, without a slash at the end.
    let base: String

    /// Seconds asked for when a request does not say.
    static let defaultSeconds = 25

    /// Ads that fill `seconds` whole: each next one, beginning with the one whose turn it is, unless it would not fit.
    static func pod(of ads: [DemoItem], filling seconds: Int, turn: Int) -> [DemoItem] {
        guard !ads.isEmpty else { return [] }
        var rest = seconds
        var pod: [DemoItem] = []
        // Every ad once at most, so that a break never shows one twice.
        for step in ads.indices {
            let ad = ads[(max(0, turn) + step) % ads.count]
            guard ad.seconds <= rest else { continue }
            pod.append(ad)
            rest -= ad.seconds
        }
        return pod
    }

    /// A VAST document of a pod. `request` is the ad server's number for it; the beacons carry it.
    func vast(_ pod: [DemoItem], request: Int) -> String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<VAST version=\"4.2\" xmlns=\"http://www.iab.com/VAST\">\n"
        if pod.isEmpty { text += "<Error>\(cdata(beacon("error", request, "none") + "&code=[ERRORCODE]"))</Error>\n" }
        for (index, ad) in pod.enumerated() { text += inline(ad, sequence: index + 1, request) }
        return text + "</VAST>\n"
    }

    /// A VMAP document with breaks at the start, in the middle and at the end; each one's ads come from `/vast`.
    func vmap(request: Int) -> String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">\n"
        for (name, offset, seconds) in [("preroll", "start", 15), ("midroll", "50%", 25), ("postroll", "end", 10)] {
            let tag = "\(base)/vast?dur=\(seconds)&break=\(name)&vmap=\(request)"
            text += "<vmap:AdBreak timeOffset=\"\(offset)\" breakType=\"linear\" breakId=\"\(name)\">"
            text += "<vmap:AdSource id=\"\(name)\" allowMultipleAds=\"true\" followRedirects=\"true\">"
            text += "<vmap:AdTagURI templateType=\"vast4\">\(cdata(tag))</vmap:AdTagURI></vmap:AdSource>"
            text += "<vmap:TrackingEvents><vmap:Tracking event=\"breakStart\">"
            text +=
                cdata(beacon("breakStart", request, name)) + "</vmap:Tracking></vmap:TrackingEvents></vmap:AdBreak>\n"
        }
        return text + "</vmap:VMAP>\n"
    }

    private func inline(_ ad: DemoItem, sequence: Int, _ request: Int) -> String {
        let name = ad.folder.split(separator: "/").last.map(String.init) ?? ad.folder
        let identifier = "\(name)-\(sequence)"
        var text = "<Ad id=\"\(identifier)\" sequence=\"\(sequence)\"><InLine>"
        text += "<AdSystem version=\"1\">Podstitch demo</AdSystem>"
        text += "<Error>\(cdata(beacon("error", request, identifier) + "&code=[ERRORCODE]"))</Error>"
        text += "<Impression id=\"demo\">\(cdata(beacon("impression", request, identifier)))</Impression>"
        text += "<AdServingId>demo-\(request)-\(sequence)</AdServingId><AdTitle>\(ad.title)</AdTitle>"
        text += "<Creatives><Creative id=\"\(name)\" adId=\"\(name)\">"
        text += "<UniversalAdId idRegistry=\"example.org\">\(name)</UniversalAdId><Linear>"
        text += "<Duration>00:00:\(ad.seconds < 10 ? "0" : "")\(ad.seconds)</Duration><TrackingEvents>"
        for event in ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"] {
            text += "<Tracking event=\"\(event)\">\(cdata(beacon(event, request, identifier)))</Tracking>"
        }
        text += "</TrackingEvents><MediaFiles>"
        for packaging in DemoPackaging.allCases {
            let url = "\(base)/media/\(ad.folder)/\(packaging.rawValue)/master.m3u8"
            text += "<MediaFile id=\"\(packaging.rawValue)\" delivery=\"streaming\" type=\"application/x-mpegURL\" "
            text += "width=\"640\" height=\"360\" minBitrate=\"200\" maxBitrate=\"800\">\(cdata(url))</MediaFile>"
        }
        return text + "</MediaFiles></Linear></Creative></Creatives></InLine></Ad>\n"
    }

    private func beacon(_ event: String, _ request: Int, _ ad: String) -> String {
        "\(base)/beacon?event=\(event)&request=\(request)&ad=\(ad)"
    }

    private func cdata(_ text: String) -> String { "<![CDATA[\(text)]]>" }
}
