/// The segments of a spliced playlist and what follows them.
struct SpliceBody {
    private let playlist: MediaPlaylist
    private let storage: MediaPlaylist.Storage
    /// What the first number rises by.
    private let firstShift: Int64
    private let keepsMarkers: Bool
    /// EXT-X-BITRATE is left out.
    var dropsBitrates = false
    var beginsWithDiscontinuity = false

    private(set) var output: PlaylistText
    /// The first segment stands as it did, and is written together with the header.
    private(set) var isFirstKept = false
    private var writer = SegmentWriter()
    private var reader: SegmentTextReader
    /// What the numbers rise by at this place.
    private var shift: Int64
    private var isEmpty = true
    /// Something was replaced, inserted or removed right here.
    private var isAtJoint = false
    /// Entries stand right before this place.
    private var isBehindEntries = false
    private var hasJoints = false
    /// Lines of replaced segments that hold on.
    private var carried = PlaylistText()
    private var knownDates: [DateTime]?
    private let hasImplicitIVs: Bool
    private let hasBitrates: Bool

    init(_ playlist: MediaPlaylist, mediaSequence: Int64?, keepsMarkers: Bool) {
        self.playlist = playlist
        storage = playlist.storage
        firstShift = mediaSequence.map { $0 &- playlist.mediaSequence } ?? 0
        shift = firstShift
        self.keepsMarkers = keepsMarkers
        hasImplicitIVs = playlist.keyGroups.contains(where: \.hasImplicitIV)
        hasBitrates = playlist.storage.states.contains { $0.bitrate >= 0 }
        reader = SegmentTextReader(playlist, base: nil, keepsHeaderTags: true)
        output = PlaylistText(reservingBytes: playlist.source.count + 1024)
    }

    var neededVersion: Int { writer.neededVersion }

    // MARK: Content

    mutating func appendContent(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        writer.writesBitrates = !dropsBitrates
        var index = range.lowerBound
        if isAtJoint {
            write(index, isRestated: true)
            index += 1
        }
        isAtJoint = false
        isBehindEntries = false
        guard mayHaveToWrite else { return copy(index..<range.upperBound) }
        while index < range.upperBound {
            let start = index
            while index < range.upperBound, !hasToWrite(index) { index += 1 }
            copy(start..<index)
            if index < range.upperBound {
                write(index, isRestated: false)
                index += 1
            }
        }
    }

    private mutating func copy(_ range: Range<Int>) {
        guard let last = range.last else { return }
        if range.lowerBound == 0 {
            isFirstKept = true
            if last > 0 {
                appendBytes(storage.range(ofSegmentAt: 1).lowerBound..<storage.range(ofSegmentAt: last).upperBound)
            }
        } else {
            appendBytes(
                storage.range(ofSegmentAt: range.lowerBound).lowerBound..<storage.range(ofSegmentAt: last).upperBound)
        }
        writer.pass(reader.state(of: playlist.segments[last]))
        isEmpty = false
    }

    private mutating func appendBytes(_ range: Range<Int>) {
        endLine()
        output.append(storage.source, in: range)
    }

    /// A last line without its end gets one when something follows.
    private mutating func endLine() {
        if output.count > 0, !output.endsLine { output.endLine() }
    }

    /// Whether ``hasToWrite(_:)`` can be true for any segment.
    private var mayHaveToWrite: Bool {
        shift != 0 && hasImplicitIVs || hasJoints && !storage.details.isEmpty || dropsBitrates && hasBitrates
    }

    /// Whether a segment that follows upon its predecessor as before cannot be copied.
    private func hasToWrite(_ index: Int) -> Bool {
        let record = storage.records[index]
        let contents = MediaSegment.Contents(rawValue: record.contents)
        if dropsBitrates, contents.contains(.bitrate) { return true }
        if hasJoints, contents.contains(.byteRange), !hasOffset(index) { return true }
        return shift != 0 && playlist.keyGroups[Int(storage.states[Int(record.state)].keyGroup)].hasImplicitIV
    }

    private func hasOffset(_ index: Int) -> Bool {
        playlist.lines(ofSegmentAt: index).allSatisfy { line in
            line.kind != .byteRange || storage.source[line.range].contains(0x40)
        }
    }

