import Foundation
import RegexBuilder

/// The files of this repository, as the tests see them.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Paths of all files below `folder`, relative to the root, sorted; build products and git's own left out.
    static func files(in folder: String = "", suffix: String = "") -> [String] {
        let start = folder.isEmpty ? root : root.appending(path: folder)
        guard let walk = FileManager.default.enumerator(at: start, includingPropertiesForKeys: [.isRegularFileKey])
        else {
            return []
        }
        let prefix = root.path(percentEncoded: false)
        var paths: [String] = []
        for case let file as URL in walk {
            let name = file.lastPathComponent
            if name.hasPrefix(".build") || name == ".git" || name == "__pycache__" {
                walk.skipDescendants()
                continue
            }
            guard (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true else { continue }
            let path = String(file.path(percentEncoded: false).dropFirst(prefix.count))
            if path.hasSuffix(suffix) { paths.append(path.hasPrefix("/") ? String(path.dropFirst()) : path) }
        }
        return paths.sorted()
    }

    /// Text of a file; empty when it is not text.
    static func text(_ path: String) -> String {
        (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path(percentEncoded: false))
    }

    static func isExecutable(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: root.appending(path: path).path(percentEncoded: false))
    }

    /// Names of the folders right below `folder`.
    static func folders(in folder: String) -> [String] {
        Set(
            files(in: folder).compactMap { path in
                let parts = path.split(separator: "/")
                return parts.count > 2 ? String(parts[1]) : nil
            }
        ).sorted()
    }

    /// Finds the module of an import line.
    static var importExpression: Regex<(Substring, Substring)> {
        let modifiers = /(?:@[A-Za-z_]+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?/
        let kinds = /(?:(?:struct|class|enum|protocol|func|var|typealias)\s+)?/
        return Regex {
            /^\s*/
            modifiers
            /import\s+/
            kinds
            Capture { /[A-Za-z_][A-Za-z0-9_]*/ }
        }
    }

    /// Modules that a Swift file imports.
    static func imports(of path: String) -> Set<String> {
        let expression = importExpression
        let modules = text(path).split(separator: "\n").compactMap { line in
            try? expression.firstMatch(in: line)?.1
        }
        return Set(modules.map(String.init))
    }
}
