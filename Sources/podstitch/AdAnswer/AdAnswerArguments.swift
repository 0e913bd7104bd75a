import HLS
import Server
import Transport

/// `podstitch vast`: what to resolve, and what the ad server is told.
struct AdAnswerArguments: Equatable {
    /// A path, a URL with its macros, or `-` for standard input.
    var source: String
    var isJSON = false
    /// `[player_params.NAME]`.
    var playerParameters: [String: String] = [:]
    /// Of the break; nil: not told.
    var availDuration: Duration?
    var viewer = Viewer(address: "")
    /// Sent to the host of `source` alone.
    var headers: [HeaderOption] = []
    /// For the whole answer, wrappers included.
    var timeout = Duration.seconds(8)
    var wrapperLimit = 5
    /// As for a source whose players report what they show: they call, and overlays are for them.
    var tellsPlayer = false
    /// Hosts that answers name may have private addresses.
    var allowsPrivateAddresses = false

    static let syntax = CommandSyntax(
        name: "vast",
        summary: "Resolves a VAST or VMAP answer as the server does, and tells what becomes of each ad.",
        operands: [.init(name: "FILE|URL", summary: "An ad answer, or an ad tag with macros; - reads standard input.")],
        options: [
            .init(name: "--json", summary: "Write one JSON document, with everything that the ads carry."),
            .init(
                name: "--duration", value: "SECONDS", summary: "Length of the break: [session.avail_duration_secs]."),
            .init(
                name: "--param", value: "NAME=VALUE", summary: "A parameter of the viewer's: [player_params.NAME].",
                isRepeatable: true),
            .init(name: "--user-agent", value: "TEXT", summary: "The viewer's User-Agent."),
            .init(name: "--ip", value: "ADDRESS", summary: "The viewer's address."),
            .init(
                name: "--header", value: "NAME:VALUE", summary: "Sent to the ad server, not to wrappers.",
                isRepeatable: true),
            .init(name: "--timeout", value: "SECONDS", summary: "For the answer and all its wrappers (8)."),
            .init(name: "--wrappers", value: "N", summary: "Wrappers in one chain (5)."),
            .init(
                name: "--client",
                summary: "As with tracking: \"client\": overlays are kept, and the calls are the player's."),
            .init(
                name: "--allow-private", summary: "Follow wrappers to private addresses, which the server refuses."),
        ],
        notes: """
            Nothing is reported to anybody: the URLs that the server would call are told, with their macros filled in.
            Ends with 0 where there is an ad, 1 where there is none, 2 where nothing could be read.
            """)

    init(source: String) { self.source = source }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        source = arguments.operands[0]
        isJSON = arguments.switches.contains("--json")
        tellsPlayer = arguments.switches.contains("--client")
        allowsPrivateAddresses = arguments.switches.contains("--allow-private")
        availDuration = try Self.seconds("--duration", arguments, upTo: 86_400)
        timeout = try Self.seconds("--timeout", arguments, upTo: 120) ?? timeout
        if let text = arguments["--wrappers"] {
            guard let number = Int(text), (0...20).contains(number) else {
                throw Self.failure("--wrappers \(text): not a number from 0 to 20")
            }
            wrapperLimit = number
        }
        for text in arguments.all("--param") {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else { throw Self.failure("--param \(text): not NAME=VALUE") }
            playerParameters[parts[0]] = parts[1]
        }
        for text in arguments.all("--header") {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else { throw Self.failure("--header \(text): not NAME:VALUE") }
            headers.append(HeaderOption(name: parts[0], value: String(parts[1].drop { $0 == " " })))
        }
        if let address = arguments["--ip"], AddressRange(parsing: address) == nil {
            throw Self.failure("--ip \(address): not an address")
        }
        viewer = Viewer(address: arguments["--ip"] ?? "", userAgent: arguments["--user-agent"])
    }

    private static func seconds(
        _ name: String, _ arguments: ParsedArguments, upTo limit: Int
    ) throws(UsageError) -> Duration? {
        guard let text = arguments[name] else { return nil }
        guard let duration = DecimalText.duration(text), duration > .zero, duration <= .seconds(limit) else {
            throw failure("\(name) \(text): not seconds, like 30 or 0.5, and at most \(limit)")
        }
        return duration
    }

    private static func failure(_ message: String) -> UsageError { UsageError(message: message, command: syntax) }
}
