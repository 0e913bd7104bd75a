import Testing

@testable import HLS

@Suite struct URIReferenceTests {
    /// RFC 3986 §5.4.1 and §5.4.2; the base is `http://a/b/c/d;p?q`.
    static let examples: [(String, String)] = [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
        ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ]

    @Test(arguments: examples)
    func `the examples of RFC 3986 5.4 resolve as printed`(reference: String, target: String) {
        #expect(URIReference.resolve(reference, against: "http://a/b/c/d;p?q") == target)
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

    @Test func `a base without path, and a base with dot segments`() {
        #expect(URIReference.resolve("s.ts", against: "http://h") == "http://h/s.ts")
        #expect(URIReference.resolve("?q", against: "http://h") == "http://h?q")
        #expect(URIReference.resolve("s.ts", against: "http://h/a/../b/./c.m3u8") == "http://h/b/s.ts")
        #expect(URIReference.resolve("s.ts", against: "") == "s.ts")
        #expect(URIReference.resolve("../s.ts", against: "http://h/a/b/c.m3u8#f") == "http://h/a/s.ts")
    }
}
