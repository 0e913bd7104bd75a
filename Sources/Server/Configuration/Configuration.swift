package import Transport

/// Everything an operator decides, read from one JSON5 file. `Config/podstitch.json5` documents each option with its default.
package struct Configuration: Sendable, Equatable {
    package var server = ServerOptions()
    package var network = NetworkOptions()
    package var conditioning = ConditioningOptions()
    /// Live sources, by unique name.
    package var channels: [SourceOptions] = []
    /// VOD sources, by unique name.
    package var titles: [SourceOptions] = []
    /// Ad providers by the name that sources refer to.
    package var adProviders: [String: AdProviderOptions] = [:]

    package init() {}

    /// The providers of a source, in the order in which they are asked.
    package func adProviders(of source: SourceOptions) -> [AdProviderOptions] {
        source.ads.compactMap { adProviders[$0] }
    }
}

/// `server`: what is listened to, limits, storage.
package struct ServerOptions: Sendable, Equatable {
    /// Where sessions and decisions are kept.
    package enum Store: Sendable, Equatable {
        /// In this process; lost when it ends.
        case memory
        /// In a file, which outlives the process and which several on one machine may share.
        case sqlite(path: String)

        /// As the configuration spells it.
        package var text: String {
            switch self {
            case .memory: "memory"
            case .sqlite(let path): "sqlite:\(path)"
            }
        }
    }

    /// Address for viewers.
    package var listen = ListenAddress(host: "127.0.0.1", port: 8080)
    /// Address for operators (`/healthz`, `/readyz`, `/sessions`); nil switches it off.
    package var admin: ListenAddress? = ListenAddress(host: "127.0.0.1", port: 8081)
    /// Scheme, host and path viewers reach us under, without a slash at the end; nil writes addresses from the slash on.
    package var publicURL: String?
    package var store = Store.sqlite(path: "podstitch.db")
    /// How long running requests may take when the server stops.
    package var gracePeriod = Duration.seconds(10)
    /// How long a kept-alive connection may be silent between requests.
    package var idleTimeout = Duration.seconds(60)
    /// How long a request's line and headers may take to arrive.
    package var headerTimeout = Duration.seconds(10)
    /// How long a request's body may take to arrive.
    package var bodyTimeout = Duration.seconds(30)
    package var maxConnections = 20_000
    package var maxRequestLineBytes = 16_384
    package var maxHeaderBytes = 32_768
    package var maxBodyBytes = 65_536
    /// Sessions kept; beyond it the one not seen for longest goes.
    package var maxSessions = 100_000
    /// Event loops; nil makes one for each core.
    package var threads: Int?
    /// Compress answers for clients that accept gzip.
    package var gzip = true
    /// `Access-Control-Allow-Origin`; nil sends no CORS headers.
    package var corsAllowOrigin: String? = "*"
    /// Proxies whose `X-Forwarded-For` is believed.
    package var trustedProxies: [AddressRange] = []
    package var logLevel = LogLevel.info
    /// What is kept for operators who look into one session.
    package var adDebugging = AdDebuggingOptions()
    /// Macros of VAST are filled in other spellings, too.
    package var otherMacroForms = false
}

/// What is kept of the ads of sessions: `GET /sessions` on the address for operators.
package struct AdDebuggingOptions: Sendable, Equatable {
    /// For all sessions together; 0 keeps nothing.
    package var bytes = 16_777_216
    /// Whether answers of ad servers are kept as they came.
    package var keepsBodies = false
}

/// `network`: how the server talks to origins and ad servers.
package struct NetworkOptions: Sendable, Equatable {
    /// Whether hosts named by ad answers (wrappers, media, beacons) may resolve to private addresses. Hosts that the
    /// configuration itself names are the operator's word and always allowed.
    package var allowPrivateUpstreams = false
    /// Private ranges open to ad answers even so, for in-house ad servers.
    package var allowedPrivateRanges: [AddressRange] = []
    package var connectTimeout = Duration.milliseconds(1_000)
    /// Longest wait for a playlist of which no version is known, and whole time of its request.
    package var upstreamTimeout = Duration.milliseconds(5_000)
    /// How long the last good playlist stands in for an origin that fails.
    package var staleIfError = Duration.milliseconds(60_000)
    /// After decompression.
    package var maxPlaylistBytes = 16_777_216
    /// After decompression.
    package var maxAdResponseBytes = 4_194_304
    package var redirectLimit = 5
    package var beaconTimeout = Duration.milliseconds(5_000)
    /// Beacons waiting to be sent; beyond it the newest is dropped and counted.
    package var maxQueuedBeacons = 100_000
    /// And their bytes.
    package var maxQueuedBeaconBytes = 128 << 20
    /// A beacon that is late by more is given up.
    package var maxBeaconAge = Duration.milliseconds(600_000)
}
