import FoundationEssentials
import Glibc
import HLS
import Server
import Transport

/// What came of loading a location.
enum LintLoad: Sendable {
    /// The bytes, where references in them start from, and the answer if it came over HTTP (any status).
    case loaded([UInt8], base: String, answer: LintAnswer?)
    /// Nothing came; the reason for the person at the terminal.
    case failed(String)
    /// The run was stopped.
    case cancelled
}

/// Where a lint run reads from.
protocol LintLoading: Sendable {
    /// - Parameter timeout: for all of it; nil for the usual.
    func load(_ location: String, timeout: Duration?) async -> LintLoad
    /// Why a resource cannot be loaded; nil where it can, or where that cannot be told.
    func problem(with url: String) async -> String?
}

/// Reads files, standard input and the web.
struct LintLoader: LintLoading {
    private let client: HTTPClient
    private let standardInput: @Sendable () -> [UInt8]?

    /// A playlist of three days is some megabytes.
    private static let byteLimit = 64 << 20

    /// - Parameter standardInput: all that stands on it; nil where it cannot be read.
    init(client: HTTPClient, standardInput: @escaping @Sendable () -> [UInt8]? = LintLoader.readStandardInput) {
        self.client = client
        self.standardInput = standardInput
    }

    func load(_ location: String, timeout: Duration?) async -> LintLoad {
        guard LintURL.isWeb(location) else { return file(location) }
        var request = HTTPClientRequest(url: location)
        request.headers = [("Origin", AnswerLint.origin), ("User-Agent", "podstitch-lint")]
        request.byteLimit = Self.byteLimit
        if let timeout { request.timeout = timeout }
        do {
            let response = try await client.fetch(request)
            return .loaded(response.body, base: response.finalURL, answer: LintAnswer(url: location, response))
        } catch {
            return error.code == .cancelled ? .cancelled : .failed(error.description)
        }
    }

    private func file(_ location: String) -> LintLoad {
        if location == "-" {
            guard let bytes = standardInput() else { return .failed("standard input cannot be read") }
            return .loaded(bytes, base: "", answer: nil)
        }
        let path = location.hasPrefix("file://") ? String(location.dropFirst("file://".count)) : location
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return .failed("no such file")
        }
        guard !isFolder else { return .failed("a folder, not a file") }
        guard let data = FileManager.default.contents(atPath: path) else { return .failed("cannot be read") }
        return .loaded([UInt8](data), base: location, answer: nil)
    }

    /// All of it up to the limit; nil where reading fails.
    static func readStandardInput() -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < byteLimit {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes.append(contentsOf: buffer[..<count])
            } else if errno != EINTR {
                return nil
            }
        }
        return bytes
    }

    /// Asks for the first byte: HEAD is what many servers do not answer.
    func problem(with url: String) async -> String? {
        var request = HTTPClientRequest(url: url)
        request.headers = [("Range", "bytes=0-0"), ("User-Agent", "podstitch-lint")]
        // A server that knows no ranges sends all: that it does is enough.
        request.byteLimit = 65_536
        do {
            let status = try await client.fetch(request).status
            return status < 400 || status == 416 ? nil : "status \(status)"
        } catch {
            return error.code == .cancelled || error.code == .tooLarge ? nil : error.code.rawValue
        }
    }
}

/// Does the same for many inputs, so many at a time at most. Outputs have the order of the inputs.
func inParallel<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], limit: Int, _ body: @escaping @Sendable (Input) async -> Output
) async -> [Output] {
    await withTaskGroup(of: (Int, Output).self) { group in
        var next = 0
        func add(_ group: inout TaskGroup<(Int, Output)>) {
            guard next < inputs.count else { return }
            let index = next
            let input = inputs[index]
            next += 1
            group.addTask { (index, await body(input)) }
        }
        for _ in 0..<min(limit, inputs.count) { add(&group) }
        var outputs: [Output?] = Array(repeating: nil, count: inputs.count)
        while let (index, output) = await group.next() {
            outputs[index] = output
            add(&group)
        }
        return outputs.compactMap(\.self)
    }
}
