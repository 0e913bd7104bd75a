internal import HLS
internal import Stitching
internal import Transport

/// A leading rendition whose playlist fails while others' do not: all would be held at its edge.
extension ContentReader {
    /// Nothing has come for longer than a live playlist may stay as it is.
    func isFailing(_ result: Result<OriginSnapshot, ServerError>) -> Bool {
        guard case .success(let snapshot) = result else { return true }
        guard let media = snapshot.media, !media.hasEndList else { return false }
        let target = Duration.seconds(max(1, min(media.targetDuration ?? 6, 60)))
        return time.monotonic() - snapshot.confirmedAt > target * 2
    }

    /// The playlist of a variant that is like the leading one but for its bandwidth: its segments are those of the same times, and
    /// whoever plays the leading one plays on with them.
    ///
    /// Only dates tell for certain that they are.
    func standIn(
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
                snapshot.media?.segments.contains(where: { $0.programDateTime != nil }) ?? false
            else { continue }
            log.once(
                "\(source.id.name)/standIn/\(time.monotonic().components.seconds / 60)", .warning, "origin.standIn",
                reason: "the leading rendition's playlist fails",
                ["source": .text(source.id.name), "rendition": .text(leading.key.text), "by": .text(other.key.text)])
            return snapshot
        }
        return nil
    }
}
