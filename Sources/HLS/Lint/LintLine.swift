/// A line as lint looks at it: what it is, its number, and its attributes where it has a list of them.
struct LintLine {
    /// Attributes looked at on one line: a bound for hostile lines, far above what any tag has.
    static let attributeLimit = 256

    let place: PlaylistLine
    /// Number of the line, the first being 1.
    let number: Int
    /// What follows the colon.
    let value: Range<Int>
    let attributes: [AttributeScanner.Attribute]

    var kind: TagKind { place.kind }

    init(_ place: PlaylistLine, number: Int, _ bytes: Span<UInt8>) {
        self.place = place
        self.number = number
        guard place.kind.isStandardTag else {
            value = place.range.upperBound..<place.range.upperBound
            attributes = []
            return
        }
        value = place.valueRange(in: bytes)
        var attributes: [AttributeScanner.Attribute] = []
        if place.kind.hasAttributeList {
            var scanner = AttributeScanner(value)
            while attributes.count < Self.attributeLimit, let attribute = scanner.next(in: bytes) {
                attributes.append(attribute)
            }
        }
        self.attributes = attributes
    }

    /// The attribute of this name; the first, if it is there twice.
    func attribute(_ name: StaticString, _ bytes: Span<UInt8>) -> AttributeScanner.Attribute? {
        attributes.first { bytes.equals(name, in: $0.name) }
    }

    /// The text of an attribute; nil where it is missing.
    func text(_ name: StaticString, _ bytes: Span<UInt8>) -> String? {
        attribute(name, bytes).map { bytes.string($0.value) }
    }

    /// Seconds of an attribute; nil where it is missing or unreadable.
    func duration(_ name: StaticString, _ bytes: Span<UInt8>) -> Duration? {
        attribute(name, bytes).flatMap { DecimalText.duration(bytes, in: $0.value) }
    }

    /// A whole number of an attribute; nil where it is missing or unreadable.
    func integer(_ name: StaticString, _ bytes: Span<UInt8>) -> Int64? {
        attribute(name, bytes).flatMap { DecimalText.integer(bytes, in: $0.value) }
    }

    /// Seconds of an EXTINF, whatever stands behind its comma; nil where they cannot be read.
    func segmentDuration(_ bytes: Span<UInt8>) -> Duration? {
        let end = bytes.firstIndex(of: 0x2C, in: value) ?? value.upperBound
        return DecimalText.duration(bytes, in: value.lowerBound..<end)
    }

    /// Whether an attribute is YES.
    func isYes(_ name: StaticString, _ bytes: Span<UInt8>) -> Bool {
        attribute(name, bytes).map { bytes.equals("YES", in: $0.value) } ?? false
    }
}

extension MediaPlaylist {
    /// The length of all segments that are listed.
    var listedDuration: Duration { segments.reduce(.zero) { $0 + $1.duration } }
}

/// Rules that are checked line by line.
protocol LintCheck {
    /// Looks at the next line.
    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport)
    /// Says what only shows at the end; `end` is the number of the last line.
    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport)
}

extension LintCheck {
    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {}
}

enum Lint {
    /// Runs checks over the lines of a playlist.
    static func findings(_ source: [UInt8], _ checks: [any LintCheck]) -> [PlaylistFinding] {
        var report = LintReport()
        var checks = checks
        var number = 0
        let bytes = source.span
        for place in PlaylistLines(all: source) {
            number += 1
            let line = LintLine(place, number: number, bytes)
            for index in checks.indices { checks[index].read(line, bytes, &report) }
        }
        for index in checks.indices { checks[index].finish(end: max(number, 1), bytes, &report) }
        return report.sorted()
    }
}
