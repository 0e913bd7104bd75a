import Server
import Transport
import VAST

/// Resolves one answer: reads it, follows its wrappers, and keeps all that happened.
struct AdAnswerRun {
    let arguments: AdAnswerArguments
    let loader: any AdAnswerLoading
    let time: any TimeSource
    let random: @Sendable () -> UInt64
    private let requests = AdAnswerRequests()

    init(
        _ arguments: AdAnswerArguments, loader: any AdAnswerLoading, time: any TimeSource,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.arguments = arguments
        self.loader = loader
        self.time = time
        self.random = random
    }

    /// What the macros of a request or a tracker of a break are filled with.
    func context() -> MacroContext {
        var context = MacroContext(timeSince1970: .nanoseconds(time.now()), random: random)
        context.describe(server: PodstitchServer.userAgent, viewer: arguments.viewer)
        context.session = [
            "client_ip": arguments.viewer.address, "user_agent": arguments.viewer.userAgent ?? "", "referer": "",
        ]
        context.playerParameters = arguments.playerParameters
        context.availDuration = arguments.availDuration
        return context
    }

    func run() async -> AdAnswerReport {
        var report = AdAnswerReport(
            source: arguments.source, tellsPlayer: arguments.tellsPlayer, context: context())
        let ends = time.monotonic() + arguments.timeout
        let isWeb = LintURL.isWeb(arguments.source)
        let first = isWeb ? await fetch(arguments.source, depth: 0, isNamedByAnswer: false) : file()
        switch first {
        case .failed(let reason): report.problem = reason
        case .read(let bytes, let url):
            var limits = VASTLimits()
            limits.wrappers = arguments.wrapperLimit
            do throws(VASTError) {
                switch try AdAnswer(parsing: bytes, limits: limits) {
                case .vast(let document):
                    report.form = .vast(version: document.version)
                    let resolution = AdResolution(document: document, url: url, options: options(limits))
                    report.breaks = [.init(ads: await resolve(resolution, until: ends))]
                case .vmap(let schedule):
                    report.form = .vmap(version: schedule.version)
                    report.notes = schedule.repairs.map { "document repaired: \($0.rawValue)" }
                    if schedule.ignoredBreaks > 0 {
                        report.notes.append("\(schedule.ignoredBreaks) breaks beyond the limit not read")
                    }
                    for adBreak in schedule.breaks {
                        var told = AdAnswerReport.Break(adBreak: adBreak, skipped: skipReason(adBreak))
                        if told.skipped == nil, let source = adBreak.source {
                            let resolution = AdResolution(source: source, url: url, options: options(limits))
                            var ads = await resolve(resolution, until: ends)
                            if !adBreak.isLinear { ads.layOver() }
                            told.ads = ads
                        }
                        report.breaks.append(told)
                    }
                }
            } catch {
                report.problem = "the answer cannot be read: \(error)"
                report.problemCode = error.code
            }
        }
        report.requests = requests.all
        return report
    }

    private enum First {
        case read([UInt8], url: String?)
        case failed(String)
    }

    private func file() -> First {
        switch arguments.source == "-" ? InputFile.readStandardInput() : InputFile.read(arguments.source) {
        // Its name is what a wrapper to itself leads to.
        case .read(let bytes): .read(bytes, url: arguments.source.split(separator: "/").last.map(String.init))
        case .failed(let reason): .failed("\(arguments.source): \(reason)")
        case .cancelled: .failed("stopped")
        }
    }

    private func fetch(_ url: String, depth: Int, isNamedByAnswer: Bool) async -> First {
        switch await request(url, depth: depth, isNamedByAnswer: isNamedByAnswer) {
        case .body(let bytes, let finalURL): .read(bytes, url: finalURL ?? url)
        // "No content" is an answer without ads (R-H2).
        case .failure(.status(204)): .read([], url: url)
        case .failure(let failure): .failed("the ad request failed: \(failure.text)")
        }
    }

    private func request(_ url: String, depth: Int, isNamedByAnswer: Bool) async -> AdResolution.FetchResult {
        let filled = Macros.requestURL(url, in: context(), for: .adRequest)
        let neighbour = neighbour(filled)
        return await requests.make(filled, depth: depth, time: time) {
            guard let neighbour else { return await loader.fetch(filled, isNamedByAnswer: isNamedByAnswer) }
            guard case .read(let bytes) = InputFile.read(neighbour) else { return .failure(.status(404)) }
            return .body(bytes, finalURL: nil)
        }
    }

    /// The file beside the one that is read, for a relative address in it (R-U3); never one of another folder.
    private func neighbour(_ url: String) -> String? {
        guard !LintURL.isWeb(arguments.source), arguments.source != "-", !url.contains(":"), !url.hasPrefix("/") else {
            return nil
        }
        let name = url.prefix { $0 != "?" && $0 != "#" }
        guard !name.isEmpty, !name.split(separator: "/").contains("..") else { return nil }
        let folder = arguments.source.lastIndex(of: "/").map { String(arguments.source[...$0]) } ?? ""
        return folder + String(name)
    }

    private func skipReason(_ adBreak: AdBreak) -> String? {
        if adBreak.timeOffset == .invalid { return "its offset cannot be read" }
        if adBreak.isLinear { return adBreak.source == nil ? "it has no AdSource" : nil }
        guard adBreak.isNonLinear else { return "it is neither linear nor nonlinear" }
        return arguments.tellsPlayer ? nil : "it is for overlays, which players show that report themselves (--client)"
    }

    private func resolve(_ resolution: AdResolution, until ends: Duration) async -> ResolvedAds {
        let resolver = AdResolver(
            fetch: { await request($0.url, depth: $0.depth, isNamedByAnswer: true) }, time: time)
        return await resolver.ads(resolution, within: max(ends - time.monotonic(), .zero))
    }

    private func options(_ limits: VASTLimits) -> AdResolution.Options {
        var options = AdResolution.Options()
        options.limits = limits
        options.playable = [.hls, .progressive]
        options.takesMezzanines = true
        options.keepsOverlays = arguments.tellsPlayer
        return options
    }
}

extension ResolvedAds {
    /// In a break for overlays nothing is stitched: an ad gives its overlays, or is refused.
    fileprivate mutating func layOver() {
        for ad in pod {
            guard ad.nonLinearAds.allSatisfy(\.nonLinears.isEmpty) else {
                overlays.append(ad)
                continue
            }
            let reason = "a linear ad in a break for overlays"
            log.append(AdNote(kind: .adSkipped, adID: ad.id, code: .linearity, text: reason))
            errors.append(ad.errorReport(.linearity))
        }
        pod = []
    }
}

extension FetchFailure {
    /// For the person at the terminal.
    var text: String {
        switch self {
        case .timeout: "no answer in time"
        case .status(let status): "status \(status)"
        case .connection: "no connection, or it ended"
        case .refusedAddress: "a private address, which the server refuses unless network.allowPrivateUpstreams is set"
        case .tooLarge: "the answer is too large"
        case .unusableURL: "not a URL that can be asked"
        case .notSent(let reason): "not asked: \(reason)"
        }
    }
}
