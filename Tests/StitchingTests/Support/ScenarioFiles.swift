import FoundationEssentials

@testable import Stitching

/// What `session.json` of a scenario says.
struct ScenarioSession: Decodable {
    /// `live` or `vod`.
    var kind: String
    var maximumAdSegmentDuration: Int?
    var personalisationThreshold: Int?
    var unknownLengthCap: Int?
    /// `date` or `tag`.
    var dateRangePlacing: String?
    /// `leading` or `all`.
    var markerRenditions: String?
    /// `complete`; else the running ad is cut.
    var earlyReturn: String?
    /// `unstitched`, `all` or `none`: which of the origin's ad markers pass.
    var adMarkers: String?
    /// `none`, `cue` or `dateRange`: the session's own markers.
    var breakMarkers: String?
    /// `stitch`; else breaks that ended before the session stay content.
    var pastBreaks: String?
    /// Seconds: breaks that begin so far behind the edge at which the session begins, or so soon after it, stay content.
    var suppressBehindEdge: Int?
    var suppressUntilAfterEdge: Int?
    /// What is left of a suppressed break is filled.
    var fillsRest: Bool?
    /// Seconds of a live pre-roll; it is the first to be decided.
    var longestPreroll: Int?
    /// `content`, `slate` or `minimizeSlate`.
    var fill: String?
    /// What fills.
    var slate: ScenarioDecision.Ad?
    var startBumper: ScenarioDecision.Ad?
    var endBumper: ScenarioDecision.Ad?
    /// `content`, `slate` or `fit`.
    var join: String?
    /// Seconds that have to be left of a break for ads to be asked for again.
    var retryRest: Int?
    /// Adds a VAST pre-roll, as for a title without any cue.
    var preroll: Bool?
    /// Which of the channel's origins is in use from a step on: `{"2": 1}`.
    var origins: [String: Int]?
    /// VMAP breaks: id and seconds from the start; negative: the end.
    var offsets: [Offset]?

    var opening: StitchingSession.Opening {
        var suppression: StitchingSession.Suppression?
        if let suppressBehindEdge { suppression = .behindEdge(.seconds(suppressBehindEdge)) }
        if let suppressUntilAfterEdge {
            suppression = .untilAfterEdge(.seconds(suppressUntilAfterEdge), fillsRest: fillsRest ?? false)
        }
        return StitchingSession.Opening(
            stitchesPastBreaks: pastBreaks == "stitch", suppression: suppression,
            longestPreroll: longestPreroll.map { .seconds($0) })
    }

    struct Offset: Decodable {
        var id: String
        var seconds: Double
    }
}

/// What `decisions.json` says: the pods, in the order of the session's breaks.
struct ScenarioDecision: Decodable {
    /// Empty: content.
    var ads: [Ad]
    /// The ad server has failed.
    var fails: Bool?

    struct Ad: Decodable {
        var id: String
        /// Seconds of each segment.
        var segments: [String]
        /// Seconds of each segment of the audio rendition; then the ad is demuxed.
        var audio: [String]?
        /// Initialization section: then the ad is fragmented MP4.
        var map: String?
        /// Lines of the ad's playlist before its first segment.
        var lines: [String]?
        /// Seconds of each entry of its I-frame playlist, where it has one.
        var iFrames: [String]?
        /// When its media begin on their own clock, after each discontinuity.
        var timestamps: [Int64]?
    }
}

/// A folder under `Scenarios`.
struct ScenarioFolder: CustomStringConvertible, Sendable {
    let path: String

    var description: String { path.split(separator: "/").suffix(2).joined(separator: "/") }

    static var root: String {
        (#filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }) + "/Scenarios"
    }

    static func all() -> [ScenarioFolder] {
        ["exemplary", "edge"].flatMap { group in
            let folder = "\(root)/\(group)"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.sorted().map { ScenarioFolder(path: "\(folder)/\($0)") }
        }
    }

    func bytes(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(path)/\(name)").map(Array.init)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
    }

    func decoded<T: Decodable>(_ type: T.Type, _ name: String) throws -> T? {
        try FileManager.default.contents(atPath: "\(path)/\(name)").map { try JSONDecoder().decode(type, from: $0) }
    }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    static var isRecording: Bool { ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" }
}
