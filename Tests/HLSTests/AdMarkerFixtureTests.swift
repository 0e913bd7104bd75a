import Testing

@testable import HLS

/// The ad markers of other projects' playlists.
@Suite struct AdMarkerFixtureTests {
    private func markers(_ path: String) throws -> [AdMarker]? {
        guard let folder = FixtureTests.folder, let bytes = FixtureTests.read("\(folder)/\(path)") else {
            print("skipped: no fixtures")
            return nil
        }
        let playlist = try MediaPlaylist(parsing: bytes)
        return playlist.segments.indices.flatMap { playlist.markers(ofSegmentAt: $0) } + playlist.trailerMarkers
    }

    private func meanings(_ path: String) throws -> [AdSignal.Meaning]? {
        try markers(path).map { $0.map(\.signal.meaning) }
    }

    @Test(arguments: [
        ("kuu-hls-parser/SCTE-35_01.m3u8", [AdSignal.Meaning.begins, .ends]),
        ("kuu-hls-parser/SCTE-35_02.m3u8", [.begins, .continues, .continues, .ends]),
        ("kuu-hls-parser/SCTE-35_03.m3u8", [.begins]),
        ("kuu-hls-parser/SCTE-35_04.m3u8", [.information, .information, .begins, .continues, .ends]),
        ("kuu-hls-parser/SCTE-35_05.m3u8", [.begins, .ends]),
        (
            "kuu-hls-parser/SCTE-35_06.m3u8",
            [.begins, .continues, .continues, .ends, .begins, .continues, .continues, .ends]
        ),
        ("kuu-hls-parser/SCTE-35_07.m3u8", [.begins]),
        ("kuu-hls-parser/8.10-EXT-X-DATERANGE-carrying-SCTE-35-tags.m3u8", [.begins, .ends]),
        ("grafov-m3u8/media-playlist-with-oatcls-scte35.m3u8", [.information, .begins, .continues, .ends]),
        ("grafov-m3u8/media-playlist-with-scte35.m3u8", [.information]),
    ])
    func `the markers of a playlist signal what they are there for`(path: String, meanings: [AdSignal.Meaning]) throws {
        guard let found = try self.meanings(path) else { return }
        #expect(found == meanings)
    }

    @Test func `durations, times and sections of the fixtures are read`() throws {
        guard let primetime = try markers("kuu-hls-parser/SCTE-35_03.m3u8"),
            let standard = try markers("kuu-hls-parser/SCTE-35_05.m3u8"),
            let enhanced = try markers("kuu-hls-parser/SCTE-35_04.m3u8"),
            let legacy = try markers("grafov-m3u8/media-playlist-with-scte35.m3u8"),
            let ranges = try markers("kuu-hls-parser/SCTE-35_07.m3u8")
        else { return }
        #expect(primetime.first?.signal.plannedDuration == .seconds(15))
        #expect(primetime.first?.signal.id == "0")
        #expect(standard.first?.signal.plannedDuration == .seconds(15))
        #expect(standard.map(\.signal.id) == ["pIViS5", "f6UrRd"])
        // The base64 of that file is cut with an ellipsis.
        #expect(standard.first?.signal.scte35 == nil)
        #expect(enhanced[0].signal.scte35?.count == 55)
        #expect(enhanced[3].signal.elapsed == .milliseconds(5_939))
        #expect(legacy.first?.signal.id == "123")
        #expect(legacy.first?.signal.scte35?.first == 0xFC)
        #expect(ranges.first?.signal.plannedDuration == .milliseconds(59_993))
        #expect(ranges.first?.signal.scte35?.count == 40)
    }

    @Test(arguments: [
        "futzu-SCTE35_threefive/scte35.m3u8", "futzu-SCTE35_threefive/simple-scte35.m3u8",
        "EnricoRuggiano-hls-scte35-manipulator-server/01_x_splicepoint_streamPlaylist_splice_filter.txt",
        "EnricoRuggiano-hls-scte35-manipulator-server/03_x_splicepoint_streamPlaylist_convert_ads_to_break.txt",
        "EnricoRuggiano-hls-scte35-manipulator-server/06_x_oatcls_scte35_streamPlaylist_splice_filter.txt",
        "EnricoRuggiano-hls-scte35-manipulator-server/10_x_oatcls_scte35_streamPlaylist_descriptor_ads_filter.txt",
    ])
    func `every section of these playlists is decoded and begins with its table id`(path: String) throws {
        guard let markers = try markers(path) else { return }
        #expect(!markers.isEmpty)
        for marker in markers {
            switch marker {
            case .oatclsSCTE35, .splicePointSCTE35: #expect(marker.signal.scte35?.first == 0xFC)
            case .cueOutContinued(let cue): #expect(cue.attributes["SCTE35"] == nil || cue.scte35?.first == 0xFC)
            default: break
            }
        }
    }
}
