internal import Conditioning
package import Transport
package import VAST

/// The server's requests to the outside. Each has a deadline, a size limit and an address policy.
protocol Upstream: Sendable {
    /// A playlist of an origin. The operator named its host.
    func playlist(_ upstream: UpstreamRequest) async -> UpstreamAnswer
    /// A playlist of an ad, or of a slate.
    ///
    /// - Parameter isNamedByAnswer: an ad answer named its host, and not the operator.
    func creative(_ url: String, isNamedByAnswer: Bool) async -> UpstreamAnswer
    /// The first kilobytes, from an offset on, of a segment of an ad: what its codecs can be told from. `nil` if they do not come.
    func beginning(ofMedia url: String, from offset: Int64, isNamedByAnswer: Bool) async -> [UInt8]?
    /// The same of a segment of an origin.
    func beginning(ofContent address: OriginAddress, from offset: Int64) async -> [UInt8]?
    /// The first bytes of a segment of an origin, from an offset on; more where the origin knows no parts.
    func sample(ofContent address: OriginAddress, from offset: Int64, count: Int) async -> [UInt8]?
    /// A part of the file of an ad, or of a slate.
    func part(_ wanted: CreativeDownload.Request) async -> CreativeDownload.Part
    /// An answer of an ad server.
    func ads(_ wanted: AdServerRequest, http2: Bool) async -> AdResolution.FetchResult
    /// One attempt to send a beacon. Any answer is delivery (R-K8).
    func send(_ beacon: Beacon) async -> BeaconOutcome
}

/// The outside as HTTP reaches it.
struct HTTPUpstream: Upstream {
    var client: HTTPClient
    var options: NetworkOptions
    var metrics: Metrics

    /// What hosts named by ad answers may resolve to.
    private var namedByAnswers: AddressPolicy {
        if options.allowPrivateUpstreams { return .any }
        let ranges = options.allowedPrivateRanges
        return ranges.isEmpty ? .publicOnly : .publicAnd(ranges)
    }

    func playlist(_ upstream: UpstreamRequest) async -> UpstreamAnswer {
        metrics.originRequests.increment()
        var request = HTTPClientRequest(url: URLText.escaped(upstream.address.url))
        request.headers = upstream.address.headers.map { ($0.name, $0.value) }
        request.timeout = options.upstreamTimeout * max(upstream.patience, 1)
        request.httpVersion = upstream.address.http2 ? .http2 : .http1
        request.entityTag = upstream.etag
        request.lastModified = upstream.lastModified
        let answer = await playlist(request)
        if case .failure = answer { metrics.originFailures.increment() }
        return answer
    }

    func creative(_ url: String, isNamedByAnswer: Bool) async -> UpstreamAnswer {
        var request = HTTPClientRequest(url: url)
        request.timeout = options.upstreamTimeout
        request.addressPolicy = isNamedByAnswer ? namedByAnswers : .any
        return await playlist(request)
    }

    func beginning(ofMedia url: String, from offset: Int64, isNamedByAnswer: Bool) async -> [UInt8]? {
        var request = HTTPClientRequest(url: URLText.escaped(url))
        request.addressPolicy = isNamedByAnswer ? namedByAnswers : .any
        return await beginning(request, from: offset)
    }

    func beginning(ofContent address: OriginAddress, from offset: Int64) async -> [UInt8]? {
        var request = HTTPClientRequest(url: URLText.escaped(address.url))
        request.headers = address.headers.map { ($0.name, $0.value) }
        request.httpVersion = address.http2 ? .http2 : .http1
        return await beginning(request, from: offset)
    }

    func sample(ofContent address: OriginAddress, from offset: Int64, count: Int) async -> [UInt8]? {
        var request = HTTPClientRequest(url: URLText.escaped(address.url))
        request.headers = address.headers.map { ($0.name, $0.value) }
        request.httpVersion = address.http2 ? .http2 : .http1
        return await beginning(request, from: offset, count: count)
    }

    private func beginning(
        _ request: HTTPClientRequest, from offset: Int64, count: Int = 18_800
    ) async -> [UInt8]? {
        let (end, isBeyond) = offset.addingReportingOverflow(Int64(count))
        guard offset >= 0, !isBeyond else { return nil }
        var request = request
        request.headers.append(("Range", "bytes=\(offset)-\(end - 1)"))
        request.timeout = options.upstreamTimeout
        request.connectTimeout = options.connectTimeout
        // A server that knows no ranges sends the whole segment.
        request.byteLimit = 16 << 20
        request.redirectLimit = options.redirectLimit
        guard let response = try? await client.fetch(request) else { return nil }
        return response.status == 206 || response.status == 200 && offset == 0 ? response.body : nil
    }

