internal import Synchronization
internal import Transport

/// What operators ask, and their machines: whether the process lives, whether it wants requests, what it counts, what happened to a
/// session's ads.
final class AdminHandler: HTTPHandler {
    private let ready = Atomic(false)
    private let debugger: AdDebugger
    private let sources: [SourceID]
    private let measures: @Sendable () -> [Measure]

    /// Sessions in one answer.
    private static let listed = 100

    /// - Parameter measures: what is counted, now.
    init(debugger: AdDebugger, sources: [SourceID], measures: @escaping @Sendable () -> [Measure] = { [] }) {
        self.debugger = debugger
        self.measures = measures
        self.sources = sources
    }

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
        case ["metrics"]:
            let text = measures().map(\.text).joined()
            return HTTPResponse(
                headers: [("Content-Type", Measure.contentType), ("Cache-Control", "no-store")],
                body: Array(text.utf8), entityTag: .none)
        case ["sessions"]:
            let sessions = debugger.latest(Self.listed).map(\.summary)
            return Self.json(200, JSONText.object { $0.add("sessions", sessions) }.compact)
        default: break
        }
        guard request.pathSegments.count == 2, request.pathSegments[0] == "sessions" else { return .notFound() }
        let reports = debugger.reports(of: request.pathSegments[1], in: sources)
        guard let report = reports.first else {
            return .error(
                404, code: "session_unknown",
                message: "nothing is kept of the ads of a session with this name or stream ID")
        }
        guard reports.count == 1 else {
            let names = reports.map(\.name).joined(separator: ", ")
            return .error(
                409, code: "ambiguous", message: "several streams have this stream ID: ask by the names, \(names)")
        }
        return Self.json(200, report.json.compact)
    }

    private static func status(_ status: Int, _ text: String) -> HTTPResponse {
        json(status, "{\"status\":\"\(text)\"}")
    }

    private static func json(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: Array("\(text)\n".utf8), entityTag: .none)
    }
}
