// What the headers of the playlists have to agree about.
extension RenditionsLint {
    /// The source that the others are compared with: the first video playlist, else the first of any kind.
    var reference: Int? {
        sources.indices.first { sources[$0].reference.kind == .video && sources[$0].playlist != nil }
            ?? sources.indices.first { sources[$0].playlist != nil }
    }

    /// Rules 308, 805, 907, 1010, 1106, 1204, 1302 and 1303.
    func checkHeaders(_ report: inout RenditionsReport) {
        guard let reference, let first = sources[reference].playlist else { return }
        let name = sources[reference].reference.shownURI
        let isVOD = sources.allSatisfy { $0.playlist?.isEnded ?? true }
        for (index, source) in sources.enumerated() {
            guard let playlist = source.playlist else { continue }
            checkAgainstMultivariant(index, playlist, &report)
            checkFrames(index, playlist, &report)
            guard index != reference else { continue }
            let mayDiffer = isVOD && (source.reference.kind == .subtitles || source.reference.kind == .iFrames)
            if let target = playlist.targetDuration, let expected = first.targetDuration, target != expected, !mayDiffer
            {
                report.add(
                    308, source: index, tag: .targetDuration,
                    "target duration \(target), but \(expected) in \(name)")
            }
            if playlist.playlistType != first.playlistType {
                report.add(
                    907, source: index, tag: .playlistType,
                    "\(text(playlist.playlistType)), but \(text(first.playlistType)) in \(name)")
            }
            checkControl(index, playlist, first, named: name, &report)
        }
        checkDates(&report)
        checkStart(first, named: name, &report)
    }

    /// Rule 1302: the EXT-X-START of the multivariant playlist holds for all.
    private func checkStart(_ playlist: MediaPlaylist, named name: String, _ report: inout RenditionsReport) {
        guard let multivariant, let start = multivariant.start, playlist.start == nil, !playlist.segments.isEmpty,
            let fault = PlaybackLint.fault(start.timeOffset, in: playlist),
            let line = multivariant.lines.enumerated().first(where: { $0.element.kind == .start })?.offset
        else { return }
        report.add(1302, line: line + 1, "\(fault), \(name)")
    }

    /// Rule 1010.
    private func checkControl(
        _ index: Int, _ playlist: MediaPlaylist, _ first: MediaPlaylist, named name: String,
        _ report: inout RenditionsReport
    ) {
        let mine = attributes(.serverControl, of: playlist)
        let theirs = attributes(.serverControl, of: first)
        guard let mine, let theirs else {
            if mine != nil || theirs != nil {
                report.add(
                    1010, source: index, tag: .serverControl,
                    mine == nil
                        ? "no EXT-X-SERVER-CONTROL, but \(name) has it" : "EXT-X-SERVER-CONTROL, but none in \(name)")
            }
            return
        }
        let differing = Set(mine.keys).union(theirs.keys).filter { name in
            guard let one = mine[name], let other = theirs[name] else { return true }
            return !AttributeText.areEqual(one, other)
        }.sorted()
        guard let attribute = differing.first else { return }
        let others = differing.count == 1 ? "" : "; \(differing.count - 1) more differ too"
        report.add(
            1010, source: index, tag: .serverControl,
            "\(attribute.excerpt) is \(mine[attribute]?.excerpt ?? "not there"), but "
                + "\(theirs[attribute]?.excerpt ?? "not there") in \(name)\(others)")
    }

    private func text(_ type: MediaPlaylist.PlaylistType?) -> String {
        type.map { "EXT-X-PLAYLIST-TYPE \($0.rawValue)" } ?? "no EXT-X-PLAYLIST-TYPE"
    }

    /// The attributes of the first line of a tag, whatever their order; nil where the tag is missing.
    private func attributes(_ kind: TagKind, of playlist: MediaPlaylist) -> [String: String]? {
        guard let line = playlist.headerTag(kind) else { return nil }
        let list = AttributeList(playlist.source, line: line).prefix(LintLine.attributeLimit)
        return Dictionary(list.map { ($0.name, $0.value.text) }, uniquingKeysWith: { first, _ in first })
    }

    /// Rule 805: dates in all playlists, or in none.
    private func checkDates(_ report: inout RenditionsReport) {
        let dated = sources.firstIndex { $0.playlist?.hasProgramDateTime ?? false }
        guard let dated else { return }
        for (index, source) in sources.enumerated() {
            guard let playlist = source.playlist, !playlist.segments.isEmpty, !playlist.hasProgramDateTime else {
                continue
            }
            report.add(
                805, source: index, tag: .segmentDuration,
                "no EXT-X-PROGRAM-DATE-TIME, though \(sources[dated].reference.shownURI) has it")
        }
    }

    /// Rule 1106: I-frame variants, and they alone, lead to I-frame playlists.
    private func checkFrames(_ index: Int, _ playlist: MediaPlaylist, _ report: inout RenditionsReport) {
        if sources[index].reference.kind == .iFrames {
            if !playlist.isIFramesOnly {
                report.add(
                    1106, source: index, tag: .iFramesOnly,
                    "an I-frame variant leads here, but EXT-X-I-FRAMES-ONLY is missing")
            }
        } else if playlist.isIFramesOnly {
            report.add(1106, source: index, tag: .iFramesOnly, "EXT-X-I-FRAMES-ONLY, but no I-frame variant leads here")
        }
    }

    /// Rules 1204, 1302 and 1303: what stands in both playlists.
    private func checkAgainstMultivariant(_ index: Int, _ playlist: MediaPlaylist, _ report: inout RenditionsReport) {
        guard let multivariant else { return }
        if multivariant.hasIndependentSegments, playlist.hasIndependentSegments {
            report.add(
                1303, source: index, tag: .independentSegments,
                "EXT-X-INDEPENDENT-SEGMENTS stands in the multivariant playlist already")
        }
        if let start = playlist.start, let other = multivariant.start, start != other {
            report.add(
                1302, source: index, tag: .start,
                "EXT-X-START says another thing than in the multivariant playlist: players may ignore it here",
                severity: .error)
        }
        guard playlist.hasDefinitions else { return }
        let defined = Set(
            multivariant.definitions.compactMap { line in
                let attributes = multivariant.attributes(of: line)
                return (attributes["NAME"] ?? attributes["QUERYPARAM"])?.text
            })
        for line in playlist.lines where line.kind == .define {
            guard let name = AttributeList(playlist.source, line: line)["IMPORT"]?.text, !defined.contains(name) else {
                continue
            }
            report.add(
                1204, source: index, at: line.range.lowerBound,
                "the multivariant playlist does not define \(name.excerpt), which is imported")
        }
    }
}

extension MediaPlaylist {
    /// Whether nothing will be appended any more.
    var isEnded: Bool { hasEndList || playlistType == .vod }

    /// Whether any segment has a date.
    var hasProgramDateTime: Bool { segments.contains { $0.programDateTime != nil } }
}
