import Testing
import Transport

@testable import Server

/// What an ad server is told of a break and of its viewer (section 10 of the rules).
struct MacroTests {
    private static let tag =
        "http://a/vast?at=[CONTENTPLAYHEAD]&media=[MEDIAPLAYHEAD]&pos=[BREAKPOSITION]&max=[BREAKMAXDURATION]&ifa=[IFA]&kind=[IFATYPE]&lat=[LIMITADTRACKING]&consent=[GDPRCONSENT]&id=[CONTENTID]&ip=[DEVICEIP]&side=[SERVERSIDE]&pod=[PODSEQUENCE]"

    private func server(_ world: FakeWorld) -> TestServer {
        TestServer(world) {
            $0.adProviders["main"] = .vast(VASTProviderOptions(url: Self.tag))
            $0.channels[0].preroll = []
        }
    }

    private func values(_ url: String) -> [String: String] {
        Dictionary(
            url.split(separator: "?").last?.split(separator: "&").compactMap { part in
                let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
                return pair.count == 2 ? (pair[0], pair[1]) : nil
            } ?? [], uniquingKeysWith: { first, _ in first })
    }

    @Test func `in live the content time counts from the live edge at which the session began`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let server = server(world)
        for _ in 0..<90 {
            _ = try await server.text("/live/news/a/v0.m3u8?IFA=a-1&IFATYPE=rida&LIMITADTRACKING=1&GDPRCONSENT=CO%2Bx")
            world.time.advance(by: .seconds(1))
        }
        let told = world.adRequests.map { values($0.url) }
        #expect(told.map { $0["at"] } == ["00%3A00%3A10.000", "00%3A01%3A10.000"])
        let first = try #require(told.first)
        #expect(first["media"] == first["at"])
        #expect(first["pos"] == "2" && first["max"] == "20" && first["side"] == "2")
        // What only the player knows it says by the macro's name; what no request can know is -1 (R-Y3).
        #expect(first["ifa"] == "a-1" && first["kind"] == "rida" && first["lat"] == "1" && first["consent"] == "CO%2Bx")
        #expect(first["id"] == "news" && first["pod"] == "-1")
    }

    @Test func `in a title it is the place of the cue, whatever ads come before it`() async throws {
        let world = FakeWorld()
        world.title(seconds: 60, cues: [10: "#EXT-X-CUE-OUT:0", 40: "#EXT-X-CUE-OUT:0"])
        world.answer(with: FakeAds.vast("ad10"))
        _ = try await server(world).text("/vod/film/a/v0.m3u8")
        let told = world.adRequests.map { values($0.url) }
        #expect(Set(told.map { $0["at"] }) == ["00%3A00%3A10.000", "00%3A00%3A40.000"])
        #expect(told.allSatisfy { $0["ifa"] == "-1" && $0["lat"] == "0" })
    }

    @Test func `a pre-roll of a title is at its beginning`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.vast("ad10"))
        _ = try await server(world).text("/vod/film/a/v0.m3u8")
        #expect(world.adRequests.map { values($0.url)["at"] } == ["00%3A00%3A00.000"])
        #expect(world.adRequests.map { values($0.url)["pos"] } == ["1"])
    }
}
