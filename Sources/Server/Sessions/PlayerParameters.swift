/// What a player's first request says for the ad server: macros `[player_params.NAME]`.
enum PlayerParameters {
    static let countLimit = 64
    static let nameLimit = 128
    static let valueLimit = 2_048

    /// The query of a playlist request, without what is addressed to us and to the origin (rule 1212).
    ///
    /// - Parameter origin: names of those that go on to the origin.
    static func parameters(
        query: some Sequence<(name: String, value: String)>, origin: [String] = []
    ) throws(ServerError) -> [String: String] {
        try checked(
            query.lazy.filter {
                $0.name != "stream_id" && !$0.name.hasPrefix("_HLS_") && !origin.contains($0.name)
            }.map { ($0.name, $0.value) })
    }

    /// The query of a session request: `ads.NAME`, as players written for MediaTailor send it.
    static func parameters(
        sessionQuery query: some Sequence<(name: String, value: String)>
    ) throws(ServerError) -> [String: String] {
        try checked(query.lazy.filter { $0.name.hasPrefix("ads.") }.map { (String($0.name.dropFirst(4)), $0.value) })
    }

    /// The body of a session request: `{"adsParams": {"NAME": "value"}}`. An empty body has none.
    static func parameters(sessionBody body: [UInt8]) throws(ServerError) -> [String: String] {
        guard body.contains(where: { $0 > 0x20 }) else { return [:] }
        let document: JSON5Value
        do {
            document = try JSON5Parser.parse(body)
        } catch {
            throw ServerError(.badRequest, place: "body", detail: error.description)
        }
        guard case .object = document.content else {
            throw ServerError(.badRequest, place: "body", detail: "\(document.kind) where an object is expected")
        }
        guard let parameters = document["adsParams"] else { return [:] }
        guard case .object(let members) = parameters.content else {
            throw ServerError(
                .badRequest, place: "body.adsParams", detail: "\(parameters.kind) where an object is expected")
        }
        return try checked(members.compactMap { member in text(of: member.value).map { (member.name, $0) } })
    }

    private static func checked(_ pairs: some Sequence<(String, String)>) throws(ServerError) -> [String: String] {
        var parameters: [String: String] = [:]
        for (name, value) in pairs where !name.isEmpty {
            guard name.utf8.count <= nameLimit, value.utf8.count <= valueLimit, parameters.count < countLimit else {
                throw ServerError(.badRequest, place: "parameters", detail: "too many or too long")
            }
            // Of two of one name the first counts, whoever added the other.
            if parameters[name] == nil { parameters[name] = value }
        }
        return parameters
    }

    private static func text(of value: JSON5Value) -> String? {
        switch value.content {
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .number(let number):
            number == number.rounded() && abs(number) < 9e15 ? String(Int64(number)) : String(number)
        case .null, .array, .object: nil
        }
    }
}
