import FoundationEssentials
import Stitching
import Testing

@testable import Server

/// The problems of a text, as an operator sees them.
private func problems(_ text: String, secrets: SecretSource = .none) -> [String] {
    do {
        _ = try Configuration.decode(Array(text.utf8), file: "p.json5", secrets: secrets)
        return []
    } catch {
        return error.problems.map(\.description)
    }
}

private func configuration(_ text: String, secrets: SecretSource = .none) throws -> Configuration {
    try Configuration.decode(Array(text.utf8), file: "p.json5", secrets: secrets)
}

@Suite struct ConfigurationTests {
    @Test func `an empty object is a configuration of defaults`() throws {
        #expect(try configuration("{}") == Configuration())
    }

    @Test func `a channel and a provider with only what must be given have the defaults of the types`() throws {
        let read = try configuration(
            """
            { channels: [{ name: "news", origin: "http://o/m.m3u8", ads: "main" }],
              titles: [{ name: "film", origin: "http://o/v.m3u8" }],
              adProviders: { main: { type: "vast", url: "http://a/[CACHEBUSTING]" }, none: { type: "none" } } }
            """)
        #expect(read.channels == [SourceOptions(kind: .live, name: "news", origin: "http://o/m.m3u8", ads: "main")])
        #expect(read.titles == [SourceOptions(kind: .vod, name: "film", origin: "http://o/v.m3u8")])
        let main = AdProviderOptions.vast(VASTProviderOptions(url: "http://a/[CACHEBUSTING]"))
        #expect(read.adProviders == ["main": main, "none": .none])
        #expect(read.adProviders(of: read.channels[0]) == [main])
        #expect(read.adProviders(of: read.titles[0]).isEmpty)
    }

