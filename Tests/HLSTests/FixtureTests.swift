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

    /// Path, kind and state of each file, from the index.
    static func files() -> [(path: String, kind: Substring, bytes: [UInt8])] {
        guard let folder, let index = read(folder + "/INDEX.tsv") else {
            print("skipped: no fixtures")
            return []
        }
        return String(decoding: index, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: "\t")
            guard fields.count >= 2, let bytes = read("\(folder)/\(fields[0])") else { return nil }
            return (String(fields[0]), fields[1], bytes)
        }
    }

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

    @Test func `every fixture passes through byte for byte but for its URIs, or is refused with a line`() throws {
        let files = Self.files()
        guard !files.isEmpty else { return }
        #expect(files.count == 367)
        let base = BaseURI("https://origin.example/path/to/list.m3u8?token=1")
        var refused: [String] = []
        for file in files {
            let resolved: [UInt8]
            do {
                switch try Playlist(parsing: file.bytes) {
                case .media(let playlist):
                    #expect(file.kind == "media", "\(file.path)")
                    #expect(playlist.serialized() == file.bytes, "\(file.path)")
                    resolved = playlist.resolvingURIs(against: base)
                case .multivariant(let playlist):
                    #expect(file.kind == "multivariant", "\(file.path)")
                    #expect(playlist.serialized() == file.bytes, "\(file.path)")
                    resolved = playlist.resolvingURIs(against: base)
                }
            } catch {
                #expect(error.line > 0, "\(file.path)")
                refused.append("\(file.path): \(error)")
                continue
            }
            let before = lines(file.bytes)
            let after = lines(resolved)
            #expect(before.count == after.count, "\(file.path)")
            for (old, new) in zip(before, after) {
                #expect(withoutURIs(old) == withoutURIs(new), "\(file.path)")
            }
            for uri in after where uri.first?.isLetter ?? false {
                #expect(uri.contains(":"), "\(file.path): \(uri)")
            }
        }
        for line in refused { print(line) }
        #expect(refused.count <= 5, "\(refused)")
    }
}

extension Substring {
    fileprivate func range(of text: String) -> Range<Index>? {
        firstRange(of: text)
    }
}
