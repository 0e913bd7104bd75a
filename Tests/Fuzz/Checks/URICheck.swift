import HLS

/// URI references against a base. The input is the reference, or base, line feed, reference.
enum URICheck {
    static let base = BaseURI("https://host.example/a/b/c;d?q=/x#f")
    private static let bareBase = BaseURI("https://host.example")

    static func run(_ bytes: [UInt8]) throws(FuzzFailure) {
        if let feed = bytes.firstIndex(of: 0x0A) {
            let base = String(decoding: bytes[..<feed], as: UTF8.self)
            try check(Array(bytes[(feed + 1)...]), against: BaseURI(base), Array(base.utf8))
        } else {
            try check(bytes, against: base, Array(base.text.utf8))
            try check(bytes, against: bareBase, Array(bareBase.text.utf8))
        }
    }

    private static func check(_ reference: [UInt8], against base: BaseURI, _ text: [UInt8]) throws(FuzzFailure) {
        var output = PlaylistText()
        base.appendResolved(reference, in: 0..<reference.count, to: &output)
        let expected = RFC3986.resolve(reference, against: text)
        try require(
            output.bytes == expected,
            "\(String(decoding: reference, as: UTF8.self)) against \(base.text) is \(output.string), not \(String(decoding: expected, as: UTF8.self))"
        )
    }
}

/// RFC 3986 §5.2 and §5.3, word for word and without a thought for speed.
enum RFC3986 {
    struct Parts {
        var scheme: ArraySlice<UInt8>?
        var authority: ArraySlice<UInt8>?
        var path: ArraySlice<UInt8>
        var query: ArraySlice<UInt8>?
        var fragment: ArraySlice<UInt8>?

        /// Appendix B, with a scheme that §3.1 allows.
        init(_ text: [UInt8]) {
            var rest = text[...]
            if let hash = rest.firstIndex(of: 0x23) {
                fragment = rest[(hash + 1)...]
                rest = rest[..<hash]
            }
            if let mark = rest.firstIndex(of: 0x3F) {
                query = rest[(mark + 1)...]
                rest = rest[..<mark]
            }
            if let colon = rest.firstIndex(of: 0x3A), Self.isScheme(rest[..<colon]) {
                scheme = rest[..<colon]
                rest = rest[(colon + 1)...]
            }
            if rest.starts(with: [0x2F, 0x2F]) {
                let end = rest.dropFirst(2).firstIndex(of: 0x2F) ?? rest.endIndex
                authority = rest[(rest.startIndex + 2)..<end]
                rest = rest[end...]
            }
            path = rest
        }

        private static func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
            guard let first = text.first, isLetter(first) else { return false }
            return text.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) }
        }

        private static func isLetter(_ byte: UInt8) -> Bool {
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
    }

    static func resolve(_ reference: [UInt8], against base: [UInt8]) -> [UInt8] {
        let reference = Parts(reference)
        let base = Parts(base)
        if let scheme = reference.scheme {
            // §5.2.2 removes dot segments here too. Absolute URIs are passed on as spelled instead: they are opaque
            // names to a playlist's reader (`data:`, `skd:`), and any other spelling is another cache key.
            var whole = Array(scheme) + [0x3A]
            if let authority = reference.authority { whole += [0x2F, 0x2F] + authority }
            whole += reference.path
            return finish(whole, query: reference.query, fragment: reference.fragment)
        }
        var output: [UInt8] = []
        if let scheme = base.scheme { output += Array(scheme) + [0x3A] }
        var query = reference.query
        let path: [UInt8]
        var authority = base.authority
        if reference.authority != nil {
            authority = reference.authority
            path = removingDotSegments(Array(reference.path))
        } else if reference.path.isEmpty {
            path = Array(base.path)
            query = query ?? base.query
        } else if reference.path.first == 0x2F {
            path = removingDotSegments(Array(reference.path))
        } else {
            path = removingDotSegments(merged(base, reference))
        }
        if let authority { output += [0x2F, 0x2F] + authority }
        output += path
        return finish(output, query: query, fragment: reference.fragment)
    }

    private static func finish(
        _ start: [UInt8], query: ArraySlice<UInt8>?, fragment: ArraySlice<UInt8>?
    ) -> [UInt8] {
        var output = start
        if let query { output += [0x3F] + query }
        if let fragment { output += [0x23] + fragment }
        return output
    }

    private static func merged(_ base: Parts, _ reference: Parts) -> [UInt8] {
        if base.authority != nil, base.path.isEmpty { return [0x2F] + reference.path }
        guard let slash = base.path.lastIndex(of: 0x2F) else { return Array(reference.path) }
        return Array(base.path[...slash]) + reference.path
    }

    static func removingDotSegments(_ path: [UInt8]) -> [UInt8] {
        var input = path[...]
        var output: [UInt8] = []
        while !input.isEmpty {
            if input.starts(with: Array("../".utf8)) {
                input = input.dropFirst(3)
            } else if input.starts(with: Array("./".utf8)) {
                input = input.dropFirst(2)
            } else if input.starts(with: Array("/./".utf8)) {
                input = input.dropFirst(2)
            } else if input.elementsEqual("/.".utf8) {
                input = [0x2F]
            } else if input.starts(with: Array("/../".utf8)) || input.elementsEqual("/..".utf8) {
                input = input.count == 3 ? [0x2F] : input.dropFirst(3)
                while let last = output.popLast(), last != 0x2F {}
            } else if input.elementsEqual(".".utf8) || input.elementsEqual("..".utf8) {
                input = []
            } else {
                let slash = input.dropFirst().firstIndex(of: 0x2F) ?? input.endIndex
                output += input[..<slash]
                input = input[slash...]
            }
        }
        return output
    }
}
