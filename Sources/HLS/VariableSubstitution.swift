/// Writes a playlist in plain text: references replaced in URI lines, quoted strings and hexadecimal sequences, definitions
/// gone (rules 1201-1204). Values are not searched for references again.
struct VariableSubstitution {
    private(set) var variables = PlaylistVariables()
    /// Up to ``faultLimit``.
    private(set) var faults: [VariableFault] = []

    private let source: [UInt8]
    /// Variables of the multivariant playlist; nil in that playlist itself.
    private let imported: PlaylistVariables?
    private let uri: [UInt8]
    private var output: PlaylistText
    /// Up to where the source is written.
    private var position = 0
    private var lineNumber = 0

    /// What the text may have at most, and all values together.
    private let byteLimit: Int
    /// The bytes of all values.
    private var valueBytes = 0

    /// Longest value. Values may name earlier variables, and would double with each definition.
    private static let valueLimit = 65_536
    private static let faultLimit = 256

    init(_ source: [UInt8], imported: PlaylistVariables?, uri: String) {
        self.source = source
        self.imported = imported
        self.uri = Array(uri.utf8)
        byteLimit = source.count &* 16 &+ 1_048_576
        output = PlaylistText(reservingBytes: source.count)
    }

    /// The text. Reads the definitions on its way; what is wrong with them is in ``faults``.
    ///
    /// - Throws: `tooLarge` where the text would outgrow memory.
    mutating func bytes(_ lines: PlaylistLines) throws(PlaylistError) -> [UInt8] {
        for line in lines {
            lineNumber += 1
            switch line.kind {
            case .define:
                try define(VariableDefinition(source, line: line))
                output.append(source, in: position..<line.fullRange.lowerBound)
                position = line.fullRange.upperBound
            case .uri: try append(line.range)
            default:
                guard line.kind.hasAttributeList else { break }
                var scanner = AttributeScanner(line.valueRange(in: source))
                while let attribute = scanner.next(in: source.span) {
                    if attribute.isQuoted || source.span.isHexadecimalStart(attribute.value) {
                        try append(attribute.value)
                    }
                }
            }
        }
        output.append(source, in: position..<source.count)
        return output.bytes
    }

    // MARK: References

    /// Appends the source up to `range`, and `range` with its references replaced.
    private mutating func append(_ range: Range<Int>) throws(PlaylistError) {
        guard source.span.firstIndex(of: 0x7B, in: range) != nil else { return }
        var text = PlaylistText()
        swap(&text, &output)
        defer { swap(&text, &output) }
        text.append(source, in: position..<range.lowerBound)
        try appendReplaced(range, to: &text, limit: byteLimit, "variables make it too large")
        position = range.upperBound
    }

    /// Appends a range with its references replaced. What is appended is looked at with each of them: a line may have millions.
    private mutating func appendReplaced(
        _ range: Range<Int>, to output: inout PlaylistText, limit: Int, _ detail: String
    ) throws(PlaylistError) {
        var position = range.lowerBound
        while let brace = source.span.firstIndex(of: 0x7B, in: position..<range.upperBound) {
            output.append(source, in: position..<brace)
            position = brace
            guard let reference = Self.reference(source.span, at: brace, end: range.upperBound) else {
                output.append(byte: 0x7B)
                position += 1
                continue
            }
            let name = source.text(in: reference)
            position = reference.upperBound + 1
            if let value = variables.values[name] {
                guard output.count + value.count <= limit else {
                    throw PlaylistError(.tooLarge, line: lineNumber, detail: detail)
                }
                output.append(value)
            } else {
                report(1203, .undefinedVariable, "{$\(name)} is not defined before it")
                output.append(source, in: brace..<position)
            }
        }
        output.append(source, in: position..<range.upperBound)
    }

