/// A schedule of breaks (VMAP 1.0).
package struct VMAPDocument: Sendable, Hashable {
    package var version: String?
    /// In document order; those with a bad offset are kept and marked (R-V1).
    package var breaks: [AdBreak]
    package var repairs: [XMLRepair]
    /// Breaks beyond the limit, not read.
    package var ignoredBreaks: Int

    package init(parsing bytes: [UInt8], limits: VASTLimits = VASTLimits()) throws(VASTError) {
        switch try AdAnswer(parsing: bytes, limits: limits) {
        case .vmap(let document): self = document
        case .vast: throw VASTError(.schema, place: "VAST", "VAST where VMAP was expected")
        }
    }

    init(_ root: XMLElement, repairs: [XMLRepair], limits: VASTLimits) {
        version = root.attribute("version")
        let elements = root.children("AdBreak")
        breaks = elements.prefix(limits.breaks).map { AdBreak($0, limits: limits) }
        ignoredBreaks = max(0, elements.count - limits.breaks)
        self.repairs = repairs
    }
}

/// Where a break lies in the content (R-V2).
package enum BreakOffset: Sendable, Hashable {
    case start
    case end
    /// Content time.
    case time(Duration)
    /// Of the content's duration, in millionths; 0 is the start, 1,000,000 the end.
    case fraction(millionths: Int64)
    /// The n-th opportunity in the content, from 1.
    case position(Int)
    /// Cannot be read: this break alone is lost.
    case invalid

    package init(parsing text: String) {
        let trimmed = text.trimmed
        switch trimmed {
        case "start": self = .start
        case "end": self = .end
        default:
            if trimmed.hasSuffix("%") {
                self = Percentage.millionths(trimmed).map { .fraction(millionths: $0) } ?? .invalid
            } else if trimmed.hasPrefix("#") {
                let number = trimmed.dropFirst()
                let digits = !number.isEmpty && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
                self = digits ? Int(number).flatMap { $0 >= 1 ? .position($0) : nil } ?? .invalid : .invalid
            } else {
                self = TimeText.clock(trimmed).map { .time($0) } ?? .invalid
            }
        }
    }

    /// Content time in content of that duration; nil for a place it does not tell: a position, a fraction or the end
    /// of content without end.
    package func time(in duration: Duration?) -> Duration? {
        switch self {
        case .start: .zero
        case .end: duration
        case .time(let time): time
        case .fraction(0): .zero
        case .fraction(let millionths): duration.map { TimeText.fraction(millionths, of: $0) }
        case .position, .invalid: nil
        }
    }
}

/// One AdBreak.
package struct AdBreak: Sendable, Hashable {
    /// As written; nil where it is missing.
    package var timeOffsetText: String?
    package var timeOffset: BreakOffset
    /// `linear`, `nonlinear`, `display`, as listed.
    package var breakTypes: [String]
    package var breakID: String?
    /// Interval of content after which the break comes again; nil: never (R-V3).
    package var repeatAfter: Duration?
    package var source: AdSource?
    /// breakStart, breakEnd, error (R-V5).
    package var trackingEvents: TrackingEvents
    package var extensions: [AdExtension]

    init(_ element: XMLElement, limits: VASTLimits) {
        timeOffsetText = element.attribute("timeOffset")
        timeOffset = timeOffsetText.map(BreakOffset.init(parsing:)) ?? .invalid
        breakTypes = (element.attribute("breakType") ?? "").split(separator: ",").map { String($0).trimmed }
            .filter { !$0.isEmpty }
        breakID = element.word("breakId") ?? element.word("breakID")
        if let interval = element.attribute("repeatAfter").flatMap(TimeText.duration), interval > .zero {
            repeatAfter = interval
        }
        source = element.child("AdSource").map { AdSource($0, limits: limits) }
        trackingEvents = TrackingEvents(in: element)
        extensions = element.children("Extensions", "Extension").map(AdExtension.init)
    }

    /// Whether a linear stitcher has anything to do with it: linear, or no type given.
    package var isLinear: Bool {
        breakTypes.isEmpty || breakTypes.contains { $0.lowercased() == "linear" }
    }

    /// Whether overlays are for it.
    package var isNonLinear: Bool { breakTypes.contains { $0.lowercased() == "nonlinear" } }

    package func trackers(_ event: String) -> [String] {
        trackingEvents.events.filter { $0.event == event }.map(\.url)
    }
}

/// Where the ads of a break come from (R-V4).
package struct AdSource: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// VASTAdData.
        case vast(VASTDocument)
        /// VASTAdData that cannot be read: an element missing, or text that is no VAST.
        case unreadable(VASTErrorCode)
        /// AdTagURI; nil where it is blank.
        case adTagURI(String?, templateType: String?)
        /// CustomAdData with its size in characters; usable only where its text is VAST.
        case custom(templateType: String?, length: Int, document: VASTDocument?)
        /// None of them: an empty break, not an error.
        case none
    }

    package var id: String?
    package var allowMultipleAds: Bool?
    package var followRedirects: Bool?
    package var content: Content
    /// The VAST stood as text inside VASTAdData, not as elements.
    package var isVASTInText = false

    init(_ element: XMLElement, limits: VASTLimits) {
        id = element.word("id")
        allowMultipleAds = element.boolean("allowMultipleAds")
        followRedirects = element.boolean("followRedirects")
        content = .none
        if let data = element.child("VASTAdData") ?? element.child("VASTData") {
            read(data, limits: limits)
        } else if let uri = element.child("AdTagURI") {
            content = .adTagURI(uri.url, templateType: uri.word("templateType"))
        } else if let custom = element.child("CustomAdData") {
            read(custom, limits: limits)
            var document: VASTDocument?
            if case .vast(let inside) = content { document = inside }
            content = .custom(
                templateType: custom.word("templateType"), length: custom.text.unicodeScalars.count,
                document: document)
        }
    }

    private mutating func read(_ data: XMLElement, limits: VASTLimits) {
        if let root = data.child("VAST") {
            content = .vast(VASTDocument(root, repairs: [], limits: limits))
        } else if data.child("VideoAdServingTemplate") != nil {
            content = .unreadable(.unsupportedVersion)
        } else if data.hasChildren {
            content = .unreadable(.schema)
        } else {
            let text = data.textBytes
            guard !text.trimmingBlanks().isEmpty else { return }
            do throws(VASTError) {
                content = .vast(try VASTDocument(parsing: Array(text), limits: limits))
                isVASTInText = true
            } catch {
                content = .unreadable(error.code)
            }
        }
    }
}

extension AdSource {
    /// Its ads have to be asked for: they do not stand in the document.
    package var isLink: Bool {
        if case .adTagURI(.some, _) = content { true } else { false }
    }
}
