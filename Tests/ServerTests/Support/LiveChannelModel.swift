/// A live channel as text: what an origin would answer at a time. Two seconds a segment, a break of its own in each period.
struct LiveChannelModel: Sendable {
    var segmentSeconds = 2
    var windowSegments = 10
    /// A break begins this many seconds after each multiple of `periodSeconds`.
    var breakOffset = 20
    var breakSeconds = 20
    var periodSeconds = 60
    var hasBreaks = true
    /// In place of EXT-X-CUE-OUT.
    var outLines: [String]?
    /// The only rendition with markers; nil for all variants.
    var markedRendition: String?
    /// 1970 + this many seconds is the start of the channel.
    var epoch: Int64 = 1_800_000_000
    /// What audio playlists state, whatever their segments last.
    var audioTargetDuration = 2
    var hasSeparateAudio = false
    /// Seconds at which the encoder has started again: it counts from 0 then, and lists nothing of before.
    var restarts: [Int] = []
    /// Added to the numbers, and put before the names of segments: another origin's.
    var numberShift = 0
    var folder = ""
    /// Nothing is ever removed, and the type says so.
    var isEvent = false
    /// Seconds after which nothing more comes.
    var endsAt: Int?

    var multivariant: String {
        let audio = hasSeparateAudio ? ",AUDIO=\"aud\"" : ""
        var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        if hasSeparateAudio {
            text +=
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"aud\",NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES,URI=\"a0.m3u8\"\n"
        }
        text +=
            "#EXT-X-STREAM-INF:BANDWIDTH=700000,CODECS=\"avc1.64001e,mp4a.40.2\",RESOLUTION=640x360\(audio)\nv0.m3u8\n"
        text +=
            "#EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS=\"avc1.64000c,mp4a.40.2\",RESOLUTION=320x180\(audio)\nv1.m3u8\n"
        return text
    }

    /// The number of the newest segment that is finished at `seconds`, plus one.
    func edge(at seconds: Int) -> Int { seconds / segmentSeconds }

    func isInBreak(_ second: Int) -> Bool {
        guard hasBreaks, second >= 0 else { return false }
        let phase = second % periodSeconds
        return phase >= breakOffset && phase < breakOffset + breakSeconds
    }

    /// - Parameters:
    ///   - start: seconds from which on all is listed, in place of the window.
    ///   - until: seconds after which nothing more comes.
    func media(rendition: String, at seconds: Int, from start: Int? = nil, until: Int? = nil) -> String {
        let last = min(until ?? .max, endsAt ?? .max)
        let end = edge(at: min(seconds, last))
        let restart = restarts.last { $0 <= seconds - segmentSeconds }.map { $0 / segmentSeconds }
        let first = max(
            start.map { $0 / segmentSeconds } ?? (isEvent ? 0 : max(0, end - windowSegments)), restart ?? 0)
        let folder = self.folder + (restart.map { "\($0)/" } ?? "")
        let isAudio = rendition.hasPrefix("a")
        let suffix = hasSeparateAudio ? "m4s" : "ts"
        var text = "#EXTM3U\n#EXT-X-VERSION:\(hasSeparateAudio ? 7 : 3)\n"
        text += "#EXT-X-TARGETDURATION:\(isAudio ? audioTargetDuration : segmentSeconds)\n"
        text += "#EXT-X-MEDIA-SEQUENCE:\(first - (restart ?? 0) + numberShift)\n"
        if isEvent { text += "#EXT-X-PLAYLIST-TYPE:EVENT\n" }
        if hasSeparateAudio { text += "#EXT-X-MAP:URI=\"\(rendition)/init.mp4\"\n" }
        for number in first..<max(first, end) {
            let start = number * segmentSeconds
            let phase = start % periodSeconds
            if !isAudio, markedRendition ?? rendition == rendition {
                if isInBreak(start), !isInBreak(start - segmentSeconds) {
                    text += (outLines ?? ["#EXT-X-CUE-OUT:\(breakSeconds).000"]).map { "\($0)\n" }.joined()
                } else if isInBreak(start) {
                    text += "#EXT-X-CUE-OUT-CONT:ElapsedTime=\(phase - breakOffset),Duration=\(breakSeconds)\n"
                } else if isInBreak(start - segmentSeconds) {
                    text += "#EXT-X-CUE-IN\n"
                }
            }
            text +=
                "#EXT-X-PROGRAM-DATE-TIME:\(date(start))\n#EXTINF:\(segmentSeconds).000,\n\(rendition)/\(folder)seg-\(number).\(suffix)\n"
        }
        if seconds >= last { text += "#EXT-X-ENDLIST\n" }
        return text
    }

    func vod(rendition: String, seconds: Int, cues: [Int: String] = [:]) -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:\(segmentSeconds)\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        for number in 0..<seconds / segmentSeconds {
            if let cue = cues[number * segmentSeconds] { text += cue + "\n" }
            text += "#EXTINF:\(segmentSeconds).000,\n\(rendition)/seg-\(number).ts\n"
        }
        return text + "#EXT-X-ENDLIST\n"
    }

    /// ISO 8601 of the second, counted from the start of the channel.
    func date(_ second: Int) -> String {
        let total = epoch + Int64(second)
        var (days, rest) = total.quotientAndRemainder(dividingBy: 86_400)
        // Days since 1970 to a civil date.
        days += 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let calendarMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let hour = rest / 3_600
        rest %= 3_600
        return "\(year)-\(two(calendarMonth))-\(two(day))T\(two(hour)):\(two(rest / 60)):\(two(rest % 60)).000Z"
    }
}

/// An ad as playlists: a ladder of two, with or without audio of its own.
struct AdModel: Sendable {
    var name: String
    var seconds: Int
    var segmentSeconds = 2
    var isFragmentedMP4 = false
    /// Each segment is so much longer than its whole seconds.
    var extraMilliseconds = 0

    var multivariant: String {
        let audio = isFragmentedMP4 ? ",AUDIO=\"aud\"" : ""
        var text = "#EXTM3U\n#EXT-X-VERSION:6\n"
        if isFragmentedMP4 {
            text +=
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"aud\",NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES,URI=\"a0.m3u8\"\n"
        }
        text +=
            "#EXT-X-STREAM-INF:BANDWIDTH=600000,CODECS=\"avc1.64001e,mp4a.40.2\",RESOLUTION=640x360\(audio)\nv0.m3u8\n"
        text +=
            "#EXT-X-STREAM-INF:BANDWIDTH=260000,CODECS=\"avc1.64000c,mp4a.40.2\",RESOLUTION=320x180\(audio)\nv1.m3u8\n"
        return text
    }

    func media(rendition: String) -> String {
        let suffix = isFragmentedMP4 ? "m4s" : "ts"
        var text =
            "#EXTM3U\n#EXT-X-VERSION:\(isFragmentedMP4 ? 7 : 3)\n#EXT-X-TARGETDURATION:\(segmentSeconds)\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        if isFragmentedMP4 { text += "#EXT-X-MAP:URI=\"\(rendition)/init.mp4\"\n" }
        var rest = seconds
        var number = 0
        while rest > 0 {
            let length = min(rest, segmentSeconds)
            text += "#EXTINF:\(length).00\(extraMilliseconds),\n\(rendition)/seg-\(number).\(suffix)\n"
            rest -= length
            number += 1
        }
        return text + "#EXT-X-ENDLIST\n"
    }
}
