package import FoundationEssentials

/// Where secrets come from: files and the environment. Injected, so that tests touch neither.
package struct SecretSource: Sendable {
    /// The bytes of a file, nil where it cannot be read. A relative path is taken from the configuration file's folder.
    package var file: @Sendable (_ path: String) -> Data?
    /// The value of an environment variable.
    package var environment: @Sendable (_ name: String) -> String?

    package init(
        file: @escaping @Sendable (String) -> Data?, environment: @escaping @Sendable (String) -> String?
    ) {
        self.file = file
        self.environment = environment
    }

    /// The real files, relative to a folder, and the process's environment.
    package static func system(folder: String) -> SecretSource {
        SecretSource(
            file: { path in
                let isAbsolute = path.hasPrefix("/") || folder.isEmpty
                return FileManager.default.contents(atPath: isAbsolute ? path : "\(folder)/\(path)")
            },
            environment: { ProcessInfo.processInfo.environment[$0] })
    }

    /// No files, no environment.
    package static let none = SecretSource(file: { _ in nil }, environment: { _ in nil })
}
