internal import Conditioning
internal import Transport

/// Serves what was made of ads: `/creatives/KEY/RENDITION/FILE`. It never changes, so that caches may keep it.
struct CreativeFileHandler: HTTPHandler {
    static let folder = "creatives"

    var store: CreativeStore
    var threads: FileThreads
    var time: any TimeSource
    var metrics: Metrics

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard request.method == .get || request.method == .head else { return .methodNotAllowed(allow: [.get, .head]) }
        let parts = request.pathSegments
        guard parts.count >= 3, let key = ContentKey(parts[1]) else { return .notFound() }
        let path = parts[2...].joined(separator: "/")
        let store = store
        // Another process may have made it.
        if store.size(of: path, in: key) == nil { _ = await threads.run { store.find(key) } }
        guard let size = store.size(of: path, in: key) else { return .notFound() }
        let tag = "\"\(key)-\(parts[2...].joined(separator: "-"))\""
        let headers = [
            ("Cache-Control", "public, max-age=31536000, immutable"), ("ETag", tag), ("Accept-Ranges", "bytes"),
        ]
        // What the client has is looked at before the part that it wants of it (RFC 9110 §13.2.2).
        if request.hasCurrent(tag) { return HTTPResponse(status: 304, headers: headers, entityTag: .none) }
        var wanted = ByteRangeRequest.whole
        if request.method == .get, request.headers["If-Range"].map({ $0 == tag }) ?? true {
            wanted = ByteRangeRequest(request.headers.values("Range").joined(separator: ","), size: size)
        }
        let (range, status): (Range<Int>, Int)
        switch wanted {
        case .whole: (range, status) = (0..<size, 200)
        case .part(let part): (range, status) = (part, 206)
        // All that lies between the first and the last byte: the parts are cut out of it.
        case .parts(let parts): (range, status) = (parts.reduce(parts[0]) { $0.spanning($1) }, 206)
        case .unsatisfiable:
            return HTTPResponse(
                status: 416, headers: [("Content-Range", "bytes */\(size)"), ("Cache-Control", "no-store")],
                entityTag: .none)
        }
        guard let read = await threads.run({ store.read(path, in: key, range: range) }) else {
            return .error(
                503, code: "overloaded", message: "Too many requests are waiting.", headers: [("Retry-After", "1")])
        }
        guard let bytes = read else { return .notFound() }
        metrics.creativeRequests.increment()
        if request.method == .get { metrics.creativeBytes.increment(by: bytes.count) }
        let type = Self.contentType(path)
        switch wanted {
        case .parts(let parts):
            let body = MultipartRanges(parts, of: bytes, from: range.lowerBound, size: size, type: type)
            return HTTPResponse(
                status: status, headers: [("Content-Type", body.contentType)] + headers, body: body.bytes,
                entityTag: .none, mayCompress: false)
        case .part:
            let place = ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
            return HTTPResponse(
                status: status, headers: [("Content-Type", type), place] + headers, body: bytes, entityTag: .none,
                mayCompress: false)
        case .whole, .unsatisfiable:
            return HTTPResponse(
                status: status, headers: [("Content-Type", type)] + headers, body: bytes, entityTag: .none,
                mayCompress: false)
        }
    }

    private static func contentType(_ path: String) -> String {
        if path.hasSuffix(".ts") { return "video/mp2t" }
        if path.hasSuffix(".m3u8") { return PlaylistHandler.playlistType }
        return "video/mp4"
    }
}
