// What holds for the whole session.
extension MultivariantLint {
    /// Rule 611, as far as one playlist shows it.
    func checkSessionKeys(_ report: inout LintReport) {
        var seen: [[String?]: Int] = [:]
        for key in playlist.sessionKeys {
            let line = number(of: key.line)
            if key.method == .none {
                report.report(611, line, "EXT-X-SESSION-KEY with METHOD=NONE")
                continue
            }
            let attributes = key.attributes(in: playlist.source)
            let names: [StaticString] = ["METHOD", "URI", "IV", "KEYFORMAT", "KEYFORMATVERSIONS"]
            let values = names.map { attributes[$0]?.text }
            if let other = seen[values] {
                report.report(611, line, "EXT-X-SESSION-KEY is that of line \(other) once more")
            } else {
                seen[values] = line
            }
        }
    }

    /// Rule 1107.
    func checkSessionData(_ report: inout LintReport) {
        var seen: [[String]: Int] = [:]
        for data in playlist.sessionData {
            let line = number(of: data.line)
            switch (data.value != nil, data.uri != nil) {
            case (false, false): report.report(1107, line, "EXT-X-SESSION-DATA with neither VALUE nor URI")
            case (true, true): report.report(1107, line, "EXT-X-SESSION-DATA with both VALUE and URI")
            default: break
            }
            guard !data.dataID.isEmpty else { continue }
            let key = [data.dataID, data.language ?? ""]
            if let other = seen[key] {
                let language = data.language.map { " and LANGUAGE \"\($0.excerpt)\"" } ?? ""
                report.report(1107, line, "DATA-ID \"\(data.dataID.excerpt)\"\(language) is that of line \(other)")
            } else {
                seen[key] = line
            }
        }
    }

    /// Rule 1109.
    func checkSteering(_ report: inout LintReport) {
        guard let steering = playlist.contentSteering else { return }
        let line = number(of: steering.line)
        var lines = playlist.lines.lazy.filter { $0.kind == .contentSteering }.dropFirst().makeIterator()
        if let second = lines.next() {
            report.report(1109, number(of: second), "EXT-X-CONTENT-STEERING is in line \(line) already")
        }
        guard let pathway = steering.attributes["PATHWAY-ID"]?.text, !pathway.contains("{$") else { return }
        let pathways = Set(playlist.variants.map { $0.pathwayID ?? "." })
        if !pathways.contains(pathway) {
            report.report(1109, line, "no variant has the PATHWAY-ID \"\(pathway.excerpt)\"")
        }
    }
}
