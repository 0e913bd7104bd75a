import Testing

@testable import HLS

/// What lint says of playlists of other projects.
@Suite struct LintFixtureTests {
    private func lint(_ bytes: [UInt8]) -> [PlaylistFinding]? {
        switch try? Playlist(parsing: bytes) {
        case .media(let playlist)?: playlist.lint()
        case .multivariant(let playlist)?: playlist.lint()
        case nil: nil
        }
    }

    @Test func `every fixture is checked; findings name rules of the catalogue and lines that exist`() {
        for file in FixtureTests.files() {
            guard let findings = lint(file.bytes) else { continue }
            let lines = file.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).count
            for finding in findings {
                #expect((1...lines).contains(finding.line), "\(file.path): \(finding)")
                #expect(
                    finding.rule == LintReport.omissionRule
                        || LintRule.numbered(finding.rule)?.checks.contains(.playlist) ?? false,
                    "\(file.path): \(finding)")
            }
            #expect(findings == findings.sorted { $0.line < $1.line } || findings.last?.rule == LintReport.omissionRule)
        }
    }

    /// The faults that sources are known for, where the fixtures have them. None of them has two lists in one or a section of
    /// SCTE 35 in quotes; those that show between playlists alone are not here.
    static let knownFaults: [(file: String, rule: Int, line: Int)] = [
        ("grafov-m3u8/master-with-hlsv7.m3u8", 103, 1),
        ("kuu-hls-parser/SCTE-35_07.m3u8", 103, 1),
        ("globocom-m3u8/relative-playlist.m3u8", 104, 6),
        ("rutgersc-m3u8-rs/playlist.m3u8", 201, 1),
        ("rutgersc-m3u8-rs/playlist.m3u8", 305, 3),
        ("Eyevinn-hls-splice/demux/ad2/master.m3u8", 1103, 2),
        ("Eyevinn-hls-repeat/hls_demuxed/master.m3u8", 1102, 10),
        ("videojs-m3u8-parser/liveMissingSegmentDuration.m3u8", 902, 9),
        ("videojs-m3u8-parser/liveStart30sBefore.m3u8", 303, 7),
        ("Eyevinn-hls-splice/hls2_cue/index_0_v.m3u8", 812, 19),
        ("Comcast-mamba/Linear_Ad_Insertion_Playlists/linear_ad_insertion_CONTENT_mid_ad.m3u8", 202, 12),
        ("videojs-m3u8-parser/playlist.m3u8", 102, 6),
        ("Comcast-hlsparserj/mediaplaylist.m3u8", 604, 5),
        ("videojs-m3u8-parser/llhls-byte-range.m3u8", 106, 52),
        ("xavierlaffargue-m3u8parser-csharp/mediaplaylist_vod_1.m3u8", 102, 1),
        ("videojs-m3u8-parser/dateTime.m3u8", 304, 7),
    ]

    @Test func `what sources get wrong is found at its line`() {
        let files = Dictionary(
            FixtureTests.files().map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        guard !files.isEmpty else { return }
        for fault in Self.knownFaults {
            let findings = files[fault.file].flatMap(lint) ?? []
            #expect(findings.contains { $0.rule == fault.rule && $0.line == fault.line }, "\(fault): \(findings)")
        }
    }
}
