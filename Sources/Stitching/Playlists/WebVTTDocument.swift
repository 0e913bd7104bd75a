import HLS

/// A WebVTT file, of which parts can be taken: header, styles and notes, and cues with their times on the file's own clock.
/// W3C WebVTT §4, X-TIMESTAMP-MAP by RFC 8216bis §3.1.4.
package struct WebVTTDocument: Sendable {
    private struct Cue: Sendable {
        var start: Duration
        var end: Duration
        /// Lines before the one with the times, line ends included.
        var head: Range<Int>
        /// What stands behind the times on their line: the settings.
        var settings: Range<Int>
        /// The lines of the text.
        var text: Range<Int>
    }

    private let bytes: [UInt8]
    /// The lines before the first cue.
    private let header: Range<Int>
    /// As the file has them; by `latestEnds` it is known where to begin looking.
    private var cues: [Cue] = []
    /// The largest end of the cues up to each: rising, so that what lies before a time can be skipped.
    private var latestEnds: [Duration] = []
    private let isSorted: Bool
    /// LOCAL of the map, and MPEGTS (90 kHz); zero where the file has none, as the standard says.
    package let mapLocal: Duration
    package let mapTimestamp: Int64
    private let hasMap: Bool

    /// Nil for what is no WebVTT file.
    package init?(_ received: [UInt8]) {
        let start = received.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard received[start...].starts(with: "WEBVTT".utf8) else { return nil }
        bytes = received
        var map: (local: Duration, timestamp: Int64)?
        var headerEnd: Int?
        var blockStart = start
        var place = start
        var cue: Cue?
        var found: [Cue] = []
        while place < received.count {
            let line = Self.line(received, from: place)
            let isBlank = line.text.isEmpty
            if isBlank {
                if let done = cue { found.append(done) }
                cue = nil
                blockStart = line.next
            } else if var open = cue {
                open.text = open.text.lowerBound..<line.next
                cue = open
            } else if let (from, to, settings) = Self.times(received, line.text) {
                // What stands right before the first cue, without a blank line between, is the header and not its name.
                let head = blockStart == start ? place : blockStart
                headerEnd = headerEnd ?? head
                cue = Cue(
                    start: from, end: to, head: head..<place, settings: settings..<line.text.upperBound,
                    text: line.next..<line.next)
            } else if headerEnd == nil, map == nil {
                map = Self.map(received, line.text)
            }
            place = line.next
        }
        if let done = cue { found.append(done) }
        header = start..<(headerEnd ?? received.count)
        cues = found
        var latest = Duration.zero
        latestEnds = found.map { cue in
            latest = max(latest, cue.end)
            return latest
        }
        isSorted = zip(found, found.dropFirst()).allSatisfy { $0.start <= $1.start }
        hasMap = map != nil
        mapLocal = map?.local ?? .zero
        mapTimestamp = map?.timestamp ?? 0
    }

    /// When the first cue begins, on the file's clock.
    package var firstStart: Duration? { cues.first?.start }

    /// The file with only what is shown within a time of its clock; nil: without that bound. A cue that goes on beyond ends there.
    package func part(from: Duration?, to: Duration?) -> [UInt8] {
        var output: [UInt8] = []
        appendHeader(to: &output)
        var index = 0
        if let from, isSorted { index = latestEnds.partitioningIndex { $0 > from } }
        while index < cues.count {
            let cue = cues[index]
            index += 1
            if let to, cue.start >= to {
                if isSorted { break }
                continue
            }
            if let from, cue.end <= from { continue }
            output += bytes[cue.head]
            output += Self.text(from.map { max($0, cue.start) } ?? cue.start)
            output += Array(" --> ".utf8)
            output += Self.text(to.map { min($0, cue.end) } ?? cue.end)
            output += bytes[cue.settings]
            output.append(0x0A)
            output += bytes[cue.text]
            if output.last != 0x0A { output.append(0x0A) }
            output.append(0x0A)
        }
        return output
    }

    /// The lines before the first cue, with a map: some players lose cues behind a discontinuity without one.
    private func appendHeader(to output: inout [UInt8]) {
        guard !hasMap else {
            output += bytes[header]
            if header.upperBound == bytes.count, output.last == 0x0A { output.append(0x0A) }
            Self.endBlock(&output)
            return
        }
        let first = Self.line(bytes, from: header.lowerBound)
        output += bytes[first.text]
        output += Array("\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n".utf8)
        output += bytes[min(first.next, header.upperBound)..<header.upperBound]
        Self.endBlock(&output)
    }

    /// A blank line behind what there is, unless there is one.
    private static func endBlock(_ output: inout [UInt8]) {
        if output.last != 0x0A, output.last != 0x0D { output.append(0x0A) }
        let end = output.suffix(4)
        let isBlank = [[0x0A, 0x0A], [0x0D, 0x0D], [0x0A, 0x0D, 0x0A]].contains {
            end.suffix($0.count).elementsEqual($0)
        }
        if !isBlank { output.append(0x0A) }
    }

    // MARK: Reading

    /// A line without its end, and where the next begins.
    private static func line(_ bytes: [UInt8], from start: Int) -> (text: Range<Int>, next: Int) {
        var end = start
        while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
        var next = min(end + 1, bytes.count)
        if end < bytes.count, bytes[end] == 0x0D, next < bytes.count, bytes[next] == 0x0A { next += 1 }
        return (start..<end, next)
    }

    /// The times of a cue's line, and where its settings begin.
    private static func times(_ bytes: [UInt8], _ line: Range<Int>) -> (Duration, Duration, Int)? {
        var place = line.lowerBound
        func skipBlanks() { while place < line.upperBound, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 } }
        skipBlanks()
        guard let from = time(bytes, &place, line.upperBound) else { return nil }
        skipBlanks()
        guard place + 3 <= line.upperBound, bytes[place..<(place + 3)].elementsEqual("-->".utf8) else { return nil }
        place += 3
        skipBlanks()
        guard let to = time(bytes, &place, line.upperBound), to >= from else { return nil }
        return (from, to, place)
    }

    /// `MM:SS.mmm` or `HH:MM:SS.mmm`.
    private static func time(_ bytes: [UInt8], _ place: inout Int, _ end: Int) -> Duration? {
        var numbers: [Int64] = []
        var fraction: Int64?
        while place < end, numbers.count <= 3, fraction == nil {
            var value: Int64 = 0
            var digits = 0
            while place < end, (0x30...0x39).contains(bytes[place]), digits < 9 {
                value = value * 10 + Int64(bytes[place] - 0x30)
                digits += 1
                place += 1
            }
            guard digits > 0 else { return nil }
            if numbers.count >= 2, place > digits, bytes[place - digits - 1] == 0x2E {
                guard digits == 3 else { return nil }
                fraction = value
                break
            }
            numbers.append(value)
            guard place < end, bytes[place] == 0x3A || bytes[place] == 0x2E else { return nil }
            place += 1
        }
        guard let fraction, numbers.count == 2 || numbers.count == 3 else { return nil }
        let hours = numbers.count == 3 ? numbers[0] : 0
        let rest = numbers.suffix(2)
        guard rest.allSatisfy({ $0 < 60 }), let minutes = rest.first, let seconds = rest.last else { return nil }
        return .milliseconds(((hours * 60 + minutes) * 60 + seconds) * 1_000 + fraction)
    }

    private static func map(_ bytes: [UInt8], _ line: Range<Int>) -> (local: Duration, timestamp: Int64)? {
        let text = String(decoding: bytes[line], as: UTF8.self)
        guard text.hasPrefix("X-TIMESTAMP-MAP=") else { return nil }
        var local: Duration?
        var timestamp: Int64?
        for part in text.dropFirst("X-TIMESTAMP-MAP=".utf8.count).split(separator: ",") {
            if part.hasPrefix("LOCAL:") {
                let value = Array(part.dropFirst(6).utf8)
                var place = 0
                local = time(value, &place, value.count)
            } else if part.hasPrefix("MPEGTS:") {
                timestamp = Int64(part.dropFirst(7))
            }
        }
        guard let local, let timestamp, timestamp >= 0 else { return nil }
        return (local, timestamp & (MediaTimestamps.period - 1))
    }

    private static func text(_ time: Duration) -> [UInt8] {
        // Ticks of a media clock are no whole milliseconds.
        let milliseconds = max((time + .microseconds(500)).wholeMilliseconds, 0)
        func padded(_ value: Int64, _ digits: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
        }
        let seconds = milliseconds / 1_000
        return Array(
            "\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2)).\(padded(milliseconds % 1_000, 3))"
                .utf8)
    }
}

