struct SpliceArguments: Equatable {
    /// As given; `-` stands for standard input.
    var text: String
    /// Reads on where the CRC does not match.
    var ignoresChecksum = false

    static let syntax = CommandSyntax(
        name: "scte35",
        summary: "Prints what an SCTE-35 message says, as JSON.",
        operands: [
            .init(name: "TEXT", summary: "Base64 or hexadecimal, or lines of a playlist; - reads standard input.")
        ],
        options: [
            .init(name: "--ignore-checksum", value: nil, summary: "Shows also what a message with a wrong CRC says.")
        ],
        notes: """
            TEXT may be base64 (also the URL alphabet, without padding), or hexadecimal with or without 0x, in quotes or not;
            or EXT-X tags as they stand in a playlist, or a whole playlist: each message in it gives one JSON object.
            Names are those of the standard; times are told in ticks of 90 kHz and in seconds.
            Ends with 0 where all messages were read, 1 where one is refused or there is none.
            """)

    init(_ arguments: ParsedArguments) {
        text = arguments.operands[0]
        ignoresChecksum = arguments.switches.contains("--ignore-checksum")
    }
}
