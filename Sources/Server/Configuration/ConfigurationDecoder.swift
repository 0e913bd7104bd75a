import FoundationEssentials
import Transport

extension Configuration {
    /// Reads and checks a configuration. Throws every problem of the file at once.
    /// - Parameter file: the file's name in messages.
    package static func decode(
        _ bytes: [UInt8], file: String, secrets: SecretSource
    ) throws(ConfigurationError) -> Configuration {
        let (configuration, collector) = try read(bytes, file: file, secrets: secrets)
        guard collector.problems.isEmpty else {
            let sorted = collector.problems.enumerated().sorted { a, b in
                (a.element.line ?? 0, a.offset) < (b.element.line ?? 0, b.offset)
            }
            throw ConfigurationError(problems: sorted.map(\.element))
        }
        return configuration
    }

    /// Reads a file.
    package static func load(path: String) throws(ConfigurationError) -> Configuration {
        guard let data = FileManager.default.contents(atPath: path) else {
            var isFolder = false
            let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            let detail = !isThere ? "no such file" : isFolder ? "is a folder, not a file" : "cannot be read"
            throw ConfigurationError(problems: [
                ConfigurationProblem(file: path, line: nil, place: "", detail: detail)
            ])
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        return try decode([UInt8](data), file: path, secrets: .system(folder: folder))
    }

    /// Every option that reading this text asks for, in the order of asking.
    package static func knownOptions(readingLike bytes: [UInt8]) throws(ConfigurationError) -> [KnownOption] {
        try read(bytes, file: "", secrets: .none).collector.options
    }

    private static func read(
        _ bytes: [UInt8], file: String, secrets: SecretSource
    ) throws(ConfigurationError) -> (configuration: Configuration, collector: OptionCollector) {
        let collector = OptionCollector(file: file, secrets: secrets)
        let root: JSON5Value
        do {
            root = try JSON5Parser.parse(bytes)
        } catch {
            throw ConfigurationError(problems: [
                ConfigurationProblem(file: file, line: error.line, place: "", detail: error.detail)
            ])
        }
        var reader = OptionReader(root, place: "", collector: collector)
        var configuration = Configuration()
        configuration.server = ServerOptions(reader.section("server"))
        configuration.network = NetworkOptions(reader.section("network"))
        configuration.conditioning = ConditioningOptions(reader.section("conditioning"))
        let channels = reader.sections("channels")
        let titles = reader.sections("titles")
        let providers = reader.members("adProviders")
        reader.finish()

        let names = providers.map(\.name)
        configuration.channels = sources(channels, kind: .live, providers: names)
        configuration.titles = sources(titles, kind: .vod, providers: names)
        for member in providers {
            let place = "adProviders.\(member.name)"
            let section = OptionReader(member.value, place: place, collector: collector)
            configuration.adProviders[member.name] = AdProviderOptions(section)
        }
        return (configuration, collector)
    }

    private static func sources(_ readers: [OptionReader], kind: SourceKind, providers: [String]) -> [SourceOptions] {
        var lines: [String: Int] = [:]
        return readers.compactMap { reader in
            guard let source = SourceOptions(reader, kind: kind, providers: providers) else { return nil }
            if let first = lines.updateValue(reader.line, forKey: source.name) {
                reader.report("\"\(source.name)\" is the name of another one, on line \(first)", "name")
            }
            return source
        }
    }
}

extension ServerOptions {
    init(_ section: OptionReader) {
        self.init()
        var options = section
        listen = options.listenAddress("listen", listen) ?? listen
        admin = options.listenAddress("admin", admin, isOptional: true)
        if let admin, admin.collides(with: listen) {
            options.report("\(admin) is taken already: server.listen is \(listen)", "admin")
        }
        publicURL = options.urlPrefix("publicURL")
        store = options.store("store", store)
        gracePeriod = options.milliseconds("gracePeriodMilliseconds", 10_000, in: 0...600_000)
        idleTimeout = options.milliseconds("idleTimeoutMilliseconds", 60_000, in: 100...3_600_000)
        headerTimeout = options.milliseconds("headerTimeoutMilliseconds", 10_000, in: 100...600_000)
        bodyTimeout = options.milliseconds("bodyTimeoutMilliseconds", 30_000, in: 100...600_000)
        maxConnections = options.integer("maxConnections", maxConnections, in: 1...10_000_000)
        maxRequestLineBytes = options.integer("maxRequestLineBytes", maxRequestLineBytes, in: 256...1_048_576)
        maxHeaderBytes = options.integer("maxHeaderBytes", maxHeaderBytes, in: 1_024...1_048_576)
        maxBodyBytes = options.integer("maxBodyBytes", maxBodyBytes, in: 0...67_108_864)
        maxSessions = options.integer("maxSessions", maxSessions, in: 1...100_000_000)
        threads = options.integer("threads", nil, in: 1...256)
        gzip = options.flag("gzip", gzip)
        corsAllowOrigin = options.nullable("corsAllowOrigin", "*")
        trustedProxies = options.list("trustedProxies", OptionReader.rangeForm, AddressRange.init(parsing:))
        logLevel = options.choice("logLevel", logLevel)
        adDebugging.bytes = options.integer("adDebuggingBytes", adDebugging.bytes, in: 0...1_073_741_824)
        adDebugging.keepsBodies = options.flag("adDebuggingBodies", adDebugging.keepsBodies)
        otherMacroForms = options.flag("otherMacroForms", otherMacroForms)
        options.finish()
    }
}

extension NetworkOptions {
    init(_ section: OptionReader) {
        self.init()
        var options = section
        allowPrivateUpstreams = options.flag("allowPrivateUpstreams", allowPrivateUpstreams)
        allowedPrivateRanges = options.list(
            "allowedPrivateRanges", OptionReader.rangeForm, AddressRange.init(parsing:))
        connectTimeout = options.milliseconds("connectTimeoutMilliseconds", 1_000, in: 10...60_000)
        upstreamTimeout = options.milliseconds("upstreamTimeoutMilliseconds", 5_000, in: 10...60_000)
        staleIfError = options.milliseconds("staleIfErrorMilliseconds", 60_000, in: 0...3_600_000)
        maxPlaylistBytes = options.integer("maxPlaylistBytes", maxPlaylistBytes, in: 1_024...1_073_741_824)
        maxAdResponseBytes = options.integer("maxAdResponseBytes", maxAdResponseBytes, in: 1_024...67_108_864)
        redirectLimit = options.integer("redirectLimit", redirectLimit, in: 0...20)
        beaconTimeout = options.milliseconds("beaconTimeoutMilliseconds", 5_000, in: 100...60_000)
        maxQueuedBeacons = options.integer("maxQueuedBeacons", maxQueuedBeacons, in: 1...100_000_000)
        maxQueuedBeaconBytes = options.integer(
            "maxQueuedBeaconBytes", maxQueuedBeaconBytes, in: 65_536...17_179_869_184)
        maxBeaconAge = options.milliseconds("maxBeaconAgeMilliseconds", 600_000, in: 1_000...86_400_000)
        options.finish()
    }
}

extension SourceOptions {
    /// What only channels have.
    private static let channelOptions = [
        "failoverAfterMilliseconds", "failbackAfterMilliseconds", "cueOutCapMilliseconds", "holdBackMilliseconds",
        "spread", "join", "segmentRedirect",
        "retryRestMilliseconds", "earlyReturn", "pastBreaks", "suppression", "suppressionMilliseconds",
        "suppressionFill", "preroll", "prerollMaxDurationMilliseconds",
    ]
    /// What only titles have.
    private static let titleOptions = ["adRequestLimit"]