    /// The name of a reference `{$name}` whose brace stands at `start`.
    private static func reference(_ bytes: Span<UInt8>, at start: Int, end: Int) -> Range<Int>? {
        guard start + 3 < end, bytes[start + 1] == 0x24 else { return nil }
        for position in start + 2..<end {
            if bytes[position] == 0x7D { return position > start + 2 ? start + 2..<position : nil }
            guard VariableDefinition.isLegal(bytes[position]) else { return nil }
        }
        return nil
    }

    // MARK: Definitions

    private mutating func define(_ definition: VariableDefinition) throws(PlaylistError) {
        guard let origin = definition.origin else {
            return report(1201, .invalidDefinition, "neither NAME nor IMPORT nor QUERYPARAM")
        }
        let name = definition.name
        if definition.isAmbiguous { report(1201, .invalidDefinition, "more than one of NAME, IMPORT and QUERYPARAM") }
        guard definition.hasLegalName else {
            return report(1204, .invalidDefinition, "\"\(name)\" is no name of a variable")
        }
        let value: [UInt8]?
        switch origin {
        case .value: value = try text(of: definition, name)
        case .imported: value = importedValue(name)
        case .queryParameter: value = queryParameter(name)
        }
        guard let value else { return }
        guard variables.values[name] == nil else {
            return report(1202, .duplicateDefinition, "\(name) is defined before")
        }
        valueBytes += value.count
        guard valueBytes <= byteLimit else {
            throw PlaylistError(.tooLarge, line: lineNumber, detail: "values of all variables")
        }
        variables.values[name] = value
    }

    private mutating func text(
        of definition: VariableDefinition, _ name: String
    ) throws(PlaylistError) -> [UInt8] {
        guard let value = definition.attributes["VALUE"] else {
            report(1201, .invalidDefinition, "\(name) has no VALUE")
            return []
        }
        var text = PlaylistText()
        try appendReplaced(value.range, to: &text, limit: Self.valueLimit, "value of a variable")
        guard text.count <= Self.valueLimit else {
            throw PlaylistError(.tooLarge, line: lineNumber, detail: "value of a variable")
        }
        return text.bytes
    }

    private mutating func importedValue(_ name: String) -> [UInt8]? {
        guard let imported else {
            report(1204, .invalidDefinition, "IMPORT in a multivariant playlist")
            return nil
        }
        guard let value = imported.values[name] else {
            report(1204, .undefinedVariable, "nothing to import as \(name)", lacking: .imported)
            return nil
        }
        return value
    }

    private mutating func queryParameter(_ name: String) -> [UInt8]? {
        guard let value = QueryParameters.value(of: name, in: uri) else {
            report(1204, .undefinedVariable, "no query parameter \(name) with a value", lacking: .queryParameter)
            return nil
        }
        // A line break would add lines to the playlist, and a quote end the string.
        guard !value.contains(where: { $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }) else {
            report(
                1204, .invalidDefinition, "query parameter \(name) has a quote or a line break",
                lacking: .queryParameter)
            return nil
        }
        return value
    }

    private mutating func report(
        _ rule: Int, _ code: PlaylistError.Code, _ detail: String, lacking origin: VariableDefinition.Origin? = nil
    ) {
        guard faults.count < Self.faultLimit else { return }
        let error = PlaylistError(code, line: lineNumber, detail: detail)
        faults.append(VariableFault(rule: rule, error: error, lackingOrigin: origin))
    }
}

/// Parameters in the query of a URI.
enum QueryParameters {
    /// The percent-decoded value of the first parameter of that name that has one; it may be empty.
    static func value(of name: String, in uri: [UInt8]) -> [UInt8]? {
        guard let query = URIComponents(uri.span, in: 0..<uri.count).query else { return nil }
        for pair in uri[query].split(separator: 0x26) {
            guard let sign = pair.firstIndex(of: 0x3D),
                PercentText.decoded(bytes: pair[..<sign]).elementsEqual(name.utf8)
            else { continue }
            return PercentText.decoded(bytes: pair[(sign + 1)...])
        }
        return nil
    }
}
