/// An EXT-X-DEFINE, RFC 8216bis §4.4.2.3.
package struct VariableDefinition: Sendable {
    /// Where the variable's value is from.
    package enum Origin: Hashable, Sendable {
        /// VALUE, which may hold references to variables defined before.
        case value
        /// The variable of the same name of the multivariant playlist.
        case imported
        /// The parameter of the same name in the query of the playlist's URI.
        case queryParameter
    }

    package let line: PlaylistLine
    package let attributes: AttributeList

    package init(_ source: [UInt8], line: PlaylistLine) {
        self.line = line
        attributes = AttributeList(source, line: line)
    }

    /// Nil where the tag has none of NAME, IMPORT and QUERYPARAM; of several it is the first in this order (rule 1201).
    package var origin: Origin? {
        if attributes["NAME"] != nil { return .value }
        if attributes["IMPORT"] != nil { return .imported }
        return attributes["QUERYPARAM"] != nil ? .queryParameter : nil
    }

    /// Whether the tag has more than one of NAME, IMPORT and QUERYPARAM.
    package var isAmbiguous: Bool {
        let names = [attributes["NAME"], attributes["IMPORT"], attributes["QUERYPARAM"]]
        return names.count { $0 != nil } > 1
    }

    /// The variable's name; empty where there is none.
    package var name: String {
        switch origin {
        case .value: attributes["NAME"]?.text ?? ""
        case .imported: attributes["IMPORT"]?.text ?? ""
        case .queryParameter: attributes["QUERYPARAM"]?.text ?? ""
        case nil: ""
        }
    }

    /// Whether the name has the characters it may have: letters, digits, `-` and `_`.
    package var hasLegalName: Bool {
        !name.isEmpty && name.utf8.allSatisfy(Self.isLegal)
    }

    /// Whether names of variables may have the character.
    static func isLegal(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isDigit || byte == 0x2D || byte == 0x5F
    }
}

extension MediaPlaylist {
    /// EXT-X-DEFINE, in the order of their lines.
    package var variableDefinitions: [VariableDefinition] {
        guard hasDefinitions else { return [] }
        return lines.compactMap { $0.kind == .define ? VariableDefinition(source, line: $0) : nil }
    }
}

extension MultivariantPlaylist {
    /// EXT-X-DEFINE, in the order of their lines.
    package var variableDefinitions: [VariableDefinition] {
        definitions.map { VariableDefinition(source, line: $0) }
    }
}
