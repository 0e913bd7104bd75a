/// URLs as text. They are kept as spelled; only a request escapes what is illegal (R-U1 to R-U4).
package enum URLText {
    /// Trims, and drops each inner run of white space that holds a line end (R-U1).
    static func cleaned(_ bytes: ArraySlice<UInt8>) -> String {
        let trimmed = bytes.trimmingBlanks()
        guard trimmed.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
            return String(decoding: trimmed, as: UTF8.self)
        }
        var result: [UInt8] = []
        var run: [UInt8] = []
        for byte in trimmed {
            if XMLEncoding.isBlank(byte) {
                run.append(byte)
                continue
            }
            if !run.contains(where: { $0 == 0x0A || $0 == 0x0D }) { result += run }
            run.removeAll()
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Blank or `about:blank`: never requested, never an error (R-U2).
    package static func isPlaceholder(_ url: String) -> Bool {
        url.isEmpty || (url.utf8.count == 11 && url.lowercased() == "about:blank")
    }

    /// Whether a request can be made to it: http, https or a reference that takes its scheme from its document.
    package static func isRequestable(_ url: String) -> Bool {
        guard let scheme = scheme(of: url) else { return !isPlaceholder(url) }
        return scheme == "http" || scheme == "https"
    }

    /// Escapes for a request what no URL may hold, and nothing else: valid escapes, order and empty parameters stay
    /// (R-U4). `%` that starts no escape becomes `%25`.
    package static func escaped(_ url: String) -> String {
        let bytes = Array(url.utf8)
        guard bytes.contains(where: { !isLegal($0) || $0 == UInt8(ascii: "%") }) else { return url }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 32)
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "%") {
                let valid = index + 2 < bytes.count && isHex(bytes[index + 1]) && isHex(bytes[index + 2])
                if valid { result.append(byte) } else { appendEscape(byte, to: &result) }
            } else if isLegal(byte) {
                result.append(byte)
            } else {
                appendEscape(byte, to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// A value as part of a query: everything but unreserved characters is escaped, once (R-Y2).
    package static func queryComponent(_ value: String) -> String {
        var result: [UInt8] = []
        for byte in value.utf8 {
            if isUnreserved(byte) { result.append(byte) } else { appendEscape(byte, to: &result) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The URL without query and fragment, for logs and as a key.
    package static func withoutQuery(_ url: String) -> String {
        String(url.prefix { $0 != "?" && $0 != "#" })
    }

    /// What two URLs of a wrapper loop have in common: no fragment, no query parameter with a macro in it (R-W3).
    static func loopKey(_ url: String) -> String {
        let address = url.prefix { $0 != "#" }
        let path = address.prefix { $0 != "?" }
        guard address.utf8.count > path.utf8.count else { return String(path) }
        let parameters = address.dropFirst(path.count + 1).split(separator: "&").filter { parameter in
            !parameter.utf8.contains { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } && !parameter.contains("%%")
        }
        return parameters.isEmpty ? String(path) : "\(path)?\(parameters.joined(separator: "&"))"
    }

    /// `reference` against the URL of the document that holds it (R-U3, RFC 3986 section 5.2), as spelled.
    package static func resolve(_ reference: String, against base: String?) -> String {
        if scheme(of: reference) != nil { return reference }
        let baseScheme = base.flatMap(scheme(of:))
        if reference.hasPrefix("//") { return (baseScheme ?? "https") + ":" + reference }
        guard let base, let baseScheme else { return reference }
        let afterScheme = base.dropFirst(baseScheme.count + 1)
        guard afterScheme.hasPrefix("//") else { return reference }
        let hierarchy = afterScheme.dropFirst(2)
        let authority = hierarchy.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let origin = "\(baseScheme)://\(authority)"
        let pathAndQuery = hierarchy.dropFirst(authority.count).prefix { $0 != "#" }
        let path = String(pathAndQuery.prefix { $0 != "?" })
        if reference.isEmpty { return origin + pathAndQuery }
        if reference.hasPrefix("#") { return origin + pathAndQuery + reference }
        if reference.hasPrefix("?") { return origin + path + reference }
        let target = String(reference.prefix { $0 != "?" && $0 != "#" })
        let rest = reference.dropFirst(target.count)
        if target.hasPrefix("/") { return origin + removingDotSegments(target) + rest }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return origin + removingDotSegments(folder + target) + rest
    }

    /// Lower-case scheme, if the text begins with one.
    package static func scheme(of url: String) -> String? {
        var name = ""
        for byte in url.utf8 {
            if byte == UInt8(ascii: ":") { return name.isEmpty ? nil : name.lowercased() }
            let letter = isLetter(byte)
            let other = (0x30...0x39).contains(byte) || byte == 0x2B || byte == 0x2D || byte == 0x2E
            guard letter || (other && !name.isEmpty) else { return nil }
            name.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return nil
    }

    private static func removingDotSegments(_ path: String) -> String {
        var kept: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let last = index == segments.count - 1
            if segment == "." || segment == ".." {
                if segment == "..", !kept.isEmpty { kept.removeLast() }
                if last { kept.append("") }
            } else {
                kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x7E
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func isLegal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F...0xFF: false
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: true
        }
    }

    private static func appendEscape(_ byte: UInt8, to result: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
