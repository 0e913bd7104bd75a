import Testing
import Transport

@testable import Server

private func parsed(_ text: String) throws(JSON5Error) -> JSON5Value.Content {
    try JSON5Parser.parse(Array(text.utf8)).content
}

@Suite struct ConfigurationJSON5Tests {
    @Test func `numbers in all spellings of JSON5`() throws {
        let spellings: [(String, Double)] = [
            ("0", 0), ("-12", -12), ("+3", 3), (".5", 0.5), ("5.", 5), ("5.e1", 50), ("1e3", 1_000), ("2.5E-1", 0.25),
            ("0xFf", 255), ("-0x10", -16), ("Infinity", .infinity), ("-Infinity", -.infinity),
            ("9007199254740991", 9007199254740991),
        ]
        for (text, value) in spellings { #expect(try parsed(text) == .number(value), "\(text)") }
    }

    @Test(arguments: ["01", "0x", "1e", "--1", "1.2.3", "0x1p3", "inf", "1_000", ".", "+", "nan", "-nan", "0b1"])
    func `what is not a number is refused`(text: String) {
        #expect(throws: JSON5Error.self) { try parsed(text) }
    }

    @Test func `strings in both quotes, with every escape, over a continued line`() throws {
        #expect(try parsed(#"'it\'s "x"'"#) == .string("it's \"x\""))
        #expect(try parsed(#""\b\f\n\r\t\v\0\x41\u00e9\ud83d\ude00\q\/""#) == .string("\u{8}\u{c}\n\r\t\u{b}\0Aé😀q/"))
        #expect(try parsed("'a\\\nb\\\r\nc'") == .string("abc"))
        for text in ["'a", "'a\n'", #"'\ud83d'"#, #"'\x4'"#, #"'\u12"#, "'\\"] {
            #expect(throws: JSON5Error.self, "\(text)") { try parsed(text) }
        }
    }

    @Test func `comments, trailing commas and bare names`() throws {
        let text = "\u{FEFF}// first\n{ /* a\n b */ $a_1: [1, 2,], 'b c': null, é: true, }\u{A0}// last"
        let root = try JSON5Parser.parse(Array(text.utf8))
        #expect(root.line == 2)
        #expect(root["$a_1"]?[1]?.content == .number(2))
        #expect(root["b c"]?.content == .null)
        #expect(root["b c"]?.line == 3)
        #expect(root["é"]?.content == .bool(true))
    }

    @Test func `lines are counted with any line ending`() throws {
        let root = try JSON5Parser.parse(Array("{\r\n a: 1,\r b: 2,\n c: 3 }".utf8))
        #expect(["a", "b", "c"].map { root[$0]?.line } == [2, 3, 4])
    }

    @Test func `a name given twice is refused`() {
        let error = JSON5Error(line: 2, detail: "\"a\" is given twice, first on line 1")
        #expect(throws: error) { try parsed("{ a: 1,\n'a': 2 }") }
    }

    @Test(arguments: [
        ("{ a: 1\n b: 2 }", 2, "expected , or } after the value of \"a\""),
        ("[1\n2]", 2, "expected , or ] after a list element"),
        ("{\n a: [", 2, "the [ of line 2 is not closed"),
        ("{ a: yes }", 1, "expected a value, found yes: is it a string without quotes?"),
        ("{} x", 1, "unexpected x after the end of the document"), ("{ a: 1 /* \n", 1, "the comment is not closed"),
        ("{ a: }", 1, "expected a value, found }"), ("{ 1: 1 }", 1, "expected a name, found 1"),
    ])
    func `a fault has a line and says what was expected`(text: String, line: Int, detail: String) {
        #expect(throws: JSON5Error(line: line, detail: detail)) { try parsed(text) }
    }

    @Test func `deep nesting and any cut of a document end in an error, not a crash`() throws {
        #expect(throws: JSON5Error.self) { try parsed(String(repeating: "[", count: 100_000)) }
        let text = Array("{ a: [1, 'x\\u00e9', -0x1F, {b: null}], /* c */ \"d\": .5e-3 } // e".utf8)
        for length in 0..<text.count {
            _ = try? JSON5Parser.parse(Array(text.prefix(length)))
            var damaged = text
            damaged[length] = 0xFF
            _ = try? JSON5Parser.parse(damaged)
        }
    }

    @Test(arguments: [
        ("listne", "listen"), ("gracePeriod", "gracePeriodMilliseconds"), ("GZIP", "gzip"),
        ("adprovider", "adProviders"),
    ])
    func `a mistyped name is recognised`(typed: String, meant: String) {
        let known = ["listen", "gracePeriodMilliseconds", "gzip", "adProviders", "admin"]
        #expect(likelyMeant(typed, among: known) == meant)
        #expect(likelyMeant("qqqqqq", among: known) == nil)
    }

    @Test func `addresses to listen on`() {
        #expect(ListenAddress(parsing: "127.0.0.1:80") == ListenAddress(host: "127.0.0.1", port: 80))
        #expect(ListenAddress(parsing: "[::1]:0")?.host == "::1")
        #expect(ListenAddress(parsing: "[::1]:0")?.description == "[::1]:0")
        #expect(ListenAddress(parsing: ":8080")?.host == "0.0.0.0")
        for text in ["", "8080", "h:", "h:70000", "h:-1", "::1:80", "[x]:1", "http://h:1", "h:+1"] {
            #expect(ListenAddress(parsing: text) == nil, "\(text)")
        }
    }

    @Test func `address ranges hold what they should`() throws {
        let ten = try #require(AddressRange(parsing: "10.1.2.3/9"))
        #expect(ten.contains("10.127.255.255") && !ten.contains("10.128.0.0"))
        #expect(ten.contains("::ffff:10.0.0.1") && !ten.contains("::1") && !ten.contains("x"))
        let six = try #require(AddressRange(parsing: "fe80::/10"))
        #expect(six.contains("fe80::1%eth0") && six.contains("febf::") && !six.contains("fec0::"))
        #expect(AddressRange(parsing: "192.0.2.1")?.prefixLength == 32)
        #expect(AddressRange(parsing: "0.0.0.0/0")?.contains("8.8.8.8") == true)
        for text in ["", "10.0.0.0/33", "10.0.0/8", "a/8", "::/129", "10.0.0.0/"] {
            #expect(AddressRange(parsing: text) == nil, "\(text)")
        }
    }
}
