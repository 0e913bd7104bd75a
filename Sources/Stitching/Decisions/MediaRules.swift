internal import HLS

/// What media have to be like to be shown in a session.
package struct MediaRules: Sendable {
    private let content: [RenditionMatcher.Content]
    private let container: Container
    private let targetDuration: Duration

    package init(session: StitchingSession, ledger: BreakLedger, catalog: SourceCatalog) {
        content = catalog.renditions.map {
            RenditionMatcher.Content(rendition: $0, traits: ledger.traits(of: $0.key))
        }
        container = ledger.renditions[ledger.leading]?.container ?? .selfInitializing
        targetDuration = session.targetDuration ?? ledger.targetDuration
    }

    /// Which rendition of the media each content rendition lists.
    func matches(of media: AdMedia) throws(AdSkip) -> [RenditionKey: AdMatch] {
        let matches: [RenditionKey: AdMatch]
        do throws(RenditionMatcher.Mismatch) {
            matches = try RenditionMatcher(media).matches(for: content, container: container)
        } catch {
            throw .mismatch(error)
        }
        for match in matches.values {
            guard let longest = media.rendition(of: match)?.longestEntry else { continue }
            if longest.roundedToSeconds > targetDuration { throw .segmentTooLong(longest, target: targetDuration) }
        }
        return matches
    }

    /// Why media cannot be shown; nil where they can.
    package func mismatch(_ media: AdMedia) -> String? {
        do throws(AdSkip) {
            _ = try matches(of: media)
            return nil
        } catch {
            return error.text
        }
    }
}
