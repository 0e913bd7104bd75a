import FoundationEssentials

/// Finds the shared fixture set where it is at hand.
enum Fixtures {
    /// A folder `shared/fixtures/vast` named by PODSTITCH_SHARED or beside a folder above the package.
    static let shared: String? = {
        var candidates: [String] = []
        if let named = ProcessInfo.processInfo.environment["PODSTITCH_SHARED"] { candidates.append(named) }
        var folder = #filePath
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            candidates.append(folder + "/shared")
        }
        return candidates.map { $0 + "/fixtures/vast" }.first { FileManager.default.fileExists(atPath: $0) }
    }()

    static func bytes(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { Array($0) }
    }
}
