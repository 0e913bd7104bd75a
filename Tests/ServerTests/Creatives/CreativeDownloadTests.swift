import Conditioning
import Synchronization
import Testing
import Transport

@testable import Server

@Suite struct CreativeDownloadTests {
    private final class Sink: Sendable {
        let bytes = Mutex<[UInt8]>([])
        func write(_ more: [UInt8]) -> Bool {
            bytes.withLock { $0 += more }
            return true
        }
    }

    private func fetch(
        limit: Int = 100, _ part: @escaping @Sendable (Int, Int) -> CreativeDownload.Part
    ) async -> (failure: ConditioningFailure?, bytes: [UInt8]) {
        let sink = Sink()
        let download = CreativeDownload(
            playlist: { _, _ in .failure(.timeout) }, part: { part($0.offset, $0.count) }, now: { .zero },
            partBytes: 10)
        let file = MediaDownload(
            source: MediaSource("http://a/ad.mp4"), isOperators: false, byteLimit: limit, longest: .seconds(60),
            deadline: .seconds(10))
        guard case .failure(let failure) = await download.fetch(file, write: { sink.write($1) }) else {
            return (nil, sink.bytes.withLock { $0 })
        }
        return (failure, sink.bytes.withLock { $0 })
    }

    private static let file = (0..<25).map { UInt8($0) }

    @Test(arguments: [true, false])
    func `a file comes in parts, whether its length is told or not`(isTold: Bool) async {
        let (failure, bytes) = await fetch { offset, count in
            .part(Array(Self.file.dropFirst(offset).prefix(count)), total: isTold ? 25 : nil)
        }
        #expect(failure == nil)
        #expect(bytes == Self.file)
    }

    @Test func `a server without parts sends it at once`() async {
        let (failure, bytes) = await fetch { _, _ in .whole(Self.file) }
        #expect(failure == nil)
        #expect(bytes == Self.file)
    }

    @Test func `one that is too large is not fetched to its end`() async {
        let (announced, none) = await fetch(limit: 24) { offset, count in
            .part(Array(Self.file.dropFirst(offset).prefix(count)), total: 25)
        }
        #expect(announced?.kind == .unusable && none.isEmpty)
        let (endless, some) = await fetch(limit: 24) { _, count in .part(Array(repeating: 0, count: count), total: nil)
        }
        #expect(endless?.kind == .unusable && some.count == 20)
        #expect(await fetch(limit: 24) { _, _ in .whole(Self.file) }.failure?.kind == .unusable)
    }

    @Test func `a server that breaks off is told`() async {
        let (failure, _) = await fetch { offset, count in
            offset == 0
                ? .part(Array(Self.file.prefix(count)), total: 25)
                : .failure(ConditioningFailure(.notFound, "status 500"))
        }
        #expect(failure?.kind == .notFound)
    }

    @Test func `a file that is another one half-way is refused`() async {
        let (failure, _) = await fetch { offset, count in
            .part(Array(Self.file.dropFirst(offset).prefix(count)), total: offset == 0 ? 25 : 26)
        }
        #expect(failure?.kind == .unusable)
    }

    private func answer(_ status: Int, range: String? = nil) -> HTTPClientResponse {
        HTTPClientResponse(
            status: status, headers: range.map { [("Content-Range", $0)] } ?? [], body: [1], finalURL: "http://a/")
    }

    @Test func `answers are read as what they are`() {
        #expect(CreativeDownload.Part(answer(200), from: 0) == .whole([1]))
        #expect(CreativeDownload.Part(answer(206, range: "bytes 4-4/9"), from: 4) == .part([1], total: 9))
        #expect(CreativeDownload.Part(answer(206, range: "bytes 4-4/*"), from: 4) == .part([1], total: nil))
        #expect(CreativeDownload.Part(answer(416), from: 4) == .part([], total: nil))
        for odd in [
            answer(206), answer(206, range: "bytes 0-0/9"), answer(206, range: "bytes 4-4/x"),
            answer(206, range: "bytes 4-4/-1"), answer(416), answer(404),
        ] {
            guard case .failure = CreativeDownload.Part(odd, from: odd.status == 416 ? 0 : 4) else {
                Issue.record("\(odd.status) \(odd.headers)")
                continue
            }
        }
    }

    // MARK: Playlists

    private static let multivariant = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="F",LANGUAGE="fr",URI="fr.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="E",LANGUAGE="en",DEFAULT=YES,URI="en.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=9000000,RESOLUTION=3840x2160,CODECS="avc1.640033,mp4a.40.2",AUDIO="a"
        uhd.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=3000000,RESOLUTION=1920x1080,CODECS="avc1.640028,mp4a.40.2",AUDIO="a"
        hd.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2",AUDIO="a"
        sd.m3u8

