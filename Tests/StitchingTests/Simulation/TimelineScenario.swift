@testable import Stitching

/// One generated timeline as a value: what the origin makes, what the ad server answers, who asks when. All times are
/// milliseconds from the origin's beginning.
///
/// A value, so that a failing one can be made smaller and pasted into `Cases`. What is nil is off.
struct TimelineScenario: Codable, Equatable {
    /// Two servers with their own ledgers, which share the store alone.
    var replicaCount: Int?
    var origin: Origin
    var breaks: [Break] = []
    var viewers: [Viewer] = []
    /// What fills breaks that ads do not.
    var slate: Ad?
    /// Before and behind the ads of each pod.
    var startBumper: Ad?
    var endBumper: Ad?
    /// The session's own markers.
    var breakMarks: BreakMarks?
    /// What becomes of the origin's.
    var markerPassthrough: MarkerPassthrough?
    var polls: [Poll] = []

    struct Origin: Codable, Equatable {
        /// Of the leading rendition.
        var segments: [Segment] = []
        var firstNumber: Int64 = 0
        var renditions: [Rendition] = []
        /// EXT-X-TARGETDURATION, seconds.
        var targetDuration = 7
        /// The longest that an ad may bring, seconds.
        var maximumAdSegment = 6
        var window = 24_000
        /// EXT-X-PROGRAM-DATE-TIME on every segment, wrong by up to so many milliseconds; nil: no dates.
        var dateJitter: Int?
        /// EXT-X-DISCONTINUITY-SEQUENCE is written.
        var countsDiscontinuities: Bool?
        var markers = SimulatedMarkers.Style.cueOut
        var media: Media?
        var keys: Keys?
        /// The key changes every so many segments.
        var keyRotation: Int?
        /// EXT-X-ENDLIST after the last segment.
        var ends: Bool?
        var epochs: [Epoch]?
        /// EXT-X-PLAYLIST-TYPE:EVENT: nothing leaves the list.
        var isEvent: Bool?
        /// TIME-OFFSET of an EXT-X-START.
        var startOffset: Int?
        /// Only so many-th segments have a date, and the first that is listed; 0: that alone.
        var datesEvery: Int?
        /// Another init section every so many segments; then there is one behind each discontinuity, too.
        var mapRotation: Int?
        /// Other origins of the same content.
        var backups: [Backup]?
        /// When the channel goes over to another of its origins.
        var turns: [Turn]?
    }

    /// The origin begins to count anew.
    struct Epoch: Codable, Equatable {
        enum Kind: String, Codable, CaseIterable {
            /// The encoder starts again: other numbers and addresses, nothing listed of before.
            case restart
            /// The numbers leap, and all else goes on.
            case jump
            /// Another origin takes its place: other numbers and addresses for the same content.
            case failover
        }

        var kind: Kind
        var start: Int
        /// The first number of a restart; what others add to the numbers.
        var number: Int64
        var discontinuityBase: Int
    }

    struct Segment: Codable, Equatable {
        var duration: Int
        var discontinuity: Bool?
        var gap: Bool?
        /// A date range that is no break begins with it and lasts so many seconds.
        var dateRange: Int?
    }

    /// A rendition other than the leading one.
    struct Rendition: Codable, Equatable {
        /// As ``SourceCatalog`` names it: `v1`, `a-aud-en`, `s-subs-en`.
        var key: String
        /// The length of its segments, which begin anew at each discontinuity; nil: those of the leading rendition.
        var grid: Int?
        var firstNumber: Int64
        /// Its playlists run behind the leading rendition's by this.
        var delay: Int
        /// Those of its segments, counted from 0, that have an EXT-X-GAP here alone.
        var gaps: [Int]?
    }

    enum Media: String, Codable { case fragmented, byteRanges }

    enum Keys: String, Codable, CaseIterable { case implicitIV, explicitIV, sampleAES, severalFormats }

    struct Break: Codable, Equatable {
        /// Marked on the first segment that begins at or after this.
        var start: Int
        /// Seconds; nil: the marker names no length.
        var planned: Int?
        /// When the return is marked; nil: never.
        var back: Int?
        /// It is announced before so many segments.
        var ahead: Int?
        /// Segments inside repeat the marker.
        var repeats: Bool?
        /// What the ad server names.
        var ads: [Ad] = []
        /// The ad server fails.
        var fails: Bool?
        /// When its answer comes, by viewer; none: at once.
        var answersAfter: [Int]?
    }

