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
        let download = CreativeDownload(part: { part($0.offset, $0.count) }, now: { .zero }, partBytes: 10)
        let file = Conditioner.Download(
            url: "http://a/ad.mp4", isOperators: false, byteLimit: limit, deadline: .seconds(10))
        let failure = await download.fetch(file) { sink.write($0) }
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
}
