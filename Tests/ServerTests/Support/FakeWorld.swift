import Conditioning
import Synchronization
import Transport
import VAST

@testable import Server

/// An origin, an ad server and its trackers behind the server, on a clock that the test moves. Nothing leaves the process.
final class FakeWorld: Upstream {
    /// A beacon that came, and when.
    struct Sent: Sendable, Equatable {
        var event: String
        var url: String
        /// Seconds since the channel began.
        var second: Double

        /// The value of a query parameter.
        func parameter(_ name: String) -> String? {
            url.split(separator: "?", maxSplits: 1).last?.split(separator: "&").first { $0.hasPrefix("\(name)=") }
                .map { String($0.dropFirst(name.utf8.count + 1)) }
        }
    }

    /// What goes wrong with addresses that hold a text.
    enum Fault: Sendable {
        case status(Int)
        case body(String)
        case timeout
        case refused
        /// Answers only when the gate is opened.
        case gate(SharedWork<Void>)
    }

    private struct State {
        var channel = LiveChannelModel()
        var vodSeconds = 60
        var vodCues: [Int: String] = [:]
        var ads: [String: AdModel] = [:]
        var faults: [(text: String, fault: Fault)] = []
        var requests: [String] = []
        /// Beginnings of media, by a part of their addresses.
        var media: [String: [UInt8]] = [:]
        var adRequests: [AdServerRequest] = []
        var sent: [Sent] = []
        /// What the ad server answers to the n-th request; the last one from then on.
        var answers: [String] = []
    }

    let time: ManualTimeSource
    private let state = Mutex(State())

    init(_ channel: LiveChannelModel = LiveChannelModel(), startingAt second: Int = 100) {
        time = ManualTimeSource(wallNanoseconds: (channel.epoch + Int64(second)) * 1_000_000_000)
        state.withLock { state in
            state.channel = channel
            for (name, seconds) in [("ad10", 10), ("ad6", 6), ("ad20", 20), ("ad5", 5)] {
                state.ads[name] = AdModel(name: name, seconds: seconds, isFragmentedMP4: channel.hasSeparateAudio)
            }
            state.ads["long"] = AdModel(name: "long", seconds: 18, segmentSeconds: 9)
            state.ads["odd"] = AdModel(name: "odd", seconds: 6, extraMilliseconds: 2)
            state.ads["other"] = AdModel(name: "other", seconds: 10, isFragmentedMP4: !channel.hasSeparateAudio)
        }
    }

    /// Seconds since the channel began.
    var second: Double { Double(time.now()) / 1e9 - Double(state.withLock { $0.channel.epoch }) }

    func fail(_ text: String, _ fault: Fault?) {
        state.withLock { state in
            state.faults.removeAll { $0.text == text }
            if let fault { state.faults.append((text, fault)) }
        }
    }

    /// What media begin with whose address holds a text.
    func media(_ text: String, _ bytes: [UInt8]) { state.withLock { $0.media[text] = bytes } }

    func answer(with answers: String...) { state.withLock { $0.answers = answers } }
    func title(seconds: Int, cues: [Int: String] = [:]) {
        state.withLock {
            $0.vodSeconds = seconds
            $0.vodCues = cues
        }
    }

    var requests: [String] { state.withLock { $0.requests } }
    var adRequests: [AdServerRequest] { state.withLock { $0.adRequests } }
    var sent: [Sent] { state.withLock { $0.sent } }

    // MARK: Upstream

    func playlist(_ upstream: UpstreamRequest) async -> UpstreamAnswer { await fetch(upstream.address.url) }
    func creative(_ url: String, isNamedByAnswer: Bool) async -> UpstreamAnswer { await fetch(url) }
    func beginning(ofMedia url: String, from offset: Int64, isNamedByAnswer: Bool) async -> [UInt8]? {
        state.withLock { $0.media.first { url.contains($0.key) }?.value }
    }
    func beginning(ofContent address: OriginAddress, from offset: Int64) async -> [UInt8]? {
        await beginning(ofMedia: address.url, from: offset, isNamedByAnswer: false)
    }

