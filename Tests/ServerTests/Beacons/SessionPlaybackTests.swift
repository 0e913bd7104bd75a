import Testing

@testable import Server
@testable import Stitching

/// When an ad is taken to be seen, by what a player asks for (R-K5).
struct SessionPlaybackTests {
    private static let adBreak = BreakID("b")

    /// An event at a position of the timeline.
    private static func due(_ second: Int, in adBreak: BreakID = adBreak) -> DueBeacon {
        DueBeacon(
            breakID: adBreak, ad: 0, adID: "a", index: second, event: .init(name: "\(second)", time: .start, urls: []),
            adPlayhead: .seconds(second), adDuration: .seconds(100), adCount: 1, position: .seconds(second))
    }

    /// A player that asks for segments of two seconds, each of which has an event where it begins.
    private struct Player {
        var playback = SessionPlayback()
        /// What was told, and when.
        var seen: [String] = []

        mutating func ask(_ second: Int, at now: Int, of adBreak: BreakID = adBreak, isLast: Bool = false) {
            playback.ask(
                for: .seconds(second)..<(.seconds(second + 2)), of: adBreak, isLast: isLast, at: .seconds(now))
            playback.wait(for: [due(second, in: adBreak)])
            take(.segment(of: adBreak), now)
        }

        mutating func take(_ sign: SessionPlayback.Sign, _ now: Int) {
            seen += playback.take(by: sign, at: .seconds(now)) { _ in false }.map { "\($0.event.name)@\(now)" }
        }

        mutating func rest(_ now: Int) -> [String] {
            playback.takeRest(at: .seconds(now)) { _ in false }.map {
                "\($0.due.event.name)@\($0.at.components.seconds)"
            }
        }
    }

    @Test func `a player that loads ahead sees an ad when it plays, not when it is loaded`() {
        var player = Player()
        player.playback.begin(at: .seconds(1_000), position: .zero)
        // The ad begins at 100, and is asked for when 70 is played.
        for second in stride(from: 100, to: 110, by: 2) {
            player.ask(second, at: 1_070, isLast: second == 108)
        }
        #expect(player.seen.isEmpty)
        #expect(player.rest(1_070) == ["100@1100", "102@1102", "104@1104", "106@1106", "108@1108"])
    }

    @Test func `events come with the first request at or after their time, as long as there are more to come`() {
        var player = Player()
        player.playback.begin(at: .zero, position: .zero)
        for second in stride(from: 0, through: 30, by: 2) { player.ask(second, at: 0) }
        #expect(player.seen == ["0@0"])
        for second in stride(from: 32, through: 36, by: 2) { player.ask(second, at: second - 30) }
        #expect(player.seen == ["0@0", "2@2", "4@4", "6@6"])
        #expect(player.rest(6).isEmpty)
        player.ask(38, at: 8, isLast: true)
        #expect(player.rest(8).first == "10@10")
    }

    @Test func `a viewer who leaves half-way is told of no further, however much was loaded`() {
        var player = Player()
        for second in stride(from: 0, to: 20, by: 2) { player.ask(second, at: 0) }
        player.ask(20, at: 2)
        #expect(player.seen == ["0@0", "2@2"])
        // Somewhere else, much later.
        player.ask(500, at: 400, of: BreakID("c"))
        #expect(player.seen == ["0@0", "2@2", "500@400"])
    }

    @Test func `a pause moves what was loaded ahead`() {
        var player = Player()
        player.playback.begin(at: .zero, position: .zero)
        for second in stride(from: 0, through: 10, by: 2) { player.ask(second, at: 0) }
        player.ask(12, at: 2)
        // Paused at 2 for a hundred seconds; then 14 is asked for, ten seconds ahead of what plays.
        player.ask(14, at: 104)
        #expect(player.seen == ["0@0", "2@2", "4@104"])
        player.ask(16, at: 106)
        #expect(player.seen.last == "6@106")
    }

    @Test func `who jumps ahead has not seen what lies between`() {
        var player = Player()
        for second in stride(from: 0, through: 10, by: 2) { player.ask(second, at: 0) }
        player.ask(40, at: 3)
        #expect(player.seen == ["0@0", "2@3", "40@3"])
        player.ask(42, at: 20)
        #expect(player.seen == ["0@0", "2@3", "40@3", "42@20"])
    }

    @Test func `playlists of a channel are signs for all that was asked for`() {
        var player = Player()
        player.playback.begin(at: .zero, position: .seconds(-18))
        for second in [0, 2, 4] { player.ask(second, at: 0) }
        player.take(.playlist, 17)
        #expect(player.seen.isEmpty)
        player.take(.playlist, 18)
        player.take(.playlist, 23)
        #expect(player.seen == ["0@18", "2@23", "4@23"])
        player.ask(6, at: 23)
        player.playback.drop(upTo: .seconds(60))
        player.take(.playlist, 60)
        #expect(player.seen.count == 3)
    }

    @Test func `a pod without a place is played as it is asked for`() {
        var playback = SessionPlayback()
        let start = playback.start(of: Self.adBreak, offset: .seconds(4), at: .seconds(50)) { nil }
        #expect(start == .seconds(-4))
        #expect(playback.start(of: Self.adBreak, offset: .zero, at: .seconds(60)) { .seconds(9) } == start)
    }
}
