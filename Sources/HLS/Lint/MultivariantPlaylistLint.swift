extension MultivariantPlaylist {
    /// Checks the playlist by every rule that can be seen in one multivariant playlist. Ordered by line; of what is broken
    /// everywhere only the first findings are listed.
    package func lint() -> [PlaylistFinding] {
        let checks: [any LintCheck] = [
            TextLint(), FileLint(.multivariant), AttributeLint(), VariableLint(self), VersionLint(self), KeyLint(),
            VariantLint(),
        ]
        return Lint.findings(source, checks)
    }
}

/// Rules of variants and renditions: 1101-1103.
struct VariantLint: LintCheck {
    private var pendingLine = 0
    private var hasVariant = false
    private var groups: Set<String> = []
    private var references: [(type: String, group: String, line: Int)] = []

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .streamInformation:
            if pendingLine != 0 { report.report(1101, pendingLine, "EXT-X-STREAM-INF without URI") }
            pendingLine = line.number
            let bandwidth = line.attribute("BANDWIDTH", bytes).flatMap { DecimalText.integer(bytes, in: $0.value) }
            if bandwidth == nil { report.report(1101, line.number, "no readable BANDWIDTH") }
            readReferences(line, bytes)
        case .uri:
            if pendingLine == 0 { report.report(1101, line.number, "URI without EXT-X-STREAM-INF") }
            hasVariant = hasVariant || pendingLine != 0
            pendingLine = 0
        case .media:
            let type = line.attribute("TYPE", bytes).map { bytes.string($0.value) } ?? ""
            let group = line.attribute("GROUP-ID", bytes).map { bytes.string($0.value) } ?? ""
            groups.insert("\(type)\n\(group)")
            if let isDefault = line.attribute("DEFAULT", bytes), bytes.equals("YES", in: isDefault.value),
                let autoselect = line.attribute("AUTOSELECT", bytes), !bytes.equals("YES", in: autoselect.value)
            {
                report.report(1102, line.number, "DEFAULT=YES with AUTOSELECT=NO", severity: .warning)
            }
        default: break
        }
    }

    private mutating func readReferences(_ line: LintLine, _ bytes: Span<UInt8>) {
        for type in ["AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"] as [StaticString] {
            guard let value = line.attribute(type, bytes) else { continue }
            if bytes.equals("NONE", in: value.value), !value.isQuoted { continue }
            references.append(("\(type)", bytes.string(value.value), line.number))
        }
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if pendingLine != 0 { report.report(1101, pendingLine, "EXT-X-STREAM-INF without URI") }
        if !hasVariant { report.report(1101, end, "no variant", severity: .warning) }
        for reference in references where !groups.contains("\(reference.type)\n\(reference.group)") {
            report.report(1103, reference.line, "no \(reference.type) group \"\(reference.group)\"")
        }
    }
}
