/// The variables of EXT-X-DEFINE, RFC 8216bis §4.3 and §4.4.2.3: read from one playlist, offered to those it leads to. Names
/// are told apart by the case of their letters.
package struct PlaylistVariables: Hashable, Sendable {
    package internal(set) var values: [String: [UInt8]] = [:]

    package init() {}

    package init(_ values: [String: String]) {
        self.values = values.mapValues { Array($0.utf8) }
    }

    /// The value of a variable as text.
    package subscript(_ name: String) -> String? {
        values[name].map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Something about variables that makes strict players refuse a playlist.
package struct VariableFault: Sendable {
    /// 1201 to 1204.
    package let rule: Int
    /// Its code, its line, and what it is.
    package let error: PlaylistError
    /// From where no value can be had; nil for other faults.
    package let lackingOrigin: VariableDefinition.Origin?
}

extension MultivariantPlaylist {
    /// The playlist in plain text, without variables, and the variables that its media playlists may import. `uri` is where
    /// it was finally fetched from.
    ///
    /// - Throws: ``PlaylistError`` for the first thing that RFC 8216bis §4.4.2.3 and §6.3.1 let no player bear.
    package func substitutingVariables(
        uri: String
    ) throws(PlaylistError) -> (bytes: [UInt8], variables: PlaylistVariables) {
        var substitution = VariableSubstitution(source, imported: nil, uri: uri)
        let bytes = try substitution.bytes(lines)
        if let fault = substitution.faults.first { throw fault.error }
        return (bytes, substitution.variables)
    }

    /// What is wrong with its variables, in the order of the lines.
    package func variableFaults(uri: String) -> [VariableFault] {
        var substitution = VariableSubstitution(source, imported: nil, uri: uri)
        _ = try? substitution.bytes(lines)
        return substitution.faults
    }

    /// The playlist in plain text as far as it can be, and what its media playlists may import. Of a variable that is defined
    /// twice the first definition holds, and a reference to what is not defined stays as it is spelled.
    package func plain(uri: String) -> (playlist: MultivariantPlaylist, variables: PlaylistVariables) {
        guard !definitions.isEmpty else { return (self, PlaylistVariables()) }
        var substitution = VariableSubstitution(source, imported: nil, uri: uri)
        guard let bytes = try? substitution.bytes(lines), let playlist = try? MultivariantPlaylist(parsing: bytes)
        else {
            return (self, PlaylistVariables())
        }
        return (playlist, substitution.variables)
    }
}

extension MediaPlaylist {
    /// The playlist in plain text, without variables; to be read again with ``init(parsing:)``. `imported` are those of the
    /// multivariant playlist, `uri` is where this one was finally fetched from.
    ///
    /// - Throws: ``PlaylistError`` for the first thing that RFC 8216bis §4.4.2.3 and §6.3.1 let no player bear.
    package func substitutingVariables(
        imported: PlaylistVariables, uri: String
    ) throws(PlaylistError) -> [UInt8] {
        var substitution = VariableSubstitution(source, imported: imported, uri: uri)
        let bytes = try substitution.bytes(lines)
        if let fault = substitution.faults.first { throw fault.error }
        return bytes
    }

    /// What is wrong with its variables, in the order of the lines.
    package func variableFaults(imported: PlaylistVariables, uri: String) -> [VariableFault] {
        var substitution = VariableSubstitution(source, imported: imported, uri: uri)
        _ = try? substitution.bytes(lines)
        return substitution.faults
    }

    /// The playlist in plain text as far as it can be; itself where it defines nothing. Of a variable that is defined twice
    /// the first definition holds, and a reference to what is not defined stays as it is spelled.
    package func plain(importing imported: PlaylistVariables, uri: String) -> MediaPlaylist {
        guard hasDefinitions else { return self }
        var substitution = VariableSubstitution(source, imported: imported, uri: uri)
        guard let bytes = try? substitution.bytes(lines), let playlist = try? MediaPlaylist(parsing: bytes) else {
            return self
        }
        return playlist
    }
}
