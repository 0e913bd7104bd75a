/// What a media file is for a stitcher (R-M1).
package enum MediaUse: String, Sendable, Hashable, CaseIterable {
    case hls, dash, progressive
    /// VPAID, SIMID, MRAID, OMID, scripts, Flash: never stitched.
    case executable
    /// Flash video and what no HLS player takes.
    case other
    /// No URL: not there.
    case blank
}

/// A MediaFile or Mezzanine.
package struct MediaFile: Sendable, Hashable {
    package var id: String?
    /// As read; empty for a blank one.
    package var url: String
    package var delivery: String?
    package var type: String?
    package var width: Int?
    package var height: Int?
    /// As written; see `bitsPerSecond`.
    package var bitrate: Int?
    package var minBitrate: Int?
    package var maxBitrate: Int?
    package var codec: String?
    package var apiFramework: String?
    package var fileSize: Int?
    /// `2D`, `360`, ...
    package var mediaType: String?
    package var scalable: Bool?
    package var maintainAspectRatio: Bool?
    package var use: MediaUse

    /// What it is its address tells; nothing there tells of a playlist.
    init(url: String) {
        self.url = url
        let told = Self.use(type: nil, apiFramework: nil, url: url)
        use = told == .other ? .hls : told
    }

    init(_ element: XMLElement) {
        id = element.word("id")
        url = element.url ?? ""
        delivery = element.word("delivery")
        type = element.attribute("type")?.trimmed
        width = element.integer("width")
        height = element.integer("height")
        bitrate = element.integer("bitrate")
        minBitrate = element.integer("minBitrate")
        maxBitrate = element.integer("maxBitrate")
        codec = element.word("codec")
        apiFramework = element.word("apiFramework")
        fileSize = element.integer("fileSize")
        mediaType = element.word("mediaType")
        scalable = element.boolean("scalable")
        maintainAspectRatio = element.boolean("maintainAspectRatio")
        use = .blank
        use = Self.use(type: type, apiFramework: apiFramework, url: url)
        // Spherical and stereoscopic video is not for a flat stream (R-M4).
        if let mediaType, mediaType.lowercased() != "2d", use != .blank { use = .other }
    }

    /// The attribute in bit/s: kbit/s by the standard, bit/s where somebody wrote that (above 100000); the mean of
    /// minimum and maximum where there is no other (R-M3). Nil where nothing is said.
    package var bitsPerSecond: Int? {
        var number = bitrate.flatMap { $0 > 0 ? $0 : nil }
        if number == nil {
            let bounds = [minBitrate, maxBitrate].compactMap { $0 }.filter { $0 > 0 }
            number = bounds.isEmpty ? nil : bounds.reduce(0) { $0 + min($1, 1 << 40) } / bounds.count
        }
        guard let number else { return nil }
        return number > 100_000 ? number : number * 1000
    }

    static func use(type: String?, apiFramework: String?, url: String) -> MediaUse {
        if url.isEmpty { return .blank }
        if let framework = apiFramework?.lowercased(), ["vpaid", "simid", "mraid", "omid"].contains(framework) {
            return .executable
        }
        let mime = String((type ?? "").prefix { $0 != ";" }).trimmed.lowercased()
        if let known = uses[mime] { return known }
        if mime.contains("javascript") || mime.contains("flash") && mime.hasPrefix("application/") {
            return .executable
        }
        if mime.hasPrefix("audio/") { return .progressive }
        if mime == "video/x-flv" || mime == "video/flv" { return .other }
        return extensions[pathExtension(url)] ?? .other
    }

    private static let uses: [String: MediaUse] = [
        "application/x-mpegurl": .hls, "application/vnd.apple.mpegurl": .hls, "application/mpegurl": .hls,
        "audio/mpegurl": .hls, "audio/x-mpegurl": .hls, "vnd.apple.mpegurl": .hls, "video/x-mpegurl": .hls,
        "video/mpegurl": .hls, "application/dash+xml": .dash, "video/mp4": .progressive,
        "application/mp4": .progressive, "video/quicktime": .progressive, "video/webm": .progressive,
        "video/3gpp": .progressive, "video/x-m4v": .progressive, "video/mp2t": .progressive,
    ]

    private static let extensions: [String: MediaUse] = [
        "m3u8": .hls, "m3u": .hls, "mpd": .dash, "mp4": .progressive, "m4v": .progressive, "mov": .progressive,
        "webm": .progressive, "3gp": .progressive, "ts": .progressive, "mp3": .progressive, "m4a": .progressive,
        "aac": .progressive, "ogg": .progressive, "wav": .progressive, "js": .executable, "swf": .executable,
    ]

    private static func pathExtension(_ url: String) -> String {
        let path = URLText.withoutQuery(url)
        guard let slash = path.lastIndex(of: "/"), let dot = path[slash...].lastIndex(of: ".") else {
            return path.lastIndex(of: ".").map { path[$0...].dropFirst().lowercased() } ?? ""
        }
        return path[dot...].dropFirst().lowercased()
    }
}
