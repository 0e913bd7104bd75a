import HLS

extension [UInt8] {
    /// The line, an EXT-X-DATERANGE, tells of an ad that another stitcher has put in.
    var isDateRangeOfStitchedAd: Bool {
        PlaylistLines(all: self).contains { line in
            if case .stitchedAd? = AdMarker(self, line: line) { true } else { false }
        }
    }
}

extension EntryWriter {
    /// Writes what stands behind the last segment.
    func appendTrailer(to output: inout PlaylistText) {
        for line in rendition.frame.trailerLines ?? [] {
            let isMarker = line.kind.isAdMarker || line.bytes.isAdDateRange
            switch options.markers {
            case .all: break
            case .none: if isMarker || line.bytes.isDateRangeOfStitchedAd { continue }
            case .unstitched: if isMarker, line.kind != .privateAdTag { continue }
            }
            output.append(DateRangeShift.shifted(line.bytes, by: insertions))
        }
    }
}

extension [UInt8] {
    /// The line is an EXT-X-DATERANGE with SCTE-35.
    fileprivate var isAdDateRange: Bool {
        PlaylistLines(all: self).contains { line in
            if case .dateRange? = AdMarker(self, line: line) { true } else { false }
        }
    }
}
