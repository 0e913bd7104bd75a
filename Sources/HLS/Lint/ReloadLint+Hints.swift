// Whether EXT-X-PRELOAD-HINT kept its promise: rule 1005.
extension ReloadLint {
    /// A partial segment, or what a hint says the next one will be.
    private struct Part {
        var uri: Range<Int>
        var offset: Int64
        /// Whether the playlist says where in the resource it lies.
        var hasRange: Bool
    }

    /// The partial segments of one segment, and the hint.
    private struct Parts {
        var bySegment: [Int64: [Part]] = [:]
        var hint: Part?

        /// Reads the parts of the segments from number `start` on.
        init(_ version: Version, from start: Int64) {
            let playlist = version.playlist
            let bytes = playlist.source.span
            var number = version.first
            var hasDuration = false
            var last: (uri: Range<Int>, end: Int64)?
            for line in playlist.lines {
                switch line.kind {
                case .segmentDuration: hasDuration = true
                case .uri:
                    if hasDuration { number &+= 1 }
                    hasDuration = false
                case .part where number >= start:
                    let attributes = AttributeList(playlist.source, line: line)
                    guard let uri = attributes["URI"]?.range else { continue }
                    let range = attributes["BYTERANGE"].flatMap { ByteRange.parse(bytes, in: $0.range) }
                    let continued = last.flatMap { areEqual(playlist, $0.uri, playlist, uri) ? $0.end : nil } ?? 0
                    let offset = range?.offset ?? (range == nil ? 0 : continued)
                    bySegment[number, default: []].append(Part(uri: uri, offset: offset, hasRange: range != nil))
                    last = range.map { (uri, offset &+ $0.length) }
                case .preloadHint:
                    let attributes = AttributeList(playlist.source, line: line)
                    guard attributes["TYPE"]?.text == "PART", let uri = attributes["URI"]?.range else { continue }
                    let offset = attributes["BYTERANGE-START"]?.integer
                    hint = Part(uri: uri, offset: offset ?? 0, hasRange: offset != nil)
                default: break
                }
            }
        }
    }

    /// The next partial segment is the one that was hinted at.
    func checkHint(_ old: Version, _ new: Version, _ report: inout ReloadReport) {
        guard old.playlist.isLowLatency else { return }
        let before = Parts(old, from: old.end)
        guard let hint = before.hint else { return }
        let now = Parts(new, from: old.end)
        let position = before.bySegment[old.end]?.count ?? 0
        var next: Part?
        if let parts = now.bySegment[old.end], parts.count > position {
            next = parts[position]
        } else if new.end > old.end, position == 0 || now.bySegment[old.end]?.count == position {
            // The segment ended with the parts it had; the next part begins the next segment.
            next = now.bySegment[old.end &+ 1]?.first
        }
        guard let next else { return }
        guard !Self.areEqual(old.playlist, hint.uri, new.playlist, next.uri) || hint.offset != next.offset else {
            return
        }
        let name = Self.shown(old.playlist, hint)
        report.add(
            1005, at: next.uri.lowerBound,
            "EXT-X-PRELOAD-HINT promised \(name), but \(Self.shown(new.playlist, next)) came")
    }

    private static func shown(_ playlist: MediaPlaylist, _ part: Part) -> String {
        let name = playlist.shown(part.uri)
        return part.hasRange ? "\(name) from byte \(part.offset)" : name
    }
}
