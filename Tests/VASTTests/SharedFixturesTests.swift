import FoundationEssentials
import Testing

@testable import VAST

/// All documents of the shared fixture set against what is expected of them.
struct SharedFixturesTests {
    private static let diagnostics: Set<String> = [
        "sha256", "bytes", "versionKnown", "bom", "leadingWhiteSpace", "mayReject", "repaired", "podDuplicateSequence",
        "durationStrict", "durationMayBe", "sha1", "assumptions", "alsoAccept", "mayAlsoNotify",
        "resolved", "why", "root",
    ]

    @Test func `every shared document is read and resolved as expected`() throws {
        guard let folder = Fixtures.shared, let bytes = Fixtures.bytes(folder + "/expected.json") else {
            print("skipped: no fixtures")
            return
        }
        let expected = try JSONDecoder().decode(JSON.self, from: Data(bytes))
        let files = expected["files"]?.members ?? [:]
        let library = Library(folder: folder, paths: files.keys.sorted())
        var disagreements: [String: [String]] = [:]
        for path in library.paths {
            guard let wanted = files[path] else { continue }
            let found = Self.disagreements(wanted, path, library)
            if !found.isEmpty { disagreements[path] = found }
        }
        print("shared fixtures: \(files.count - disagreements.count) of \(files.count) documents agree")
        for (path, lines) in disagreements.sorted(by: { $0.key < $1.key }) {
            print("  \(path)")
            for line in lines.prefix(6) { print("    \(line)") }
        }
        #expect(disagreements.isEmpty)
    }

    private static func disagreements(_ wanted: JSON, _ path: String, _ library: Library) -> [String] {
        let bytes = library.bytes(path)
        let kind = wanted["kind"]?.string ?? ""
        do throws(VASTError) {
            switch try AdAnswer(parsing: bytes) {
            case .vast(let document):
                if kind == "empty" { return document.ads.isEmpty ? [] : ["ads in an empty document"] }
                var found = wanted.differences(from: Described.document(document), ignoring: diagnostics)
                if let resolved = wanted["resolved"] {
                    var resolution = AdResolution(
                        document: document, url: library.url(path), options: Library.options)
                    found += compare(resolved, library.run(&resolution, beside: path))
                }
                return found
            case .vmap(let schedule):
                var found = wanted.differences(from: Described.schedule(schedule), ignoring: diagnostics)
                for (index, one) in (wanted["adBreaks"]?.items ?? []).enumerated() {
                    guard let resolved = one["resolved"], index < schedule.breaks.count,
                        let source = schedule.breaks[index].source
                    else { continue }
                    var resolution = AdResolution(source: source, url: library.url(path), options: Library.options)
                    found += compare(resolved, library.run(&resolution, beside: path)).map { "break \(index)\($0)" }
                }
                return found
            }
        } catch {
            let allowed = [wanted["errorCode"]?.int, wanted["mayReject"]?.int]
            return allowed.contains(error.code.rawValue) ? [] : ["rejected with \(error), expected \(kind)"]
        }
    }

    private static func compare(_ wanted: JSON, _ ads: ResolvedAds) -> [String] {
        let found = Described.resolved(ads)
        var result: [String] = []
        if let mode = wanted["mode"] { result += mode.differences(from: found["mode"], at: ".mode", ignoring: []) }
        let play = JSON.array((wanted["play"]?.items ?? []).map(absolute))
        result += play.differences(from: found["play"], at: ".play", ignoring: diagnostics)
        var open = found["failed"]?.items ?? []
        for failure in wanted["failed"]?.items ?? [] {
            let codes = Set([failure["errorCode"]?.int] + (failure["alsoAccept"]?.items.map(\.int) ?? []))
            let match = open.firstIndex { candidate in
                candidate["id"] == failure["id"] && codes.contains(candidate["errorCode"]?.int)
                    && candidate["errors"]?.strings.sorted() == absolute(failure)["errors"]?.strings.sorted()
            }
            if let match { open.remove(at: match) } else { result.append("failure not reported: \(failure)") }
        }
        // An empty break or answer is told to nobody, and a fixture lists no failure for it.
        for left in open where left["errors"]?.items.isEmpty == false || left["id"] != .null {
            result.append("unexpected failure: \(left)")
        }
        return result
    }

    /// Expectations keep URLs as read; resolved ads have them with a scheme.
    private static func absolute(_ ad: JSON) -> JSON {
        guard case .object(var members) = ad else { return ad }
        for key in ["impressions", "errors"] {
            members[key] = .array((members[key]?.strings ?? []).map { .string(URLText.resolve($0, against: nil)) })
        }
        return .object(members)
    }
}

/// Plays the ad server of the fixtures: a URL is the file whose path it ends with.
struct Library {
    let folder: String
    let paths: [String]

    static var options: AdResolution.Options {
        var options = AdResolution.Options()
        options.playable = [.hls, .dash, .progressive]
        return options
    }

    func bytes(_ path: String) -> [UInt8] {
        Fixtures.bytes(folder + "/" + path) ?? []
    }

    func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// How documents of its source refer to a file.
    func url(_ path: String) -> String {
        path.firstRange(of: "/static/").map { String(path[$0.lowerBound...]) } ?? name(path)
    }

    func run(_ resolution: inout AdResolution, beside path: String) -> ResolvedAds {
        for _ in 0..<200 {
            switch resolution.next() {
            case .finished(let ads): return ads
            case .fetch(let requests):
                for request in requests {
                    if let target = find(request.url, beside: path) {
                        resolution.receive(.body(bytes(target), finalURL: nil), for: request.id)
                    } else {
                        resolution.receive(.failure(.status(404)), for: request.id)
                    }
                }
            }
        }
        return ResolvedAds()
    }

    /// The file of that name beside the document: what the expectations were made with.
    private func find(_ url: String, beside path: String) -> String? {
        let here = path.split(separator: "/").dropLast().joined(separator: "/")
        let target = here + "/" + name(URLText.withoutQuery(url))
        return paths.contains(target) ? target : nil
    }
}
