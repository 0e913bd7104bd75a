internal import Transport

/// Puts a stand-in behind an HTTP server.
struct StandInHandler: HTTPHandler {
    let standIn: any StandIn
    let time: any TimeSource

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard request.method == .get || request.method == .head || request.method == .post else {
            return .methodNotAllowed(allow: [.get, .head, .post])
        }
        let answer = standIn.respond(
            to: StandInRequest(
                path: request.path, query: request.query, target: request.rawTarget, range: request.headers["Range"],
                base: Self.base(request.headers["Host"])),
            at: time.now() / 1_000_000)
        var headers = [
            ("Content-Type", answer.contentType),
            ("Cache-Control", answer.maxAge == 0 ? "no-cache" : "max-age=\(answer.maxAge)"),
        ]
        if let range = answer.contentRange { headers.append(("Content-Range", range)) }
        let isMedia = answer.contentType.hasPrefix("video/")
        if isMedia { headers.append(("Accept-Ranges", "bytes")) }
        return HTTPResponse(
            status: answer.status, headers: headers, body: answer.body, entityTag: isMedia ? .none : .fromBody,
            mayCompress: !isMedia)
    }

    /// The address under which the client knows the server. It goes into documents, hence only what host and port are made of.
    private static func base(_ host: String?) -> String {
        let isPlain = host?.utf8.allSatisfy { byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || [UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "["), UInt8(ascii: "]")]
                    .contains(byte)
        }
        return isPlain == true ? "http://\(host ?? "")" : "http://127.0.0.1"
    }
}
