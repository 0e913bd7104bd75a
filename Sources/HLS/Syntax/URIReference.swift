/// The five components of a URI reference as ranges into its bytes, RFC 3986 appendix B. Nothing is decoded or normalised.
struct URIComponents {
    var scheme: Range<Int>?
    var authority: Range<Int>?
    var path: Range<Int>
    var query: Range<Int>?
    var fragment: Range<Int>?

    init(_ bytes: Span<UInt8>, in range: Range<Int>) {
        var start = range.lowerBound
        var end = range.upperBound
        if let hash = bytes.firstIndex(of: 0x23, in: start..<end) {
            fragment = hash + 1..<end
            end = hash
        }
        if let mark = bytes.firstIndex(of: 0x3F, in: start..<end) {
            query = mark + 1..<end
            end = mark
        }
        if let colon = Self.schemeEnd(bytes, start..<end) {
            scheme = start..<colon
            start = colon + 1
        }
        if end - start >= 2, bytes[start] == 0x2F, bytes[start + 1] == 0x2F {
            let slash = bytes.firstIndex(of: 0x2F, in: start + 2..<end) ?? end
            authority = start + 2..<slash
            start = slash
        }
        path = start..<end
    }

    /// Position of the colon after a scheme.
    private static func schemeEnd(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            if byte == 0x3A { return position > range.lowerBound ? position : nil }
            let isFirst = position == range.lowerBound
            guard byte.isASCIILetter || (!isFirst && (byte.isDigit || byte == 0x2B || byte == 0x2D || byte == 0x2E))
            else { return nil }
            position += 1
        }
        return nil
    }
}

extension Span<UInt8> {
    /// Whether a URI has a scheme.
    func isAbsoluteURI(_ range: Range<Int>) -> Bool {
        URIComponents(self, in: range).scheme != nil
    }
}

/// Resolution of references by RFC 3986 §5.2-5.3 on the text as spelled: queries byte for byte, percent escapes and letter
/// case as they are (rules 1210, 1211).
package enum URIReference {
    /// The target of `reference` seen from `base`. A base without scheme gives a reference relative to the same place.
    package static func resolve(_ reference: String, against base: String) -> String {
        BaseURI(base).resolve(reference)
    }

    /// Host and port as a reference names them, in lower case, without user and password; empty where it names none (RFC 3986 §3.2).
    package static func host(of reference: String) -> String {
        let bytes = Array(reference.utf8)
        guard let authority = URIComponents(bytes.span, in: 0..<bytes.count).authority else { return "" }
        let host = bytes[authority].split(separator: 0x40, omittingEmptySubsequences: false).last ?? bytes[authority]
        return String(decoding: host, as: UTF8.self).lowercased()
    }

    /// Whether a reference has a scheme, and so names its target wherever it stands.
    package static func isAbsolute(_ reference: String) -> Bool {
        let bytes = Array(reference.utf8)
        return bytes.span.isAbsoluteURI(0..<bytes.count)
    }
}