    struct Ad: Codable, Equatable {
        /// Durations of the segments.
        var video: [Int]
        var audio: [Int]
        /// Under a key of its own.
        var isEncrypted: Bool?
        /// It has an I-frame playlist.
        var hasIFrames: Bool?
    }

    struct Viewer: Codable, Equatable {
        var joins: Int
        var completesAds: Bool?
        /// Seconds.
        var threshold: Int?
        var fill: Fill?
        var join: Join?
        /// Seconds.
        var retryRest: Int?
        /// The most that a pre-roll may last, seconds.
        var preroll: Int?
        /// Breaks are left to the content that begin so far behind the edge or farther.
        var suppressedBehind: Int?
        /// Breaks are left to the content that begin earlier than so long after the edge; or what of them lies before that.
        var suppressedUntil: Int?
        var fillsRest: Bool?
        /// Breaks of the window that had ended get pods.
        var stitchesPastBreaks: Bool?
    }

    enum Fill: String, Codable { case content, slate, minimizeSlate }

    enum Join: String, Codable { case content, slate, fit }

    struct Poll: Codable, Equatable {
        var at: Int
        var viewer: Int
        /// Nil: the leading one.
        var rendition: String?
        var replica: Int?
        /// A cache in between answers a version so much older.
        var staleBy: Int?
        /// The origin does not answer.
        var fails: Bool?
        /// The process that answered ends behind it. What was kept is all that goes on.
        var restarts: Bool?
        /// All replicas are asked, and all renditions are held against each other.
        var compares: Bool?
    }
}

extension TimelineScenario {
    /// Another origin of the same content.
    struct Backup: Codable, Equatable {
        /// What is added to the numbers.
        var number: Int64
        var discontinuityBase: Int
        /// Its playlists run behind the first one's by this.
        var delay: Int
    }

    struct Turn: Codable, Equatable {
        var at: Int
        /// 0: the first; else counts ``Origin/backups`` from 1.
        var origin: Int
    }
}

extension BreakMarks: Codable {}
extension MarkerPassthrough: Codable {}

extension TimelineScenario.Viewer {
    var opening: StitchingSession.Opening {
        var suppression: StitchingSession.Suppression?
        if let distance = suppressedBehind { suppression = .behindEdge(.milliseconds(distance)) }
        if let distance = suppressedUntil {
            suppression = .untilAfterEdge(.milliseconds(distance), fillsRest: fillsRest ?? false)
        }
        return StitchingSession.Opening(
            stitchesPastBreaks: stitchesPastBreaks ?? false, suppression: suppression,
            longestPreroll: preroll.map { .seconds($0) })
    }
}

extension TimelineScenario.Fill {
    var policy: FillPolicy {
        switch self {
        case .content: .content
        case .slate: .slate
        case .minimizeSlate: .minimizeSlate
        }
    }
}

extension TimelineScenario.Join {
    var policy: JoinPolicy {
        switch self {
        case .content: .content
        case .slate: .slate
        case .fit: .fit
        }
    }
}

extension TimelineScenario {
    static let leading = "v0"

    /// The multivariant playlist of the origin.
    var multivariant: String {
        var text = "#EXTM3U\n"
        var attributes = ""
        for rendition in origin.renditions where rendition.key.hasPrefix("a") || rendition.key.hasPrefix("s") {
            let isAudio = rendition.key.hasPrefix("a")
            let type = isAudio ? "AUDIO" : "SUBTITLES"
            let group = isAudio ? "aud" : "subs"
            let language = rendition.key.split(separator: "-").last ?? "en"
            text += "#EXT-X-MEDIA:TYPE=\(type),GROUP-ID=\"\(group)\",NAME=\"\(language)\",LANGUAGE=\"\(language)\","
            text += "URI=\"\(rendition.key).m3u8\"\n"
            let attribute = ",\(type)=\"\(group)\""
            if !attributes.contains(attribute) { attributes += attribute }
        }
        let variants = [Self.leading] + origin.renditions.map(\.key).filter { $0.hasPrefix("v") }
        for (index, key) in variants.enumerated() {
            text += "#EXT-X-STREAM-INF:BANDWIDTH=\(2_000_000 - index * 500_000),CODECS=\"avc1.64001f,mp4a.40.2\""
            text += "\(attributes)\n\(key).m3u8\n"
        }
        for rendition in origin.renditions where rendition.key.hasPrefix("i") {
            text += "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=100000,CODECS=\"avc1.64001f\",URI=\"\(rendition.key).m3u8\"\n"
        }
        return text
    }

    var hasSeparateAudio: Bool { origin.renditions.contains { $0.key.hasPrefix("a") } }
}
