/// Rules of EXT-X-DATERANGE: 811-818, and 801 of its dates. Tags of one ID are put together as players do.
struct DateRangeLint: LintCheck {
    /// What the tags of one ID say together.
    struct Range {
        let id: String
        let line: Int
        /// The first value of each attribute.
        var attributes: [AttributeScanner.Attribute] = []
        /// The lines that attributes of further tags stand in, by their place among ``attributes``.
        var laterLines: [Int: Int] = [:]
        var inLine = 0

        func attribute(_ name: StaticString, _ bytes: Span<UInt8>) -> AttributeScanner.Attribute? {
            attributes.first { bytes.equals(name, in: $0.name) }
        }

        /// The last of the lines that these attributes stand in: where a fault between them shows.
        func line(of names: [StaticString], _ bytes: Span<UInt8>) -> Int {
            names.reduce(line) { last, name in
                guard let index = attributes.firstIndex(where: { bytes.equals(name, in: $0.name) }) else { return last }
                return max(last, laterLines[index] ?? line)
            }
        }

        func text(_ name: StaticString, _ bytes: Span<UInt8>) -> String? {
            attribute(name, bytes).map { bytes.string($0.value) }
        }

        func duration(_ name: StaticString, _ bytes: Span<UInt8>) -> Duration? {
            attribute(name, bytes).flatMap { DecimalText.duration(bytes, in: $0.value) }
        }

        func date(_ name: StaticString, _ bytes: Span<UInt8>) -> DateTime? {
            attribute(name, bytes).flatMap { DateTime(bytes, in: $0.value) }
        }
    }

    /// IDs remembered; tags of further ones are looked at alone.
    private static let limit = 65_536

    /// Whether lines with dates may have been left out (a delta update).
    private let isPartial: Bool
    private var hasDate = false
    private var ranges: [Range] = []
    private var indices: [String: Int] = [:]

    init(_ playlist: MediaPlaylist) {
        isPartial = playlist.skippedSegments > 0
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .programDateTime: hasDate = hasDate || DateTime(bytes, in: line.value) != nil
        case .dateRange: readRange(line, bytes, &report)
        default: break
        }
    }

    private mutating func readRange(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        checkDates(line, bytes, &report)
        checkLengths(line, bytes, &report)
        checkCue(line, bytes, &report)
        SpliceSectionLint.check(line, bytes, &report)
        if let end = line.attribute("END-ON-NEXT", bytes), !bytes.equals("YES", in: end.value) {
            report.report(815, line.number, "END-ON-NEXT is \(bytes.excerpt(end.value)), not YES")
        }
        guard let id = line.text("ID", bytes), !id.isEmpty else {
            report.report(811, line.number, "EXT-X-DATERANGE without ID")
            return
        }
        if let index = indices[id] {
            merge(line, into: index, bytes, &report)
            return
        }
        if line.attribute("START-DATE", bytes) == nil {
            // In a delta update the first tag may have been left out.
            report.report(
                811, line.number, "the first EXT-X-DATERANGE of ID \"\(id.excerpt)\" has no START-DATE",
                severity: isPartial ? .note : nil)
        }
        guard ranges.count < Self.limit else { return }
        indices[id] = ranges.count
        ranges.append(Range(id: id, line: line.number, attributes: line.attributes))
        if line.attribute("SCTE35-IN", bytes) != nil { ranges[ranges.count - 1].inLine = line.number }
    }

    private func checkDates(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        for name in ["START-DATE", "END-DATE"] as [StaticString] {
            guard let date = line.attribute(name, bytes), !bytes.hasReference(date.value) else { continue }
            if DateTime(bytes, in: date.value) == nil {
                report.report(801, line.number, "\(name) \"\(bytes.excerpt(date.value))\" is no date")
            } else if let time = bytes.startOfTime(bytes.trimmed(date.value)),
                !bytes.hasZone(time..<date.value.upperBound)
            {
                report.report(801, line.number, "\(name) without a time zone", severity: .warning)
            }
        }
    }

    private func checkLengths(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        for name in ["DURATION", "PLANNED-DURATION"] as [StaticString] {
            guard let length = line.duration(name, bytes), length < .zero else { continue }
            report.report(813, line.number, "\(name) \(DecimalText.text(length)) is negative")
        }
    }

    private func checkCue(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard let cue = line.attribute("CUE", bytes) else { return }
        let words = bytes.words(cue.value)
        if bytes.hasBlanks(cue.value) {
            report.report(816, line.number, "CUE is \"\(bytes.excerpt(cue.value))\", with blanks", severity: .warning)
        }
        for word in words where !["PRE", "POST", "ONCE"].contains(word) {
            report.report(816, line.number, "CUE has \"\(word.excerpt)\", none of PRE, POST, ONCE")
        }
        if words.contains("PRE"), words.contains("POST") {
            report.report(816, line.number, "CUE has PRE with POST")
        }
    }

    /// Adds what a further tag of an ID says, which must not differ from what was said.
    private mutating func merge(
        _ line: LintLine, into index: Int, _ bytes: Span<UInt8>, _ report: inout LintReport
    ) {
        let range = ranges[index]
        for attribute in line.attributes {
            guard let known = range.attributes.first(where: { bytes.areEqual($0.name, attribute.name) }) else {
                if ranges[index].attributes.count < LintLine.attributeLimit {
                    ranges[index].laterLines[ranges[index].attributes.count] = line.number
                    ranges[index].attributes.append(attribute)
                }
                continue
            }
            guard !isSame(known, attribute, bytes) else { continue }
            let name = bytes.excerpt(attribute.name)
            report.report(
                816, line.number,
                "\(name) of ID \"\(range.id.excerpt)\" is \(bytes.excerpt(attribute.value)), not "
                    + "\(bytes.excerpt(known.value)) as before")
        }
        if line.attribute("SCTE35-IN", bytes) != nil, range.inLine == 0 { ranges[index].inLine = line.number }
    }

    /// Whether two values mean the same: dates and numbers may be spelled in different ways.
    private func isSame(
        _ left: AttributeScanner.Attribute, _ right: AttributeScanner.Attribute, _ bytes: Span<UInt8>
    ) -> Bool {
        if bytes.areEqual(left.value, right.value) { return true }
        if let first = DecimalText.duration(bytes, in: left.value),
            let second = DecimalText.duration(bytes, in: right.value), !left.isQuoted, !right.isQuoted
        {
            return first == second
        }
        if let first = DateTime(bytes, in: left.value), let second = DateTime(bytes, in: right.value) {
            return first == second
        }
        return bytes.isHexadecimal(left.value) && bytes.equalsIgnoringCase(bytes.string(left.value), in: right.value)
    }

    // MARK: What the tags of an ID say together

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if let first = ranges.first, !hasDate, !isPartial {
            report.report(812, first.line, "EXT-X-DATERANGE without any EXT-X-PROGRAM-DATE-TIME")
        }
        for range in ranges {
            checkEnd(range, bytes, &report)
            checkSplice(range, bytes, &report)
            InterstitialLint.check(range, bytes, &report)
        }
    }

    private func checkEnd(_ range: Range, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        let start = range.date("START-DATE", bytes)
        let end = range.date("END-DATE", bytes)
        if let start, let end, end < start {
            let line = range.line(of: ["END-DATE"], bytes)
            report.report(813, line, "END-DATE is before START-DATE")
        } else if let start, let end, let duration = range.duration("DURATION", bytes), duration >= .zero {
            // END-DATE is written to the millisecond, DURATION often finer.
            let difference = start.advanced(by: duration).duration(to: end)
            if difference > .milliseconds(1) || difference < .milliseconds(-1) {
                report.report(
                    814, range.line(of: ["END-DATE", "DURATION"], bytes),
                    "END-DATE is \(DecimalText.text(difference, fractionDigits: 3)) s from START-DATE and DURATION")
            }
        }
        guard range.attribute("END-ON-NEXT", bytes) != nil else { return }
        if range.attribute("CLASS", bytes) == nil {
            report.report(815, range.line(of: ["END-ON-NEXT"], bytes), "END-ON-NEXT without CLASS")
        }
        for name in ["DURATION", "END-DATE"] as [StaticString] where range.attribute(name, bytes) != nil {
            report.report(815, range.line(of: ["END-ON-NEXT", name], bytes), "END-ON-NEXT with \(name)")
        }
    }

    private func checkSplice(_ range: Range, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard range.inLine != 0 else { return }
        if range.attribute("DURATION", bytes) == nil, range.attribute("END-DATE", bytes) == nil {
            report.report(818, range.inLine, "SCTE35-IN without the DURATION or END-DATE of its range")
        }
        if range.attribute("SCTE35-OUT", bytes) == nil {
            // The tag with the OUT may have left the playlist.
            report.report(
                818, range.inLine, "SCTE35-IN, and no SCTE35-OUT of ID \"\(range.id.excerpt)\"",
                severity: .warning)
        }
    }
}