    func sample(ofContent address: OriginAddress, from offset: Int64, count: Int) async -> [UInt8]? {
        await beginning(ofMedia: address.url, from: offset, isNamedByAnswer: false)
    }
    func part(_ wanted: CreativeDownload.Request) async -> CreativeDownload.Part {
        state.withLock { state in
            state.requests.append(wanted.url)
            return state.media.first { wanted.url.contains($0.key) }.map { .whole($0.value) }
                ?? .failure(ConditioningFailure(.notFound, "status 404"))
        }
    }

    private func fault(_ url: String) async -> UpstreamAnswer? {
        guard let fault = state.withLock({ $0.faults.first { url.contains($0.text) }?.fault }) else { return nil }
        switch fault {
        case .status(let status): return .failure(status == 404 ? .notFound(status: 404) : .status(status))
        case .body(let text): return .body(Array(text.utf8), finalURL: url, etag: nil, lastModified: nil)
        case .timeout: return .failure(.timeout)
        case .refused: return .failure(.unreachable("connection refused"))
        case .gate(let gate):
            _ = await gate.value()
            return nil
        }
    }

    private func fetch(_ url: String) async -> UpstreamAnswer {
        state.withLock { $0.requests.append(url) }
        if let fault = await fault(url) { return fault }
        let parts = url.prefix { $0 != "?" }.split(separator: "/").map(String.init)
        let query = url.split(separator: "?", maxSplits: 1).dropFirst().first?.split(separator: "&") ?? []
        let value: (String) -> Int? = { name in
            query.first { $0.hasPrefix("\(name)=") }.flatMap { Int($0.dropFirst(name.utf8.count + 1)) }
        }
        let now = Int(second)
        let text = state.withLock { state -> String? in
            guard parts.count >= 3, let file = parts.last else { return nil }
            let rendition = String(file.prefix { $0 != "." })
            var channel = state.channel
            // The backup origin.
            if parts[1] == "b" {
                channel.numberShift = 5_000
                channel.folder = "b/"
            }
            switch parts[2] {
            case "live":
                return file == "master.m3u8"
                    ? channel.multivariant
                    : channel.media(
                        rendition: rendition, at: now, from: value("start"), until: value("end"))
            case "vod":
                return file == "master.m3u8"
                    ? state.channel.multivariant
                    : state.channel.vod(rendition: rendition, seconds: state.vodSeconds, cues: state.vodCues)
            case "ads":
                guard parts.count >= 5, let ad = state.ads[parts[3]] else { return nil }
                return file == "master.m3u8" ? ad.multivariant : ad.media(rendition: rendition)
            default: return nil
            }
        }
        guard let text else { return .failure(.notFound(status: 404)) }
        return .body(Array(text.utf8), finalURL: url, etag: nil, lastModified: nil)
    }

    func ads(_ wanted: AdServerRequest, http2: Bool) async -> AdResolution.FetchResult {
        state.withLock { $0.adRequests.append(wanted) }
        switch await fault(wanted.url) {
        case .body(let bytes, let url, _, _): return .body(bytes, finalURL: url)
        case .failure(.timeout): return .failure(.timeout)
        case .failure(.unreachable): return .failure(.connection)
        case .failure(.status(let status)), .failure(.notFound(let status)): return .failure(.status(status))
        case .failure, .notModified: return .failure(.connection)
        case nil: break
        }
        let text = state.withLock { state -> String in
            let count = state.adRequests.count { $0.url.contains("/vast") || $0.url.contains("/vmap") }
            return state.answers.isEmpty ? "" : state.answers[min(count, state.answers.count) - 1]
        }
        return .body(Array(text.utf8), finalURL: wanted.url)
    }