    /// nil where `name` or `origin` is missing; the problem is reported.
    init?(_ section: OptionReader, kind: SourceKind, providers: [String]) {
        var options = section
        let name = options.sourceName("name")
        let origin = options.requiredURL("origin")
        var source = SourceOptions(kind: kind, name: name ?? "", origin: origin ?? "", ads: nil)
        source.backupOrigins = options.urls("backupOrigins")
        let origins = [source.origin] + source.backupOrigins
        if Set(origins).count < origins.count { options.report("names an origin twice", "backupOrigins") }
        if kind == .live {
            source.failoverAfter = options.milliseconds("failoverAfterMilliseconds", nil, in: 500...3_600_000)
            source.failbackAfter = options.milliseconds("failbackAfterMilliseconds", 60_000, in: 0...86_400_000)
        }
        source.ads = options.references("ads", to: providers)
        source.leastForNextProvider = options.milliseconds(
            "leastForNextProviderMilliseconds", 5_000, in: 0...86_400_000)
        source.fill = options.choice("fill", source.fill)
        source.slate = options.url("slate")
        if source.fill != .content, source.slate == nil, !options.isGiven("slate") {
            options.report("\"\(source.fill.rawValue)\" needs the URL of a slate", "fill")
        }
        source.tracking = options.choice("tracking", source.tracking)
        if kind == .live { source.segmentRedirect = options.flag("segmentRedirect", source.segmentRedirect) }
        source.maxAdSegmentDuration = options.integer("maxAdSegmentDuration", nil, in: 1...60)
        source.decisionDeadline = options.milliseconds("decisionDeadlineMilliseconds", 2_000, in: 0...60_000)
        source.decisionBudget = options.milliseconds("decisionBudgetMilliseconds", 300, in: 0...10_000)
        source.personalisationThreshold = options.milliseconds(
            "personalisationThresholdMilliseconds", nil, in: 0...86_400_000)
        if kind == .live {
            source.spread = options.flag("spread", source.spread)
            source.cueOutCap = options.milliseconds("cueOutCapMilliseconds", 180_000, in: 1_000...86_400_000)
            source.holdBack = options.milliseconds("holdBackMilliseconds", nil, in: 0...600_000)
            source.join = options.choice("join", source.join)
            if source.join == .slate, source.slate == nil, !options.isGiven("slate") {
                options.report("\"slate\" needs the URL of a slate", "join")
            }
            let retryRest = options.milliseconds("retryRestMilliseconds", 30_000, in: 0...86_400_000)
            source.retryRest = retryRest > .zero ? retryRest : nil
            source.earlyReturn = options.choice("earlyReturn", source.earlyReturn)
            source.pastBreaks = options.choice("pastBreaks", source.pastBreaks)
            source.suppression = options.choice("suppression", source.suppression)
            source.suppressionDistance = options.milliseconds("suppressionMilliseconds", 0, in: 0...604_800_000)
            source.suppressionFill = options.choice("suppressionFill", source.suppressionFill)
            if source.suppressionFill == .partialBreak, source.suppression != .afterLiveEdge {
                options.report("\"partialBreak\" needs suppression \"afterLiveEdge\"", "suppressionFill")
            }
            source.preroll = options.references("preroll", to: providers, takesURLs: true)
            source.longestPreroll = options.milliseconds("prerollMaxDurationMilliseconds", 30_000, in: 1_000...600_000)
            options.belong(to: "titles", Self.titleOptions)
            options.notYet("assetKey")
        } else {
            options.belong(to: "channels", Self.channelOptions)
            source.adRequestLimit = options.integer("adRequestLimit", source.adRequestLimit, in: 1...10_000)
            options.notYet("contentSourceId", "videoId", "contentId")
        }
        source.startBumper = options.url("startBumper")
        source.endBumper = options.url("endBumper")
        source.originParameters = options.list("originParameters", "a parameter that can go on to the origin") { name in
            let isOurs = name.isEmpty || name == "stream_id" || name.hasPrefix("_HLS_") || name.hasPrefix("ads.")
            return isOurs ? nil : name
        }
        source.maxOriginWindows = options.integer("maxOriginWindows", source.maxOriginWindows, in: 1...100_000)
        source.leadingRendition = options.text("leadingRendition")
        source.markerRenditions = options.choice("markerRenditions", source.markerRenditions)
        source.breakSegmentationTypes = options.segmentationTypes(
            "breakSegmentationTypes", source.breakSegmentationTypes)
        source.dateRangePlacing = options.choice("dateRangePlacing", source.dateRangePlacing)
        source.adMarkers = options.choice("adMarkers", source.adMarkers)
        source.breakMarkers = options.choice("breakMarkers", source.breakMarkers)
        source.iFrames = options.choice("iFrames", source.iFrames)
        source.sessionTimeout = options.milliseconds(
            "sessionTimeoutMilliseconds", kind == .live ? 300_000 : 3_600_000, in: 1_000...604_800_000)
        source.http2 = options.flag("http2", source.http2)
        source.headers = options.headers("headers")
        options.finish()
        guard name != nil, origin != nil else { return nil }
        self = source
    }
}

extension AdProviderOptions {
    init(_ section: OptionReader) {
        var options = section
        switch options.providerType("type") {
        case "none":
            self = .none
        case "vast":
            self = .vast(VASTProviderOptions(&options))
        case "schedule":
            self = .schedule(ListedAdsOptions(&options))
        case "dai":
            // Their other options are not judged: they belong to the version that knows them.
            options.report("this type of provider is \(OptionReader.notYetText)", "type")
            self = .none
            return
        case let other:
            if let other {
                options.report("\"\(other)\" is not one of \"vast\", \"schedule\", \"none\"", "type")
            }
            self = .none
            return
        }
        options.finish()
    }
}

extension VASTProviderOptions {
    init(_ options: inout OptionReader) {
        self.init(url: options.requiredURL("url") ?? "")
        options.checkMacros("url", url)
        timeout = options.milliseconds("timeoutMilliseconds", 8_000, in: 10...120_000)
        requestTimeout = options.milliseconds("requestTimeoutMilliseconds", 3_000, in: 10...60_000)
        wrapperLimit = options.integer("wrapperLimit", wrapperLimit, in: 0...20)
        maxAds = options.integer("maxAds", maxAds, in: 1...100)
        maxRequests = options.integer("maxRequests", maxRequests, in: 1...100_000)
        userAgent = options.choice("userAgent", userAgent)
        refusesBlockedCategories = options.flag("refusesBlockedCategories", refusesBlockedCategories)
        http2 = options.flag("http2", http2)
        headers = options.headers("headers")
    }
}

extension ListedAdsOptions {
    init(_ options: inout OptionReader) {
        self.init()
        options.describe(as: "adProviders.*.schedule")
        let name = options.place.split(separator: ".").last.map(String.init) ?? "ad"
        let sections = options.sections("ads", isRequired: true)
        if sections.isEmpty, options.isGiven("ads") { options.report("names no ad", "ads") }
        for (index, section) in sections.enumerated() {
            var section = section
            let id = section.text("id") ?? "\(name)-\(index + 1)"
            let url = section.requiredURL("url")
            let impressions = section.urls("impressions")
            section.finish()
            if let url { ads.append(Ad(id: id, url: url, impressions: impressions)) }
        }
        rotate = options.flag("rotate", rotate)
        maxAds = options.integer("maxAds", maxAds, in: 1...100)
    }
}
