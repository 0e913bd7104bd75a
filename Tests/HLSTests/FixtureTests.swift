import Glibc
import Testing

@testable import HLS

/// Playlists of other projects: many are wrong by habit or on purpose, and all are met in practice.
@Suite struct FixtureTests {
    static let folder: String? = {
        if let path = getenv("PODSTITCH_SHARED") { return String(cString: path) + "/fixtures/hls" }
        var path = #filePath[...]
        while let slash = path.lastIndex(of: "/") {
            path = path[..<slash]
            if access(path + "/shared/fixtures/hls", R_OK) == 0 { return path + "/shared/fixtures/hls" }
        }
        return nil
    }()

    static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer[..<count])
        }
    }

    /// A file, and what the index says of it.
    struct Fixture {
        var path: String
        var kind: Substring
        /// "live", "vod", "delta" or "-".
        var state: Substring
        /// "8 segments", "MAP", "2 AUDIO" and the like.
        var features: [Substring]
        var bytes: [UInt8]
    }

    static func files() -> [Fixture] {
        guard let folder, let index = read(folder + "/INDEX.tsv") else {
            print("skipped: no fixtures")
            return []
        }
        return String(decoding: index, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count >= 4, let bytes = read("\(folder)/\(fields[0])") else { return nil }
            let features = fields[3].split(separator: ";").map { $0.drop { $0 == " " } }
            return Fixture(path: String(fields[0]), kind: fields[1], state: fields[2], features: features, bytes: bytes)
        }
    }

    /// The files that are no playlists to us, each with the line that says so: an EXT-X-TARGETDURATION without a number and then
    /// EXT-X-STREAM-INF leave no kind of playlist.
    static let refused: [String: (code: PlaylistError.Code, line: Int)] = [
        "videojs-m3u8-parser/emptyTargetDuration.m3u8": (.wrongKind, 3)
    ]

    /// A line with the texts of its URIs taken out, found by plain text search so as not to trust the reader.
    private func withoutURIs(_ line: Substring) -> String {
        let trimmed = line.drop { $0 == " " || $0 == "\t" }
        guard trimmed.first == "#" || trimmed.first == "\u{FEFF}" else {
            let end = line.lastIndex { !$0.isWhitespace } ?? line.startIndex
            return trimmed.isEmpty ? String(line) : "<uri>" + line[end...].dropFirst()
        }
        guard !trimmed.hasPrefix("#EXT-X-RENDITION-REPORT") else { return String(line) }
        var result = ""
        var rest = line
        while let sign = rest.range(of: "URI=") ?? rest.range(of: "X-ASSET-LIST=") {
            result += rest[..<sign.upperBound] + "<uri>"
            rest = rest[sign.upperBound...]
            if rest.first == "\"" {
                rest = rest.dropFirst().drop { $0 != "\"" }.dropFirst()
            } else {
                rest = rest.drop { $0 != "," }
            }
        }
        return result + rest
    }

    private func lines(_ bytes: [UInt8]) -> [Substring] {
        // By bytes: CR LF is a single Character.
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self)[...] }
    }

    /// How many URI lines have no EXTINF before them.
    static let withoutDuration = [
        "videojs-m3u8-parser/extinf.m3u8": 1, "videojs-m3u8-parser/liveMissingSegmentDuration.m3u8": 2,
        "videojs-m3u8-parser/missingExtinf.m3u8": 1, "videojs-m3u8-parser/missingSegmentDuration.m3u8": 3,
        "videojs-m3u8-parser/multipleTargetDurations.m3u8": 3,
    ]

    /// A playlist's own words for what the index counts.
    private func count(_ feature: Substring, in playlist: Playlist, _ path: String) -> Int? {
        let word = feature.drop { $0.isNumber || $0 == " " }
        switch playlist {
        case .media(let playlist):
            switch word {
            case "segments":
                // The index counts URI lines; one without EXTINF is no segment (rule 304).
                let uris = playlist.lines.count { $0.kind == .uri }
                return uris - playlist.segments.count == Self.withoutDuration[path, default: 0] ? uris : nil
            case "discontinuities": return playlist.lines.count { $0.kind == .discontinuity }
            case "MAP": return playlist.maps.count
            case "PDT":
                return playlist.segments.count { $0.programDateTime != nil }
                    + playlist.trailerLines.count { $0.kind == .programDateTime }
            case "BYTERANGE":
                return playlist.segments.count { $0.byteRange != nil } + playlist.maps.count { $0.byteRange != nil }
                    + playlist.parts.count { $0.byteRange != nil }
            case "encrypted": return playlist.segments.count { !playlist.keyGroups[$0.keyGroup].isClear }
            case "I-FRAMES-ONLY": return playlist.isIFramesOnly ? 1 : 0
            case "EXT-X-PART": return playlist.parts.count
            case "EXT-X-PRELOAD-HINT": return playlist.preloadHints.count
            case "EXT-X-DATERANGE": return playlist.dateRanges.count
            case "EXT-X-SKIP": return playlist.skip == nil ? 0 : 1
            case "EXT-X-START": return playlist.start == nil ? 0 : 1
            case "EXT-X-BITRATE": return playlist.segments.count { $0.bitrate != nil }
            case "com.apple.hls.interstitial": return playlist.interstitials.count
            case let word where word.hasPrefix("EXT-"):
                let markers =
                    playlist.segments.indices.flatMap { playlist.markers(ofSegmentAt: $0) } + playlist.trailerMarkers
                return markers.count { playlist.text($0.line.range).hasPrefix("#" + word) }
            default: return nil
            }
        case .multivariant(let playlist):
            switch word {
            case "variants": return playlist.variants.count
            case "I-frame": return playlist.iFrameVariants.count
            case "EXT-X-SESSION-KEY": return playlist.sessionKeys.count
            case "EXT-X-SESSION-DATA": return playlist.sessionData.count
            case "EXT-X-START": return playlist.start == nil ? 0 : 1
            default:
                return Rendition.MediaType(rawValue: String(word)).map { type in
                    playlist.renditions.count { $0.type == .known(type) }
                }
            }
        }
    }

    @Test func `every fixture has what its index says, or is refused with the line that says why`() throws {
        let files = Self.files()
        guard !files.isEmpty else { return }
        #expect(files.count == 367)
        var refused: [String: PlaylistError] = [:]
        var features = 0
        for file in files {
            let playlist: Playlist
            do throws(PlaylistError) {
                playlist = try Playlist(parsing: file.bytes)
            } catch {
                refused[file.path] = error
                continue
            }
            switch playlist {
            case .media(let playlist):
                #expect(file.kind == "media", "\(file.path)")
                switch file.state {
                case "delta": #expect(playlist.skip != nil, "\(file.path)")
                case "live": #expect(!playlist.hasEndList, "\(file.path)")
                default: #expect(playlist.hasEndList || playlist.playlistType == .vod, "\(file.path)")
                }
            case .multivariant: #expect(file.kind == "multivariant", "\(file.path)")
            }
            for feature in file.features {
                let found = try #require(count(feature, in: playlist, file.path), "\(file.path): \(feature)")
                let stated = Int(feature.prefix { $0.isNumber })
                #expect(stated.map { $0 == found } ?? (found > 0), "\(file.path): \(feature), found \(found)")
                features += 1
            }
        }
        #expect(Set(refused.keys) == Set(Self.refused.keys))
        for (path, error) in refused {
            #expect(
                error == PlaylistError(Self.refused[path]?.code ?? .empty, line: 0, detail: ""), "\(path): \(error)")
            #expect(error.line == Self.refused[path]?.line, "\(path): \(error)")
            print("refused: \(path): \(error)")
        }
        print(
            "\(files.count) fixtures: \(files.count - refused.count) read, \(features) features as indexed, \(refused.count) refused"
        )
    }

    @Test func `every fixture passes through byte for byte but for its URIs`() throws {
        let files = Self.files()
        guard !files.isEmpty else { return }
        let base = BaseURI("https://origin.example/path/to/list.m3u8?token=1")
        var counts = (read: 0, carriageReturns: 0, unterminated: 0, marks: 0, lines: 0, uris: 0)
        for file in files where Self.refused[file.path] == nil {
            let (same, resolved, uris): ([UInt8], [UInt8], [PlaylistURI])
            switch try Playlist(parsing: file.bytes) {
            case .media(let playlist):
                (same, resolved, uris) = (playlist.serialized(), playlist.resolvingURIs(against: base), playlist.uris)
                #expect(PlaylistEditor(playlist).applied() == file.bytes, "\(file.path)")
                #expect(PlaylistSplice(playlist).bytes() == file.bytes, "\(file.path)")
            case .multivariant(let playlist):
                (same, resolved, uris) = (playlist.serialized(), playlist.resolvingURIs(against: base), playlist.uris)
                #expect(PlaylistEditor(playlist).applied() == file.bytes, "\(file.path)")
            }
            #expect(same == file.bytes, "\(file.path)")
            let before = lines(file.bytes)
            let after = lines(resolved)
            #expect(before.count == after.count, "\(file.path)")
            for (old, new) in zip(before, after) {
                #expect(withoutURIs(old) == withoutURIs(new), "\(file.path)")
            }
            for uri in after where uri.first?.isLetter ?? false {
                #expect(uri.contains(":"), "\(file.path): \(uri)")
            }
            counts.read += 1
            counts.carriageReturns += file.bytes.contains(0x0D) ? 1 : 0
            counts.unterminated += file.bytes.last == 0x0A ? 0 : 1
            counts.marks += file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 1 : 0
            counts.lines += before.count
            counts.uris += uris.count
        }
        #expect(counts.read == files.count - Self.refused.count)
        print(
            "\(counts.read) fixtures come back as they were, \(counts.lines) lines and \(counts.uris) URIs: \(counts.carriageReturns) with CR LF, "
                + "\(counts.unterminated) without a last line feed, \(counts.marks) with a byte order mark")
    }

    @Test func `edits of any lines leave every other line of every fixture as it was`() throws {
        let files = Self.files()
        guard !files.isEmpty else { return }
        var random = RandomLines(state: 0x9E37_79B9_7F4A_7C15)
        var edits = 0
        for file in files where Self.refused[file.path] == nil {
            let (all, uris): (PlaylistLines, [PlaylistURI])
            switch try Playlist(parsing: file.bytes) {
            case .media(let playlist): (all, uris) = (playlist.lines, playlist.uris)
            case .multivariant(let playlist): (all, uris) = (playlist.lines, playlist.uris)
            }
            let lines = Array(all)
            let byLine = Dictionary(grouping: uris, by: \.line)
            // Of a long playlist some lines, of a short one about each third, in several rounds.
            let rarity = max(3, lines.count / 40)
            for _ in 0..<4 {
                var editor = PlaylistEditor(file.bytes)
                var kept: [[UInt8]] = []
                var touched = 0
                for line in lines {
                    let edited = random.next(rarity) == 0 && edit(line, byLine[line] ?? [], &editor, &random)
                    if edited { touched += 1 } else { kept.append(Array(file.bytes[line.fullRange])) }
                }
                edits += touched
                let result = editor.applied()
                let after = PlaylistLines(all: result).map { Array(result[$0.fullRange]) }
                // The lines that no edit touched, in their order, and between them what the edits have made.
                var index = 0
                for line in after where index < kept.count && line == kept[index] { index += 1 }
                #expect(index == kept.count, "\(file.path): line \(index) of those not touched is lost")
                #expect(after.count <= lines.count + touched && after.count >= kept.count, "\(file.path)")
            }
        }
        #expect(edits > 5_000)
        print("\(edits) edits of fixtures, no other line touched")
    }

    /// Edits a line in one of the ways there are; false where there is nothing to edit.
    private func edit(
        _ line: PlaylistLine, _ uris: [PlaylistURI], _ editor: inout PlaylistEditor, _ random: inout RandomLines
    ) -> Bool {
        switch random.next(6) {
        case 0: editor.remove(line)
        case 1: editor.replace(line.range, with: "#X-REPLACED")
        case 2 where line.kind.hasAttributeList: editor.setAttribute("X-NEW", to: "\"a,b\"", in: line)
        case 3 where line.kind.hasAttributeList: editor.setAttribute("URI", to: "\"new\"", in: line)
        case 4 where line.kind.hasAttributeList: editor.removeAttribute("URI", in: line)
        case 5 where !uris.isEmpty: for uri in uris { editor.replace(uri, with: "new") }
        default: return false
        }
        return true
    }
}

/// Numbers that are the same in every run.
private struct RandomLines {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(truncatingIfNeeded: state >> 33) % max(bound, 1)
    }
}

extension TagKind {
    fileprivate var hasAttributeList: Bool {
        switch self {
        case .key, .map, .part, .dateRange, .preloadHint, .renditionReport, .media, .streamInformation,
            .iFrameStreamInformation, .sessionData, .sessionKey, .contentSteering, .start, .serverControl:
            true
        default: false
        }
    }
}

extension Substring {
    fileprivate func range(of text: String) -> Range<Index>? {
        firstRange(of: text)
    }
}
