/// Scheme, host and path of a URL: without user, password, query and fragment, which may hold secrets or identify a viewer.
package func redactedURL(_ url: String) -> String {
    let bare = url.prefix { $0 != "?" && $0 != "#" }
    let isCut = bare.endIndex != url.endIndex
    var shown = String(bare)
    if let scheme = shown.firstRange(of: "://") {
        let authorityEnd = shown[scheme.upperBound...].firstIndex(of: "/") ?? shown.endIndex
        if let at = shown[scheme.upperBound..<authorityEnd].lastIndex(of: "@") {
            shown.removeSubrange(scheme.upperBound...at)
        }
    }
    shown = String(shown.prefix(500))
    return isCut ? shown + "?…" : shown
}

/// A URL as operators see it who look into one session: the names in the query stay, values do not.
func maskedURL(_ url: String) -> String {
    let bare = redactedURL(url)
    guard let mark = url.firstIndex(of: "?") else { return bare }
    let names = url[url.index(after: mark)...].prefix { $0 != "#" }.split(separator: "&").prefix(100).map { pair in
        // Without a value it may be one.
        pair.contains("=") ? pair.prefix { $0 != "=" }.prefix(100) + "=…" : "…"
    }
    return bare.prefix { $0 != "?" } + "?" + names.joined(separator: "&")
}

/// The text with every URL in it redacted. Errors of libraries below quote the URL they failed on.
func redactedText(_ text: String) -> String {
    guard text.contains("://") else { return text }
    var output = ""
    var rest = text[...]
    while let mark = rest.firstRange(of: "://") {
        // The scheme stays with what is before; a URL ends at a space, a quote or an angle bracket.
        let url = rest[mark.lowerBound...].prefix { !$0.isWhitespace && !"\"'<>".contains($0) }
        output += rest[..<mark.lowerBound]
        // Punctuation behind a URL belongs to the sentence.
        let trailer = String(url.reversed().prefix { ":,;.".contains($0) }.reversed())
        output += redactedURL("x" + url.dropLast(trailer.count)).dropFirst() + trailer
        rest = rest[url.endIndex...]
    }
    return output + rest
}
