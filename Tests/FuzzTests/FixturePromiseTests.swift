import FuzzChecks
import Glibc
import Testing

/// The promises of the fuzz checks, on playlists of other projects.
@Suite struct FixturePromiseTests {
    static let folder: String? = {
        if let path = getenv("PODSTITCH_SHARED") { return String(cString: path) + "/fixtures/hls" }
        var path = #filePath[...]
        while let slash = path.lastIndex(of: "/") {
            path = path[..<slash]
            if access(path + "/shared/fixtures/hls", R_OK) == 0 { return path + "/shared/fixtures/hls" }
        }
        return nil
    }()

    static let files: [(path: String, bytes: [UInt8])] = {
        guard let folder, let index = FuzzCorpusTests.read(folder + "/INDEX.tsv") else {
            print("skipped: no fixtures")
            return []
        }
        return String(decoding: index, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line in
            let path = String(line.prefix { $0 != "\t" })
            // The longest ones add nothing but time.
            guard let bytes = FuzzCorpusTests.read("\(folder)/\(path)"), bytes.count < 20_000 else { return nil }
            return (path, bytes)
        }
    }()

    @Test(arguments: FuzzCheck.allCases.filter(\.hasLines))
    func `all promises hold for every fixture`(check: FuzzCheck) {
        for file in Self.files {
            do throws(FuzzFailure) {
                try check.run(file.bytes)
            } catch {
                Issue.record("\(file.path): \(error)")
            }
        }
    }
}
