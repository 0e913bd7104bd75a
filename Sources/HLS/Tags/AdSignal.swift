/// What an ad marker says, whatever its dialect.
package struct AdSignal: Hashable, Sendable {
    package enum Meaning: Hashable, Sendable {
        /// A break begins with the next segment.
        case begins
        /// The next segment lies inside a break.
        case continues
        /// The content returns with the next segment.
        case ends
        /// A place to insert ads, at which nothing is replaced.
        case point
        /// Something about a break that the tag itself neither begins nor ends. Where there are ``scte35`` bytes, the message
        /// says more.
        case information
    }

    package let meaning: Meaning
    /// The break's whole length as planned, or as it turned out where the break has ended. Nil where it is not told. Zero is
    /// a length too: a break that replaces nothing.
    package var plannedDuration: Duration?
    /// The time of the break that has passed before the next segment.
    package var elapsed: Duration?
    /// What names the break, as spelled.
    package var id: String?
    /// The splice information section that the marker carries.
    package var scte35: [UInt8]?
}

extension AdMarker {
    /// What the marker says.
    package var signal: AdSignal {
        switch self {
        case .cueOut(let cue):
            AdSignal(meaning: .begins, plannedDuration: cue.duration, id: cue.id, scte35: cue.scte35)
        case .cueOutContinued(let cue), .cueSpan(let cue):
            AdSignal(
                meaning: .continues, plannedDuration: cue.duration, elapsed: cue.elapsed, id: cue.id,
                scte35: cue.scte35)
        case .cueIn(let cue):
            AdSignal(meaning: .ends, id: cue.id, scte35: cue.scte35)
        case .asset(let asset):
            AdSignal(meaning: .information, id: asset.contentID)
        case .oatclsSCTE35(let message), .splicePointSCTE35(let message):
            AdSignal(meaning: .information, scte35: message.section)
        case .scte35(let tag), .legacySCTE35(let tag):
            AdSignal(
                meaning: tag.meaning, plannedDuration: tag.duration, elapsed: tag.elapsed, id: tag.id,
                scte35: tag.section)
        case .primetimeCue(let cue):
            AdSignal(meaning: cue.meaning, plannedDuration: cue.duration, id: cue.id)
        case .primetimeCueContinued(let cue):
            AdSignal(meaning: .continues, plannedDuration: cue.duration, elapsed: cue.elapsed, id: cue.id)
        case .signalExit(let signal):
            AdSignal(meaning: .begins, plannedDuration: signal.duration, id: signal.signalID)
        case .signalSpan(let signal):
            AdSignal(
                meaning: .continues, plannedDuration: signal.duration, elapsed: signal.elapsed, id: signal.signalID)
        case .signalReturn(let signal):
            AdSignal(meaning: .ends, id: signal.signalID)
        case .dateRange(let range):
            range.signal
        case .stitchedAd(let range):
            AdSignal(meaning: .information, plannedDuration: range.wholeDuration, id: range.id)
        case .placementOpportunity(let marker):
            AdSignal(meaning: .point, id: marker.attributes["ID"])
        case .other:
            AdSignal(meaning: .information)
        }
    }
}

extension DateRange {
    /// The length as planned or measured, whichever is given (rule 818).
    var wholeDuration: Duration? {
        if let duration = plannedDuration ?? duration { return duration < .zero ? nil : duration }
        guard let startDate, let endDate, endDate >= startDate else { return nil }
        return startDate.duration(to: endDate)
    }

    fileprivate var signal: AdSignal {
        let meaning: AdSignal.Meaning =
            attributes["SCTE35-OUT"] != nil ? .begins : attributes["SCTE35-IN"] != nil ? .ends : .information
        return AdSignal(
            meaning: meaning, plannedDuration: wholeDuration, id: id.isEmpty ? nil : id,
            scte35: scte35Out ?? scte35In ?? scte35Command)
    }
}
