/// The demo's origin.
///
///     /live/{ts,fmp4}/master.m3u8   the live channel
///     /vod/{ts,fmp4}/master.m3u8    the programme as a title
struct DemoOrigin: StandIn {
    let channel: LiveChannel
    let files: MediaFiles

    init(media: DemoMedia) throws(DemoError) {
        channel = try LiveChannel(media: media)
        files = MediaFiles(root: "\(media.folder)/\(DemoItem.programme.folder)")
    }

    func respond(to request: StandInRequest, at milliseconds: Int64) -> StandInResponse {
        let names = request.path.split(separator: "/").map(String.init)
        guard names.count >= 3, let packaging = DemoPackaging(rawValue: names[1]) else {
            return StandInResponse(status: 404, "try /live/ts/master.m3u8 or /vod/ts/master.m3u8")
        }
        switch (names[0], names.count) {
        case ("vod", _), ("live", 3):
            return files.respond(relativePath: names.dropFirst().joined(separator: "/"), range: request.range)
        case ("live", 4) where names[3] == "index.m3u8":
            let playlist = channel.mediaPlaylist(packaging, names[2], at: milliseconds / 1000)
            return playlist.map { StandInResponse($0, "application/vnd.apple.mpegurl") } ?? .notFound
        case ("live", 4):
            guard let file = channel.file(packaging, names[2], names[3]) else { return .notFound }
            return MediaFiles.respond(file: file, range: request.range)
        default:
            return .notFound
        }
    }
}
