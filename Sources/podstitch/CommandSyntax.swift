import Server

/// What a command takes on its line: enough to parse it and to write its help.
struct CommandSyntax: Equatable {
    struct Option: Equatable {
        /// With its dashes: `--config`.
        var name: String
        /// What stands for its value in the help; nil for a switch.
        var value: String?
        var summary: String
        var isRequired = false
        var isRepeatable = false
    }

    struct Operand: Equatable {
        var name: String
        var summary: String
        var isRequired = true
    }

    var name: String
    var summary: String
    var operands: [Operand] = []
    var options: [Option] = []
    /// Further paragraphs of the help.
    var notes = ""

    /// `podstitch serve --config FILE [--listen ADDRESS]`, in several lines where it is long.
    var usage: String {
        var words = ["podstitch", name]
        for operand in operands { words.append(operand.isRequired ? operand.name : "[\(operand.name)]") }
        for option in options {
            let word = option.value.map { "\(option.name) \($0)" } ?? option.name
            let repeated = option.isRepeatable ? "\(word)…" : word
            words.append(option.isRequired ? repeated : "[\(repeated)]")
        }
        var lines = [words.prefix(2).joined(separator: " ")]
        for word in words.dropFirst(2) {
            if lines[lines.count - 1].count + word.count > 110 {
                lines.append("         \(word)")
            } else {
                lines[lines.count - 1] += " \(word)"
            }
        }
        return lines.joined(separator: "\n")
    }

    var help: String {
        var rows = operands.map { ($0.name, $0.summary) }
        rows += options.map { option in (option.value.map { "\(option.name) \($0)" } ?? option.name, option.summary) }
        rows.append(("--help", "Shows this."))
        let width = rows.map(\.0.count).max() ?? 0
        let table = rows.map { name, summary in
            "  \(name)\(String(repeating: " ", count: width - name.count))  \(summary)"
        }
        let head = "usage: \(usage)\n\n\(summary)\n\n\(table.joined(separator: "\n"))\n"
        return notes.isEmpty ? head : "\(head)\n\(notes)\n"
    }
}

/// A command line that cannot be understood, in words for the person who typed it.
struct UsageError: Error, Equatable {
    var message: String
    /// The command whose usage helps.
    var command: CommandSyntax?
}

/// The words of a command line by the syntax of its command.
struct ParsedArguments: Equatable {
    private(set) var operands: [String] = []
    /// Options with a value, in the order given.
    private(set) var options: [(name: String, value: String)] = []
    private(set) var switches: Set<String> = []
    private(set) var asksForHelp = false

    static func == (a: ParsedArguments, b: ParsedArguments) -> Bool {
        a.operands == b.operands && a.switches == b.switches && a.options.map(\.name) == b.options.map(\.name)
            && a.options.map(\.value) == b.options.map(\.value)
    }

    subscript(name: String) -> String? { options.last { $0.name == name }?.value }

    func all(_ name: String) -> [String] { options.filter { $0.name == name }.map(\.value) }

    /// Reads `--name value`, `--name=value`, switches and operands; after `--` all are operands.
    init(_ words: [String], syntax: CommandSyntax) throws(UsageError) {
        func failure(_ message: String) -> UsageError { UsageError(message: message, command: syntax) }
        var rest = words[...]
        var isOperandsOnly = false
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-", !isOperandsOnly else {
                operands.append(word)
                continue
            }
            if word == "--" {
                isOperandsOnly = true
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0]
            if name == "--help" || name == "-h" {
                asksForHelp = true
                return
            }
            guard let option = syntax.options.first(where: { $0.name == name }) else {
                let meant = likelyMeant(name, among: syntax.options.map(\.name) + ["--help"])
                throw failure("unknown option \(name)" + (meant.map { ", did you mean \($0)?" } ?? ""))
            }
            guard option.value != nil else {
                guard parts.count == 1 else { throw failure("\(name) takes no value") }
                switches.insert(name)
                continue
            }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
                throw failure("\(name) needs a value")
            }
            guard option.isRepeatable || self[name] == nil else { throw failure("\(name) is given twice") }
            options.append((name, value))
        }
        for option in syntax.options where option.isRequired && self[option.name] == nil {
            throw failure("\(option.name) is missing")
        }
        let needed = syntax.operands.count { $0.isRequired }
        guard operands.count >= needed else { throw failure("\(syntax.operands[operands.count].name) is missing") }
        guard operands.count <= syntax.operands.count else {
            throw failure("unexpected \(operands[syntax.operands.count])")
        }
    }
}
