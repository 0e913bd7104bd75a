internal import HLS

/// Where an ad's media lie.
package struct MediaSource: Hashable, Sendable {
    package var url: String
    /// It is an HLS playlist, whose segments are the media; else one file.
    package var isPlaylist: Bool

    package init(_ url: String, isPlaylist: Bool = false) {
        self.url = url
        self.isPlaylist = isPlaylist
    }

    /// Whose server has it.
    var host: String { URIReference.host(of: url) }
}

/// A file that an ad's media are written to.
package enum MediaTrack: String, Sendable, CaseIterable {
    /// All of it, or the pictures.
    case main = "source"
    /// The sound, where it has a file of its own.
    case sound
}

/// Media that are to be downloaded.
package struct MediaDownload: Sendable {
    package var source: MediaSource
    package var isOperators: Bool
    /// The most bytes that all of it may have.
    package var byteLimit: Int
    /// The longest ad.
    package var longest: Duration
    /// When it is to be there, monotonic.
    package var deadline: Duration

    package init(
        source: MediaSource, isOperators: Bool, byteLimit: Int, longest: Duration, deadline: Duration
    ) {
        self.source = source
        self.isOperators = isOperators
        self.byteLimit = byteLimit
        self.longest = longest
        self.deadline = deadline
    }
}

/// Media that were downloaded.
package struct FetchedMedia: Hashable, Sendable {
    /// There is a file of the sound.
    package var hasSound: Bool
    /// What a playlist says of the length; nil where the file tells.
    package var duration: Duration?

    package init(hasSound: Bool = false, duration: Duration? = nil) {
        self.hasSound = hasSound
        self.duration = duration
    }
}

/// Downloads media, and hands the bytes of each file, in their order, to what says whether to go on.
package typealias FetchMedia =
    @Sendable (_ media: MediaDownload, _ write: @escaping @Sendable (MediaTrack, [UInt8]) async -> Bool) async
    -> Result<FetchedMedia, ConditioningFailure>
