import Testing

@testable import HLS

@Suite struct URIReferenceTests {
    private static let base = "http://a/b/c/d;p?q"

    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"),
    ])
    func `RFC 3986 5.4.1: the normal examples`(reference: String, target: String) {
        #expect(URIReference.resolve(reference, against: Self.base) == target)
    }

    @Test(arguments: [
        // More dot segments than there are levels.
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        // Dot segments in an absolute path; dots that are part of a name.
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        // Dot segments that say nothing.
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        // In a query and a fragment they are text.
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
        ("g#s/../x", "http://a/b/c/g#s/../x"),
        // A scheme makes it absolute, though it is the base's own.
        ("http:g", "http:g"),
    ])
    func `RFC 3986 5.4.2: the abnormal examples`(reference: String, target: String) {
        #expect(URIReference.resolve(reference, against: Self.base) == target)
    }

    @Test(arguments: [
        // Queries and percent escapes stay as spelled (rule 1211).
        ("s.ts?a=%2F+~%7e&b=../x", "https://h/a/s.ts?a=%2F+~%7e&b=../x"),
        ("%7Euser/s.ts", "https://h/a/%7Euser/s.ts"),
        ("//CDN.example:8080/x?y", "https://CDN.example:8080/x?y"),
        ("?token=1", "https://h/a/b.m3u8?token=1"),
        ("data:text/plain;base64,AAAA==", "data:text/plain;base64,AAAA=="),
        ("skd://key/../1", "skd://key/../1"),
        ("HTTP://Host/a/../b", "HTTP://Host/a/../b"),
        ("/abs/./x", "https://h/abs/x"),
        // The base's query is not inherited.
        ("s.ts", "https://h/a/s.ts"),
        // A colon after a slash makes no scheme; before it does.
        ("a/b:c.ts", "https://h/a/a/b:c.ts"),
        ("1:2.ts", "https://h/a/1:2.ts"),
    ])
    func `references resolve on the text as spelled (rule 1210)`(reference: String, target: String) {
        #expect(URIReference.resolve(reference, against: "https://h/a/b.m3u8?sig=1&path=/x/y") == target)
    }

    @Test(arguments: [
        ("/a/b/c/./../../g", "/a/g"), ("mid/content=5/../6", "mid/6"),
    ])
    func `RFC 3986 5.2.4: the examples of removing dot segments`(path: String, expected: String) {
        var bytes = Array(path.utf8)
        BaseURI.removeDotSegments(&bytes)
        #expect(text(bytes) == expected)
    }

    @Test func `bytes that are no ASCII, and no text at all, pass as they are (rule 1211)`() {
        let reference: [UInt8] = [0x2E, 0x2E, 0x2F, 0xC3, 0xBC, 0x2F, 0xFF, 0xFE, 0x2E, 0x74, 0x73]
        var output = PlaylistText()
        BaseURI("https://h/\u{E4}/b/c.m3u8").appendResolved(reference, in: 0..<reference.count, to: &output)
        #expect(output.bytes == Array("https://h/\u{E4}/".utf8) + reference.dropFirst(3))
    }

    @Test(arguments: [
        ("//h2", "https://h2"), ("//h2?q", "https://h2?q"), ("//h2/", "https://h2/"),
        ("//u@[::1]:8/x", "https://u@[::1]:8/x"),
        ("///x", "https:///x"),
    ])
    func `an authority may stand without a path (rule 1210)`(reference: String, target: String) {
        #expect(URIReference.resolve(reference, against: "https://h/a/b?c") == target)
    }

    @Test(arguments: [
        ("?", "https://h/a/b?"), ("#", "https://h/a/b?c#"), ("x?", "https://h/a/x?"),
        ("?a?b/../c", "https://h/a/b?a?b/../c"),
    ])
    func `an empty query is one, and a query ends only at a fragment (rule 1211)`(reference: String, target: String) {
        #expect(URIReference.resolve(reference, against: "https://h/a/b?c") == target)
    }

    @Test(arguments: ["%2e%2e/x", "a%2Fb", "%7euser", "%7Euser", "a%zz", "a b", "a+b", "a~b"])
    func `percent escapes are neither resolved nor made (rule 1211)`(reference: String) {
        #expect(URIReference.resolve(reference, against: "https://h/a/b") == "https://h/a/" + reference)
    }

    @Test func `a base without path, and a base with dot segments`() {
        #expect(URIReference.resolve("s.ts", against: "http://h") == "http://h/s.ts")
        #expect(URIReference.resolve("?q", against: "http://h") == "http://h?q")
        #expect(URIReference.resolve("s.ts", against: "http://h/a/../b/./c.m3u8") == "http://h/b/s.ts")
        #expect(URIReference.resolve("s.ts", against: "") == "s.ts")
        #expect(URIReference.resolve("../s.ts", against: "http://h/a/b/c.m3u8#f") == "http://h/a/s.ts")
    }

    @Test(arguments: [
        ("http://t/x?y", "t"), ("https://user:word@T.example:8080/x", "t.example:8080"), ("//h?u=a@b", "h"), ("x", ""),
        ("https://a@b@c/", "c"),
        ("mailto:a@b", ""),
    ])
    func `a reference's host and port have no secrets (RFC 3986 3.2)`(reference: String, host: String) {
        #expect(URIReference.host(of: reference) == host)
    }
}
