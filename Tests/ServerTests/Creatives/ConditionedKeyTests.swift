import Testing
import VAST

@testable import Server

/// What is made of an ad's files is found again by what tells the ad from all others.
struct ConditionedKeyTests {
    private func identity(_ files: [String], names: String = "<UniversalAdId idRegistry=\"r\">u1</UniversalAdId>")
        throws
        -> String
    {
        let media = files.map { "<MediaFile type=\"video/mp4\" delivery=\"progressive\"><![CDATA[\($0)]]></MediaFile>" }
        let answer = """
            <VAST version="4.2"><Ad id="1"><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle><Impression>http://t/i</Impression>
            <Creatives><Creative>\(names)<Linear><Duration>00:00:10</Duration>
            <MediaFiles>\(media.joined())</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
            """
        var options = AdResolution.Options()
        options.playable = [.hls, .progressive]
        var resolution = AdResolution(url: "http://a/vast", options: options)
        guard case .fetch(let requests) = resolution.next() else { throw Missing() }
        for request in requests {
            resolution.receive(.body(Array(answer.utf8), finalURL: "http://a/vast"), for: request.id)
        }
        guard case .finished(let ads) = resolution.next(), let ad = ads.pod.first else { throw Missing() }
        return ConditionedCreatives.identity(of: ad, from: ConditionedCreatives.sources(ad))
    }

    private struct Missing: Error {}

    @Test func `a signature that changes with each answer makes no other creative`() throws {
        #expect(try identity(["http://m/a.mp4?sig=1"]) == identity(["http://m/a.mp4?sig=2"]))
    }

    @Test func `where the address is all that names an ad, its query counts`() throws {
        #expect(try identity(["http://m/a.mp4?id=1"], names: "") != identity(["http://m/a.mp4?id=2"], names: ""))
        #expect(try identity(["http://m/get?id=1"]) != identity(["http://m/get?id=2"]))
    }

    @Test func `all files of an ad are its key, since it may be made of any of them`() throws {
        let files = ["http://m/a.mp4", "http://m/b.mp4"]
        #expect(try identity(files) == identity(files))
        #expect(try identity(files) != identity(["http://m/a.mp4"]))
        #expect(try identity(files) != identity(["http://m/a.mp4", "http://m/c.mp4"]))
    }
}
