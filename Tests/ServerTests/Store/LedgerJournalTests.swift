import HLS
import Stitching
import Testing
import Transport

@testable import Server

struct LedgerJournalTests {
    private let time = ManualTimeSource()
    private let leading = RenditionKey("v0")

    private func journal(_ store: any StateStore) -> LedgerJournal {
        LedgerJournal(
            SourceID(kind: .live, name: "news"),
            store: ResilientStore(store, time: time, log: .silent, metrics: Metrics()), time: time,
            lifetime: .seconds(60), start: { job in Task { await job() } }, oddity: { _, _ in })
    }

    private func seen(_ name: RenditionKey, version: UInt64 = 1, from first: Int64 = 10) throws -> LedgerJournal.Seen {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        for number in first..<(first + 6) { text += "#EXTINF:2,\n\(name)-\(number).ts\n" }
        return LedgerJournal.Seen(
            rendition: name, version: version, url: "http://origin.example/\(name).m3u8",
            playlist: try MediaPlaylist(parsing: Array(text.utf8)))
    }

    @Test func `however many renditions are asked for at once, each answer knows its own`() async throws {
        let journal = journal(MemoryStore(isShared: true, time: time))
        let settings = BreakLedger.Settings(kind: .live)
        let leading = leading
        let first = try seen(leading)
        let others = try (1..<40).map { try seen(RenditionKey("v\($0)")) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for other in others {
                group.addTask {
                    let ledger = await journal.observe([first, other], leading: leading, settings: settings)
                    return ledger.renditions[other.rendition]?.lastNumber == 15
                }
            }
            for try await isKnown in group { #expect(isKnown) }
        }
    }

    @Test func `a ledger that is said to know a playlist has it, whatever else runs`() async throws {
        let settings = BreakLedger.Settings(kind: .live)
        let leading = leading
        let first = try seen(leading)
        let other = try seen(RenditionKey("v1"))
        for _ in 0..<50 {
            let journal = journal(MemoryStore(isShared: true, time: time))
            // There is a ledger, read from the store, before any playlist.
            await journal.survey([(leading, first.playlist)], leading: leading, settings: settings)
            await withTaskGroup(of: Bool.self) { group in
                for seen in [[first], [first, other], [first], [first, other], [first]] {
                    group.addTask {
                        let ledger = await journal.observe(seen, leading: leading, settings: settings)
                        return seen.allSatisfy { ledger.renditions[$0.rendition]?.lastNumber == 15 }
                    }
                }
                for await isKnown in group { #expect(isKnown) }
            }
        }
    }

    @Test func `of playlists that cross the newer one is kept`() async throws {
        let journal = journal(MemoryStore(isShared: true, time: time))
        let settings = BreakLedger.Settings(kind: .live)
        _ = await journal.observe([try seen(leading, version: 2, from: 12)], leading: leading, settings: settings)
        let ledger = await journal.observe([try seen(leading, version: 1)], leading: leading, settings: settings)
        #expect(ledger.renditions[leading]?.lastNumber == 17)
        #expect(ledger.renditions[leading]?.windowStart == 12)
    }
}
