import HLS

/// Edits of a playlist touch their own lines alone. The input is a playlist; what follows a NUL chooses the edits, and
/// where there is none they are drawn from the playlist's own bytes.
enum EditCheck {
    /// What is to become of a line.
    private enum Edit: Int, CaseIterable {
        case remove, insertBefore, setAttribute, removeAttribute, replaceText, replaceURIs
    }

    static func run(_ input: [UInt8]) throws(FuzzFailure) {
        let end = input.firstIndex(of: 0x00) ?? input.endIndex
        let source = Array(input[..<end])
        var choices = Choices(script: input[end...].dropFirst(), seed: source)
        guard let playlist = try? Playlist(parsing: source) else { return }
        switch playlist {
        case .media(let playlist): try check(source, playlist.lines, playlist.uris, PlaylistEditor(playlist), &choices)
        case .multivariant(let playlist):
            try check(source, playlist.lines, playlist.uris, PlaylistEditor(playlist), &choices)
        }
    }

    private static func check(
        _ source: [UInt8], _ lines: PlaylistLines, _ uris: [PlaylistURI], _ untouched: PlaylistEditor,
        _ choices: inout Choices
    ) throws(FuzzFailure) {
        try require(untouched.applied() == source, "no edits change the playlist")
        var editor = untouched
        // What is to come out, line by line; nil where the text of a line is the editor's business.
        var expected: [ArraySlice<UInt8>?] = [source.prefix(source.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)]
        for line in lines {
            let whole = source[line.fullRange]
            guard choices.next(4) == 0, let edit = Edit(rawValue: choices.next(Edit.allCases.count)) else {
                expected.append(whole)
                continue
            }
            switch edit {
            case .remove:
                editor.remove(line)
            case .insertBefore:
                editor.insert("#X-INSERTED\n", before: line)
                expected += [ArraySlice("#X-INSERTED\n".utf8), whole]
            case .setAttribute:
                let name = ["URI", "X-NEW", "IV"][choices.next(3)]
                editor.setAttribute(name, to: "\"a,b\"", in: line)
                expected.append(nil)
            case .removeAttribute:
                editor.removeAttribute(["URI", "METHOD", "BYTERANGE"][choices.next(3)], in: line)
                expected.append(nil)
            case .replaceText:
                editor.replace(line.range, with: "#X-REPLACED")
                expected += [
                    source[line.fullRange.lowerBound..<line.range.lowerBound], ArraySlice("#X-REPLACED".utf8),
                    source[line.range.upperBound..<line.fullRange.upperBound],
                ]
            case .replaceURIs:
                for uri in uris where uri.line == line { editor.replace(uri, with: "new") }
                expected.append(nil)
            }
        }
        try compare(editor.applied(), expected)
        for line in lines where [.key, .dateRange].contains(line.kind) && source[line.range].contains(0x3A) {
            try setting(line, source, untouched)
        }
    }

    /// An attribute that is set reads back, and the others are what they were.
    private static func setting(
        _ line: PlaylistLine, _ source: [UInt8], _ untouched: PlaylistEditor
    ) throws(FuzzFailure) {
        var editor = untouched
        editor.setAttribute("X-NEW", to: "\"a,b\"", in: line)
        let output = editor.applied()
        let end = line.range.upperBound + output.count - source.count
        let before = AttributeList(source, line: line)
        let after = AttributeList(output, in: before.range.lowerBound..<max(end, before.range.lowerBound))
        try require(after["X-NEW"]?.text == "a,b", "X-NEW is \(after["X-NEW"]?.text ?? "nothing")")
        let others = before.filter { $0.name != "X-NEW" }.map { $0.name + "=" + $0.value.text }
        let kept = after.filter { $0.name != "X-NEW" }.map { $0.name + "=" + $0.value.text }
        try require(others == kept, "\(others) are \(kept)")
    }

    /// The output is what was expected, with one line in place of each that is the editor's business.
    private static func compare(_ output: [UInt8], _ expected: [ArraySlice<UInt8>?]) throws(FuzzFailure) {
        var rest = output[...]
        for part in expected {
            if let part {
                try require(rest.starts(with: part), "\(text(part)) is lost before \(text(rest.prefix(80)))")
                rest = rest.dropFirst(part.count)
            } else {
                rest = rest[((rest.firstIndex(of: 0x0A) ?? rest.endIndex - 1) + 1)...]
            }
        }
        try require(rest.isEmpty, "\(text(rest)) is left over")
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// A row of choices: those of a script, and when it is used up, or there is none, those drawn from a seed.
struct Choices {
    private var script: ArraySlice<UInt8>
    private var state: UInt64

    init(script: ArraySlice<UInt8>, seed: [UInt8]) {
        self.script = script
        state = seed.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
    }

    /// A number from 0 to `bound` - 1.
    mutating func next(_ bound: Int) -> Int {
        if let byte = script.popFirst() { return Int(byte) % bound }
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }
}
