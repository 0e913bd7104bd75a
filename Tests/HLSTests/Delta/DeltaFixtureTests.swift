import Testing

@testable import HLS

/// Delta updates of playlists as they are met in practice, and of broken ones.
@Suite struct DeltaFixtureTests {
    /// The playlist as a live one that offers delta updates.
    private func live(_ playlist: MediaPlaylist, boundary: Int64) -> [UInt8] {
        var editor = PlaylistEditor(playlist)
        for line in playlist.lines where [.endList, .serverControl].contains(line.kind) { editor.remove(line) }
        if let first = playlist.headerLines.first(where: { $0.kind == .extM3U }) {
            let place = first.fullRange.upperBound
            editor.replace(
                place..<place, with: "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=\(boundary),CAN-SKIP-DATERANGES=YES\n")
        }
        return editor.applied()
    }

    @Test func `every fixture is followed by delta updates as by itself (rules 1007, 1008)`() throws {
        var merged = 0
        for file in FixtureTests.files() {
            guard let original = try? MediaPlaylist(parsing: file.bytes), original.segments.count < 3_000 else {
                continue
            }
            // Parts further than three target durations from the end are not kept by servers.
            let boundary = Int64(original.targetDuration ?? 1).clamped(to: 1...100) * 4
            guard let full = try? MediaPlaylist(parsing: live(original, boundary: boundary)) else { continue }
            for update in [full.deltaUpdate(), full.deltaUpdate(recentlyRemoved: []) { _ in true }] {
                guard let update else { continue }
                let delta = try MediaPlaylist(parsing: update)
                #expect(delta.skip?.count == delta.skippedSegments)
                let result = try delta.merged(onto: full)
                let (left, right) = (try withoutParts(result), try withoutParts(full))
                #expect(left == right, "\(file.path)")
                merged += 1
            }
        }
        if FixtureTests.folder != nil { #expect(merged > 100) }
    }

    private func withoutParts(_ playlist: MediaPlaylist) throws -> [String] {
        // Misplaced tags of the header come together in it, and comments may stand with other lines then.
        let odd: Set<TagKind> = [.part, .comment, .blank, .unknownTag]
        var editor = PlaylistEditor(playlist)
        for line in playlist.lines
        where odd.contains(line.kind)
            || line.kind.isMediaPlaylistTag && line.kind != .mediaSequence
                && line.kind != .discontinuitySequence && line.kind != .targetDuration
        {
            editor.remove(line)
        }
        return try MediaPlaylist(parsing: editor.applied()).meaning()
    }

    @Test(.timeLimit(.minutes(1))) func `broken playlists are merged or refused, and nothing traps`() throws {
        var random = SeededGenerator(seed: 7)
        var seeds: [[UInt8]] = []
        for seed in UInt64(0)..<4 {
            var source = ChangingPlaylist(seed: seed)
            for _ in 0..<16 { source.advance() }
            let full = Array(source.text().utf8)
            seeds.append(full)
            if let update = try MediaPlaylist(parsing: full).deltaUpdate() { seeds.append(update) }
        }
        seeds += [Array(PartialSegmentTests.live.utf8), Array(DeltaMergeTests.previous.utf8)]
        var merges = 0
        for _ in 0..<1_000 {
            let left = mutated(seeds, &random)
            let right = mutated(seeds, &random)
            guard let previous = try? MediaPlaylist(parsing: left), let delta = try? MediaPlaylist(parsing: right)
            else {
                continue
            }
            exercise(delta)
            guard let merged = try? delta.merged(onto: previous) else { continue }
            merges += 1
            #expect(merged.segments.count == Int(delta.skippedSegments) + delta.segments.count)
            #expect(merged.skip == nil)
            exercise(merged)
        }
        #expect(merges > 20)
    }

    private func mutated(_ seeds: [[UInt8]], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = seeds[Int(random.next() % UInt64(seeds.count))]
        let junk = Array("0123456789,=\"\n#@{$}-:T".utf8)
        for _ in 0..<random.next() % 4 {
            let place = Int(random.next() % UInt64(bytes.count))
            switch random.next() % 4 {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(junk[Int(random.next() % UInt64(junk.count))], at: place)
            case 2: bytes[place] = UInt8(truncatingIfNeeded: random.next())
            default:
                let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count - 1
                bytes.removeSubrange(place...end)
            }
        }
        return bytes
    }

    /// Asks what only media playlists can be asked.
    private func exercise(_ playlist: MediaPlaylist) {
        for part in playlist.parts {
            #expect(part.offset >= .zero)
            let found = playlist.part(mediaSequence: part.number, index: part.index)
            #expect(found?.line == part.line)
        }
        _ = playlist.renditionReports.map { $0.lastPosition(in: playlist) }
        _ = (playlist.preloadHint(.part)?.byteRangeLength, playlist.partInformation?.partTarget, playlist.allowsCache)
        for range in playlist.combinedDateRanges {
            _ = (range.endDate, range.duration, range.expectedEndDate, range.extensionAttributes, range.triggers)
        }
        let required = playlist.requiredVersion
        let written = playlist.serialized(minimumVersion: 1)
        if let again = try? MediaPlaylist(parsing: written) {
            #expect(again.version >= required.version)
            #expect(again.requiredVersion.version == required.version)
        }
        if let update = playlist.deltaUpdate() {
            #expect((try? MediaPlaylist(parsing: update))?.skippedSegments ?? 1 > 0)
        }
        _ = playlist.variableFaults(imported: PlaylistVariables(), uri: "https://h/?a=b")
        let timeline = Timeline(playlist)
        for segment in playlist.segments {
            _ = playlist.initializationVector(ofSegmentAt: segment.index)
            #expect(timeline.segmentIndex(number: segment.number) == segment.index)
            if let date = timeline.dates.isEmpty ? nil : timeline.dates[segment.index], segment.duration > .zero {
                #expect(timeline.segmentIndex(at: date) != nil)
            }
        }
    }
}

extension Int64 {
    fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
