extension CrossOriginPolicy {
    /// The answer to a preflight (OPTIONS with Origin and Access-Control-Request-Method); nil if the request is none.
    func preflightAnswer(to request: HTTPRequest) -> HTTPResponse? {
        guard request.method == .options, request.headers["Origin"] != nil,
            request.headers["Access-Control-Request-Method"] != nil
        else { return nil }
        let names = methods.map(\.rawValue).joined(separator: ", ")
        var fields = [("Access-Control-Allow-Methods", names), ("Allow", names)]
        if let headers {
            fields.append(("Access-Control-Allow-Headers", headers.joined(separator: ", ")))
        } else if let asked = request.headers.list("Access-Control-Request-Headers") {
            fields.append(("Access-Control-Allow-Headers", asked))
        }
        fields.append(("Access-Control-Max-Age", String(maxAge.components.seconds)))
        fields.append(("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers"))
        return HTTPResponse(status: 204, headers: fields, entityTag: .none)
    }
}
