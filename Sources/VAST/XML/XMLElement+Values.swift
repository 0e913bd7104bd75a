/// Readings of text and attributes: lenient, never failing the ad (spec section 3).
extension XMLElement {
    /// Own text, trimmed at both ends.
    var text: String {
        String(decoding: textBytes.trimmingBlanks(), as: UTF8.self)
    }

    /// A URL by R-U1, nil where it is blank or a placeholder (R-U2).
    var url: String? {
        let cleaned = URLText.cleaned(textBytes)
        return URLText.isPlaceholder(cleaned) ? nil : cleaned
    }

    /// Trimmed text of a child; nil where the child is missing.
    func text(of child: String) -> String? {
        self.child(child)?.text
    }

    /// Trimmed attribute; nil where it is missing or blank.
    func word(_ name: String) -> String? {
        guard let value = attribute(name) else { return nil }
        let trimmed = value.trimmed
        return trimmed.isEmpty ? nil : trimmed
    }

    /// R-A1.
    func boolean(_ name: String) -> Bool? {
        switch attribute(name)?.trimmed.lowercased() {
        case "true", "1", "yes": true
        case "false", "0", "no": false
        default: nil
        }
    }

    /// R-A2.
    func integer(_ name: String) -> Int? {
        guard let value = attribute(name)?.trimmed, !value.isEmpty else { return nil }
        return Int(value)
    }

    /// Children of that name as URLs with ids, blank ones left out.
    func identifiedURLs(_ name: String) -> [IdentifiedURL] {
        children(name).compactMap { element in
            element.url.map { IdentifiedURL(id: element.word("id"), url: $0) }
        }
    }

    func urls(_ name: String) -> [String] {
        children(name).compactMap(\.url)
    }
}

extension ArraySlice where Element == UInt8 {
    func trimmingBlanks() -> ArraySlice<UInt8> {
        var (start, end) = (startIndex, endIndex)
        while start < end, XMLEncoding.isBlank(self[start]) { start += 1 }
        while start < end, XMLEncoding.isBlank(self[end - 1]) { end -= 1 }
        return self[start..<end]
    }
}

extension String {
    var trimmed: String {
        guard let first = utf8.first, let last = utf8.last, XMLEncoding.isBlank(first) || XMLEncoding.isBlank(last)
        else { return self }
        return String(decoding: Array(utf8)[...].trimmingBlanks(), as: UTF8.self)
    }
}
