import Testing

@testable import HLS

private func findings(_ versions: [String], times: [Double] = []) throws -> [PlaylistFinding] {
    var lint = ReloadLint()
    var findings: [PlaylistFinding] = []
    for (index, version) in versions.enumerated() {
        let time = times.isEmpty ? Duration.seconds(index * 4) : .milliseconds(Int(times[index] * 1_000))
        findings += lint.receive(try MediaPlaylist(parsing: Array(version.utf8)), at: time)
    }
    return findings
}

@Suite struct ReloadLintTests {
    @Test(arguments: reloadCases)
    func `versions that break a rule are found, others are not`(_ example: ReloadCase) throws {
        let findings = try findings(example.versions, times: example.times)
        guard let line = example.breaksAt else {
            #expect(findings.filter { $0.severity == .error || $0.rule == example.rule && $0.severity != .note } == [])
            return
        }
        // One cause makes one finding.
        #expect(findings.map(\.rule) == [example.rule], "\(findings)")
        #expect(findings.first?.line == line, "\(findings)")
    }

    @Test func `an origin that begins anew is reported once, and followed from there (rule 403)`() throws {
        let versions = [
            live("100: a b c d", sequence(5)), live("0: e f g h", sequence(0)), live("1: f g h i", sequence(0)),
            live("2: g h i |j", sequence(0)),
        ]
        #expect(try findings(versions).map(\.rule) == [403])
    }

    @Test func `a cache that answers with an older version now and then is no restart (rule 403)`() throws {
        let versions = [
            live("7: a b c d"), live("8: b c d e"), live("9: c d e f"), live("8: b c d e"), live("10: d e f g"),
        ]
        let findings = try findings(versions)
        #expect(findings.map(\.rule) == [403])
        #expect(
            findings.first?.message == "the media sequence number fell from 9 to 8: an older version was served again")
    }

    @Test func `what numbers named before a change is forgotten (rule 403)`() throws {
        let versions = [live("7: a b c d"), live("8: e f g h"), live("9: f g h i"), live("8: e f g h")]
        let found = try findings(versions)
        #expect(found.map(\.rule) == [404, 403])
        #expect(found.last?.message.hasSuffix("an older version was served again") == true)
    }

    @Test func `a stall is reported once, and again after new segments (rule 310)`() throws {
        let one = live("7: a b c d")
        let two = live("8: b c d e")
        #expect(try findings([one, one, one, two, two, two], times: [0, 7, 9, 10, 15, 17]).map(\.rule) == [310, 310])
        #expect(try findings([one, two], times: [0, 30]).isEmpty)
    }

    @Test func `messages name the values, and show no queries (rule 404)`() throws {
        let signed = live("7: a b c d").replacing(".ts", with: ".ts?token=secret1")
        let again = live("8: b c d e").replacing(".ts", with: ".ts?token=secret2")
        let message = try #require(try findings([signed, again]).first?.message)
        #expect(message == "number 8 is still b.ts?…, but its query changed; 2 more numbers changed too")
        let other = try findings([live("7: a b c d"), live("8: b c d e", durations: ["c": "3.5"])])
        #expect(other.map(\.message) == ["EXTINF of number 9 was 4 and is 3.5"])
    }

    @Test func `delta updates are merged into the version before (rule 1007)`() throws {
        let full = live("7: a b c d")
        let delta = live("8: e f", "#EXT-X-SKIP:SKIPPED-SEGMENTS=3")
        #expect(try findings([full, delta, live("9: c d e f g")]).isEmpty)
        let wrong = live("8: x f", "#EXT-X-SKIP:SKIPPED-SEGMENTS=2")
        let found = try findings([full, wrong])
        #expect(found.map(\.rule) == [1007], "\(found)")
        #expect(found.map(\.line) == [3])
        let tooFar = try findings([full, live("8: z", "#EXT-X-SKIP:SKIPPED-SEGMENTS=9")])
        #expect(tooFar.map(\.rule) == [1007] && tooFar.map(\.line) == [3])
        #expect(try findings([delta]).isEmpty)
    }

    @Test func `what is remembered stays bounded over a long stream`() throws {
        var lint = ReloadLint()
        for number in 0..<3_000 {
            let names = (number..<number + 4).map { "s\($0)" }.joined(separator: " ")
            let text = live("\(number): \(names)", before: ["s\(number)": "#EXT-X-DATERANGE:ID=\"d\(number)\""])
            let findings = lint.receive(try MediaPlaylist(parsing: Array(text.utf8)), at: .seconds(number * 4))
            #expect(findings.isEmpty)
        }
    }
}
