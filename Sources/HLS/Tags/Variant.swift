/// An EXT-X-STREAM-INF with its URI line, or an EXT-X-I-FRAME-STREAM-INF with its URI attribute. RFC 8216bis §4.4.6.2-3.
/// EXT-X-IMAGE-STREAM-INF, which is private, has the form of the latter.
package struct Variant: Sendable {
    package let line: PlaylistLine
    /// The line after EXT-X-STREAM-INF; nil for I-frame variants.
    package let uriLine: PlaylistLine?
    package let attributes: AttributeList

    init(_ source: [UInt8], line: PlaylistLine, uriLine: PlaylistLine?) {
        self.line = line
        self.uriLine = uriLine
        attributes = AttributeList(source, line: line)
    }

    /// The URI as spelled.
    package var uri: String {
        if let uriLine { return attributes.source.text(in: uriLine.range) }
        return attributes["URI"]?.text ?? ""
    }

    /// Peak bits per second.
    package var bandwidth: Int64? { attributes["BANDWIDTH"]?.integer }
    package var averageBandwidth: Int64? { attributes["AVERAGE-BANDWIDTH"]?.integer }
    /// How much it is to be preferred to other variants.
    package var score: DecimalNumber? { attributes["SCORE"]?.decimal }
    package var resolution: Resolution? { attributes["RESOLUTION"]?.resolution }
    /// Frames per second.
    package var frameRate: DecimalNumber? { attributes["FRAME-RATE"]?.decimal }
    package var codecs: String? { attributes["CODECS"]?.text }
    /// The single formats of CODECS, blanks trimmed.
    package var codecList: [String] { attributes["CODECS"]?.list() ?? [] }
    package var supplementalCodecs: [SupplementalCodec] {
        attributes["SUPPLEMENTAL-CODECS"]?.list().map(SupplementalCodec.init) ?? []
    }
    package var videoRange: EnumeratedValue<VideoRange>? { attributes["VIDEO-RANGE"]?.enumerated() }
    package var hdcpLevel: EnumeratedValue<HDCPLevel>? { attributes["HDCP-LEVEL"]?.enumerated() }
    /// The content protection configurations that may play it, for each key format.
    package var allowedProtection: [AllowedProtection] {
        attributes["ALLOWED-CPC"]?.list().map(AllowedProtection.init) ?? []
    }
    /// The ways of presenting that the video needs, any of which may do.
    package var requiredVideoLayouts: [VideoLayout] {
        attributes["REQ-VIDEO-LAYOUT"]?.list().map(VideoLayout.init) ?? []
    }
    /// The variant's name that stays while the URI changes.
    package var stableVariantID: String? { attributes["STABLE-VARIANT-ID"]?.text }
    /// The pathway of content steering; "." where it is not given.
    package var pathwayID: String? { attributes["PATHWAY-ID"]?.text }
    /// NAME, which players show; in no standard.
    package var name: String? { attributes["NAME"]?.text }
    /// PROGRAM-ID, gone since protocol version 6 (rule 204).
    package var programID: Int64? { attributes["PROGRAM-ID"]?.integer }

    package var audioGroup: String? { attributes["AUDIO"]?.text }
    package var videoGroup: String? { attributes["VIDEO"]?.text }
    package var subtitlesGroup: String? { attributes["SUBTITLES"]?.text }
    package var closedCaptions: ClosedCaptions? { attributes["CLOSED-CAPTIONS"].map(ClosedCaptions.init) }
    /// The group of closed captions; nil also for NONE.
    package var closedCaptionsGroup: String? {
        if case .group(let group)? = closedCaptions { group } else { nil }
    }

    /// The group of one type that it names.
    package func group(_ type: Rendition.MediaType) -> String? {
        switch type {
        case .audio: audioGroup
        case .video: videoGroup
        case .subtitles: subtitlesGroup
        case .closedCaptions: closedCaptionsGroup
        }
    }
}

/// VIDEO-RANGE: the transfer characteristics of the video.
package enum VideoRange: String, Hashable, Sendable {
    case sdr = "SDR"
    case hlg = "HLG"
    case pq = "PQ"
}

/// HDCP-LEVEL: the output protection without which it may not play.
package enum HDCPLevel: String, Hashable, Sendable {
    case none = "NONE"
    case type0 = "TYPE-0"
    case type1 = "TYPE-1"
}

/// CLOSED-CAPTIONS of a variant.
package enum ClosedCaptions: Hashable, Sendable {
    /// The enumerated string NONE: no variant has any.
    case none
    case group(String)

    init(_ value: AttributeValue) {
        self = !value.isQuoted && value.text == "NONE" ? .none : .group(value.text)
    }
}

/// One item of SUPPLEMENTAL-CODECS: a format on top of that in CODECS, and the brands it is compatible with.
package struct SupplementalCodec: Hashable, Sendable {
    package let codec: String
    package let compatibilityBrands: [String]

    /// Reads `dvh1.08.07/db4h/cdm4`.
    package init(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        codec = parts.first ?? ""
        compatibilityBrands = parts.dropFirst().filter { !$0.isEmpty }
    }
}

/// One item of ALLOWED-CPC: the labels of protection configurations that a key format allows.
package struct AllowedProtection: Hashable, Sendable {
    package let keyFormat: String
    package let labels: [String]

    /// Reads `com.example.drm:SMART-TV/PC`.
    package init(_ text: String) {
        // A key format may be a URN, with colons of its own.
        guard let colon = text.lastIndex(of: ":") else {
            keyFormat = text
            labels = []
            return
        }
        keyFormat = String(text[..<colon])
        labels = text[text.index(after: colon)...].split(separator: "/").map(String.init)
    }
}

/// One item of REQ-VIDEO-LAYOUT: channels and projection of a presentation, `CH-STEREO/PROJ-HEQU`.
package struct VideoLayout: Hashable, Sendable {
    package enum Channels: String, Hashable, Sendable {
        case monoscopic = "CH-MONO"
        case stereoscopic = "CH-STEREO"
    }

    package enum Projection: String, Hashable, Sendable {
        case rectilinear = "PROJ-RECT"
        case equirectangular = "PROJ-EQUI"
        case halfEquirectangular = "PROJ-HEQU"
        case parametricImmersive = "PROJ-PRIM"
        case appleImmersive = "PROJ-AIV"
    }

    /// The specifiers as spelled.
    package let specifiers: [String]

    package init(_ text: String) {
        specifiers = text.split(separator: "/").map(String.init)
    }

    /// Nil where no specifier begins with CH-: one view.
    package var channels: EnumeratedValue<Channels>? {
        specifiers.first { $0.hasPrefix("CH-") }.map { EnumeratedValue($0) }
    }
    /// Nil where no specifier begins with PROJ-: a plain picture.
    package var projection: EnumeratedValue<Projection>? {
        specifiers.first { $0.hasPrefix("PROJ-") }.map { EnumeratedValue($0) }
    }
}
