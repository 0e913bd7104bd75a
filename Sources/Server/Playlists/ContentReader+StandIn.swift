internal import HLS
internal import Stitching
internal import Transport

/// A leading rendition whose playlist fails while others' do not, or that is listed no more: all would be held at its edge.
extension ContentReader {
    /// The newest playlist of the leading rendition, or of one that stands in for it.
    func leadingResult(of source: Source, in catalog: SourceCatalog) async -> Result<OriginSnapshot, ServerError> {
        let leading = source.leading(in: catalog)
        let own = await result(of: leading.upstreamURL, source)
        guard isFailing(own, isGone: catalog.isLeadingGone),
            let standIn = await standIn(for: leading, of: source, in: catalog)
        else { return own }
        return .success(standIn)
    }

    /// Nothing has come for longer than a live playlist may stay as it is.
    ///
    /// - Parameter isGone: it is listed no more: where it ends the channel does not.
    private func isFailing(_ result: Result<OriginSnapshot, ServerError>, isGone: Bool = false) -> Bool {
        guard case .success(let snapshot) = result else { return true }
        guard let media = snapshot.media else { return isGone }
        if media.hasEndList { return isGone }
        let target = Duration.seconds(max(1, min(media.targetDuration ?? 6, 60)))
        return time.monotonic() - snapshot.confirmedAt > target * 2
    }

    /// The playlist of a variant that is like the leading one but for its bandwidth: its segments are those of the same times, and
    /// whoever plays the leading one plays on with them.
    ///
    /// Only dates tell for certain that they are. Where the leading one is listed no more one without dates is better than none: its
    /// content goes on behind a discontinuity.
    private func standIn(
        for leading: MediaRendition, of source: Source, in catalog: SourceCatalog
    ) async -> OriginSnapshot? {
        guard source.id.kind == .live else { return nil }
        let families = Set(leading.codecs.map(Codec.family))
        let likes = catalog.renditions.filter { other in
            other.kind == .variant && other.key != leading.key && other.isAudioOnlyVariant == leading.isAudioOnlyVariant
                && other.hasSeparateAudio == leading.hasSeparateAudio && Set(other.codecs.map(Codec.family)) == families
        }.sorted { ($0.bandwidth - leading.bandwidth).magnitude < ($1.bandwidth - leading.bandwidth).magnitude }
        for other in likes {
            let result = await result(of: other.upstreamURL, source)
            guard !isFailing(result), case .success(let snapshot) = result,
                let media = snapshot.media,
                catalog.isLeadingGone || media.segments.contains(where: { $0.programDateTime != nil })
            else { continue }
            log.once(
                "\(source.id.name)/standIn/\(time.monotonic().components.seconds / 60)", .warning, "origin.standIn",
                reason: catalog.isLeadingGone
                    ? "the leading rendition is listed no more" : "the leading rendition's playlist fails",
                ["source": .text(source.id.name), "rendition": .text(leading.key.text), "by": .text(other.key.text)])
            return snapshot
        }
        return nil
    }
}
