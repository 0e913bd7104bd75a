/// Where a player goes on in the breaks of its stream: `nextToken` of the answer before, in the query or in the body of a POST.
enum TrackingToken {
    private static let names: Set<String> = ["nexttoken", "aws.nexttoken"]

    static func token(query: some Sequence<(name: String, value: String)>) -> String? {
        query.first { names.contains($0.name.lowercased()) && !$0.value.isEmpty }?.value
    }

    /// `{"NextToken": "…"}`; whatever else the body is, there is none.
    static func token(body: [UInt8]) -> String? {
        guard body.contains(where: { $0 > 0x20 }), let document = try? JSON5Parser.parse(body),
            case .object(let members) = document.content
        else { return nil }
        for member in members where names.contains(member.name.lowercased()) {
            if case .string(let token) = member.value.content { return token }
        }
        return nil
    }
}