        """

    /// Every address has the byte that its name begins with; playlists are as told.
    private func fetchPlaylist(
        _ playlists: [String: String], limit: Int = 1_000
    ) async -> (Result<FetchedMedia, ConditioningFailure>, main: String, sound: String, asked: [String]) {
        let (main, sound) = (Sink(), Sink())
        let asked = Mutex<[String]>([])
        let download = CreativeDownload(
            playlist: { url, isNamedByAnswer in
                asked.withLock { $0.append("\(url) \(isNamedByAnswer)") }
                let name = String(url.split(separator: "/").last ?? "")
                return playlists[name].map { .body(Array($0.utf8), finalURL: url, etag: nil, lastModified: nil) }
                    ?? .failure(.notFound(status: 404))
            },
            part: { request in
                asked.withLock { $0.append("\(request.url) \(request.isNamedByAnswer)") }
                let letter = request.url.split(separator: "/").last?.utf8.first ?? 0
                let file = (0..<20).map { letter &+ UInt8($0) }
                return .part(Array(file.dropFirst(request.offset).prefix(request.count)), total: 20)
            }, now: { .zero }, partBytes: 10)
        let media = MediaDownload(
            source: MediaSource("http://a/x/master.m3u8", isPlaylist: true), isOperators: false, byteLimit: limit,
            longest: .seconds(60), deadline: .seconds(10))
        let result = await download.fetch(media) { track, bytes in
            (track == .main ? main : sound).write(bytes)
        }
        return (
            result, String(decoding: main.bytes.withLock { $0 }, as: UTF8.self),
            String(decoding: sound.bytes.withLock { $0 }, as: UTF8.self), asked.withLock { $0 }
        )
    }

    private static func list(_ segments: String) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(segments)#EXT-X-ENDLIST\n"
    }

    @Test func `of a multivariant playlist the best rendition that is not too large is fetched, with its main sound`()
        async throws
    {
        let (result, main, sound, asked) = await fetchPlaylist([
            "master.m3u8": Self.multivariant,
            "hd.m3u8": Self.list("#EXT-X-MAP:URI=\"A\"\n#EXTINF:4,\nB\n#EXTINF:2.5,\nC\n"),
            "en.m3u8": Self.list("#EXT-X-BYTERANGE:3@2\n#EXTINF:4,\nD\n#EXT-X-BYTERANGE:2\n#EXTINF:2.5,\nD\n"),
        ])
        #expect(try result.get() == FetchedMedia(hasSound: true, duration: .milliseconds(6_500)))
        #expect(main.hasPrefix("ABCDEFGHIJ") && main.utf8.count == 60)
        #expect(sound == "FGHIJ")
        // An answer named it: nothing of it may lie in the operator's own network.
        #expect(asked.allSatisfy { $0.hasPrefix("http://a/x/") && $0.hasSuffix(" true") })
        #expect(!asked.contains { $0.contains("uhd") || $0.contains("fr.m3u8") })
    }

    private static let unusable: [(String, ConditioningFailure.Kind)] = [
        ("#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:4,\nA\n", .encrypted),
        ("#EXTINF:4,\nfile:///etc/passwd\n", .unusable),
        ("#EXT-X-GAP\n#EXTINF:4,\nA\n", .unusable), ("#EXTINF:61,\nA\n", .unusable), ("", .unusable),
        ("#EXT-X-MAP:URI=\"A\"\n#EXTINF:4,\nB\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"C\"\n#EXTINF:4,\nD\n", .unusable),
        ("#EXT-X-BYTERANGE:9@15\n#EXTINF:4,\nA\n", .unusable),
        ("#EXT-X-BYTERANGE:9223372036854775807@1\n#EXTINF:4,\nA\n", .unusable),
        (String(repeating: "#EXTINF:0.001,\nA\n", count: 2_001), .unusable),
        (String(repeating: "#EXTINF:0.1,\nA\n", count: 60), .unusable),
    ]

    @Test(arguments: unusable)
    func `segments that make no file are refused`(segments: String, kind: ConditioningFailure.Kind) async {
        let (result, _, _, _) = await fetchPlaylist(["master.m3u8": Self.list(segments)])
        #expect(throws: ConditioningFailure.self) { try result.get() }
        if case .failure(let failure) = result { #expect(failure.kind == kind, "\(failure.reason)") }
    }

    @Test func `a playlist that goes on without an end, and one that is gone, are refused`() async {
        let live = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nA\n"
        for (playlists, kind) in [(["master.m3u8": live], ConditioningFailure.Kind.unusable), ([:], .notFound)] {
            let (result, _, _, _) = await fetchPlaylist(playlists)
            if case .failure(let failure) = result { #expect(failure.kind == kind) } else { Issue.record("taken") }
        }
    }
}