    func part(_ wanted: CreativeDownload.Request) async -> CreativeDownload.Part {
        var request = HTTPClientRequest(url: URLText.escaped(wanted.url))
        let last = wanted.offset + wanted.count - 1
        request.headers = [("Range", "bytes=\(wanted.offset)-\(last)"), ("Accept-Encoding", "identity")]
        request.timeout = wanted.time
        request.leastRate = wanted.leastRate
        request.connectTimeout = options.connectTimeout
        request.byteLimit = wanted.limit
        request.redirectLimit = options.redirectLimit
        request.addressPolicy = wanted.isNamedByAnswer ? namedByAnswers : .any
        do throws(HTTPClientError) {
            return CreativeDownload.Part(try await client.fetch(request), from: wanted.offset)
        } catch {
            switch error.code {
            case .timeout: return .failure(ConditioningFailure(.slow, "its server is silent or sends too little"))
            case .tooLarge: return .failure(ConditioningFailure(.unusable, "larger than \(wanted.limit) bytes"))
            case .cancelled, .stopped: return .failure(ConditioningFailure(.cancelled, "the server stops"))
            // Without the address, which is the ad server's own.
            default: return .failure(ConditioningFailure(.notFound, "request failed: \(error.code.rawValue)"))
            }
        }
    }

    private func playlist(_ request: HTTPClientRequest) async -> UpstreamAnswer {
        var request = request
        request.connectTimeout = options.connectTimeout
        request.byteLimit = options.maxPlaylistBytes
        request.redirectLimit = options.redirectLimit
        do throws(HTTPClientError) {
            let response = try await client.fetch(request)
            switch response.status {
            case 200:
                return .body(
                    response.body, finalURL: response.finalURL, etag: response.entityTag,
                    lastModified: response.lastModified)
            case 304: return .notModified
            case 404, 410: return .failure(.notFound(status: response.status))
            default: return .failure(.status(response.status))
            }
        } catch {
            switch error.code {
            case .timeout: return .failure(.timeout)
            case .badURL, .badScheme, .badHeader: return .failure(.badURL)
            case .tooLarge: return .failure(.notAPlaylist("larger than \(options.maxPlaylistBytes) bytes"))
            default: return .failure(.unreachable(error.advice))
            }
        }
    }

    func ads(_ wanted: AdServerRequest, http2: Bool) async -> AdResolution.FetchResult {
        var request = HTTPClientRequest(url: wanted.url)
        request.headers = wanted.headers
        request.timeout = wanted.timeout
        request.connectTimeout = options.connectTimeout
        request.byteLimit = wanted.byteLimit
        request.cookies = wanted.cookies
        request.redirectLimit = options.redirectLimit
        request.addressPolicy = wanted.isNamedByAnswer ? namedByAnswers : .any
        request.httpVersion = http2 && !wanted.isNamedByAnswer ? .http2 : .http1
        request.connectionsPerOrigin = wanted.connections
        return await client.adAnswer(to: request)
    }

    func send(_ beacon: Beacon) async -> BeaconOutcome {
        var request = HTTPClientRequest(url: beacon.url)
        request.headers = beacon.headers
        request.cookies = beacon.cookies
        request.timeout = options.beaconTimeout
        request.connectTimeout = options.connectTimeout
        request.byteLimit = 64 << 10
        request.redirectLimit = options.redirectLimit
        request.isSentOnce = true
        request.addressPolicy = namedByAnswers
        do throws(HTTPClientError) {
            return .delivered(status: try await client.fetch(request).status)
        } catch {
            switch error.code {
            case .resolve, .connect: return .notSent(reason: error.description)
            // The answer is of no interest: that it is too large tells that it came.
            case .tooLarge: return .delivered(status: 200)
            case .badURL, .badScheme, .badHeader, .refusedAddress: return .refused(reason: error.advice)
            default: return .unknown(reason: error.description)
            }
        }
    }
}

extension HTTPClient {
    /// What an ad server answers to a request.
    package func adAnswer(to request: HTTPClientRequest) async -> AdResolution.FetchResult {
        do throws(HTTPClientError) {
            let response = try await fetch(request)
            // An error page is not read for ads (R-H1).
            guard response.status == 200 else { return .failure(.status(response.status)) }
            return .body(response.body, finalURL: response.finalURL)
        } catch {
            return .failure(FetchFailure(error))
        }
    }
}

extension FetchFailure {
    /// Why an ad request gave no document.
    package init(_ error: HTTPClientError) {
        self =
            switch error.code {
            case .timeout: .timeout
            case .badURL, .badScheme, .badHeader: .unusableURL
            case .tooLarge: .tooLarge
            case .refusedAddress: .refusedAddress
            case .overloaded: .notSent("too many requests wait already")
            default: .connection
            }
    }
}

extension HTTPClientError {
    /// The error for the log, with the option that would have allowed it.
    fileprivate var advice: String {
        code == .refusedAddress ? "\(description): it is not public, see network.allowPrivateUpstreams" : description
    }
}
