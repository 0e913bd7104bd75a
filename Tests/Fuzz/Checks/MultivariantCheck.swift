import HLS

/// What holds for any bytes that a multivariant playlist could be read from.
enum MultivariantCheck {
    static func run(_ playlist: MultivariantPlaylist, _ bytes: [UInt8]) throws(FuzzFailure) {
        try require(playlist.serialized() == bytes, "a multivariant playlist does not round-trip")
        _ = try PlaylistCheck.cover(playlist.lines, bytes)
        try PlaylistCheck.uris(playlist.uris, bytes)
        for variant in playlist.variants {
            try require(variant.uriLine != nil, "a variant without its URI line")
            ask(variant)
        }
        for variant in playlist.iFrameVariants + playlist.imageVariants { ask(variant) }
        for rendition in playlist.renditions {
            ask(rendition)
            if let type = rendition.type?.known {
                let group = playlist.renditions(type, group: rendition.groupID)
                try require(group.contains { $0.line == rendition.line }, "a rendition outside its group")
            }
        }
        for key in playlist.sessionKeys { _ = (key.method, key.hasImplicitIV, key.attributes(in: bytes)["URI"]) }
        for data in playlist.sessionData { _ = (data.dataID, data.value, data.uri, data.format, data.language) }
        if let steering = playlist.contentSteering { _ = (steering.serverURI, steering.pathwayID) }
        _ = (playlist.start, playlist.version, playlist.hasIndependentSegments)
        try VersionCheck.run(playlist, bytes)
        try resolution(playlist)
        try VariableCheck.run(playlist)
        _ = playlist.mediaPlaylistReferences
    }

    private static func ask(_ variant: Variant) {
        _ = (variant.uri, variant.bandwidth, variant.averageBandwidth, variant.resolution, variant.frameRate)
        _ = (variant.codecList, variant.codecs, variant.supplementalCodecs, variant.videoRange, variant.hdcpLevel)
        _ = (variant.name, variant.stableVariantID, variant.pathwayID, variant.score, variant.audioGroup)
        _ = (variant.videoGroup, variant.subtitlesGroup, variant.closedCaptionsGroup, variant.programID)
        for protection in variant.allowedProtection { _ = protection.labels }
        for layout in variant.requiredVideoLayouts { _ = (layout.channels, layout.projection) }
    }

    private static func ask(_ rendition: Rendition) {
        _ = (rendition.name, rendition.uri, rendition.language, rendition.associatedLanguage, rendition.isDefault)
        _ = (rendition.isAutoselect, rendition.isForced, rendition.characteristics, rendition.channels)
        _ = (rendition.channelCount, rendition.instreamID, rendition.stableRenditionID)
        _ = (rendition.bitDepth, rendition.sampleRate)
    }

    private static func resolution(_ playlist: MultivariantPlaylist) throws(FuzzFailure) {
        let resolved = playlist.resolvingURIs(against: PlaylistCheck.base)
        guard let again = try? MultivariantPlaylist(parsing: resolved) else {
            throw FuzzFailure(description: "a playlist with its URIs resolved cannot be read")
        }
        try require(again.variants.count == playlist.variants.count, "resolving URIs changes the variants")
        try require(
            again.resolvingURIs(against: PlaylistCheck.otherBase) == resolved, "resolved URIs are not absolute")
    }
}
