import Server
import Synchronization
import Transport
import VAST

/// One request that was made for an answer, and what came of it.
struct AdAnswerRequest: Sendable {
    /// Macros filled in.
    var url: String
    /// Wrappers above it; 0 for the first.
    var depth: Int
    var elapsed: Duration
    /// Bytes of the answer, or why there is none.
    var outcome: Result<Int, FetchFailure>
    /// Where redirects led; nil where they led nowhere else.
    var finalURL: String?
}

/// Where ad answers come from.
protocol AdAnswerLoading: Sendable {
    /// - Parameter isNamedByAnswer: an answer named the host, and not the person who asks.
    func fetch(_ url: String, isNamedByAnswer: Bool) async -> AdResolution.FetchResult
}

/// Asks ad servers over HTTP, as the server does.
struct AdAnswerLoader: AdAnswerLoading {
    var client: HTTPClient
    var arguments: AdAnswerArguments

    func fetch(_ url: String, isNamedByAnswer: Bool) async -> AdResolution.FetchResult {
        var request = HTTPClientRequest(url: url)
        request.headers = arguments.viewer.requestHeaders
        if arguments.viewer.userAgent == nil { request.headers.append(("User-Agent", PodstitchServer.userAgent)) }
        if !isNamedByAnswer { request.headers += arguments.headers.map { ($0.name, $0.value) } }
        request.timeout = arguments.timeout
        request.byteLimit = VASTLimits().documentBytes
        request.addressPolicy = isNamedByAnswer && !arguments.allowsPrivateAddresses ? .publicOnly : .any
        return await client.adAnswer(to: request)
    }
}

/// The requests of a run, in the order in which they were made.
final class AdAnswerRequests: Sendable {
    private let requests = Mutex<[AdAnswerRequest?]>([])

    var all: [AdAnswerRequest] { requests.withLock { $0.compactMap(\.self) } }

    /// Makes a request and keeps what came of it.
    func make(
        _ url: String, depth: Int, time: any TimeSource, _ fetch: () async -> AdResolution.FetchResult
    ) async -> AdResolution.FetchResult {
        let index = requests.withLock { requests in
            requests.append(nil)
            return requests.count - 1
        }
        let began = time.monotonic()
        let result = await fetch()
        var request = AdAnswerRequest(
            url: url, depth: depth, elapsed: time.monotonic() - began, outcome: .failure(.connection))
        switch result {
        case .body(let bytes, let finalURL):
            request.outcome = .success(bytes.count)
            request.finalURL = finalURL == url ? nil : finalURL
        case .failure(let failure): request.outcome = .failure(failure)
        }
        requests.withLock { $0[index] = request }
        return result
    }
}