/// Rule 817: sections of SCTE 35 in date ranges.
enum SpliceSectionLint {
    static func check(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        for name in ["SCTE35-CMD", "SCTE35-OUT", "SCTE35-IN"] as [StaticString] {
            guard let section = line.attribute(name, bytes), !bytes.hasReference(section.value) else { continue }
            // Quoted ones are met, and read.
            if section.isQuoted { report.report(817, line.number, "\(name) in quotes", severity: .warning) }
            guard bytes.isHexadecimal(section.value) else {
                report.report(817, line.number, "\(name) is not 0x and hexadecimal digits")
                continue
            }
            let digits = section.value.count - 2
            guard digits.isMultiple(of: 2), digits >= 6 else {
                report.report(817, line.number, "\(name) with \(digits) digits is no section")
                continue
            }
            let head = section.value.dropFirst(2).prefix(6).reduce(0) { head, position in
                head << 4 | Int(HexadecimalText.digit(bytes[position]) ?? 0)
            }
            let length = 3 + (head & 0xFFF)
            if head >> 16 != 0xFC {
                report.report(
                    817, line.number, "\(name) does not begin with 0xFC, as a splice information section does")
            } else if digits / 2 != length {
                report.report(817, line.number, "\(name) has \(digits / 2) bytes, its section \(length)")
            }
        }
    }
}

extension Span<UInt8> {
    /// The items of a list with commas, blanks around them trimmed; up to a bound.
    func words(_ range: Range<Int>) -> [String] {
        var result: [String] = []
        var start = range.lowerBound
        while start <= range.upperBound, result.count < 16 {
            let comma = firstIndex(of: 0x2C, in: start..<range.upperBound) ?? range.upperBound
            result.append(string(trimmed(start..<comma)))
            start = comma + 1
        }
        return result
    }

    /// Whether there are blanks in a value, which players may not take away there.
    func hasBlanks(_ range: Range<Int>) -> Bool {
        range.contains { self[$0].isBlank }
    }
}
