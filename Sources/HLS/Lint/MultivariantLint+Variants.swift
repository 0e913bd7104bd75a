// Variants and what they say of themselves.
extension MultivariantLint {
    /// Rules 1101 and 1110.
    func checkVariants(_ report: inout LintReport) {
        for variant in playlist.variants + playlist.iFrameVariants {
            let line = number(of: variant.line)
            checkBandwidth(variant, line, &report)
            checkCodecs(variant, line, &report)
            checkStableID(variant.stableVariantID, "STABLE-VARIANT-ID", line, &report)
        }
    }

    private func checkBandwidth(_ variant: Variant, _ line: Int, _ report: inout LintReport) {
        let tag = variant.uriLine == nil ? "EXT-X-I-FRAME-STREAM-INF" : "EXT-X-STREAM-INF"
        guard let text = variant.attributes["BANDWIDTH"]?.text else {
            report.report(1101, line, "\(tag) without BANDWIDTH")
            return
        }
        guard let bandwidth = variant.bandwidth else {
            report.report(1101, line, "BANDWIDTH \(text.excerpt) is not a whole number")
            return
        }
        if bandwidth == 0 {
            report.report(1101, line, "BANDWIDTH 0 is below what any segment takes", severity: .warning)
        }
        if let average = variant.averageBandwidth, average > bandwidth {
            report.report(
                1110, line, "AVERAGE-BANDWIDTH \(average) is above BANDWIDTH \(bandwidth), which is the peak",
                severity: .error)
        }
    }

    /// That CODECS is there, and names what the other attributes tell is there.
    private func checkCodecs(_ variant: Variant, _ line: Int, _ report: inout LintReport) {
        guard let value = variant.attributes["CODECS"] else {
            report.report(1110, line, "no CODECS: players have to load media to know whether they can play it")
            return
        }
        // A variable tells nothing until it is replaced.
        guard !value.text.contains("{$") else { return }
        let kinds = Set(variant.codecList.map(CodecKind.init))
        guard !kinds.isEmpty else {
            report.report(1110, line, "CODECS is empty", severity: .error)
            return
        }
        guard !kinds.contains(.unknown) else { return }
        if variant.attributes["RESOLUTION"] != nil, !kinds.contains(.video) {
            report.report(1110, line, "RESOLUTION, but CODECS \(value.text.excerpt) names no video", severity: .error)
        }
        if variant.uriLine != nil, let group = variant.audioGroup, !kinds.contains(.audio),
            playlist.firstMember(.audio, group: group) != nil
        {
            report.report(
                1110, line,
                "CODECS \(value.text.excerpt) names no audio, which the AUDIO group \"\(group.excerpt)\" has",
                severity: .error)
        }
    }

    /// Rule 106 for identifiers that have to be told apart by machines.
    func checkStableID(_ id: String?, _ name: String, _ line: Int, _ report: inout LintReport) {
        guard let id, !id.contains("{$") else { return }
        let isPlain = id.utf8.allSatisfy { byte in
            byte.isASCIILetter || byte.isDigit || [0x2B, 0x2F, 0x3D, 0x2E, 0x2D, 0x5F].contains(byte)
        }
        if !isPlain || id.isEmpty {
            report.report(106, line, "\(name) \"\(id.excerpt)\" has other characters than A-Z a-z 0-9 + / = . - _")
        }
    }

    /// Rule 1105: CLOSED-CAPTIONS=NONE on all variants or on none.
    func checkCaptions(_ report: inout LintReport) {
        guard let first = playlist.variants.first(where: { $0.closedCaptions == ClosedCaptions.none }) else { return }
        let origin = number(of: first.line)
        for variant in playlist.variants where variant.closedCaptions != ClosedCaptions.none {
            let says = variant.closedCaptionsGroup.map { "CLOSED-CAPTIONS=\"\($0.excerpt)\"" } ?? "no CLOSED-CAPTIONS"
            report.report(1105, number(of: variant.line), "\(says), but NONE in line \(origin)")
        }
    }

    /// Rule 1106, as far as one playlist shows it.
    func checkFrames(_ report: inout LintReport) {
        guard !playlist.iFrameVariants.isEmpty else { return }
        let others = Set(playlist.variants.map(\.uri))
        for variant in playlist.iFrameVariants {
            let line = number(of: variant.line)
            for name in ["FRAME-RATE", "AUDIO", "SUBTITLES", "CLOSED-CAPTIONS"] as [StaticString]
            where variant.attributes[name] != nil {
                report.report(1106, line, "an I-frame variant has no \(name)")
            }
            if !variant.uri.isEmpty, others.contains(variant.uri) {
                report.report(
                    1106, line, "\(variant.uri.excerpt) is the playlist of a variant, and so not of I-frames alone")
            }
        }
    }

    /// Rule 1103: groups that are named exist, and those that exist are named.
    func checkGroupReferences(_ report: inout LintReport) {
        var named: [Rendition.MediaType: Set<String>] = [:]
        for variant in playlist.variants + playlist.iFrameVariants {
            for type in Rendition.MediaType.allCases {
                guard let group = variant.group(type) else { continue }
                named[type, default: []].insert(group)
                if playlist.firstMember(type, group: group) == nil {
                    report.report(1103, number(of: variant.line), "no \(type.rawValue) group \"\(group.excerpt)\"")
                }
            }
        }
        for type in Rendition.MediaType.allCases {
            for group in playlist.groups(type) where named[type]?.contains(group) != true {
                guard let member = playlist.firstMember(type, group: group) else { continue }
                report.report(
                    1103, number(of: member.line), "no variant has the \(type.rawValue) group \"\(group.excerpt)\"",
                    severity: .note)
            }
        }
    }
}
