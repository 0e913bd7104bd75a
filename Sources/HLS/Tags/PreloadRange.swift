/// A date range that lets players load what another one names, ahead of time. RFC 8216bis appendix F.
package struct PreloadRange: Sendable {
    package static let dateRangeClass = "com.apple.hls.preload"

    /// It lasts for the time in which the loads of all players are spread.
    package let range: CombinedDateRange

    /// Nil for a date range of another class.
    package init?(_ range: CombinedDateRange) {
        guard range.dateRangeClass == Self.dateRangeClass else { return nil }
        self.range = range
    }

    /// X-URI: what is to be loaded.
    package var uri: String? { range["X-URI"]?.text }
    /// ID of the date range that it is for.
    package var targetID: String? { range["X-TARGET-ID"]?.text }
    package var targetClass: String? { range["X-TARGET-CLASS"]?.text }

    /// Whether it is for that date range: a range of the ID, but another class, is not meant.
    package func isMeant(for target: CombinedDateRange) -> Bool {
        targetID == target.id && targetClass != nil && targetClass == target.dateRangeClass
    }
}

extension MediaPlaylist {
    package var preloadRanges: [PreloadRange] { combinedDateRanges.compactMap(PreloadRange.init) }
}