extension WebVTTDocument {
    /// A part of the file by the time of its media.
    ///
    /// - Parameters:
    ///   - piece: bounds from the start of the segment that the file is.
    ///   - timestamp: of the media at the start of the segment (90 kHz, 33 bits); nil where it is not known: then the clock is taken
    ///     to read `expected` there.
    ///   - expected: what the clock will roughly read at the segment's start: media time begins anew after 26.5 hours.
    package func part(_ piece: SubtitlePiece, startingAt timestamp: Int64?, expected: Duration) -> [UInt8] {
        var start = expected
        if let timestamp {
            let period = Self.time(of: MediaTimestamps.period)
            start = mapLocal + Self.time(of: timestamp - mapTimestamp)
            let turns = (expected - start + period / 2).nanosecondCount
            let whole = period.nanosecondCount
            // Rounded down, below zero too.
            let count = turns >= 0 ? turns / whole : -((whole - 1 - turns) / whole)
            start += period * Int(clamping: count)
        }
        return part(
            from: piece.from > .zero ? start + piece.from : nil, to: piece.to.map { start + $0 })
    }

    private static func time(of ticks: Int64) -> Duration {
        .seconds(ticks / 90_000) + .nanoseconds(ticks % 90_000 * 100_000 / 9)
    }
}
