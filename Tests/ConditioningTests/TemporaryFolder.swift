import FoundationEssentials

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory.path() + "conditioning-"
            + String(UInt64.random(in: .min ... .max), radix: 36)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
        let file = "\(path)/\(name)"
        let folder = file.prefix(upTo: file.lastIndex(of: "/") ?? file.startIndex)
        try FileManager.default.createDirectory(atPath: String(folder), withIntermediateDirectories: true)
        guard FileManager.default.createFile(atPath: file, contents: Data(text.utf8)) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// All files in it, sorted.
    func files(in folder: String = "") -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: "\(path)/\(folder)")) ?? []).filter { name in
            var isFolder = false
            return FileManager.default.fileExists(atPath: "\(path)/\(folder)/\(name)", isDirectory: &isFolder)
                && !isFolder
        }.sorted()
    }
}
