extension DemoWorld {
    /// The configuration (JSON5) of a Podstitch server in front of this world: channels `live` (TS) and `live-fmp4`, titles
    /// `film` and `film-fmp4`.
    package func configuration(listen: String, admin: String) -> String {
        """
        {
          server: { listen: "\(listen)", admin: "\(admin)", store: "memory" },
          network: { allowPrivateUpstreams: true },
          channels: [
            { name: "live", origin: "\(originURL)/live/ts/master.m3u8", ads: "live", maxAdSegmentDuration: 2 },
            { name: "live-fmp4", origin: "\(originURL)/live/fmp4/master.m3u8", ads: "live", maxAdSegmentDuration: 3 },
          ],
          titles: [
            { name: "film", origin: "\(originURL)/vod/ts/master.m3u8", ads: "film" },
            { name: "film-fmp4", origin: "\(originURL)/vod/fmp4/master.m3u8", ads: "film" },
          ],
          adProviders: {
            live: { type: "vast", url: "\(adServerURL)/vast?dur=[session.avail_duration_secs]&cb=[CACHEBUSTING]" },
            film: { type: "vast", url: "\(adServerURL)/vmap?cb=[CACHEBUSTING]" },
          },
        }
        """
    }

    /// What to tell the person who started the demo: addresses to play, a curl line to try, the ad server's report.
    /// `server` and `admin` are base addresses without a slash at the end.
    package func welcome(server: String, admin: String) -> String {
        """
        Podstitch demo. Give each viewer its own stream_id.

          live, TS      \(server)/live/live/master.m3u8?stream_id=alice
          live, fMP4    \(server)/live/live-fmp4/master.m3u8?stream_id=alice
          title, TS     \(server)/vod/film/master.m3u8?stream_id=alice
          title, fMP4   \(server)/vod/film-fmp4/master.m3u8?stream_id=alice
          what ads ran  \(adServerURL)/report
          origin alone  \(originURL)/live/ts/master.m3u8
          health        \(admin)/healthz

        A break of half a minute or a little less begins once a minute, and ads fill 25 seconds of it; who joins inside one sees content
        until the next. Try a playlist with ads in it, and to watch:

          curl -s '\(server)/vod/film/alice/v0.m3u8'
          ffplay '\(server)/live/live/master.m3u8?stream_id=alice'

        Stop with Ctrl-C.
        """
    }
}
