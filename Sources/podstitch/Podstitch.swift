import FoundationEssentials
import Glibc
import Server

/// The program: understands its command line and does what it asks. Ends with 0 for done, 1 for failed, 2 for misunderstood.
@main
struct Podstitch {
    static func main() async {
        // A viewer or a reader of the log that goes away must not end the server.
        signal(SIGPIPE, SIG_IGN)
        let status = await run(Array(CommandLine.arguments.dropFirst()))
        fflush(nil)
        exit(status)
    }

    static func run(_ words: [String]) async -> Int32 {
        let command: Command
        do {
            command = try Command(words)
        } catch {
            let usage = error.command?.usage ?? "podstitch COMMAND [OPTION…]"
            let more = error.command.map { "podstitch \($0.name) --help" } ?? "podstitch --help"
            complain("podstitch: \(error.message)\nusage: \(usage)\n\(more) tells more.")
            return 2
        }
        switch command {
        case .help(let syntax):
            print(syntax?.help ?? Command.help, terminator: "")
            return 0
        case .version:
            print(Command.versionText)
            return 0
        case .checkConfiguration(let file): return checkConfiguration(file)
        case .serve(let arguments): return await serve(arguments)
        case .demo(let arguments): return await demo(arguments)
        case .stitch(let arguments): return await stitch(arguments)
        case .lint(let arguments): return await lint(arguments)
        case .scte35(let arguments): return scte35(arguments)
        case .vast(let arguments): return await vast(arguments)
        }
    }

    /// For the person at the terminal, on standard error.
    static func complain(_ text: String) {
        FileHandleOutput.standardError(text + "\n")
    }

    static func checkConfiguration(_ file: String) -> Int32 {
        do {
            print(try Configuration.load(path: file).summary)
            return 0
        } catch {
            complain(error.description)
            return 1
        }
    }
}

/// Writes whole texts to the standard streams.
enum FileHandleOutput {
    static func standardError(_ text: String) { write(Array(text.utf8), to: STDERR_FILENO) }

    /// Writes all of the bytes, or as many as the reader takes.
    static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}

extension Configuration {
    /// What a good configuration sets up, in a few lines.
    var summary: String {
        var lines = ["ok: viewers on \(server.listen), operators on \(server.admin?.description ?? "nowhere")"]
        for source in channels + titles {
            let route = "/\(source.kind.rawValue)/\(source.name)/master.m3u8"
            let ads = adProviders(of: source).compactMap { provider -> String? in
                switch provider {
                case .none: nil
                case .vast(let provider): redactedURL(provider.url)
                case .schedule(let listed): "a list of \(listed.ads.count)"
                }
            }
            let told = ads.isEmpty ? "no ads" : "ads from \(ads.joined(separator: ", then "))"
            lines.append("  \(route)  from \(redactedURL(source.origin)), \(told)")
        }
        if channels.isEmpty && titles.isEmpty { lines.append("  neither channels nor titles") }
        return lines.joined(separator: "\n")
    }
}