    private mutating func write(_ index: Int, isRestated: Bool) {
        let segment = playlist.segments[index]
        let text = reader.text(of: segment)
        var placing = SegmentWriter.Placing(discontinuities: segment.discontinuityCount)
        placing.isRestated = isRestated
        placing.formerNumber = shift != 0 ? segment.number : nil
        let bitrate = storage.states[Int(storage.records[index].state)].bitrate
        placing.bitrate = bitrate < 0 ? nil : bitrate
        // Segments that merely went from the front leave no joint.
        if isRestated, !isEmpty {
            placing.isJoint = true
            placing.discontinuities = 1
        }
        if isRestated { placing.date = segment.programDateTime ?? date(at: index) }
        endLine()
        var skipped = writer.appendHead(of: text, placing, to: &output)
        if dropsBitrates { skipped.insert(.bitrate) }
        if isRestated, isBehindEntries, !keepsMarkers { skipped.formUnion(droppedMarkers(text)) }
        // Tags of the whole playlist before the first segment are in the header.
        if index == 0 { skipped.insert(.header) }
        output.append(carried.bytes)
        carried = PlaylistText()
        writer.appendLines(of: text, skipping: skipped, explicitByteRange: hasJoints, to: &output)
        isEmpty = false
    }

    /// The markers of the break that ends here; those of one that begins here stay.
    private func droppedMarkers(_ text: SegmentText) -> LineRoles {
        text.roles.contains(.opensBreak) ? .markersWithin : [.markersWithin, .breakDetail]
    }

    // MARK: Entries

    mutating func append(_ entries: [SpliceEntry], replacing range: Range<Int>) {
        // A playlist that has dates keeps them throughout (rule 803).
        let start = entries.isEmpty ? nil : date(at: range.lowerBound)
        writer.writesBitrates = !dropsBitrates
        var elapsed = Duration.zero
        for (position, entry) in entries.enumerated() {
            let isJoint = position == 0 ? !isEmpty || beginsWithDiscontinuity : entry.isJoint
            endLine()
            writer.append(
                entry, discontinuities: isJoint ? 1 : 0, isRestated: position == 0 || entry.isJoint,
                date: entry.date ?? start?.advanced(by: elapsed), to: &output)
            elapsed += entry.duration
            isEmpty = false
        }
        for index in range { carry(index) }
        shift &+= Int64(entries.count &- range.count)
        isAtJoint = true
        isBehindEntries = isBehindEntries || !entries.isEmpty
        hasJoints = true
    }

    /// Keeps date ranges that mark no ad, and tags of the whole playlist, of a segment that goes.
    private mutating func carry(_ index: Int) {
        let contents = MediaSegment.Contents(rawValue: storage.records[index].contents)
        guard !contents.isDisjoint(with: [.dateRange, .misplaced]) else { return }
        for line in playlist.lines(ofSegmentAt: index) {
            switch SegmentTextReader.role(of: line, in: storage.source) {
            case .dateRange: break
            case .header where index > 0: break
            default: continue
            }
            carried.append(storage.source, in: line.fullRange)
            if !carried.endsLine { carried.endLine() }
        }
    }

    /// When a segment begins; for the count of segments, when the last one ends. Nil without dates.
    private mutating func date(at index: Int) -> DateTime? {
        if storage.records.indices.contains(index), let date = playlist.segments[index].programDateTime { return date }
        if knownDates == nil {
            let hasDates = storage.records.contains {
                MediaSegment.Contents(rawValue: $0.contents).contains(.programDateTime)
            }
            knownDates = hasDates ? Timeline(playlist).dates : []
        }
        guard let dates = knownDates, dates.indices.contains(index) else { return nil }
        return dates[index]
    }

    // MARK: The end

    mutating func appendTrailer() {
        if carried.count > 0 {
            endLine()
            output.append(carried.bytes)
        }
        if storage.records.isEmpty {
            for line in playlist.trailerLines { appendBytes(line.fullRange) }
        } else if storage.trailerStart < storage.source.count {
            appendBytes(storage.trailerStart..<storage.source.count)
        }
    }
}
