internal import HLS
internal import Stitching
internal import Synchronization

/// A channel or title while it is served: its options, its ad provider, and what is known of its content.
final class Source: Sendable {
    private struct Observed {
        var ledger: BreakLedger
        /// The versions of the playlists that the ledger has taken in.
        var versions: [RenditionKey: UInt64] = [:]
    }

    let id: SourceID
    let options: SourceOptions
    let provider: any AdProvider
    private let observed = Mutex<Observed?>(nil)

    init(id: SourceID, options: SourceOptions, provider: any AdProvider) {
        self.id = id
        self.options = options
        self.provider = provider
    }

    /// What is known after the playlists in `snapshots` were taken in, in their order: the leading rendition's comes first.
    ///
    /// - Parameter isNews: hears of each playlist that was not simply the next one.
    func observe(
        _ snapshots: [(rendition: RenditionKey, snapshot: OriginSnapshot)], leading: RenditionKey,
        oddity: (RenditionKey, BreakLedger.Observation) -> Void
    ) -> BreakLedger {
        observed.withLock { observed in
            var known = observed ?? Observed(ledger: BreakLedger(leading: leading, settings: ledgerSettings))
            for (rendition, snapshot) in snapshots {
                guard let playlist = snapshot.media, known.versions[rendition] != snapshot.version else { continue }
                // Of two requests that cross, the one with the older playlist must not take the ledger back.
                if let version = known.versions[rendition], version > snapshot.version { continue }
                known.versions[rendition] = snapshot.version
                let observation = known.ledger.observe(playlist, at: snapshot.finalURL, as: rendition)
                if observation == .stale || observation == .restarted { oddity(rendition, observation) }
            }
            observed = known
            return known.ledger
        }
    }

    var sessionSettings: StitchingSession.Settings {
        StitchingSession.Settings(
            decisionDeadline: options.decisionDeadline, personalisationThreshold: options.personalisationThreshold)
    }

    private var ledgerSettings: BreakLedger.Settings {
        BreakLedger.Settings(
            kind: id.kind == .live ? .live : .vod,
            maximumAdSegmentDuration: .seconds(options.maxAdSegmentDuration ?? 0),
            unknownLengthCap: options.cueOutCap)
    }
}
