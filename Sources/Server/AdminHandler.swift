internal import Synchronization
internal import Transport

/// What operators' machines ask: whether the process lives, and whether it wants requests.
final class AdminHandler: HTTPHandler {
    private let ready = Atomic(false)

    /// Whether viewers may be sent here: listening, and not about to stop.
    var isReady: Bool {
        get { ready.load(ordering: .acquiring) }
        set { ready.store(newValue, ordering: .releasing) }
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard request.method == .get || request.method == .head else { return .methodNotAllowed(allow: [.get, .head]) }
        switch request.pathSegments {
        case ["healthz"]: return Self.status(200, "ok")
        case ["readyz"]: return isReady ? Self.status(200, "ready") : Self.status(503, "not ready")
        default: return .notFound()
        }
    }

    private static func status(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: Array("{\"status\":\"\(text)\"}\n".utf8), entityTag: .none)
    }
}
