import HLS

/// The rules of HTTP that one answer to a request for a playlist shows: 101, 1007, 1204, 1501, 1502, 1503. Pure.
enum AnswerLint {
    /// A web page of another host, as browsers name it in their requests.
    static let origin = "https://player.example"

    /// Bytes below which compression saves nothing worth having.
    private static let compressionThreshold = 1_400

    /// Names of query parameters by which servers know a session.
    private static let sessionNames: Set<String> = [
        "stream_id", "streamid", "session", "session_id", "sessionid", "sid", "aws.sessionid", "_hls_primary_id",
    ]

    /// - Parameter playlist: what the body is; nil where it is no playlist.
    static func findings(_ answer: LintAnswer, _ playlist: Playlist?) -> [PlaylistFinding] {
        var report = LintReport()
        guard answer.status == 200 else {
            report.report(1501, 1, "the answer has status \(answer.status)", severity: .error)
            return report.sorted()
        }
        guard let playlist else {
            let type = answer.mediaType.map { ", with content type \($0)" } ?? ""
            report.report(1501, 1, "status 200, but no playlist\(type)", severity: .error)
            return report.sorted()
        }
        checkType(answer, &report)
        checkCompression(answer, playlist, &report)
        checkCaching(answer, playlist, &report)
        checkSharing(answer, &report)
        checkRequest(answer, playlist, &report)
        return report.sorted()
    }

    private static func checkType(_ answer: LintAnswer, _ report: inout LintReport) {
        let path = LintURL.path(answer.finalURL).lowercased()
        guard !path.hasSuffix(".m3u8"), !path.hasSuffix(".m3u") else { return }
        guard let type = answer.mediaType else {
            report.report(101, 1, "no Content-Type, and the path does not end in .m3u8")
            return
        }
        if type != "application/vnd.apple.mpegurl", type != "audio/mpegurl" {
            report.report(101, 1, "content type \(type), and the path does not end in .m3u8")
        }
    }

    private static func checkCompression(_ answer: LintAnswer, _ playlist: Playlist, _ report: inout LintReport) {
        guard answer.body.count >= compressionThreshold else { return }
        let encoding = answer.header("content-encoding")?.lowercased() ?? "identity"
        guard encoding == "identity" else { return }
        var isLowLatency = false
        if case .media(let media) = playlist { isLowLatency = media.isLowLatency }
        report.report(
            1502, 1, "\(answer.body.count) bytes came uncompressed though gzip was accepted",
            severity: isLowLatency ? .error : .warning)
    }

    private static func checkCaching(_ answer: LintAnswer, _ playlist: Playlist, _ report: inout LintReport) {
        let directives = answer.cacheControl
        let isStored = directives?["no-store"] == nil && directives?["no-cache"] == nil
        if case .media(let media) = playlist, !media.hasEndList, media.playlistType != .vod {
            let target = media.targetDuration ?? 0
            let half = Duration.seconds(target) / 2
            let allowed = "half a target duration is \(DecimalText.text(half)) s"
            if directives == nil, answer.header("expires") == nil {
                report.report(1503, 1, "a live playlist without Cache-Control: caches keep it as long as they like")
            } else if isStored, let text = directives?["s-maxage"] ?? directives?["max-age"],
                let age = DecimalText.duration(text), age > half
            {
                report.report(1503, 1, "a live playlist may be cached for \(text) s; \(allowed)")
            }
            if let text = answer.header("age"), let age = DecimalText.duration(text), age > .seconds(target) {
                report.report(1503, 1, "a cache answered with a live playlist that is \(text) s old")
            }
        }
        let isShared = isStored && directives?["private"] == nil
        let names = LintURL.queryNames(answer.url).map { $0.lowercased() }
        if isShared, let name = names.first(where: sessionNames.contains) {
            report.report(1503, 1, "a viewer's playlist (\(name)) is neither private nor no-store")
        }
        if isShared, directives?["public"] != nil || directives?["s-maxage"] != nil, answer.header("set-cookie") != nil
        {
            report.report(1503, 1, "a playlist for shared caches sets a cookie")
        }
    }

    private static func checkSharing(_ answer: LintAnswer, _ report: inout LintReport) {
        switch answer.header("access-control-allow-origin") {
        case nil: report.report(1503, 1, "no Access-Control-Allow-Origin: players in web pages cannot read it")
        case "*", origin: break
        case let other?:
            report.report(1503, 1, "Access-Control-Allow-Origin is \(other.prefix(80)): other pages cannot read it")
        }
    }

    // MARK: What was asked for

    /// Rule 1007: delta updates for those alone who ask; rule 1204: the parameters that variables are taken from.
    private static func checkRequest(_ answer: LintAnswer, _ playlist: Playlist, _ report: inout LintReport) {
        let faults: [VariableFault]
        switch playlist {
        case .media(let playlist):
            faults = playlist.variableFaults(imported: PlaylistVariables(), uri: answer.finalURL)
            let isAskedFor = answer.url.contains("_HLS_skip=") || answer.finalURL.contains("_HLS_skip=")
            if !isAskedFor, let skip = playlist.skip {
                report.report(
                    1007, playlist.lineNumber(of: skip.line), "EXT-X-SKIP, though _HLS_skip was not asked for")
            }
        case .multivariant(let playlist): faults = playlist.variableFaults(uri: answer.finalURL)
        }
        for fault in faults where fault.lackingOrigin == .queryParameter {
            report.report(1204, fault.error.line, "\(fault.error.detail) in the playlist's own URI")
        }
    }

    // MARK: What cannot be read

    /// The finding for a playlist that cannot be read: the error with its line.
    static func finding(_ error: PlaylistError, fromWeb: Bool) -> PlaylistFinding {
        let rule =
            switch error.code {
            case .empty, .webPage, .notAPlaylist: fromWeb ? 1501 : 103
            case .wrongKind: 108
            case .numberOverflow: numbers[error.detail] ?? 106
            case .undefinedVariable: 1203
            default: LintReport.omissionRule
            }
        return PlaylistFinding(
            rule: rule, line: error.line, severity: .error,
            message: "cannot be read: \(reason(error))")
    }

    /// Rules of the numbers that may be too large, by what they belong to.
    private static let numbers = [
        "EXT-X-TARGETDURATION": 302, "EXTINF": 304, "EXT-X-MEDIA-SEQUENCE": 402, "EXT-X-DISCONTINUITY-SEQUENCE": 501,
    ]

    private static func reason(_ error: PlaylistError) -> String {
        error.code == .numberOverflow
            ? "the number of \(error.detail) is too large" : "\(error.detail) (\(error.code.rawValue))"
    }
}
