import HLS

/// Variables are replaced wholly or not at all, within bounds.
enum VariableCheck {
    private static let imported = PlaylistVariables(["a": "1", "token": "x"])

    static func run(_ playlist: MediaPlaylist) throws(FuzzFailure) {
        for definition in playlist.variableDefinitions {
            _ = (definition.origin, definition.name, definition.hasLegalName)
        }
        let faults = playlist.variableFaults(imported: imported, uri: PlaylistCheck.uri)
        for fault in faults { try PlaylistCheck.refusal(fault.error, of: playlist.source) }
        guard playlist.hasDefinitions else { return }
        if let bytes = try PlaylistCheck.value(
            of: playlist.source,
            { _ throws(PlaylistError) in try playlist.substitutingVariables(imported: imported, uri: PlaylistCheck.uri)
            })
        {
            try check(bytes)
        }
    }

    static func run(_ playlist: MultivariantPlaylist) throws(FuzzFailure) {
        for definition in playlist.variableDefinitions {
            _ = (definition.origin, definition.name, definition.hasLegalName)
        }
        for fault in playlist.variableFaults(uri: PlaylistCheck.uri) {
            try PlaylistCheck.refusal(fault.error, of: playlist.source)
        }
        guard !playlist.definitions.isEmpty else { return }
        _ = playlist.plain(uri: PlaylistCheck.uri)
    }

    /// Nothing is defined any more.
    private static func check(_ bytes: [UInt8]) throws(FuzzFailure) {
        guard let plain = try? MediaPlaylist(parsing: bytes) else { return }
        try require(!plain.hasDefinitions, "a definition is left")
    }
}
