import HLS

/// What holds for the protocol version a playlist needs, and for writing it.
enum VersionCheck {
    static func run(_ playlist: MediaPlaylist, _ bytes: [UInt8]) throws(FuzzFailure) {
        let required = playlist.requiredVersion
        let written = playlist.serialized(minimumVersion: 2)
        guard let again = try? MediaPlaylist(parsing: written) else {
            throw FuzzFailure(description: "a playlist with its version written cannot be read")
        }
        try require(again.segments.count == playlist.segments.count, "writing the version changes the segments")
        try check(required, again.requiredVersion, written: again.version, read: playlist.version)
        try require(again.serialized(minimumVersion: 2) == written, "the version is written twice")
    }

    static func run(_ playlist: MultivariantPlaylist, _ bytes: [UInt8]) throws(FuzzFailure) {
        let required = playlist.requiredVersion
        let written = playlist.serialized(minimumVersion: 2)
        guard let again = try? MultivariantPlaylist(parsing: written) else {
            throw FuzzFailure(description: "a playlist with its version written cannot be read")
        }
        try require(again.variants.count == playlist.variants.count, "writing the version changes the variants")
        try check(required, again.requiredVersion, written: again.version, read: playlist.version)
        try require(again.serialized(minimumVersion: 2) == written, "the version is written twice")
    }

    private static func check(
        _ required: RequiredVersion, _ again: RequiredVersion, written: Int, read: Int
    ) throws(FuzzFailure) {
        try require(required.version == again.version, "\(required.version), then \(again.version) is needed")
        try require(written >= max(2, required.version, read), "\(written) is written, \(required.version) needed")
    }
}