    func send(_ beacon: Beacon) async -> BeaconOutcome {
        let sent = Sent(event: beacon.event, url: beacon.url, second: second)
        if case .failure(.unreachable(let reason)) = await fault(sent.url) { return .notSent(reason: reason) }
        state.withLock { $0.sent.append(sent) }
        return .delivered(status: 200)
    }
}

/// VAST and VMAP documents of the fake ad server.
enum FakeAds {
    static let events = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]

    /// A pod of the ads by name; `tag` tells the trackers of one answer from those of another.
    static func vast(_ names: String..., tag: String = "t") -> String { vast(names, tag: tag) }

    static func vast(_ names: [String], tag: String = "t") -> String {
        let ads = names.enumerated().map { index, name in
            """
            <Ad id="\(name)-\(index)" sequence="\(index + 1)"><InLine><AdSystem>fake</AdSystem><AdTitle>\(name)</AdTitle>
            <Error><![CDATA[http://track/error?tag=\(tag)&ad=\(index)&code=[ERRORCODE]]]></Error>
            <Impression><![CDATA[http://track/impression?tag=\(tag)&ad=\(index)&cb=[CACHEBUSTING]]]></Impression>
            <Creatives><Creative><Linear><Duration>00:00:10</Duration><TrackingEvents>\(tracking(tag, index))</TrackingEvents>
            <MediaFiles>\(media(name))</MediaFiles></Linear></Creative></Creatives></InLine></Ad>
            """
        }
        return "<VAST version=\"4.2\">\(ads.joined())</VAST>"
    }

    private static func tracking(_ tag: String, _ index: Int) -> String {
        events.map { event in
            "<Tracking event=\"\(event)\"><![CDATA[http://track/\(event)?tag=\(tag)&ad=\(index)&t=[ADPLAYHEAD]]]></Tracking>"
        }.joined()
    }

    private static func media(_ name: String) -> String {
        name.hasPrefix("mp4")
            ? "<MediaFile type=\"video/mp4\" delivery=\"progressive\"><![CDATA[http://o/ads/\(name).mp4]]></MediaFile>"
            : "<MediaFile type=\"application/vnd.apple.mpegurl\" delivery=\"streaming\"><![CDATA[http://o/ads/\(name)/master.m3u8]]></MediaFile>"
    }

    /// Ads inline, or, of one name with a scheme, linked.
    private static func source(_ ads: [String], tag: String) -> String {
        if let link = ads.first, link.hasPrefix("http:") {
            return "<vmap:AdTagURI templateType=\"vast4\"><![CDATA[\(link)]]></vmap:AdTagURI>"
        }
        return "<vmap:VASTAdData>\(vast(ads, tag: tag))</vmap:VASTAdData>"
    }

    /// Breaks as offset and the ads of an inline answer, or the link to one.
    static func vmap(_ breaks: (offset: String, ads: [String])...) -> String { vmap(breaks) }

    static func vmap(_ breaks: [(offset: String, ads: [String])]) -> String {
        let elements = breaks.enumerated().map { index, one in
            """
            <vmap:AdBreak timeOffset="\(one.offset)" breakType="linear" breakId="b\(index)"><vmap:AdSource>
            \(source(one.ads, tag: "b\(index)"))</vmap:AdSource><vmap:TrackingEvents>
            <vmap:Tracking event="breakStart"><![CDATA[http://track/breakStart?tag=b\(index)]]></vmap:Tracking>
            <vmap:Tracking event="error"><![CDATA[http://track/breakError?tag=b\(index)&code=[ERRORCODE]]]></vmap:Tracking>
            <vmap:Tracking event="breakEnd"><![CDATA[http://track/breakEnd?tag=b\(index)]]></vmap:Tracking>
            </vmap:TrackingEvents></vmap:AdBreak>
            """
        }
        return
            "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">\(elements.joined())</vmap:VMAP>"
    }
}
