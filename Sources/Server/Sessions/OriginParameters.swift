/// Parameters of a viewer's first request that go on to the origin: a start-over window, for example. Sessions with equal ones
/// share what is known of the content; they may be secrets, and stand in no log.
package struct OriginParameters: Hashable, Sendable, Codable {
    /// Longest query that is passed on, bytes.
    static let byteLimit = 1_024

    private struct Parameter: Hashable, Codable {
        var name: String
        var value: String
    }

    /// By name.
    private var parameters: [Parameter] = []

    package init() {}

    /// Takes the parameters of a query whose names are allowed; of two of one name the first.
    init(_ query: some Sequence<(name: String, value: String)>, allowed: [String]) throws(ServerError) {
        for (name, value) in query where allowed.contains(name) {
            if parameters.contains(where: { $0.name == name }) { continue }
            parameters.append(Parameter(name: name, value: value))
        }
        parameters.sort { $0.name < $1.name }
        guard self.missing(in: "").utf8.count <= Self.byteLimit else {
            throw ServerError(.badRequest, place: "parameters", detail: "too long for the origin")
        }
    }

    var isEmpty: Bool { parameters.isEmpty }

    /// Names what the same parameters have in common.
    var text: String { self.missing(in: "") }

    /// An address of the origin's with these parameters; those that it names itself stay as it has them.
    func added(to url: String) -> String {
        guard !isEmpty else { return url }
        let bare = url.prefix { $0 != "#" }
        let query = bare.firstIndex(of: "?").map { bare[bare.index(after: $0)...] } ?? ""
        let missing = self.missing(in: String(query))
        guard !missing.isEmpty else { return url }
        let joint = !bare.contains("?") ? "?" : query.isEmpty || query.hasSuffix("&") ? "" : "&"
        return bare + joint + missing + url[bare.endIndex...]
    }

    /// Those that a query does not name, ready to be added to it.
    private func missing(in known: String) -> String {
        let names = Set(known.split(separator: "&").map { $0.prefix { $0 != "=" } })
        return parameters.filter {
            !names.contains(Substring(percentEscaped($0.name))) && !names.contains(Substring($0.name))
        }
        .map { "\(percentEscaped($0.name))=\(percentEscaped($0.value))" }.joined(separator: "&")
    }
}
