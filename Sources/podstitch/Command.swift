import Server

/// What a command line asks for. Parsing it is pure; `Podstitch` does it.
enum Command: Equatable {
    case help(CommandSyntax?)
    case version
    case serve(ServeArguments)
    case checkConfiguration(file: String)
    case demo(DemoArguments)
    case stitch(StitchArguments)
    case lint(LintArguments)
    case scte35(SpliceArguments)
    case vast(AdAnswerArguments)

    /// Shown by `--version`.
    static let versionText = "podstitch 0.1.0"

    static let all = [
        ServeArguments.syntax, checkConfigurationSyntax, DemoArguments.syntax, StitchArguments.syntax,
        LintArguments.syntax, SpliceArguments.syntax, AdAnswerArguments.syntax,
    ]

    static let checkConfigurationSyntax = CommandSyntax(
        name: "check-config",
        summary: "Checks a configuration file: prints what is wrong with it, line by line, or what it sets up.",
        operands: [.init(name: "FILE", summary: "Configuration (JSON5).")],
        notes: "Ends with 0 where the file is good, 1 where it is not.")

    static var help: String {
        let width = all.map(\.name.count).max() ?? 0
        let rows = all.map { syntax in
            "  \(syntax.name)\(String(repeating: " ", count: width - syntax.name.count))  \(syntax.summary)"
        }
        return """
            usage: podstitch COMMAND [OPTION…]

            Stitches ads into HLS streams, live and VOD, for each viewer.

            \(rows.joined(separator: "\n"))

            podstitch COMMAND --help tells the options of a command. podstitch --version tells the version.

            """
    }

    /// - Parameter words: the command line without the program's name.
    init(_ words: [String]) throws(UsageError) {
        guard let name = words.first else { throw UsageError(message: "a command is missing", command: nil) }
        let rest = Array(words.dropFirst())
        switch name {
        case "--help", "-h", "help":
            self = .help(try rest.first.map { name throws(UsageError) in try Self.syntax(of: name) })
            return
        case "--version", "version":
            self = .version
            return
        default: break
        }
        let syntax = try Self.syntax(of: name)
        let arguments = try ParsedArguments(rest, syntax: syntax)
        if arguments.asksForHelp {
            self = .help(syntax)
            return
        }
        switch name {
        case "serve": self = .serve(try ServeArguments(arguments))
        case "check-config": self = .checkConfiguration(file: arguments.operands[0])
        case "demo": self = .demo(try DemoArguments(arguments))
        case "lint": self = .lint(try LintArguments(arguments))
        case "scte35": self = .scte35(SpliceArguments(arguments))
        case "vast": self = .vast(try AdAnswerArguments(arguments))
        default: self = .stitch(try StitchArguments(arguments))
        }
    }

    private static func syntax(of name: String) throws(UsageError) -> CommandSyntax {
        if let syntax = all.first(where: { $0.name == name }) { return syntax }
        let kind = name.hasPrefix("-") ? "option" : "command"
        let meant = likelyMeant(name, among: all.map(\.name) + ["--help", "--version"])
        let hint = meant.map { ", did you mean \($0)?" } ?? ""
        throw UsageError(message: "unknown \(kind) \(name)\(hint)", command: nil)
    }
}

struct ServeArguments: Equatable {
    var configurationFile: String
    /// Stands above the file's `server.listen`.
    var listen: ListenAddress?
    /// Stands above the file's `server.admin`.
    var admin: ListenAddress?

    static let syntax = CommandSyntax(
        name: "serve",
        summary: "Runs the server.",
        options: [
            .init(name: "--config", value: "FILE", summary: "Configuration (JSON5).", isRequired: true),
            .init(name: "--listen", value: "ADDRESS", summary: "Host and port for viewers, instead of the file's."),
            .init(name: "--admin", value: "ADDRESS", summary: "Host and port for operators, instead of the file's."),
        ],
        notes: """
            SIGTERM and SIGINT let running requests end, then stop the server. The log is one JSON object a line on
            standard error; the environment variable PODSTITCH_LOG_LEVEL (debug, info, warning, error) sets its level.
            Ends with 1 where the configuration is wrong or the address is taken.
            """)

    init(_ arguments: ParsedArguments) throws(UsageError) {
        configurationFile = arguments["--config"] ?? ""
        listen = try Self.address("--listen", arguments)
        admin = try Self.address("--admin", arguments)
    }

    private static func address(_ name: String, _ arguments: ParsedArguments) throws(UsageError) -> ListenAddress? {
        guard let text = arguments[name] else { return nil }
        guard let address = ListenAddress(parsing: text) else {
            throw UsageError(
                message: "\(name) \(text): not an address with a port, like 127.0.0.1:8080", command: syntax)
        }
        return address
    }
}

struct DemoArguments: Equatable {
    var port: UInt16 = 8080
    var adminPort: UInt16 = 8081
    /// Where the demo's media are kept; nil for the usual place.
    var mediaFolder: String?

    static let syntax = CommandSyntax(
        name: "demo",
        summary: "Runs the server with an origin and an ad server of its own, on this machine, to try it out.",
        options: [
            .init(name: "--port", value: "PORT", summary: "Port for viewers (8080); 0 for any free one."),
            .init(name: "--admin-port", value: "PORT", summary: "Port for operators (8081); 0 for any free one."),
            .init(
                name: "--media", value: "FOLDER", summary: "Where the demo keeps its media (~/.cache/podstitch/demo)."),
        ],
        notes: """
            The first start needs ffmpeg to make the media, once. What to play is printed when all is running; Ctrl-C
            stops it.
            """)

    init(_ arguments: ParsedArguments) throws(UsageError) {
        port = try Self.port("--port", arguments) ?? port
        adminPort = try Self.port("--admin-port", arguments) ?? adminPort
        mediaFolder = arguments["--media"]
    }

    private static func port(_ name: String, _ arguments: ParsedArguments) throws(UsageError) -> UInt16? {
        guard let text = arguments[name] else { return nil }
        guard let port = UInt16(text), !text.hasPrefix("+") else {
            throw UsageError(message: "\(name) \(text): not a port", command: syntax)
        }
        return port
    }
}
