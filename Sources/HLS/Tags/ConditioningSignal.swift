/// An EXT-X-SIGNAL-EXIT, -SPAN or -RETURN, as manifest conditioning by the ESAM interface of CableLabs writes them.
package struct ConditioningSignal: Hashable, Sendable {
    package let line: PlaylistLine
    package let attributes: CueAttributes
    /// The time of the break that has passed before the next segment.
    package let elapsed: Duration?
    /// The break's whole length.
    package let duration: Duration?

    /// Reads `60,...`, `DURATION=60,...`, `12.0/60,...`, `12.0,...` (elapsed, in a span), nothing.
    init(_ bytes: Span<UInt8>, line: PlaylistLine) {
        self.line = line
        let attributes = CueAttributes(bytes, in: line.valueRange(in: bytes))
        self.attributes = attributes
        var elapsed = attributes.duration("Elapsed")
        var duration = attributes.duration("Duration")
        if let first = attributes.pairs.first, first.name.isEmpty {
            let (before, after) = CueOutContinued.split(first.value)
            if line.kind == .signalExit {
                duration = duration ?? before
            } else {
                elapsed = elapsed ?? before
                duration = duration ?? after
            }
        }
        self.elapsed = elapsed
        self.duration = duration
    }

    /// SpliceType: "LiveDAI" and the like.
    package var spliceType: String? { attributes["SpliceType"] }
    /// SignalId: base64 of the signal's name.
    package var signalID: String? { attributes["SignalId"] }
    package var streamID: String? { attributes["streamID"] }
    /// Paid: provider and asset, `provider/asset`.
    package var providerAssetID: String? { attributes["Paid"] }
}
