/// Rules of EXT-X-DEFINE and the use of variables, in either kind of playlist: 1201-1204.
struct VariableLint: LintCheck {
    private let kind: PlaylistKind
    /// Whether the playlist has variables; in others braces may be part of a URI.
    private let hasVariables: Bool
    private var names: Set<String> = []
    private static let limit = 65_536

    init(_ playlist: MediaPlaylist) {
        kind = .media
        hasVariables = playlist.hasDefinitions || playlist.version >= 8
    }

    init(_ playlist: MultivariantPlaylist) {
        kind = .multivariant
        hasVariables = !playlist.definitions.isEmpty || playlist.version >= 8
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if line.kind == .uri { checkUses(line.place.range, line.number, bytes, &report) }
        for attribute in line.attributes where attribute.isQuoted || bytes.isHexadecimalStart(attribute.value) {
            checkUses(attribute.value, line.number, bytes, &report)
        }
        if line.kind == .define { readDefinition(line, bytes, &report) }
    }

    private mutating func readDefinition(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        let sources = (["NAME", "IMPORT", "QUERYPARAM"] as [StaticString]).compactMap { line.attribute($0, bytes) }
        guard sources.count == 1, let source = sources.first else {
            report.report(1201, line.number, "EXT-X-DEFINE has \(sources.count) of NAME, IMPORT and QUERYPARAM")
            for source in sources { define(source.value, bytes) }
            return
        }
        let isNamed = line.attribute("NAME", bytes) != nil
        if isNamed != (line.attribute("VALUE", bytes) != nil) {
            report.report(1201, line.number, isNamed ? "NAME without VALUE" : "VALUE without NAME")
        }
        let name = bytes.excerpt(source.value)
        if source.value.isEmpty || source.value.contains(where: { !VariableDefinition.isLegal(bytes[$0]) }) {
            report.report(1204, line.number, "\"\(name)\" is no name of a variable")
        }
        if kind == .multivariant, line.attribute("IMPORT", bytes) != nil {
            report.report(1204, line.number, "IMPORT in a multivariant playlist")
        }
        if !define(source.value, bytes) { report.report(1202, line.number, "\(name) is defined twice") }
    }

    /// Whether the variable is new.
    @discardableResult
    private mutating func define(_ name: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard names.count < Self.limit else { return true }
        return names.insert(bytes.string(name)).inserted
    }

    private func checkUses(
        _ range: Range<Int>, _ line: Int, _ bytes: Span<UInt8>, _ report: inout LintReport
    ) {
        var position = range.lowerBound
        while let brace = bytes.firstIndex(of: 0x7B, in: position..<range.upperBound) {
            position = brace + 1
            guard position < range.upperBound, bytes[position] == 0x24 else { continue }
            var end = position + 1
            while end < range.upperBound, VariableDefinition.isLegal(bytes[end]) { end += 1 }
            let name = position + 1..<end
            position = end
            guard end < range.upperBound, bytes[end] == 0x7D, !name.isEmpty, names.count < Self.limit,
                !names.contains(bytes.string(name))
            else { continue }
            report.report(
                1203, line, "{$\(bytes.excerpt(name))} is not defined before it",
                severity: hasVariables ? nil : .warning)
        }
    }
}
