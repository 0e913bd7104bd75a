import FoundationEssentials
import Server
import Synchronization
import Testing
import Transport
import VAST

@testable import podstitch

/// `podstitch vast --json` over the shared documents, read as an operator reads it.
struct SharedAnswerTests {
    /// Answers with the file of that name beside the document.
    private struct FolderServer: AdAnswerLoading {
        var folder: String

        func fetch(_ url: String, isNamedByAnswer: Bool) async -> AdResolution.FetchResult {
            let name = url.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? ""
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                return .failure(.status(404))
            }
            return .body([UInt8](data), finalURL: nil)
        }
    }

    /// A clock that stands still: nothing is late.
    private struct StandingTime: TimeSource {
        func now() -> Int64 { 1_800_000_000_000_000_000 }
        func monotonic() -> Duration { .zero }
        func sleep(for duration: Duration) async throws {
            while !Task.isCancelled { await Task.yield() }
            throw CancellationError()
        }
    }

    static let shared: String? = {
        var folders = ["../shared", "../../shared"]
        if let path = ProcessInfo.processInfo.environment["PODSTITCH_SHARED"] { folders.insert(path, at: 0) }
        return folders.map { "\($0)/fixtures/vast" }.first {
            FileManager.default.fileExists(atPath: "\($0)/expected.json")
        }
    }()

    private func told(_ path: String, client: Bool = false) async throws -> (json: JSON5Value, report: AdAnswerReport) {
        let path = "\(try #require(Self.shared))/\(path)"
        var arguments = AdAnswerArguments(source: path)
        arguments.tellsPlayer = client
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let report = await AdAnswerRun(
            arguments, loader: FolderServer(folder: folder), time: StandingTime(), random: { 7 }
        ).run()
        return (try JSON5Parser.parse(Array(report.json.formatted.utf8)), report)
    }

    private func list(_ value: JSON5Value?, _ name: String) -> [JSON5Value] {
        if case .array(let values)? = value?[name]?.content { values } else { [] }
    }
    private func text(_ value: JSON5Value?, _ name: String) -> String? {
        if case .string(let text)? = value?[name]?.content { text } else { nil }
    }
    private func number(_ value: JSON5Value?, _ name: String) -> Int? {
        if case .number(let number)? = value?[name]?.content { Int(exactly: number) } else { nil }
    }
    private func texts(_ value: JSON5Value?, _ name: String) -> [String] {
        list(value, name).compactMap { if case .string(let text) = $0.content { text } else { nil } }
    }

    @Test(.enabled(if: SharedAnswerTests.shared != nil))
    func
        `of every shared answer its ads are told in order, and each failure with code, reason and the calls that it costs`()
        async throws
    {
        let folder = try #require(Self.shared)
        let data = try #require(FileManager.default.contents(atPath: "\(folder)/expected.json"))
        let expected = try JSON5Parser.parse([UInt8](data))
        guard case .object(let files)? = expected["files"]?.content else {
            Issue.record("no files")
            return
        }
        // The addresses of the first two are relative to a web site's root; media are made of the last one's mezzanine.
        let others = ["special-cases/fp-215.xml", "static/vast_wrapper_cyclical.xml", "f07-mezzanine-only.xml"]
        var checked = 0
        for file in files {
            let resolved = file.value["resolved"]
            guard !others.contains(where: file.name.hasSuffix), text(file.value, "kind") == "vast",
                !list(resolved, "play").isEmpty || !list(resolved, "failed").isEmpty
            else { continue }
            let (json, _) = try await told(file.name)
            let adBreak = list(json, "breaks").first
            let ads = list(adBreak, "ads").map { text($0, "vastAdId") }
            let errors = list(adBreak, "errors")
            // Players of DASH alone are not served.
            let refused = Set(errors.filter { number($0, "code") == 403 }.map { text($0, "vastAdId") })
            let play = list(resolved, "play").map { text($0, "id") }.filter { !refused.contains($0) }
            #expect(ads == play, "\(file.name)")
            for ad in list(adBreak, "ads") {
                #expect(text(ad, "fate") != nil && number(ad, "adPosition") != nil, "\(file.name)")
            }
            for failure in list(resolved, "failed") {
                let codes =
                    [number(failure, "errorCode")]
                    + list(failure, "alsoAccept").map { value in
                        if case .number(let number) = value.content { Int(exactly: number) } else { nil }
                    }
                let calls = texts(failure, "errors").count
                let others = texts(failure, "mayAlsoNotify").count
                let found = errors.first { error in
                    let count = texts(error, "calls").count
                    return text(error, "vastAdId") == text(failure, "id") && codes.contains(number(error, "code"))
                        && (count == calls || count == calls + others)
                }
                #expect(found != nil, "\(file.name): \(text(failure, "id") ?? "")")
                #expect(text(found, "reason")?.isEmpty == false)
                let note = list(adBreak, "notes").first { text($0, "vastAdId") == text(failure, "id") }
                #expect(text(note, "text")?.isEmpty == false, "\(file.name)")
            }
            checked += 1
        }
        print("podstitch vast: \(checked) shared answers told as expected")
        #expect(checked > 150)
    }

    @Test(.enabled(if: SharedAnswerTests.shared != nil))
    func `interactive ads are told with what begins them, byte for byte, in the words that players read`() async throws
    {
        let (generic, _) = try await told("own-cases/i01-truex-generic.xml")
        let first = try #require(list(list(generic, "breaks").first, "ads").first)
        #expect(text(first, "interactive") == "TrueX" && text(first, "interactiveParameters") == "adParameters")
        #expect(
            text(first, "adParameters")
                == #"{"user_id": "user-0001", "vast_config_url": "get.example.com/abc/vast/config?stream_position=preroll"}"#
        )
        let (companion, report) = try await told("own-cases/i02-truex-companion.xml")
        let ad = try #require(list(list(companion, "breaks").first, "ads").first)
        #expect(text(ad, "interactiveParameters") == "companion")
        let told = try #require(list(ad, "companionAds").first)
        #expect(text(told, "required") == "all" && text(told["attributes"], "apiFramework") == "truex")
        let source = try String(
            contentsOfFile: "\(try #require(Self.shared))/own-cases/i02-truex-companion.xml", encoding: .utf8)
        let resource = try #require(text(told, "staticResource"))
        #expect(resource.hasPrefix("data:application/json;base64,") && source.contains(resource))
        #expect(report.text.contains("    interactive: TrueX, parameters in companion\n"))
        let (bad, _) = try await self.told("own-cases/i06-truex-bad-json.xml")
        #expect(text(list(list(bad, "breaks").first, "ads").first, "interactiveParameters") == "none that can be read")
    }

    @Test(.enabled(if: SharedAnswerTests.shared != nil))
    func `a wrapper beside the file is read, a loop is found, and nothing of another folder is opened`() async throws {
        let loop = try await told("own-cases/w03-self-loop.xml").report
        #expect(loop.requests.isEmpty)
        #expect(loop.text.contains("skipped loop (code 302): wrapper loop\n"))
        let waterfall = try await told("own-cases/p06-waterfall.xml").report
        #expect(waterfall.text.contains("  a waterfall: the first that gives an ad\n"))
        #expect(waterfall.text.contains("    behind 1 wrapper: Test\n"))
        let folder = FileManager.default.temporaryDirectory.path()
        let path = "\(folder)/wrapper-\(UInt64.random(in: .min ... .max)).xml"
        for target in ["../etc/passwd", "/etc/passwd", "file:///etc/passwd"] {
            let wrapper = "<VAST><Ad id=\"w\"><Wrapper><VASTAdTagURI>\(target)</VASTAdTagURI></Wrapper></Ad></VAST>"
            try Data(wrapper.utf8).write(to: URL(filePath: path))
            let report = await AdAnswerRun(
                AdAnswerArguments(source: path), loader: FolderServer(folder: "/nowhere"), time: StandingTime(),
                random: { 7 }
            ).run()
            #expect(report.requests.allSatisfy { if case .failure = $0.outcome { true } else { false } }, "\(target)")
        }
        try? FileManager.default.removeItem(atPath: path)
    }

    @Test(.enabled(if: SharedAnswerTests.shared != nil))
    func `as for players that report themselves, overlays are told with what they call`() async throws {
        let server = try await told("own-cases/c06-nonlinear-only.xml").report
        #expect(server.text.contains("skipped a1 (code 201): only nonlinear creatives\n"))
        let (json, report) = try await told("own-cases/c06-nonlinear-only.xml", client: true)
        #expect(report.text.contains("  overlay \"a1\" Test a1\n    call impression http"))
        #expect(!report.text.contains("201"))
        let elements = list(list(json, "breaks").first, "nonLinearAdsList")
        #expect(elements.flatMap { list($0, "nonLinearAdList") }.map { text($0, "adId") } == ["a1"])
        let vmap = try await told("own-cases/v14-vmap-tracking-and-types.xml").report
        #expect(vmap.text.contains("nonlinear\n  skipped: it is for overlays"))
        #expect(vmap.text.contains("display\n  skipped: it is neither linear nor nonlinear\n"))
    }
}
