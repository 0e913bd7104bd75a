import Testing

@testable import VAST

struct URLTextTests {
    @Test(arguments: [
        ("\n  http://h/a \t", "http://h/a"), ("http://h/a\n   b", "http://h/ab"), ("http://h/a  b", "http://h/a  b"),
        ("http://h/\r\n\t?x", "http://h/?x"), ("", ""),
    ])
    func `white space round a URL and broken lines in it vanish (V01, V02, R57, R-U1)`(given: String, wanted: String) {
        #expect(URLText.cleaned(Array(given.utf8)[...]) == wanted)
    }

    @Test func `a media file with blanks round and in its CDATA is usable (R57)`() throws {
        let media = "<MediaFile type=\"application/x-mpegURL\">\n\t<![CDATA[  http://m.test/a.m3u8  ]]>\n</MediaFile>"
        let ads = AdServerScript.resolve(Sample.vast(Sample.inLine("1", media: media)))
        #expect(ads.pod.first?.hlsMediaFiles.map(\.url) == ["http://m.test/a.m3u8"])
    }

    @Test func `a wrapper's address with blanks round and in its CDATA is asked for (V01)`() {
        let wrapper = Sample.wrapper("w", to: " http://ads.test/a ").replacing(
            "<VASTAdTagURI>", with: "<VASTAdTagURI>\n  "
        ).replacing("</VASTAdTagURI>", with: "\n</VASTAdTagURI>")
        let ads = AdServerScript.resolve(Sample.vast(wrapper), ["http://ads.test/a": Sample.vast(Sample.inLine("1"))])
        #expect(ads.pod.map(\.id) == ["1"])
    }

    @Test(arguments: ["", "about:blank", "About:Blank"])
    func `placeholders are never requested (V36, R-U2)`(url: String) {
        #expect(URLText.isPlaceholder(url))
        #expect(!URLText.isRequestable(url))
    }

    @Test func `blank and placeholder trackers are dropped and counted (V36, R-U2)`() throws {
        let document = try VASTDocument(
            """
            <VAST><Ad><InLine><Impression/><Impression>about:blank</Impression><Impression>http://t/</Impression>\
            <Error></Error></InLine></Ad></VAST>
            """)
        #expect(document.ads.first?.elements?.impressions.map(\.url) == ["http://t/"])
        #expect(document.ads.first?.elements?.blankImpressions == 2)
        #expect(document.ads.first?.elements?.errors == [])
    }

    @Test(arguments: [
        ("javascript:alert(1)", false), ("file:///etc/passwd", false), ("data:text/plain,x", false),
        ("http://h/", true), ("HTTPS://h/", true), ("//h/x", true), ("x.xml", true),
    ])
    func `only http and https are requested (R-U2)`(url: String, usable: Bool) {
        #expect(URLText.isRequestable(url) == usable)
    }

    @Test(arguments: [
        ("//h/p", "http://b/c/d?e", "http://h/p"), ("/p?x", "http://b/c/d?e", "http://b/p?x"),
        ("p", "https://b:1/c/d?e#f", "https://b:1/c/p"), ("../p/./q", "http://b/c/d/e", "http://b/c/p/q"),
        ("?y", "http://b/c?x", "http://b/c?y"), ("p", "http://b", "http://b/p"),
        ("http://x/", "http://b/", "http://x/"),
        ("..", "http://b/c/d/e", "http://b/c/"), ("../../../p", "http://b/c/d", "http://b/p"),
    ])
    func `references resolve against the document's URL (R-U3)`(reference: String, base: String, wanted: String) {
        #expect(URLText.resolve(reference, against: base) == wanted)
    }

    @Test func `a reference without a known base stays, or takes https (R-U3)`() {
        #expect(URLText.resolve("a.xml", against: nil) == "a.xml")
        #expect(URLText.resolve("//h/a", against: nil) == "https://h/a")
    }

    @Test func `only what is illegal is escaped for a request (R72, R-U4)`() {
        #expect(
            URLText.escaped("http://h/a b?${x}|{y}&é=\"<>\\^`%2f%zz&;=&[arr]=1")
                == "http://h/a%20b?$%7Bx%7D%7C%7By%7D&%C3%A9=%22%3C%3E%5C%5E%60%2f%25zz&;=&[arr]=1")
        #expect(URLText.escaped("http://h/%2526?a=%3a") == "http://h/%2526?a=%3a")
    }

    @Test func `an ad whose tag has odd characters is not lost (R72)`() {
        let odd = "http://ads.test/a b?x=${y}|{z}&ü"
        var script = AdServerScript([
            "http://ads.test/first": Sample.vast(Sample.wrapper("w", to: odd)), odd: Sample.vast(Sample.inLine("1")),
        ])
        var resolution = AdResolution(url: "http://ads.test/first")
        #expect(script.run(&resolution).pod.map(\.id) == ["1"])
        #expect(URLText.escaped(odd) == "http://ads.test/a%20b?x=$%7By%7D%7C%7Bz%7D&%C3%BC")
    }
}
