import Testing

@testable import VAST

struct XMLTests {
    private func impressions(_ text: String) throws -> [String] {
        try VASTDocument(text).ads.first?.elements?.impressions.map(\.url) ?? []
    }

    @Test func `the root is the first element, not a comment before it (V03)`() throws {
        #expect(try VASTDocument("<!-- x --><VAST version=\"3.0\"><Ad id=\"1\"/></VAST>").ads.count == 1)
    }

    @Test(arguments: [
        "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "\u{FEFF}\u{FEFF}<?xml version=\"1.0\"?>",
        "\r\n  <?xml version=\"1.0\" encoding='utf8'?>", "\u{FEFF}\n<?xml version=\"1.0\"?>",
        "<!-- c --><?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"utf-16\"?>",
    ])
    func `marks, blanks and lying labels in front do no harm (V04, R-X1, R-X2)`(head: String) throws {
        let document = try VASTDocument(head + Sample.vast(Sample.inLine("ä")))
        #expect(document.ads.first?.id == "ä")
    }

    @Test func `UTF-16 with a byte order mark and Latin-1 are converted (R-X1)`() throws {
        let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><VAST><Ad id=\"é€\"/></VAST>"
        var wide: [UInt8] = [0xFF, 0xFE]
        for unit in text.utf16 { wide += [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)] }
        #expect(try VASTDocument(parsing: wide).ads.first?.id == "é€")
        let latin =
            Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><VAST><Ad id=\"".utf8) + [0xE9]
            + Array("\"/></VAST>".utf8)
        #expect(try VASTDocument(parsing: latin).ads.first?.id == "é")
        let greek =
            Array("<?xml version=\"1.0\" encoding=\"ISO-8859-7\"?><VAST><Ad id=\"".utf8) + [0xE1]
            + Array("\"/></VAST>".utf8)
        #expect(try VASTDocument(parsing: greek).ads.first?.id == "α")
    }

    @Test(arguments: [
        "<VAST xmlns=\"http://www.iab.com/VAST\"><Ad id=\"1\"/></VAST>",
        "<v:VAST xmlns:v=\"urn:x\"><v:Ad id=\"1\"/></v:VAST>", "<v:VAST><v:Ad xsi:id=\"1\"/></v:VAST>",
    ])
    func `names compare by local name in any namespace (V05, R-X5)`(text: String) throws {
        #expect(try VASTDocument(text).ads.first?.id == "1")
    }

    @Test func `look-alike elements below other parents are not taken (V52)`() throws {
        let document = try VASTDocument(
            Sample.vast(
                Sample.inLine(
                    "1",
                    extra: """
                        <Extensions><Extension type="x"><Impression>http://no/</Impression><VAST><Ad id="2"/></VAST>\
                        <Creatives><Creative/></Creatives></Extension></Extensions>
                        """)))
        #expect(document.ads.count == 1)
        #expect(document.ads.first?.elements?.impressions.map(\.url) == ["http://t.test/1/imp"])
        #expect(document.ads.first?.elements?.creatives.count == 1)
    }

    @Test func `an extension keeps its text and namespaces as written (V47)`() throws {
        let inner = "<a:b xmlns:a=\"urn:a\" x='1'>&amp;<![CDATA[<&>]]></a:b><!-- c --> t "
        let document = try VASTDocument(
            Sample.vast(
                Sample.inLine(
                    "1", extra: "<Extensions><Extension type=\"t\">\(inner)</Extension><Extension/></Extensions>")))
        let extensions = document.ads.first?.elements?.extensions ?? []
        #expect(extensions.map(\.innerXML) == [inner, ""])
        #expect(extensions.first?.attributes == [XMLAttribute(name: "type", value: "t")])
    }

    @Test func `long documents keep the raw text of late extensions (V47)`() throws {
        let filler = (0..<400).map { Sample.inLine("filler-\($0)") }.joined()
        let text =
            "<VAST>\(filler)\(Sample.inLine("z", extra: "<Extensions><Extension><q>1</q></Extension></Extensions>"))"
            + "</VAST>"
        let limits = VASTLimits(adsPerDocument: 1000)
        let document = try VASTDocument(parsing: Array(text.utf8), limits: limits)
        #expect(document.ads.last?.elements?.extensions.map(\.innerXML) == ["<q>1</q>"])
    }

    @Test func `self-closed and spaced tags are read as XML, not as text (V46)`() throws {
        #expect(try VASTDocument("<VAST ><Ad id = '1' ><InLine ><Impression /></InLine ></Ad ></VAST >").ads.count == 1)
    }

    @Test(arguments: [
        "<!DOCTYPE VAST [<!ENTITY a \"b\">]><VAST/>", "<!DOCTYPE VAST SYSTEM \"file:///etc/passwd\"><VAST/>",
        "<!DOCTYPE VAST PUBLIC \"p\" \"http://h/x.dtd\"><VAST/>",
        "<!DOCTYPE l [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\"><!ENTITY c \"&b;&b;\">]><VAST>&c;</VAST>",
        "<!DOCTYPE VAST [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><VAST>&e;</VAST>",
    ])
    func `a document type with content is refused (V50, R-X3)`(text: String) {
        #expect(throws: VASTError(.xmlParsing, "")) { try VASTDocument(text) }
    }

    @Test(arguments: [
        "{\"ads\":[]}", "\"<VAST version=\\\"3.0\\\"/>\"", "<VAST><Ad id=\"1\"><InLine>", "<VAST a='1' a='2'/>",
    ])
    func `what is no XML, or only a part of it, is refused (V53, R-X4)`(text: String) {
        #expect(throws: VASTError(.xmlParsing, "")) { try VASTDocument(text) }
    }

    @Test func `nesting and size are bounded (R-X6)`() {
        let deep = "<VAST>" + String(repeating: "<a>", count: 300) + String(repeating: "</a>", count: 300) + "</VAST>"
        #expect(throws: VASTError(.xmlParsing, "")) { try VASTDocument(deep) }
        let big = Array("<VAST>\(String(repeating: " ", count: 5000))</VAST>".utf8)
        #expect(throws: VASTError(.xmlParsing, "")) {
            try VASTDocument(parsing: big, limits: VASTLimits(documentBytes: 4000))
        }
    }

    @Test func `bare ampersands in URLs are mended without changing the URL (R64, R-X4)`() throws {
        let document = try VASTDocument(
            "<VAST><Ad><InLine><Impression>http://t/?a=1&b=2&amp;c=3&copy;&#38;</Impression></InLine></Ad></VAST>")
        #expect(document.ads.first?.elements?.impressions.map(\.url) == ["http://t/?a=1&b=2&c=3©&"])
        #expect(document.repairs.contains(.ampersandsEscaped))
    }

    @Test func `one repair pass mends bytes, controls, entities and trailing text (R-X4)`() throws {
        let bytes =
            Array("<VAST><Ad id=\"".utf8) + [0xE9, 0x0B] + Array("\"><InLine><AdTitle>a&nbsp;b</AdTitle>".utf8)
            + Array("<Impression><![CDATA[http://t/?a&b]]></Impression></InLine></Ad></VAST>\ntrailing".utf8)
        let document = try VASTDocument(parsing: bytes)
        #expect(document.ads.first?.id == "é")
        #expect(document.ads.first?.elements?.adTitle == "a\u{A0}b")
        #expect(document.ads.first?.elements?.impressions.map(\.url) == ["http://t/?a&b"])
        #expect(document.repairs.count == 4)
    }

    @Test(arguments: ["", " \r\n", "\u{FEFF}", "<VAST/>", "<VAST version=\"3.0\"></VAST>", "<?xml version=\"1.0\"?>"])
    func `an empty answer is an answer without ads (R-X6)`(text: String) throws {
        #expect(try VASTDocument(text).ads.isEmpty)
    }

    @Test func `the root decides between VAST, VMAP, 101 and 102 (V16, R-X5)`() throws {
        #expect(throws: VASTError(.unsupportedVersion, "")) { try VASTDocument("<VideoAdServingTemplate/>") }
        #expect(throws: VASTError(.schema, "")) { try VASTDocument("<!DOCTYPE html><html><p>502</p></html>") }
        #expect(throws: VASTError(.schema, "")) { try VASTDocument("<VMAP/>") }
        #expect(throws: VASTError(.schema, "")) { try VMAPDocument(parsing: Array("<VAST/>".utf8)) }
        guard case .vmap = try AdAnswer(parsing: Array("<vmap:VMAP/>".utf8)) else {
            Issue.record("not read as VMAP")
            return
        }
    }

    @Test func `text is joined over CDATA and unescaped exactly once (V51, R-U1)`() throws {
        let outside = "http://h/?u=http%3A%2F%2Fx%2526&amp;y=1"
        #expect(
            try impressions("<VAST><Ad><InLine><Impression>\(outside)</Impression></InLine></Ad></VAST>")
                == ["http://h/?u=http%3A%2F%2Fx%2526&y=1"])
        let split = "<![CDATA[http://h/?a]]>\n  <![CDATA[&amp;b]]>"
        #expect(
            try impressions("<VAST><Ad><InLine><Impression>\(split)</Impression></InLine></Ad></VAST>")
                == ["http://h/?a&amp;b"])
    }

    @Test func `a tag with very many attributes is refused before it is parsed (R-X6)`() throws {
        let attributes = (0..<200_000).map { " a\($0)='='" }.joined()
        #expect(throws: VASTError(.xmlParsing, "")) { try VASTDocument("<VAST\(attributes)/>") }
        let query =
            "<Impression><![CDATA[http://t/?\((0..<9000).map { "a\($0)=1" }.joined(separator: "&"))]]></Impression>"
        #expect(try VASTDocument(Sample.vast(Sample.inLine("1", extra: query))).ads.count == 1)
    }

    /// Damages documents in ways that repeat from run to run; nothing but an error may come of it.
    @Test func `damaged documents never trap (R-X6)`() throws {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(truncatingIfNeeded: state >> 33) % max(bound, 1)
        }
        let pieces = [
            "<", ">", "/>", "&", "&#x110000;", "<![CDATA[", "]]>", "\"", "<!--", "\u{0}", "%", "-1", "<?xml ", "&nbsp;",
        ]
        let tail = "<Extensions><Extension type=\"x\">a<b/></Extension></Extensions>"
        let seeds = [
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>" + Sample.vast(Sample.inLine("1", sequence: 1, extra: tail)),
            Sample.vast(Sample.wrapper("w", to: "x", extra: tail)),
            """
            <VMAP><AdBreak timeOffset="10%" repeatAfter="00:00:10"><AdSource><VASTAdData><![CDATA[<VAST><Ad/></VAST>]]>\
            </VASTAdData></AdSource></AdBreak></VMAP>
            """,
        ].map { Array($0.utf8) }
        var readable = 0
        for round in 0..<1500 {
            var bytes = seeds[round % seeds.count]
            for _ in 0...random(4) {
                let place = random(bytes.count)
                switch random(4) {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random(256))
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + random(40)))
                case 2: bytes.insert(contentsOf: Array(pieces[random(pieces.count)].utf8), at: place)
                default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + random(60))], at: place)
                }
                if bytes.isEmpty { bytes = [0x3C] }
            }
            guard let answer = try? AdAnswer(parsing: bytes) else { continue }
            readable += 1
            if case .vast(let document) = answer {
                var script = AdServerScript([:])
                var resolution = AdResolution(document: document, url: "http://h/")
                _ = script.run(&resolution)
            }
        }
        #expect(readable > 100)
    }
}
