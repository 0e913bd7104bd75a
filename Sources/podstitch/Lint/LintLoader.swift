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
    private let standardInput: @Sendable () -> InputFile.Outcome

    /// - Parameter standardInput: all that stands on it.
    init(
        client: HTTPClient,
        standardInput: @escaping @Sendable () -> InputFile.Outcome = { InputFile.readStandardInput() }
    ) {
        self.client = client
        self.standardInput = standardInput
    }

    func load(_ location: String, timeout: Duration?) async -> LintLoad {
        guard LintURL.isWeb(location) else { return file(location) }
        var request = HTTPClientRequest(url: location)
        request.headers = [("Origin", AnswerLint.origin), ("User-Agent", "podstitch-lint")]
        request.byteLimit = InputFile.byteLimit
        if let timeout { request.timeout = timeout }
        do {
            let response = try await client.fetch(request)
            return .loaded(response.body, base: response.finalURL, answer: LintAnswer(url: location, response))
        } catch {
            return error.code == .cancelled ? .cancelled : .failed(error.description)
        }
    }

    private func file(_ location: String) -> LintLoad {
        switch location == "-" ? standardInput() : InputFile.read(location) {
        case .read(let bytes): .loaded(bytes, base: location == "-" ? "" : location, answer: nil)
        case .failed(let reason): .failed(reason)
        case .cancelled: .cancelled
        }
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
