import HLS
import Stitching
import Testing

@testable import Server

/// Ledgers that replay one journal are alike, whoever made its entries and wherever they begin.
struct JournalReplicaTests {
    private let leading = RenditionKey("v0")

    private func settings(readsAll: Bool = false) -> BreakLedger.Settings {
        var settings = BreakLedger.Settings(kind: .live, maximumAdSegmentDuration: .seconds(2))
        settings.readsAllRenditions = readsAll
        return settings
    }

    /// Entries as one process makes them that sees the channel at these seconds.
    private func journal(
        _ channel: LiveChannelModel, at seconds: [Int], renditions: [String] = ["v0", "v1"], readsAll: Bool = false,
        changes: [Int: Int] = [:]
    ) throws -> (entries: [StoreEntry], replica: JournalReplica) {
        var replica = JournalReplica(leading: leading, settings: settings(readsAll: readsAll))
        var entries: [StoreEntry] = []
        func append(_ bytes: [UInt8], made: BreakLedger?) {
            entries.append(
                StoreEntry(name: JournalReplica.name(JournalReplica.entryPrefix, replica.position), value: bytes))
            replica.take(bytes, ledger: made)
        }
        for second in seconds {
            if let origin = changes[second] { append(try #require(replica.change(to: origin)), made: nil) }
            for name in renditions {
                var channel = channel
                if replica.ledger.origin == 1 {
                    channel.numberShift = 5_000
                    channel.folder = "b/"
                }
                let text = channel.media(rendition: name, at: second)
                guard
                    let new = replica.entry(
                        try MediaPlaylist(parsing: Array(text.utf8)), of: RenditionKey(name),
                        at: "http://o/\(name).m3u8",
                        from: replica.ledger.origin, after: .seconds(3)), new.observation != .stale,
                    new.observation != .waiting
                else { continue }
                append(new.bytes, made: new.ledger)
            }
            if replica.ledger.hasUnreadMarkers {
                append(try StateEncoder().bytes(JournalEntry(kind: .round, rendition: leading)), made: nil)
            }
        }
        return (entries, replica)
    }

    /// All that answers depend on, in one order.
    private func state(_ ledger: BreakLedger) throws -> String {
        let renditions = ledger.renditions.sorted { $0.key < $1.key }.map { key, rendition in
            let segments = rendition.segments.map {
                "\($0.number) \($0.originNumber) \($0.time) \($0.date.debugDescription) \($0.duration) \($0.discontinuity)"
            }
            return "\(key) \(rendition.windowStart) \(rendition.hasEnded) \(segments)"
        }
        let breaks = ledger.breaks.map {
            "\($0.id) \($0.startNumber.debugDescription) \($0.start) \($0.plannedEnd) \($0.end.debugDescription)"
        }
        return "\(ledger.epoch) \(ledger.origin) \(ledger.revision) \(ledger.targetDuration) \(renditions) \(breaks)"
    }

    @Test(arguments: [
        [] as [Int], [74], [86], [74, 86, 126],
    ])
    func `who reads the journal, from its start or from any checkpoint, has the ledger of who wrote it`(
        restarts: [Int]
    ) throws {
        var channel = LiveChannelModel()
        channel.restarts = restarts
        let (entries, writer) = try journal(channel, at: Array(stride(from: 60, to: 150, by: 1)))
        #expect(writer.ledger.epoch == restarts.count)
        let reader = JournalReplica(entries, leading: leading, settings: settings())
        #expect(try state(reader.ledger) == state(writer.ledger))
        for count in stride(from: 1, to: entries.count, by: 7) {
            let early = JournalReplica(Array(entries[..<count]), leading: leading, settings: settings())
            let checkpoint = StoreEntry(
                name: JournalReplica.name(JournalReplica.checkpointPrefix, early.position),
                value: try StateEncoder().bytes(early.checkpoint))
            let late = JournalReplica([checkpoint] + entries[count...], leading: leading, settings: settings())
            #expect(try state(late.ledger) == state(writer.ledger), "from \(count)")
        }
    }

    @Test func `where the markers of all renditions count, a round is read by all at the same place of the journal`()
        throws
    {
        var channel = LiveChannelModel()
        channel.markedRendition = "v1"
        let (entries, writer) = try journal(channel, at: Array(60..<130), readsAll: true)
        #expect(writer.ledger.breaks.contains { $0.startNumber == 40 })
        let rounds = entries.count { (try? StateDecoder().value(JournalEntry.self, from: $0.value))?.kind == .round }
        #expect(rounds > 10)
        var reader = JournalReplica(Array(entries[..<20]), leading: leading, settings: settings(readsAll: true))
        for entry in entries[20...] { reader.take(entry.value) }
        #expect(try state(reader.ledger) == state(writer.ledger))
        // Without the rounds nobody reads the markers.
        let without = entries.filter {
            (try? StateDecoder().value(JournalEntry.self, from: $0.value))?.kind != .round
        }
        var unread = JournalReplica(leading: leading, settings: settings(readsAll: true))
        for entry in without { unread.take(entry.value) }
        #expect(unread.ledger.breaks.isEmpty)
    }

    @Test func `a change to another origin is one for all who read the journal`() throws {
        let (entries, writer) = try journal(
            LiveChannelModel(), at: Array(60..<120), changes: [80: 1, 100: 0])
        #expect(writer.ledger.origin == 0)
        #expect(writer.ledger.epoch == 2)
        let reader = JournalReplica(entries, leading: leading, settings: settings())
        #expect(try state(reader.ledger) == state(writer.ledger))
    }

    @Test func `two processes that see a restart at different moments agree about it`() throws {
        for lag in 1...6 {
            var channel = LiveChannelModel(hasSeparateAudio: true)
            channel.restarts = [86]
            var first = JournalReplica(leading: leading, settings: settings())
            var second = first
            for now in 60..<120 {
                // The first sees everything at once; the second, whose caches lag, writes entries as well.
                let seen = [
                    ("v0", now, true), ("a-aud-en", now - lag, false), ("v1", now - lag / 2, true),
                    ("v0", now - lag, false),
                ]
                for (name, moment, isFirst) in seen {
                    let playlist = try MediaPlaylist(
                        parsing: Array(channel.media(rendition: name, at: moment).utf8))
                    let writer = isFirst ? first : second
                    guard let new = writer.entry(playlist, of: RenditionKey(name), at: "http://o/\(name).m3u8"),
                        new.observation != .stale, new.observation != .waiting
                    else { continue }
                    first.take(new.bytes, ledger: isFirst ? new.ledger : nil)
                    second.take(new.bytes, ledger: isFirst ? nil : new.ledger)
                }
            }
            #expect(first.ledger.epoch == 1, "lag \(lag)")
            #expect(try state(first.ledger) == state(second.ledger), "lag \(lag)")
        }
    }
}
