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
        var wanted = ByteRangeRequest.whole
        if request.method == .get, request.headers["If-Range"].map({ $0 == tag }) ?? true {
            wanted = ByteRangeRequest(request.headers.values("Range").joined(separator: ","), size: size)
        }
        var headers = [
            ("Content-Type", Self.contentType(path)), ("Cache-Control", "public, max-age=31536000, immutable"),
            ("ETag", tag), ("Accept-Ranges", "bytes"),
        ]
        let range: Range<Int>
        var status = 200
        switch wanted {
        case .whole: range = 0..<size
        case .unsatisfiable:
            return HTTPResponse(status: 416, headers: [("Content-Range", "bytes */\(size)")], entityTag: .none)
        case .part(let part):
            range = part
            status = 206
            headers.append(("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"))
        }
        let now = time.monotonic()
        guard let read = await threads.run({ store.read(path, in: key, range: range, at: now) }) else {
            return .error(503, code: "overloaded", message: "Too many requests are waiting.")
        }
        guard let body = read else { return .notFound() }
        metrics.creativeRequests.increment()
        return HTTPResponse(status: status, headers: headers, body: body, entityTag: .none, mayCompress: false)
    }

    private static func contentType(_ path: String) -> String {
        if path.hasSuffix(".ts") { return "video/mp2t" }
        if path.hasSuffix(".m3u8") { return PlaylistHandler.playlistType }
        return "video/mp4"
    }
}

/// The part of a file that a request asks for. RFC 9110 §14.
enum ByteRangeRequest: Equatable {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    /// Reads a Range header. One of another unit, of several parts or that cannot be read asks for the whole (§14.2).
    init(_ header: String, size: Int) {
        self = .whole
        let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return }
        let bounds = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, parts[1].utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) }) else { return }
        let (first, last) = (Int(bounds[0]), Int(bounds[1]))
        if let first {
            guard bounds[1].isEmpty || last != nil, last.map({ $0 >= first }) ?? true else { return }
            self = first < size ? .part(first..<min(last ?? .max - 1, size - 1) + 1) : .unsatisfiable
        } else if bounds[0].isEmpty, let last {
            self = last > 0 && size > 0 ? .part(size - min(last, size)..<size) : .unsatisfiable
        }
    }
}
