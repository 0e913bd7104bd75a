/// A number of the VAST error table, or of VMAP's (900, 1000 to 1008), as `[ERRORCODE]` reports it.
package struct VASTErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package var description: String { String(rawValue) }

    /// XML that cannot be parsed, a refused DTD, too deep, cut short.
    package static let xmlParsing = Self(rawValue: 100)
    /// Parsed, but not VAST: another root, an Ad with neither or both kinds, no creative.
    package static let schema = Self(rawValue: 101)
    /// VAST 1.
    package static let unsupportedVersion = Self(rawValue: 102)
    package static let trafficking = Self(rawValue: 200)
    /// Only nonlinear creatives.
    package static let linearity = Self(rawValue: 201)
    /// Does not fit the break, or is too long or short for its rules.
    package static let duration = Self(rawValue: 202)
    package static let size = Self(rawValue: 203)
    package static let categoryMissing = Self(rawValue: 204)
    package static let categoryBlocked = Self(rawValue: 205)
    /// The break was shortened, the ad not played.
    package static let breakShortened = Self(rawValue: 206)
    package static let wrapper = Self(rawValue: 300)
    /// The answer of a wrapper's URI was unavailable or too slow.
    package static let wrapperUnavailable = Self(rawValue: 301)
    /// Too many wrappers, or a loop.
    package static let wrapperLimit = Self(rawValue: 302)
    /// No ad at the end of the chain, and for `VAST/Error`.
    package static let noAd = Self(rawValue: 303)
    package static let inLineTimeout = Self(rawValue: 304)
    package static let linear = Self(rawValue: 400)
    package static let mediaFileNotFound = Self(rawValue: 401)
    package static let mediaFileTimeout = Self(rawValue: 402)
    /// No media file of a kind that can be played.
    package static let mediaFileUnsupported = Self(rawValue: 403)
    package static let mediaFileUnusable = Self(rawValue: 405)
    package static let mezzanineMissing = Self(rawValue: 406)
    /// The mezzanine is being fetched or transcoded: the ad is skipped this time.
    package static let mezzanineInProgress = Self(rawValue: 407)
    package static let conditionalAdRejected = Self(rawValue: 408)
    package static let interactiveFileNotRun = Self(rawValue: 409)
    package static let verificationNotRun = Self(rawValue: 410)
    package static let undefined = Self(rawValue: 900)
    package static let vmapSchema = Self(rawValue: 1000)
    package static let vmapGeneralAdResponse = Self(rawValue: 1004)
    package static let vmapTemplateType = Self(rawValue: 1005)
    package static let vmapAdResponseUnreadable = Self(rawValue: 1006)
    package static let vmapTimeout = Self(rawValue: 1007)
    package static let vmapRetrieval = Self(rawValue: 1008)
}

extension VASTErrorCode {
    /// In a few words; empty for a number that is in none of the tables.
    package var meaning: String {
        switch rawValue {
        case 100: "the XML cannot be parsed"
        case 101: "not VAST as the schema has it"
        case 102: "a version that is not supported"
        case 200: "a kind of ad that was not wanted"
        case 201: "only nonlinear creatives"
        case 202: "its duration does not fit"
        case 203: "its size does not fit"
        case 204: "a category is demanded and missing"
        case 205: "its category is blocked by a wrapper"
        case 206: "the break was shortened"
        case 300: "a wrapper that cannot be used"
        case 301: "the wrapper's answer was unavailable or too slow"
        case 302: "too many wrappers, or a loop"
        case 303: "no ad at the end of the chain"
        case 304: "no playable ad in time"
        case 400: "linear ad, general"
        case 401: "the media file was not found"
        case 402: "the media file came too late"
        case 403: "no media file of a kind that can be played"
        case 405: "the media file cannot be used"
        case 406: "a mezzanine is needed and missing"
        case 407: "its media are being made, it is skipped this time"
        case 408: "a conditional ad"
        case 409: "the interactive file was not run"
        case 410: "verification was not run"
        case 900: "undefined"
        case 1000: "VMAP schema"
        case 1004: "the ads of the break, general"
        case 1005: "a template type that is not supported"
        case 1006: "the ads of the break cannot be read"
        case 1007: "the ads of the break came too late"
        case 1008: "the ads of the break cannot be had"
        default: ""
        }
    }
}

/// Why a document gives no ads. Equality looks at the code.
package struct VASTError: Error, Sendable, Equatable, CustomStringConvertible {
    package var code: VASTErrorCode
    /// Element path or line.
    package var place: String
    /// For logs; holds no text of the document beyond names.
    package var detail: String

    package init(_ code: VASTErrorCode, place: String = "document", _ detail: String) {
        self.code = code
        self.place = place
        self.detail = detail
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.code == right.code
    }

    package var description: String { "\(code) at \(place): \(detail)" }
}

/// Bounds on what an ad server may send.
package struct VASTLimits: Sendable, Hashable {
    /// Size of one document after decompression.
    package var documentBytes: Int
    package var nesting: Int
    /// Ads read of one document; the rest is ignored.
    package var adsPerDocument: Int
    /// Breaks read of one VMAP; the rest is ignored.
    package var breaks: Int
    /// Wrappers in one chain.
    package var wrappers: Int
    /// Requests at the same time, for one break.
    package var parallelRequests: Int
    /// Requests for one break in all.
    package var requests: Int
    /// Bytes of all documents of one break.
    package var totalBytes: Int

    package init(
        documentBytes: Int = 4 << 20, nesting: Int = 256, adsPerDocument: Int = 100, breaks: Int = 500,
        wrappers: Int = 5, parallelRequests: Int = 6, requests: Int = 60, totalBytes: Int = 16 << 20
    ) {
        self.documentBytes = documentBytes
        self.nesting = nesting
        self.adsPerDocument = adsPerDocument
        self.breaks = breaks
        self.wrappers = wrappers
        self.parallelRequests = parallelRequests
        self.requests = requests
        self.totalBytes = totalBytes
    }
}
