internal import Conditioning
internal import Transport

/// Fetches an ad's media: a file in parts, so that none of them is large; from a server that knows no parts, at once. Of a playlist the
/// segments of one rendition, see `CreativeDownload+Playlist.swift`.
struct CreativeDownload: Sendable {
    /// What came of a request for a part.
    enum Part: Sendable, Equatable {
        /// Some bytes, and how many the whole file has where that is known.
        case part([UInt8], total: Int?)
        case whole([UInt8])
        case failure(ConditioningFailure)
    }

    /// A request for bytes from an offset on.
    struct Request: Sendable {
        var url: String
        /// An ad answer named its host, and not the operator.
        var isNamedByAnswer: Bool
        var offset: Int
        var count: Int
        /// The most that the whole may have.
        var limit: Int
        var time: Duration
        var leastRate: HTTPClientRequest.LeastRate?
    }

    typealias Write = @Sendable (MediaTrack, [UInt8]) async -> Bool

    /// A playlist at an address, and whether an ad answer named its host.
    var playlist: @Sendable (String, Bool) async -> UpstreamAnswer
    var part: @Sendable (Request) async -> Part
    var now: @Sendable () -> Duration
    var leastRate: HTTPClientRequest.LeastRate?
    var partBytes = 4 << 20

    func fetch(_ media: MediaDownload, write: Write) async -> Result<FetchedMedia, ConditioningFailure> {
        if media.source.isPlaylist { return await fetchPlaylist(media, write: write) }
        var room = media.byteLimit
        let failure = await fetch(media.source.url, in: nil, for: media, room: &room) { await write(.main, $0) }
        return failure.map { .failure($0) } ?? .success(FetchedMedia())
    }

    /// Fetches a file, or a range of it, and hands its bytes on in their order.
    ///
    /// - Parameter room: the bytes that may still come; less afterwards.
    func fetch(
        _ url: String, in range: Range<Int>?, for media: MediaDownload, room: inout Int,
        write: @Sendable ([UInt8]) async -> Bool
    ) async -> ConditioningFailure? {
        let tooLarge = ConditioningFailure(.unusable, "larger than \(media.byteLimit) bytes")
        let unwritten = ConditioningFailure(.machine, "it cannot be written to the disk")
        let changed = ConditioningFailure(.unusable, "its server sends another file than before")
        let start = range?.lowerBound ?? 0
        if let range, range.count > room { return tooLarge }
        var offset = start
        var known: Int?
        while true {
            let rest = media.deadline - now()
            guard rest > .zero else { return ConditioningFailure(.timeout, "its download took too long") }
            let wanted = min(partBytes, range.map { $0.upperBound - offset } ?? partBytes)
            guard wanted > 0 else { return nil }
            let request = Request(
                url: url, isNamedByAnswer: !media.isOperators, offset: offset, count: wanted,
                limit: range.map { $0.upperBound + room } ?? room, time: rest, leastRate: leastRate)
            switch await part(request) {
            case .failure(let failure): return failure
            case .whole(let all):
                guard offset == start else { return changed }
                let bytes = range.map { Array(all[$0.clamped(to: 0..<all.count)]) } ?? all
                guard range.map({ $0.count == bytes.count }) ?? true else {
                    return ConditioningFailure(.unusable, "it is shorter than its playlist says")
                }
                guard bytes.count <= room else { return tooLarge }
                room -= bytes.count
                return await write(bytes) ? nil : unwritten
            case .part(let bytes, let total):
                guard known == nil || total == nil || known == total else { return changed }
                known = known ?? total
                guard range != nil || total ?? 0 <= room + offset, bytes.count <= room else { return tooLarge }
                guard !bytes.isEmpty else {
                    return range == nil ? nil : ConditioningFailure(.unusable, "it is shorter than its playlist says")
                }
                guard await write(bytes) else { return unwritten }
                offset += bytes.count
                room -= bytes.count
                if range == nil, let total, offset >= total { return nil }
                if range == nil, total == nil, bytes.count < wanted { return nil }
            }
        }
    }
}

extension CreativeDownload.Part {
    /// What an answer to a request for the bytes from `offset` on holds.
    init(_ response: HTTPClientResponse, from offset: Int) {
        switch response.status {
        case 200: self = .whole(response.body)
        case 206:
            guard let range = ContentRange(response.header("Content-Range") ?? ""), range.start == offset else {
                self = .failure(ConditioningFailure(.unusable, "its server sent another part than was asked for"))
                return
            }
            self = .part(response.body, total: range.total)
        // At the end of a file whose length nothing told.
        case 416 where offset > 0: self = .part([], total: nil)
        default: self = .failure(ConditioningFailure(.notFound, "status \(response.status)"))
        }
    }
}

/// Which part of a whole an answer holds: `bytes 0-499/1234`. RFC 9110 §14.4.
struct ContentRange: Equatable {
    let start: Int
    /// Nil where it is not told.
    let total: Int?

    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let dash = parts[0].firstIndex(of: "-"), let start = Int(parts[0][..<dash]) else {
            return nil
        }
        self.start = start
        total = Int(parts[1])
        guard start >= 0, total != nil || parts[1] == "*", total ?? 0 >= 0 else { return nil }
    }
}
