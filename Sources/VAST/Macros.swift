/// Replacement of macros in URLs, at the time of the call (R-Y1 to R-Y5).
package enum Macros {
    /// The URL with its macros replaced; a value is percent-encoded exactly once, the rest of the URL is left alone.
    ///
    /// Names of the VAST table that are not known become -1. Names of the operator's families (`session`,
    /// `player_params`, `avail`, `scte`, `asset`) that are not known become nothing. Every other bracket stays as it stands.
    package static func expand(_ url: String, in context: MacroContext, for use: MacroUse) -> String {
        let bytes = Array(url.utf8)
        guard bytes.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "{") })
        else { return url }
        let authority = authorityRange(bytes)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 128)
        var index = 0
        while index < bytes.count {
            if let name = macro(bytes, at: index, otherForms: context.acceptsOtherForms),
                let value = value(of: name.text, in: context, for: use, inAuthority: authority.contains(index))
            {
                result += Array(value.utf8)
                index = name.end
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Expands and escapes: a URL that can be requested as it is (R-U4).
    package static func requestURL(_ url: String, in context: MacroContext, for use: MacroUse) -> String {
        URLText.escaped(expand(url, in: context, for: use))
    }

    /// The bytes between `//` and the next slash, question mark or hash: a viewer's value must not name a host.
    private static func authorityRange(_ bytes: [UInt8]) -> Range<Int> {
        guard let slashes = bytes.firstIndex(of: "//".utf8, from: 0),
            bytes[..<slashes].allSatisfy({ $0 != 0x3F && $0 != 0x23 && $0 != 0x2F })
        else { return 0..<0 }
        var depth = 0
        var end = slashes + 2
        while end < bytes.count {
            if bytes[end] == UInt8(ascii: "[") { depth += 1 }
            if bytes[end] == UInt8(ascii: "]") { depth = max(0, depth - 1) }
            if depth == 0, bytes[end] == 0x2F || bytes[end] == 0x3F || bytes[end] == 0x23 { break }
            end += 1
        }
        return slashes..<end
    }

    /// The macro that begins at `index`: its name and where it ends.
    private static func macro(_ bytes: [UInt8], at index: Int, otherForms: Bool) -> (text: String, end: Int)? {
        let forms: [(String, String)] =
            otherForms
            ? [("[", "]"), ("%%", "%%"), ("${", "}"), ("{", "}"), ("%5B", "%5D"), ("%5b", "%5d")] : [("[", "]")]
        for (open, close) in forms where bytes.starts(with: open.utf8, at: index) {
            let start = index + open.utf8.count
            var end = start
            while end < bytes.count, end - start <= 80, isNameByte(bytes[end]) { end += 1 }
            guard end > start, bytes.starts(with: close.utf8, at: end) else { continue }
            var name = String(decoding: bytes[start..<end], as: UTF8.self)
            if otherForms, name == "timestamp" || name == "random" {
                name = name == "random" ? "CACHEBUSTING" : "TIMESTAMP"
            }
            return (name, end + close.utf8.count)
        }
        return nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        URLText.isUnreserved(byte) && byte != UInt8(ascii: "~")
    }

    /// The text for a macro, encoded; nil leaves the bracket as it is.
    private static func value(
        of name: String, in context: MacroContext, for use: MacroUse, inAuthority: Bool
    ) -> String? {
        if let dot = name.firstIndex(of: ".") {
            let member = String(name[name.index(after: dot)...])
            guard let raw = operatorValue(name[..<dot], member, context) else { return nil }
            return encoded(raw, context, inAuthority: inAuthority)
        }
        guard MacroTable.names.contains(name) else { return nil }
        guard let known = MacroTable.value(of: name, in: context, for: use) else {
            if use == .client { return nil }
            return name == "PAGEURL" || name == "APPBUNDLE" ? "0" : "-1"
        }
        switch known {
        case .text(let text): return text.isEmpty ? "-1" : encoded(text, context, inAuthority: inAuthority)
        case .list(let members):
            return members.isEmpty
                ? "-1" : members.map { encoded($0, context, inAuthority: inAuthority) }.joined(separator: ",")
        case .notShared: return "-2"
        }
    }

    /// Names of the operator's template; nil for a family that is not ours.
    private static func operatorValue(_ family: Substring, _ name: String, _ context: MacroContext) -> String? {
        switch family {
        case "scte":
            return context.splice[name] ?? ""
        case "asset":
            return context.asset[name.uppercased()] ?? ""
        case "player_params":
            return context.playerParameters[name] ?? ""
        case "avail":
            if let given = context.avail[name] { return given }
            return name == "random" ? String(context.random() % 10_000_000_000) : availDuration(name, context) ?? ""
        case "session":
            return context.session[name] ?? availDuration(name, context) ?? ""
        default:
            return nil
        }
    }

    /// `avail_duration_secs` is rounded to the nearest second.
    private static func availDuration(_ name: String, _ context: MacroContext) -> String? {
        guard let duration = context.availDuration else { return nil }
        let (seconds, attoseconds) = duration.components
        let milliseconds =
            seconds.multipliedReportingOverflow(by: 1000).partialValue &+ attoseconds / 1_000_000_000_000_000
        switch name {
        case "avail_duration_secs", "duration_secs": return String((milliseconds &+ 500) / 1000)
        case "avail_duration_ms", "duration_ms": return String(milliseconds)
        default: return nil
        }
    }

    /// Controls go, the length is capped, everything reserved is escaped. In the authority only letters, digits and
    /// hyphens stay, so that a value is at most a part of the operator's host name (R-Y5).
    private static func encoded(_ value: String, _ context: MacroContext, inAuthority: Bool) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in value.unicodeScalars.prefix(context.valueLimit)
        where scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) {
            kept.append(scalar)
        }
        let text = String(kept)
        guard inAuthority else { return URLText.queryComponent(text) }
        return String(
            decoding: text.utf8.filter { URLText.isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2D },
            as: UTF8.self)
    }
}
