/// Divides the lines before the first URI line into those of the playlist and those of its first segment. Comments, blank
/// lines and unknown tags go with the line they stand before (rule 109).
struct HeadDivider {
    private(set) var headerRuns = LineRuns()
    private(set) var segmentRuns = LineRuns()
    /// Where lines begin that cling to a line still to come.
    private var clingingStart: Int?

    mutating func add(_ kind: TagKind, _ line: LineScanner.Line) {
        if kind.clingsToNextLine {
            clingingStart = clingingStart ?? line.fullStart
            return
        }
        let range = (clingingStart ?? line.fullStart)..<line.fullEnd
        clingingStart = nil
        if kind.isMediaPlaylistTag {
            headerRuns.append(range)
        } else {
            segmentRuns.append(range)
        }
    }

    /// Ends a playlist without segments at `end`: ENDLIST, if it is the last tag, and what clings to nothing are the trailer.
    mutating func finish(end: Int, endList: LineRun?) {
        if let endList, let last = headerRuns.last, last.end == endList.end {
            headerRuns.removeLast()
            if last.start < endList.start {
                headerRuns.append(Int(last.start)..<Int(endList.start))
            }
            segmentRuns.append(endList.range)
        }
        if let clingingStart { segmentRuns.append(clingingStart..<end) }
        clingingStart = nil
    }
}
