/// Writes segments one behind another wherever they come from, and says again at each joint what a player would else take from
/// the lines before.
///
/// At a joint the order is DISCONTINUITY, KEY, MAP, PROGRAM-DATE-TIME, then the segment (rules 609, 610, 706, 803).
package struct SegmentWriter: Sendable {
    /// How a segment of the content stands in the new playlist.
    package struct Placing: Sendable {
        /// EXT-X-DISCONTINUITY tags before it, its own counted.
        package var discontinuities: Int
        /// It does not stand behind the segment that it followed upon: it is the first, or the first behind a joint.
        package var isRestated = false
        /// It is the first behind segments from elsewhere.
        package var isJoint = false
        /// The number that it had, where the new one is another: IVs that follow from it are written out (rule 605).
        package var formerNumber: Int64?
        /// When it begins; nil without dates.
        package var date: DateTime?
        /// ``date`` is not the one that it had.
        package var isDateMoved = false
        /// EXT-X-BITRATE in force for it.
        package var bitrate: Int64?

        package init(discontinuities: Int) {
            self.discontinuities = discontinuities
        }
    }

    /// What the written lines need of EXT-X-VERSION (rule 201).
    package private(set) var neededVersion = 1
    /// EXT-X-BITRATE is written for entries and again behind them: it cannot be switched off (rule 1301), so all entries need one.
    package var writesBitrates = false
    /// The EXT-X-KEY lines in force at this place of the output; empty where it is clear.
    private var keysInForce: [[UInt8]] = []
    /// What was written last, if that came from elsewhere.
    private var lastEntry: SpliceEntry?

    package init() {}

    /// Whether the writer has to write the segment; else its bytes say it all and can be copied.
    package static func hasToWrite(_ text: SegmentText, _ placing: Placing) -> Bool {
        placing.isRestated || placing.isJoint || placing.isDateMoved
            || placing.discontinuities != text.discontinuityCount
            || placing.formerNumber != nil && text.state.hasImplicitIV
    }

    /// Takes note of segments whose bytes were copied, the last one of them with this state.
    package mutating func pass(_ state: SegmentText.State) {
        keysInForce = state.keyLines
        lastEntry = nil
    }

    /// Writes what has to stand before the segment's own lines.
    ///
    /// - Returns: the lines that it makes superfluous, to be left out of the segment's own.
    package mutating func appendHead(
        of text: SegmentText, _ placing: Placing, to output: inout PlaylistText
    ) -> LineRoles {
        let state = text.state
        defer { pass(state) }
        // Where the segment's own lines say it all, they stay as they are.
        let isRestated = placing.isRestated
        let rewritesKeys = placing.formerNumber != nil && state.hasImplicitIV
        let keysMissing =
            isRestated && text.lines.count { $0.role == .key } < max(state.keys.count, keysInForce.isEmpty ? 0 : 1)
        let hasOwnMap = text.roles.contains(.map)
        let mapMissing = isRestated && !hasOwnMap && !state.map.isEmpty
        let dateMissing = isRestated && !text.hasDate && placing.date != nil
        let leads = placing.isJoint || rewritesKeys || keysMissing || mapMissing || dateMissing
        var written: LineRoles = []
        if leads {
            written.formUnion([.discontinuity, .key])
            for _ in 0..<placing.discontinuities { output.append("#EXT-X-DISCONTINUITY\n") }
            let writesMap = (isRestated || hasOwnMap) && !state.map.isEmpty
            if writesMap { written.insert(.map) }
            if writesMap, let mapKeys = state.mapKeys {
                appendKeys(mapKeys, number: nil, to: &output)
                output.append(state.map)
                output.endLine()
            }
            appendKeys(state.keys, number: placing.formerNumber, to: &output)
            if writesMap, state.mapKeys == nil {
                output.append(state.map)
                output.endLine()
            }
        }
        if let date = placing.date, leads && isRestated || placing.isDateMoved && text.hasDate {
            written.insert(.programDateTime)
            appendDate(date, text, isMoved: placing.isDateMoved, to: &output)
        }
        if isRestated, !text.roles.contains(.bitrate) { appendBitrate(placing.bitrate, to: &output) }
        return written
    }

    /// Writes the segment's own lines.
    ///
    /// - Parameter rewriting: gives a line's new bytes; nil: it stays.
    package mutating func appendLines(
        of text: SegmentText, skipping skipped: LineRoles, explicitByteRange: Bool, to output: inout PlaylistText,
        rewriting: ((SegmentText.Line) -> [UInt8]?)? = nil
    ) {
        for line in text.lines where !skipped.contains(line.role) {
            if line.role == .byteRange, explicitByteRange, !text.explicitByteRange.isEmpty {
                output.append(text.explicitByteRange)
                neededVersion = max(neededVersion, 4)
            } else if let bytes = rewriting?(line) {
                output.append(bytes)
            } else {
                output.append(text.bytes, in: line.range)
            }
        }
    }

    /// Writes a segment from elsewhere.
    ///
    /// - Parameters:
    ///   - uri: in place of the entry's own.
    ///   - discontinuities: EXT-X-DISCONTINUITY tags before it.
    ///   - isRestated: its keys and map are written whatever came before.
    ///   - marks: whole lines that stand with it.
    package mutating func append(
        _ entry: SpliceEntry, uri: String? = nil, discontinuities: Int, isRestated: Bool, date: DateTime?,
        marks: [UInt8] = [], to output: inout PlaylistText
    ) {
        for _ in 0..<discontinuities { output.append("#EXT-X-DISCONTINUITY\n") }
        let isRestated = isRestated || lastEntry == nil
        if isRestated || lastEntry?.keys != entry.keys {
            endKeys(before: entry.keys.isEmpty ? [] : [entry.keys], to: &output)
            output.append(entry.keys)
        }
        if !entry.map.isEmpty, isRestated || lastEntry?.map != entry.map { output.append(entry.map) }
        if let date { Self.append(date, to: &output) }
        if isRestated || lastEntry?.bitrate != entry.bitrate { appendBitrate(entry.bitrate, to: &output) }
        output.append(marks)
        output.append(entry.tags)
        output.append(uri ?? entry.uri)
        output.endLine()
        neededVersion = max(neededVersion, entry.neededVersion)
        lastEntry = entry
    }

    /// - Parameter number: the former one, for IVs that have to be written out.
    private mutating func appendKeys(_ keys: [SegmentText.Key], number: Int64?, to output: inout PlaylistText) {
        endKeys(before: keys.map(\.line), to: &output)
        for key in keys {
            output.append(key.line)
            if key.hasImplicitIV, let number {
                output.append(",IV=")
                output.append(hexadecimal: UInt64(bitPattern: number), digits: 32)
                neededVersion = max(neededVersion, 2)
            }
            output.endLine()
        }
    }

    /// Ends the keys in force where those to come would leave any of them: a key replaces only that of its own KEYFORMAT.
    private mutating func endKeys(before keys: [[UInt8]], to output: inout PlaylistText) {
        defer { keysInForce = keys }
        guard !keysInForce.isEmpty, keysInForce != keys else { return }
        if !Self.formats(keysInForce).isSubset(of: Self.formats(keys)) { output.append("#EXT-X-KEY:METHOD=NONE\n") }
    }

    private static func formats(_ keys: [[UInt8]]) -> Set<String> {
        var formats: Set<String> = []
        for lines in keys {
            for line in PlaylistLines(all: lines) {
                formats.insert(AttributeList(lines, line: line)["KEYFORMAT"]?.text ?? "identity")
            }
        }
        return formats
    }

    private func appendDate(_ date: DateTime, _ text: SegmentText, isMoved: Bool, to output: inout PlaylistText) {
        let lines = text.lines.filter { $0.role == .programDateTime }
        // As it is spelled; of several dates the last one that can be read holds.
        if !isMoved, lines.count == 1, text.hasDate, let line = lines.first {
            output.append(text.bytes, in: line.range)
        } else {
            Self.append(date, to: &output)
        }
    }

    private static func append(_ date: DateTime, to output: inout PlaylistText) {
        output.append("#EXT-X-PROGRAM-DATE-TIME:")
        output.append(date)
        output.endLine()
    }

    private func appendBitrate(_ bitrate: Int64?, to output: inout PlaylistText) {
        guard writesBitrates, let bitrate else { return }
        output.append("#EXT-X-BITRATE:")
        output.append(bitrate)
        output.endLine()
    }
}
