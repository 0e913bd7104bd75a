import Server
import Testing

@testable import podstitch

/// What a command line is refused with; nil when it is understood.
private func complaint(_ words: String...) -> String? {
    do {
        _ = try Command(words)
        return nil
    } catch {
        return error.message
    }
}

private func command(_ words: String...) throws -> Command { try Command(words) }

@Suite struct CommandTests {
    @Test func `serve takes its configuration, and addresses that stand above it`() throws {
        guard case .serve(let plain) = try command("serve", "--config", "a.json5") else {
            throw UsageError(message: "")
        }
        #expect(plain.configurationFile == "a.json5")
        #expect(plain.listen == nil && plain.admin == nil)
        guard case .serve(let full) = try command("serve", "--listen=[::1]:9000", "--config=a=b", "--admin", ":1")
        else {
            throw UsageError(message: "")
        }
        #expect(full.configurationFile == "a=b")
        #expect(full.listen == ListenAddress(host: "::1", port: 9000))
        #expect(full.admin == ListenAddress(host: "0.0.0.0", port: 1))
    }

    @Test func `help and version are understood in every place`() throws {
        #expect(try command("--help") == .help(nil))
        #expect(try command("help", "serve") == .help(ServeArguments.syntax))
        #expect(complaint("help", "serv") == "unknown command serv, did you mean serve?")
        #expect(try command("serve", "--help") == .help(ServeArguments.syntax))
        #expect(try command("serve", "--config", "x", "-h") == .help(ServeArguments.syntax))
        #expect(try command("--version") == .version)
    }

    @Test func `check-config takes one file`() throws {
        #expect(try command("check-config", "a.json5") == .checkConfiguration(file: "a.json5"))
        #expect(try command("check-config", "--", "--odd") == .checkConfiguration(file: "--odd"))
        #expect(complaint("check-config") == "FILE is missing")
        #expect(complaint("check-config", "a", "b") == "unexpected b")
    }

    @Test func `what is unknown is refused with the likely word`() {
        #expect(complaint() == "a command is missing")
        #expect(complaint("serv") == "unknown command serv, did you mean serve?")
        #expect(complaint("check-conf", "x") == "unknown command check-conf, did you mean check-config?")
        #expect(complaint("zzz") == "unknown command zzz")
        #expect(complaint("--versoin") == "unknown option --versoin, did you mean --version?")
        #expect(complaint("serve", "--confg", "x") == "unknown option --confg, did you mean --config?")
    }

    @Test func `options are complete, single and sane`() {
        #expect(complaint("serve") == "--config is missing")
        #expect(complaint("serve", "--config") == "--config needs a value")
        #expect(complaint("serve", "--config=") == "--config needs a value")
        #expect(complaint("serve", "--config", "a", "--config", "b") == "--config is given twice")
        #expect(
            complaint("serve", "--config", "a", "--listen", "80")
                == "--listen 80: not an address with a port, like 127.0.0.1:8080")
        #expect(complaint("demo", "--port", "99999") == "--port 99999: not a port")
    }

    @Test func `the demo has ports and a media folder`() throws {
        guard case .demo(let plain) = try command("demo") else { throw UsageError(message: "") }
        #expect(plain.port == 8080 && plain.adminPort == 8081 && plain.mediaFolder == nil)
        guard case .demo(let full) = try command("demo", "--port", "0", "--admin-port=9", "--media", "m") else {
            throw UsageError(message: "")
        }
        #expect(full.port == 0 && full.adminPort == 9 && full.mediaFolder == "m")
    }

    @Test func `stitch takes ads from playlists or one VAST document, and breaks`() throws {
        let words = ["stitch", "c.m3u8", "--ad", "a.m3u8", "--ad", "b.m3u8", "--break", "0", "--break=12.5+30"]
        guard case .stitch(let parsed) = try Command(words) else { throw UsageError(message: "") }
        #expect(parsed.contentFile == "c.m3u8")
        #expect(parsed.adFiles == ["a.m3u8", "b.m3u8"])
        #expect(
            parsed.breaks == [
                .init(offset: .zero), .init(offset: .milliseconds(12_500), length: .seconds(30)),
            ])
        #expect(complaint("stitch", "c") == "give either --ad or --vast")
        #expect(complaint("stitch", "c", "--ad", "a", "--vast", "v") == "give either --ad or --vast")
        for text in ["x", "-1", "1+", "+1", "1.2345", "1e3", "1.", "1+2+3"] {
            let refused = complaint("stitch", "c", "--ad", "a", "--break=\(text)")
            #expect(refused == "--break \(text): not seconds, or seconds+seconds")
        }
    }

    @Test func `scte35 takes one text, also one that begins with a dash`() throws {
        guard case .scte35(let plain) = try command("scte35", "/DAl") else { throw UsageError(message: "") }
        #expect(plain.text == "/DAl" && !plain.ignoresChecksum)
        guard case .scte35(let full) = try command("scte35", "--ignore-checksum", "-") else {
            throw UsageError(message: "")
        }
        #expect(full.text == "-" && full.ignoresChecksum)
        #expect(complaint("scte35") == "TEXT is missing")
    }

    @Test func `every command has help that tells its options`() {
        for syntax in Command.all {
            #expect(Command.help.contains("  \(syntax.name) "))
            for option in syntax.options { #expect(syntax.help.contains("\n  \(option.name)")) }
            #expect(syntax.help.hasPrefix("usage: podstitch \(syntax.name) "))
            #expect(syntax.help.split(separator: "\n").allSatisfy { $0.count <= 140 })
        }
    }

    @Test func `the summary of a configuration shows no secret of a URL`() throws {
        var configuration = Configuration()
        configuration.channels = [SourceOptions(kind: .live, name: "a", origin: "http://u:p@o/m?key=1", ads: "m")]
        configuration.adProviders = ["m": .vast(VASTProviderOptions(url: "http://ads/v?key=2"))]
        #expect(
            configuration.summary == """
                ok: viewers on 127.0.0.1:8080, operators on 127.0.0.1:8081
                  /live/a/master.m3u8  from http://o/m?…, ads from http://ads/v?…
                """)
    }
}
