/// Divides the lines before the first URI line into those of the playlist and those of its first segment. Comments, blank
/// lines and unknown tags go with the line they stand before (rule 109).
struct HeadDivider {
    private(set) var headerRuns: [LineRun] = []
    private(set) var segmentRuns: [LineRun] = []
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
            Self.append(range, to: &headerRuns)
        } else {
            Self.append(range, to: &segmentRuns)
        }
    }

    /// Ends a playlist without segments at `end`: ENDLIST, if it is the last tag, and what clings to nothing are the trailer.
    mutating func finish(end: Int, endList: LineRun?) {
        if let endList, let last = headerRuns.last, last.end == endList.end {
            headerRuns.removeLast()
            if last.start < endList.start {
                headerRuns.append(LineRun(Int(last.start)..<Int(endList.start)))
            }
            Self.append(endList.range, to: &segmentRuns)
        }
        if let clingingStart { Self.append(clingingStart..<end, to: &segmentRuns) }
        clingingStart = nil
    }

    private static func append(_ range: Range<Int>, to runs: inout [LineRun]) {
        if let last = runs.last, Int(last.end) == range.lowerBound {
            runs[runs.count - 1] = LineRun(Int(last.start)..<range.upperBound)
        } else {
            runs.append(LineRun(range))
        }
    }
}
