import HLS
import SCTE35
import Server

/// The messages of a text: what they say, and why some cannot be read. Pure.
struct SpliceReport {
    private(set) var messages: [JSONText] = []
    /// For the person at the terminal, a line each.
    private(set) var faults: [String] = []

    /// One object after the other, a line end behind each.
    var json: String { messages.map { $0.formatted + "\n" }.joined() }

    /// - Parameter text: base64 or hexadecimal; or lines of a playlist, of which one at least begins with `#EXT`.
    init(of text: [UInt8], checksum: SpliceInfoSection.ChecksumRule = .required) {
        guard Self.hasTags(text) else {
            read(checksum, tag: nil) { () throws(SCTE35Error) in try SpliceText.bytes(characters: text) }
            return
        }
        do {
            let playlist = try MediaPlaylist(parsing: Self.playlist(text))
            for line in playlist.lines {
                for (tag, section) in Self.sections(of: line, in: playlist.source) {
                    read(checksum, tag: tag) { () throws(SCTE35Error) in
                        guard let section else { throw SCTE35Error(.text, bitOffset: 0, "no base64 or hexadecimal") }
                        return section
                    }
                }
            }
            if messages.isEmpty && faults.isEmpty { faults.append("no tag here carries an SCTE-35 message") }
        } catch {
            faults.append("no playlist: \(error)")
        }
    }

    private mutating func read(
        _ checksum: SpliceInfoSection.ChecksumRule, tag: String?, _ bytes: () throws(SCTE35Error) -> [UInt8]
    ) {
        do throws(SCTE35Error) {
            let bytes = try bytes()
            let section = try SpliceInfoSection(decoding: bytes, checksum: checksum)
            var json = SpliceJSON.object(section)
            if checksum == .ignored {
                let isValid = (try? SpliceInfoSection(decoding: bytes)) != nil
                json.insert(("crc_32_valid", .bool(isValid)), at: 0)
            }
            if let tag { json.insert(("tag", .text(tag)), at: 0) }
            messages.append(.object(json))
        } catch {
            faults.append((tag.map { "\($0): " } ?? "") + error.description)
        }
    }

    private static func hasTags(_ text: [UInt8]) -> Bool {
        text.split(separator: 0x0A).contains { line in
            line.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }.starts(with: "#EXT".utf8)
        }
    }

    /// Lines as they were cut out of a playlist, made a whole one.
    private static func playlist(_ text: [UInt8]) -> [UInt8] {
        text.starts(with: "#EXTM3U".utf8) || text.starts(with: "\u{FEFF}#EXTM3U".utf8)
            ? text : Array("#EXTM3U\n".utf8) + text
    }

    /// The messages of a line, by tag or attribute. Nil: there is a text, but neither base64 nor hexadecimal.
    private static func sections(of line: PlaylistLine, in source: [UInt8]) -> [(String, [UInt8]?)] {
        if line.kind == .dateRange {
            let attributes = AttributeList(source, line: line)
            return attributes.filter { $0.name.hasPrefix("SCTE35-") }.map {
                ("EXT-X-DATERANGE \($0.name)", $0.value.hexadecimal)
            }
        }
        guard let marker = AdMarker(source, line: line) else { return [] }
        switch marker {
        case .oatclsSCTE35(let message): return [("EXT-OATCLS-SCTE35", message.section)]
        case .splicePointSCTE35(let message): return [("EXT-X-SPLICEPOINT-SCTE35", message.section)]
        case .scte35(let tag): return tag.attributes["CUE"] == nil ? [] : [("EXT-X-SCTE35", tag.section)]
        case .legacySCTE35(let tag): return tag.attributes["CUE"] == nil ? [] : [("EXT-SCTE35", tag.section)]
        case .cueOut(let cue): return attribute(cue.attributes, "EXT-X-CUE-OUT")
        case .cueOutContinued(let cue): return attribute(cue.attributes, "EXT-X-CUE-OUT-CONT")
        case .cueIn(let cue): return attribute(cue.attributes, "EXT-X-CUE-IN")
        default: return []
        }
    }

    private static func attribute(_ attributes: CueAttributes, _ tag: String) -> [(String, [UInt8]?)] {
        attributes["SCTE35"] == nil ? [] : [("\(tag) SCTE35", attributes.base64("SCTE35"))]
    }
}
