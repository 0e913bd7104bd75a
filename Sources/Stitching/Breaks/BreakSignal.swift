import HLS

/// What a marker says, whatever its dialect. A dialect is read into these by ``BreakSignals``; the detector knows only these.
package enum BreakSignal: Sendable, Equatable {
    /// A break begins with this segment. No duration: its length is not known. Zero: ads may be put in here.
    case out(duration: Duration?)
    /// This segment lies inside a break.
    case inside(elapsed: Duration?, duration: Duration?)
    /// The content returns with this segment.
    case back
}

/// The signals and attributes of one segment, all its dialects together.
package struct SegmentSignals: Sendable, Equatable {
    package var signals: [BreakSignal]
    /// Attributes of all markers of the segment, names in upper case; of equal names the first counts.
    package var attributes: [String: String]

    package init(signals: [BreakSignal] = [], attributes: [String: String] = [:]) {
        self.signals = signals
        self.attributes = attributes
    }

    /// The content returns here. Read before ``out``: a segment with both ends one break and begins the next.
    var returns: Bool { signals.contains(.back) }

    /// The break that begins here: several dialects on one segment are one break. The first length that is named counts.
    var out: (duration: Duration?, Void)? {
        var found = false
        for case .out(let duration) in signals {
            if let duration { return (duration, ()) }
            found = true
        }
        return found ? (nil, ()) : nil
    }

    var inside: (elapsed: Duration?, duration: Duration?)? {
        var result: (elapsed: Duration?, duration: Duration?)?
        for case .inside(let elapsed, let duration) in signals {
            result = (result?.elapsed ?? elapsed, result?.duration ?? duration)
        }
        return result
    }
}

extension SegmentSignals {
    /// Reads the markers of one segment.
    init(_ markers: [AdMarker]) {
        self.init()
        for marker in markers {
            switch marker {
            case .cueOut(let cue):
                signals.append(.out(duration: cue.duration))
                add(cue.attributes)
            case .cueOutContinued(let cue), .cueSpan(let cue):
                signals.append(.inside(elapsed: cue.elapsed, duration: cue.duration))
                add(cue.attributes)
            case .cueIn:
                signals.append(.back)
            case .asset(let asset):
                add(asset.attributes)
            case .oatclsSCTE35(let cue):
                if attributes["SCTE35"] == nil { attributes["SCTE35"] = cue.text }
            default:
                // Dialects that do not open breaks yet. Their lines pass through.
                break
            }
        }
    }

    private mutating func add(_ list: CueAttributes) {
        for pair in list.pairs where !pair.name.isEmpty {
            let name = pair.name.uppercased()
            if attributes[name] == nil { attributes[name] = pair.value }
        }
    }
}
