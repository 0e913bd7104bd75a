/// The folder of media that the demo's origin and ad server hand out.
package struct DemoMedia: Sendable {
    /// Path of the folder.
    package let folder: String

    /// Raised when what is made changes, so that a folder of another version is made anew.
    private static let version = "podstitch demo media 1\n"

    /// Makes the media unless they are there already. Blocks: the first time for up to a minute, while `ffmpeg` runs.
    /// - Parameters:
    ///   - folder: where they are kept; `nil` is `podstitch/demo` in `$XDG_CACHE_HOME` or else `~/.cache`.
    ///   - report: told what is going on, a line at a time.
    package static func prepare(
        folder: String?, report: (String) -> Void
    ) throws(DemoError) -> DemoMedia {
        try prepare(folder: folder, items: DemoItem.all, report: report)
    }

    static func prepare(
        folder: String?, items: [DemoItem], report: (String) -> Void
    ) throws(DemoError) -> DemoMedia {
        let folder = if let folder { folder } else { try defaultFolder() }
        let stamp = "\(folder)/complete"
        if Files.read(stamp) == Array(version.utf8) { return DemoMedia(folder: folder) }

        report("Making the demo's media in \(folder), once; this takes up to a minute.")
        let parent = folder.split(separator: "/").dropLast().joined(separator: "/")
        try Files.makeFolder(folder.hasPrefix("/") ? "/" + parent : parent)
        // Made beside its place and then renamed, so that a start cut short leaves nothing that looks whole.
        let workshop = try Files.makeTemporaryFolder("\(folder).")
        defer { Files.removeTree(workshop) }
        let maker = try MediaMaker(folder: workshop)
        if !maker.hasFont { report("ffmpeg finds no font, so nothing is written on the pictures.") }
        try maker.make(items)
        try DemoMedia(folder: workshop).writeMasters(of: items)
        try Files.write(version, to: "\(workshop)/complete")

        if Files.exists(folder) {
            let old = try Files.makeTemporaryFolder("\(folder).")
            defer { Files.removeTree(old) }
            try Files.rename(folder, to: "\(old)/media")
            try Files.rename(workshop, to: folder)
        } else {
            try Files.rename(workshop, to: folder)
        }
        return DemoMedia(folder: folder)
    }

    private static func defaultFolder() throws(DemoError) -> String {
        if let cache = Files.environment("XDG_CACHE_HOME") { return "\(cache)/podstitch/demo" }
        if let home = Files.environment("HOME") { return "\(home)/.cache/podstitch/demo" }
        throw DemoError(.mediaFolder, "HOME is not set; say with --media where to keep the demo's media")
    }

    // MARK: Multivariant playlists

    /// Writes `master.m3u8` of every item and packaging.
    private func writeMasters(of items: [DemoItem]) throws(DemoError) {
        for item in items {
            for packaging in DemoPackaging.allCases {
                let path = "\(folder)/\(item.folder)/\(packaging.rawValue)"
                try Files.write(try master(of: item, packaging), to: "\(path)/master.m3u8")
            }
        }
    }

    private func master(of item: DemoItem, _ packaging: DemoPackaging) throws(DemoError) -> String {
        let audio = packaging == .fmp4 ? try track(item, packaging, "audio").bitRate : (peak: 0, average: 0)
        var text = "#EXTM3U\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        if packaging == .fmp4 {
            text += "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\",NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,"
            text += "AUTOSELECT=YES,CHANNELS=\"2\",URI=\"audio/index.m3u8\"\n"
        }
        for rendition in DemoRendition.ladder {
            let video = try track(item, packaging, rendition.name).bitRate
            text += "#EXT-X-STREAM-INF:BANDWIDTH=\(video.peak + audio.peak),"
            text += "AVERAGE-BANDWIDTH=\(video.average + audio.average),"
            text += "RESOLUTION=\(rendition.width)x\(rendition.height),"
            text += "FRAME-RATE=\(MediaMaker.framesPerSecond).000,CODECS=\"avc1.42c01e,mp4a.40.2\""
            text += packaging == .fmp4 ? ",AUDIO=\"audio\"\n" : "\n"
            text += "\(rendition.name)/index.m3u8\n"
        }
        return text
    }

    /// One track of an item, read from its media playlist.
    func track(_ item: DemoItem, _ packaging: DemoPackaging, _ name: String) throws(DemoError) -> DemoTrack {
        try DemoTrack(folder: "\(folder)/\(item.folder)/\(packaging.rawValue)/\(name)")
    }
}