/// The URI that references are resolved against, taken apart once.
package struct BaseURI: Hashable, Sendable {
    private let bytes: [UInt8]
    /// Scheme and authority: `https://host:8080`, `https:`, or nothing.
    private let originEnd: Int
    private let schemeEnd: Int
    private let hasAuthority: Bool
    private let path: Range<Int>
    private let query: Range<Int>?
    /// Origin and directory of the path without dot segments: what stands before a plain relative reference.
    private let directory: [UInt8]

    package init(_ text: String) {
        let bytes = Array(text.utf8)
        self.bytes = bytes
        let components = URIComponents(bytes.span, in: 0..<bytes.count)
        let afterScheme = (components.scheme?.upperBound ?? -1) + 1
        let afterAuthority = components.authority?.upperBound ?? afterScheme
        schemeEnd = afterScheme
        originEnd = afterAuthority
        hasAuthority = components.authority != nil
        path = components.path
        query = components.query
        var output = Array(bytes[0..<afterAuthority])
        let slash = bytes[components.path].lastIndex(of: 0x2F)
        if let slash {
            var rest = Array(bytes[components.path.lowerBound...slash])
            Self.removeDotSegments(&rest)
            output.append(contentsOf: rest)
        } else if hasAuthority, components.path.isEmpty {
            output.append(0x2F)
        }
        directory = output
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package func resolve(_ reference: String) -> String {
        let source = Array(reference.utf8)
        var output = PlaylistText()
        appendResolved(source, in: 0..<source.count, to: &output)
        return output.string
    }

    /// Appends the target of the reference in `range` of `source`.
    package func appendResolved(_ source: [UInt8], in range: Range<Int>, to output: inout PlaylistText) {
        let range = range.clamped(to: 0..<source.count)
        if Self.isPlainRelative(source.span, range) {
            output.append(directory)
            output.append(source, in: range)
            return
        }
        let reference = URIComponents(source.span, in: range)
        if reference.scheme != nil {
            // An absolute URI, `data:` and `skd:` too, is passed on as it is spelled.
            output.append(source, in: range)
            return
        }
        if reference.authority != nil {
            output.append(bytes, in: 0..<schemeEnd)
            output.append("//")
            output.append(source, in: reference.authority ?? 0..<0)
            appendPath(Array(source[reference.path]), to: &output)
        } else if reference.path.isEmpty {
            output.append(bytes, in: 0..<path.upperBound)
            if reference.query == nil, let query {
                output.append("?")
                output.append(bytes, in: query)
            }
        } else if source[reference.path.lowerBound] == 0x2F {
            output.append(bytes, in: 0..<originEnd)
            appendPath(Array(source[reference.path]), to: &output)
        } else {
            output.append(bytes, in: 0..<originEnd)
            var merged: [UInt8] = []
            if hasAuthority, path.isEmpty {
                merged.append(0x2F)
            } else if let slash = bytes[path].lastIndex(of: 0x2F) {
                merged.append(contentsOf: bytes[path.lowerBound...slash])
            }
            merged.append(contentsOf: source[reference.path])
            appendPath(merged, to: &output)
        }
        if let query = reference.query {
            output.append("?")
            output.append(source, in: query)
        }
        if let fragment = reference.fragment {
            output.append("#")
            output.append(source, in: fragment)
        }
    }

    private func appendPath(_ path: [UInt8], to output: inout PlaylistText) {
        var path = path
        Self.removeDotSegments(&path)
        output.append(path)
    }

    /// A reference to which the directory has only to be prefixed: it begins with a letter, digit or underscore and has
    /// neither a colon in its first segment nor anything that could be a dot segment.
    private static func isPlainRelative(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let first = range.first, bytes[first].isASCIILetter || bytes[first].isDigit || bytes[first] == 0x5F else {
            return false
        }
        var previous: UInt8 = 0
        for position in range {
            let byte = bytes[position]
            if byte == 0x3A || (byte == 0x2E && previous == 0x2F) { return false }
            if byte == 0x3F || byte == 0x23 { return true }
            previous = byte
        }
        return true
    }

    /// RFC 3986 §5.2.4, in place: complete segments `.` and `..` go, the latter with the segment before it.
    static func removeDotSegments(_ path: inout [UInt8]) {
        guard path.contains(0x2E) else { return }
        var output: [UInt8] = []
        output.reserveCapacity(path.count)
        var position = 0
        // A relative path loses its leading dot segments.
        while position < path.count, path[position] == 0x2E {
            let dots = position + 1 < path.count && path[position + 1] == 0x2E ? 2 : 1
            let after = position + dots
            if after == path.count {
                position = after
            } else if path[after] == 0x2F {
                position = after + 1
            } else {
                break
            }
        }
        while position < path.count {
            // Here stands a slash, or the first segment of a relative path.
            var segmentEnd = position + 1
            while segmentEnd < path.count, path[segmentEnd] != 0x2F { segmentEnd += 1 }
            let segment = path[position] == 0x2F ? path[(position + 1)..<segmentEnd] : path[position..<segmentEnd]
            let isDot = path[position] == 0x2F && segment.elementsEqual([0x2E])
            let isParent = path[position] == 0x2F && segment.elementsEqual([0x2E, 0x2E])
            if isParent {
                output.removeLast(output.count - (output.lastIndex(of: 0x2F) ?? 0))
            }
            if isDot || isParent {
                if segmentEnd == path.count { output.append(0x2F) }
            } else {
                output.append(contentsOf: path[position..<segmentEnd])
            }
            position = segmentEnd
        }
        path = output
    }
}
