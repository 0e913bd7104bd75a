import Testing
import Transport

extension FakeWorld {
    /// Asks two servers that share a store in turn for a session of the channel, each second both for both variants, and now and then one
    /// that has just begun: all have to answer alike.
    ///
    /// - Returns: what was read of each variant.
    func askInTurn(
        _ servers: [TestServer], seconds: Int, begun: () throws -> TestServer
    ) async throws -> [String: ReloadChecker] {
        var checkers: [String: ReloadChecker] = [:]
        for second in 0..<seconds {
            for (place, name) in ["v0", "v1"].enumerated() {
                let target = "/live/news/a/\(name).m3u8"
                let first = try await servers[(second + place) % 2].text(target)
                #expect(try await servers[(second + place + 1) % 2].text(target) == first, "\(name) at \(self.second)")
                if second % 20 == 3 { #expect(try await begun().text(target) == first) }
                try checkers[name, default: ReloadChecker()].read(first)
            }
            time.advance(by: .seconds(1))
        }
        return checkers
    }
}
