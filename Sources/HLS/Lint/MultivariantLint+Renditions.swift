// Renditions and their groups.
extension MultivariantLint {
    /// Rule 1102: the attributes fit the type.
    func checkRenditions(_ report: inout LintReport) {
        for rendition in playlist.renditions {
            let line = number(of: rendition.line)
            checkStableID(rendition.stableRenditionID, "STABLE-RENDITION-ID", line, &report)
            if rendition.isDefault, let autoselect = rendition.attributes["AUTOSELECT"], !autoselect.isYes {
                // Common, and players take it for YES.
                report.report(1102, line, "DEFAULT=YES with AUTOSELECT=\(autoselect.text.excerpt)", severity: .warning)
            }
            guard let type = rendition.type?.known else { continue }
            if type != .subtitles, rendition.attributes["FORCED"] != nil {
                report.report(1102, line, "FORCED is for subtitles, not for \(type.rawValue)")
            }
            for name in ["BIT-DEPTH", "SAMPLE-RATE", "CHANNELS"] as [StaticString]
            where type != .audio && rendition.attributes[name] != nil {
                report.report(1102, line, "\(name) is for audio, not for \(type.rawValue)", severity: .warning)
            }
            switch type {
            case .closedCaptions: checkCaptions(rendition, line, &report)
            case .subtitles:
                if rendition.attributes["URI"] == nil { report.report(1102, line, "SUBTITLES without URI") }
            case .audio: checkChannels(rendition, line, &report)
            case .video: break
            }
        }
    }

    private func checkCaptions(_ rendition: Rendition, _ line: Int, _ report: inout LintReport) {
        if rendition.attributes["URI"] != nil {
            report.report(1102, line, "CLOSED-CAPTIONS with URI: they are in the video")
        }
        switch rendition.instreamID {
        case nil: report.report(1102, line, "CLOSED-CAPTIONS without INSTREAM-ID")
        case .other(let text)?:
            guard !text.contains("{$") else { return }
            report.report(1102, line, "INSTREAM-ID \"\(text.excerpt)\" is none of CC1 to CC4, SERVICE1 to SERVICE63")
        case .line21?, .service?: break
        }
    }

    private func checkChannels(_ rendition: Rendition, _ line: Int, _ report: inout LintReport) {
        guard let channels = rendition.channels else {
            report.report(1102, line, "audio without CHANNELS", severity: .note)
            return
        }
        if channels.count == nil, !channels.text.contains("{$") {
            report.report(1102, line, "CHANNELS \"\(channels.text.excerpt)\" does not begin with a count")
        }
    }

    /// Rules 1104 and 1112: members of a group differ, and those of groups of one type are the same.
    func checkGroups(_ report: inout LintReport) {
        for type in Rendition.MediaType.allCases {
            var first: (group: String, members: [String: Member])?
            for group in playlist.groups(type) {
                let members = playlist.renditions(type, group: group).map { Member($0, number(of: $0.line)) }
                checkMembers(members, &report)
                if let first {
                    compare(members, of: group, with: first.members, of: first.group, type, &report)
                } else {
                    first = (group, Dictionary(members.map { ($0.name, $0) }, uniquingKeysWith: { one, _ in one }))
                }
            }
        }
    }

    /// A rendition with what has to be the same in all groups of its type.
    private struct Member {
        let name: String
        let line: Int
        let isDefault: Bool
        /// LANGUAGE, ASSOC-LANGUAGE, FORCED and CHARACTERISTICS, by which players choose; nil where they may not.
        let choice: [String]?
        let common: [(name: String, value: String)]

        init(_ rendition: Rendition, _ line: Int) {
            self.line = line
            name = rendition.name
            isDefault = rendition.isDefault
            let language = rendition.language ?? ""
            let associated = rendition.associatedLanguage ?? ""
            let forced = rendition.isForced ? "YES" : "NO"
            let characteristics = rendition.characteristics.joined(separator: ",")
            choice = rendition.isAutoselect ? [language, associated, forced, characteristics] : nil
            common = [
                ("LANGUAGE", language), ("ASSOC-LANGUAGE", associated), ("FORCED", forced),
                ("CHARACTERISTICS", characteristics), ("DEFAULT", rendition.isDefault ? "YES" : "NO"),
                // The default is selected without saying so.
                ("AUTOSELECT", rendition.isAutoselect || rendition.isDefault ? "YES" : "NO"),
            ]
        }
    }

    private func checkMembers(_ members: [Member], _ report: inout LintReport) {
        var names: [String: Int] = [:]
        var choices: [[String]: Int] = [:]
        var defaultLine = 0
        for member in members {
            if let other = names[member.name] {
                report.report(
                    1104, member.line, "NAME \"\(member.name.excerpt)\" is that of line \(other), in the same group")
            } else {
                names[member.name] = member.line
            }
            if member.isDefault {
                if defaultLine != 0 {
                    report.report(1104, member.line, "DEFAULT=YES, as in line \(defaultLine) of the same group")
                } else {
                    defaultLine = member.line
                }
            }
            guard let choice = member.choice else { continue }
            if let other = choices[choice] {
                report.report(
                    1104, member.line,
                    "AUTOSELECT=YES, but players cannot tell it from line \(other): the same language and characteristics",
                    severity: .warning)
            } else {
                choices[choice] = member.line
            }
        }
    }

    private func compare(
        _ members: [Member], of group: String, with expected: [String: Member], of firstGroup: String,
        _ type: Rendition.MediaType, _ report: inout LintReport
    ) {
        var found: Set<String> = []
        let names = "\(type.rawValue) group \"\(firstGroup.excerpt)\""
        for member in members {
            guard let other = expected[member.name] else {
                report.report(1112, member.line, "\"\(member.name.excerpt)\" is not in the \(names)")
                continue
            }
            found.insert(member.name)
            for (mine, theirs) in zip(member.common, other.common) where mine.value != theirs.value {
                if mine.name == "AUTOSELECT", member.isDefault != other.isDefault { continue }
                report.report(
                    1112, member.line,
                    "\(mine.name) of \"\(member.name.excerpt)\" is \"\(mine.value.excerpt)\", but \"\(theirs.value.excerpt)\" in the \(names)"
                )
            }
        }
        if found.count < expected.count, let line = members.first?.line {
            report.report(
                1112, line,
                "the group \"\(group.excerpt)\" lacks \(expected.count - found.count) of the \(expected.count) members of the \(names)"
            )
        }
    }
}
