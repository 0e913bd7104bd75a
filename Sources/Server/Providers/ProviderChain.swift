internal import Transport

/// The ad providers of a source, in the order in which they are asked: each for what those before it have left of a break.
struct ProviderChain: Sendable {
    var providers: [any AdProvider] = []
    /// Time that has to be left for the next one to be asked.
    var leastLeft = Duration.zero

    var isEmpty: Bool { providers.isEmpty }

    /// Whether nobody is left to be asked behind so many.
    func isOver(after count: Int) -> Bool { count >= providers.count }

    /// What the one at a place has of the time that is left. Those behind it are to have some too, and what was found before is to be
    /// shown in time whatever a later one does.
    func share(at place: Int, of limit: Duration) -> Duration {
        if place + 1 < providers.count { return limit * 2 / 3 }
        return place > 0 ? limit * 7 / 8 : limit
    }

    /// The ads of the provider at a place; nil where there is none.
    func ads(at place: Int, for request: BreakRequest) async -> AdAnswerForBreak? {
        guard providers.indices.contains(place) else { return nil }
        var request = request
        request.limit = share(at: place, of: request.limit)
        return await providers[place].ads(for: request)
    }

    /// What the first provider that has any ads says of a title, and what those before it said of the break that was asked about.
    func schedule(
        for request: BreakRequest, on time: any TimeSource
    ) async -> (schedule: AdSchedule, before: [AdAnswerForBreak]) {
        let ends = time.monotonic() + request.limit
        var before: [AdAnswerForBreak] = []
        for (place, provider) in providers.enumerated() {
            var request = request
            request.limit = share(at: place, of: ends - time.monotonic())
            let schedule = await provider.schedule(for: request)
            if case .oneBreak(let answer) = schedule, !answer.hasAds, !isOver(after: place + 1) {
                before.append(answer)
            } else {
                return (schedule, before)
            }
        }
        return (.oneBreak(AdAnswerForBreak()), before)
    }
}