    @Test func `a problem names file, line and place`() {
        let text = """
            {
              channels: [
                { name: "a", origin: "http://o/a" },
                { name: "b", origin: "http://o/b" },
                {
                  name: "c",
                  origin: "o/c" },
              ],
            }
            """
        #expect(
            problems(text) == [
                "p.json5:7: channels[2].origin: not a URL: it begins with neither http:// nor https://"
            ])
    }

    @Test func `all problems are reported at once, by line`() {
        let text = """
            { titles: [{ origin: 5 }],
              server: { listen: "nowhere", gzip: "yes",
                maxConnections: 0,
                idleTimeoutMilliseconds: 2.5 },
              network: [] }
            """
        #expect(
            problems(text) == [
                "p.json5:1: titles[0].name: must be given",
                "p.json5:1: titles[0].origin: expected a string, found a number",
                "p.json5:2: server.listen: not an address with a port, like \"127.0.0.1:8080\" or \"[::1]:8080\"",
                "p.json5:2: server.gzip: expected true or false, found a string",
                "p.json5:3: server.maxConnections: 0 is outside 1 to 10000000",
                "p.json5:4: server.idleTimeoutMilliseconds: expected a whole number, found 2.5",
                "p.json5:5: network: expected an object, found a list",
            ])
    }

    @Test(arguments: [
        ("{ sever: {} }", "p.json5:1: sever: unknown option, did you mean \"server\"?"),
        ("{ server: { lisen: \":1\" } }", "p.json5:1: server.lisen: unknown option, did you mean \"listen\"?"),
        (
            "{ server: {\n gracePeriod: 1 } }",
            "p.json5:2: server.gracePeriod: unknown option, did you mean \"gracePeriodMilliseconds\"?"
        ),
        (
            "{ channels: [{ name: 'a', origin: 'http://o', orign: 1 }] }",
            "p.json5:1: channels[0].orign: unknown option, did you mean \"origin\"?"
        ),
        (
            "{ adProviders: { m: { type: 'none', zzzzzz: 1 } } }",
            "p.json5:1: adProviders.m.zzzzzz: unknown option, known here: type"
        ),
    ])
    func `an unknown option stops the start and names the likely one`(text: String, expected: String) {
        #expect(problems(text) == [expected])
    }

    @Test func `an option that only the other kind of source has is told so`() throws {
        func options(_ section: String) throws -> [KnownOption] {
            try Configuration.knownOptions(
                readingLike: Array("{ \(section): [{ name: 'a', origin: 'http://o' }] }".utf8)
            )
            .filter { $0.section == "\(section)[]" }
        }
        let (channels, titles) = (try options("channels"), try options("titles"))
        for (own, others, section, other) in [
            (channels, titles, "titles", "channels"), (titles, channels, "channels", "titles"),
        ] {
            let names = Set(own.map(\.name)).subtracting(others.map(\.name))
            #expect(!names.isEmpty)
            for name in names {
                #expect(
                    problems("{ \(section): [{ name: 'a', origin: 'http://o',\n \(name): 1 }] }") == [
                        "p.json5:2: \(section)[0].\(name): an option of \(other) only"
                    ])
            }
        }
    }

    @Test(arguments: ["https://a\"b", "https://h/x?y=1", "https://h/#f", "https://u:p@h/", "https://h\\\\x"])
    func `what answers are put behind is scheme, host and path alone`(url: String) {
        let text = "{ server: { publicURL: '\(url)' } }"
        #expect(
            problems(text) == ["p.json5:1: server.publicURL: nothing but scheme, host, port and path may stand here"])
        #expect(problems("{ server: { publicURL: 'https://[::1]:80/a-b/' } }").isEmpty)
    }

    @Test func `an origin stands once among those that take its place`() {
        let text = "{ channels: [{ name: 'a', origin: 'http://o',\n backupOrigins: ['http://p', 'http://o'] }] }"
        #expect(problems(text) == ["p.json5:2: channels[0].backupOrigins: names an origin twice"])
    }

    @Test func `what comes with a later version is recognised and refused`() {
        let text = """
            { server: { store: "redis://h:1/0" }, channels: [{ name: "a", origin: "http://o",
              fill: "content",
              slate: "http://s",
              tracking: "viewer",
              assetKey: "k" }], adProviders: {
              g: { type: "dai", networkCode: "1" },
              s: { type: "schedule", ads: [] },
              x: { type: "vats" } } }
            """
        #expect(
            problems(text) == [
                "p.json5:1: server.store: this store is not supported by this version yet",
                "p.json5:4: channels[0].tracking: \"viewer\" is not one of \"server\", \"client\", \"relay\"",
                "p.json5:5: channels[0].assetKey: not supported by this version yet",
                "p.json5:6: adProviders.g.type: this type of provider is not supported by this version yet",
                "p.json5:7: adProviders.s.ads: names no ad",
                "p.json5:8: adProviders.x.type: \"vats\" is not one of \"vast\", \"schedule\", \"none\"",
            ])
    }

    @Test func `a source may name several providers, and what is wrong is told with its place`() throws {
        let read = try configuration(
            """
            { channels: [{ name: "a", origin: "http://o/m.m3u8", ads: ["main", "house"],
                preroll: ["http://a/vast", "house"], leastForNextProviderMilliseconds: 0 }],
              adProviders: { main: { type: "vast", url: "http://a/v", maxRequests: 7 },
                house: { type: "schedule", rotate: false, ads: [{ url: "http://h/a.m3u8" },
                  { id: "b", url: "http://h/b.mp4", impressions: ["http://h/i?[CACHEBUSTING]"] }] } } }
            """)
        #expect(read.channels.map(\.ads) == [["main", "house"]])
        #expect(read.channels.map(\.preroll) == [["http://a/vast", "house"]])
        #expect(read.channels.map(\.leastForNextProvider) == [.zero])
        var house = ListedAdsOptions(ads: [
            .init(id: "house-1", url: "http://h/a.m3u8"),
            .init(id: "b", url: "http://h/b.mp4", impressions: ["http://h/i?[CACHEBUSTING]"]),
        ])
        house.rotate = false
        #expect(read.adProviders["house"] == .schedule(house))
        let text = """
            { channels: [{ name: "a", origin: "http://o/m.m3u8",
                ads: ["main",
                  "hous", "main", 5], preroll: [] }],
              adProviders: { main: { type: "none" }, house: { type: "schedule",
                ads: [{ url: "x" }, { urls: 1 }] }, bare: { type: "schedule" } } }
            """
        #expect(
            problems(text) == [
                "p.json5:3: channels[0].ads[3]: expected a string, found a number",
                "p.json5:3: channels[0].ads[1]: adProviders has no \"hous\", did you mean \"house\"?",
                "p.json5:3: channels[0].ads[2]: \"main\" is named twice",
                "p.json5:3: channels[0].preroll: is empty",
                "p.json5:5: adProviders.house.ads[0].url: not a URL: it begins with neither http:// nor https://",
                "p.json5:5: adProviders.house.ads[1].url: must be given",
                "p.json5:5: adProviders.house.ads[1].urls: unknown option, did you mean \"url\"?",
                "p.json5:5: adProviders.bare.ads: must be given",
            ])
    }

    @Test func `what is filled with slate needs a slate`() throws {
        let read = try configuration(
            """
            { channels: [{ name: "a", origin: "http://o/m.m3u8", fill: "minimizeSlate", slate: "http://s/m.m3u8", join: "slate",
              retryRestMilliseconds: 0 }, { name: "b", origin: "http://o/m.m3u8", join: "fit" }] }
            """)
        #expect(read.channels.map(\.fill) == [.minimizeSlate, .content])
        #expect(read.channels.map(\.join) == [.slate, .fit])
        #expect(read.channels.map(\.slate) == ["http://s/m.m3u8", nil])
        #expect(read.channels.map(\.retryRest) == [nil, .seconds(30)])
        #expect(
            problems("{ channels: [{ name: 'a', origin: 'http://o', fill: 'slate', join: 'slate' }] }") == [
                "p.json5:1: channels[0].fill: \"slate\" needs the URL of a slate",
                "p.json5:1: channels[0].join: \"slate\" needs the URL of a slate",
            ])
        #expect(
            problems("{ titles: [{ name: 'a', origin: 'http://o', fill: 'slate', slate: 'ftp://s' }] }") == [
                "p.json5:1: titles[0].slate: not a URL: it begins with neither http:// nor https://"
            ])
    }

    @Test func `markers are read as the operator says`() throws {
        let read = try configuration(
            """
            { channels: [{ name: "a", origin: "http://o/m.m3u8", markerRenditions: "all", dateRangePlacing: "tag",
                           breakSegmentationTypes: [0x36, 60], adMarkers: "all", breakMarkers: "cue" }] }
            """)
        #expect(read.channels[0].markerRenditions == .all)
        #expect(read.channels[0].adMarkers == .all)
        #expect(read.channels[0].breakMarkers == .cue)
        #expect(read.channels[0].dateRangePlacing == .tag)
        #expect(read.channels[0].breakSegmentationTypes == [0x36, 0x3C])
        let faults = problems(
            """
            { channels: [{ name: "a", origin: "http://o/m.m3u8", breakSegmentationTypes: [1, "0x22", 300] },
                         { name: "b", origin: "http://o/m.m3u8", breakSegmentationTypes: 52 }] }
            """)
        #expect(
            faults == [
                "p.json5:1: channels[0].breakSegmentationTypes[0]: 1 is outside 16 to 254",
                "p.json5:1: channels[0].breakSegmentationTypes[1]: expected a whole number, found a string",
                "p.json5:1: channels[0].breakSegmentationTypes[2]: 300 is outside 16 to 254",
                "p.json5:2: channels[1].breakSegmentationTypes: expected a list of whole numbers, found a number",
            ])
    }

    @Test func `names are unique within channels and can stand in a URL`() {
        let text = """
            { channels: [{ name: "a", origin: "http://o" },
                         { name: "a", origin: "http://o" },
                         { name: "a/b", origin: "http://o" }],
              titles: [{ name: "a", origin: "http://o" }] }
            """
        #expect(
            problems(text) == [
                "p.json5:2: channels[1].name: \"a\" is the name of another one, on line 1",
                "p.json5:3: channels[2].name: \"a/b\" cannot stand in a URL: "
                    + "letters, digits, - _ . ~ and at most 100 of them",
            ])
    }

    @Test func `a source may only refer to a provider that exists`() {
        let text =
            "{ titles: [{ name: 'a', origin: 'http://o', ads: 'mian' }], adProviders: { main: { type: 'none' } } }"
        #expect(problems(text) == ["p.json5:1: titles[0].ads: adProviders has no \"mian\", did you mean \"main\"?"])
        #expect(problems("{ titles: [{ name: 'a', origin: 'http://o', ads: 'none' }] }").isEmpty)
    }

    @Test func `null stands for the default, and switches off what can be off`() throws {
        let read = try configuration(
            "{ server: { admin: null, corsAllowOrigin: null, gzip: null, threads: null, listen: null }, network: null }"
        )
        #expect(read.server.admin == nil)
        #expect(read.server.corsAllowOrigin == nil)
        #expect(read.server.gzip)
        #expect(read.server.listen == ServerOptions().listen)
        #expect(read.network == NetworkOptions())
    }

    @Test func `header values come from the text, a file or the environment`() throws {
        let secrets = SecretSource(
            file: { $0 == "k.txt" ? Data("from file\n".utf8) : nil },
            environment: { $0 == "KEY" ? "from environment" : nil })
        let source = "name: 'a', origin: 'http://o', headers:"
        let read = try configuration(
            "{ titles: [{ \(source) { A: 'text', B: { file: 'k.txt' }, C: { environment: 'KEY' } } }] }",
            secrets: secrets)
        #expect(
            read.titles.first?.headers == [
                HeaderOption(name: "A", value: "text"), HeaderOption(name: "B", value: "from file"),
                HeaderOption(name: "C", value: "from environment"),
            ])
        let faults = problems(
            "{ titles: [{ \(source) { A: 1, B: { file: 'x' }, C: { environment: 'X' }, 'D:': '', E: 'a\\nb' } }] }",
            secrets: secrets)
        #expect(
            faults == [
                "p.json5:1: titles[0].headers.A: expected a string, { file: \"path\" } or { environment: \"NAME\" }",
                "p.json5:1: titles[0].headers.B: the file \"x\" cannot be read",
                "p.json5:1: titles[0].headers.C: the environment has no X",
                "p.json5:1: titles[0].headers.D:: not the name of an HTTP header",
                "p.json5:1: titles[0].headers.E: the value holds a control character",
            ])
    }

    @Test func `a file that is not JSON5 is one problem with its line`() {
        #expect(problems("{\n  server: {\n    gzip true\n}") == ["p.json5:3: expected : after \"gzip\""])
        #expect(problems("") == ["p.json5:1: the file is empty"])
        #expect(problems("[]") == ["p.json5:1: expected an object, found a list"])
    }

    @Test func `a missing file is a problem that names it`() {
        #expect(throws: ConfigurationError.self) { try Configuration.load(path: "/nowhere/podstitch.json5") }
        do {
            _ = try Configuration.load(path: "/nowhere/podstitch.json5")
        } catch {
            #expect(error.description == "/nowhere/podstitch.json5: no such file")
        }
    }

    @Test func `a folder is not a configuration`() {
        #expect(throws: ConfigurationError.self) { try Configuration.load(path: "/") }
        do {
            _ = try Configuration.load(path: "/")
        } catch {
            #expect(error.description == "/: is a folder, not a file")
        }
    }

    @Test(arguments: [
        ("'127.0.0.1:80'", "'127.0.0.1:80'", true), ("':8081'", "'127.0.0.1:8081'", true),
        ("'127.0.0.1:80'", "'127.0.0.2:80'", false), ("'127.0.0.1:0'", "'127.0.0.1:0'", false),
        ("':80'", "null", false),
    ])
    func `viewers and operators cannot share a port`(listen: String, admin: String, isProblem: Bool) {
        let found = problems("{ server: { listen: \(listen),\nadmin: \(admin) } }")
        #expect(found.count == (isProblem ? 1 : 0))
        #expect(found.allSatisfy { $0.hasPrefix("p.json5:2: server.admin: ") && $0.contains("is taken already") })
    }

    @Test(arguments: [
        ("[session.avail_duration_sec]", "did you mean [session.avail_duration_secs]?"),
        ("[session.id][session.zzzz]", "known are id, uuid,"),
    ])
    func `a session macro that nothing fills in is a problem`(macros: String, hint: String) {
        let found = problems(
            "{ adProviders: { m: { type: 'vast', url: 'http://h/?a=\(macros)&b=[avail.x]&c=[NEW]' } } }")
        #expect(found.count == 1)
        #expect(
            found.allSatisfy { $0.hasPrefix("p.json5:1: adProviders.m.url: there is no macro ") && $0.contains(hint) })
    }

    @Test(arguments: [("http://x/[a", "[a"), ("http://x/?a=[player_params.b&c=[CACHEBUSTING]", "[player_params.b")])
    func `a macro without an end is refused where it stands`(url: String, macro: String) {
        let problem = "the macro that begins with \"\(macro)\" has no \"]\""
        let channel = "name: 'a', origin: 'http://o/a.m3u8'"
        #expect(
            problems("{ channels: [ { \(channel), preroll: '\(url)' } ] }") == [
                "p.json5:1: channels[0].preroll: \(problem)"
            ])
        #expect(
            problems("{ adProviders: { m: { type: 'vast', url: '\(url)' } } }") == [
                "p.json5:1: adProviders.m.url: \(problem)"
            ])
        // Brackets that come in pairs are nobody's fault.
        for fine in ["http://[::1]:80/", "http://x/?a[]=1&b=[[STREAMID]]", "http://x/]"] {
            #expect(problems("{ channels: [ { \(channel), preroll: '\(fine)' } ] }").isEmpty, "\(fine)")
        }
    }

    @Test(arguments: [
        ("http://h", true), ("HTTPS://h:8443/p?[X]=${Y}", true), ("http://[::1]:80/", true), ("http://u:p@h/", true),
        ("ftp://h", false), ("http://", false), ("http:///p", false), ("http://h:0/", false),
        ("http://h:99999/", false),
        ("http://h h/", false), ("http://[::1/", false), ("http://:80/", false), ("//h/p", false),
    ])
    func `a URL has a scheme of the web, a host and a sane port`(text: String, isGood: Bool) {
        #expect((urlFault(text) == nil) == isGood)
    }
}
