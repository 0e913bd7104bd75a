internal import Conditioning
internal import Transport

/// Fetches an ad's file in parts, so that none of them is large; from a server that knows no parts, at once.
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
    }

    var part: @Sendable (Request) async -> Part
    var now: @Sendable () -> Duration
    var partBytes = 4 << 20

    func fetch(
        _ file: Conditioner.Download, write: @Sendable ([UInt8]) async -> Bool
    ) async -> ConditioningFailure? {
        let limit = file.byteLimit
        let tooLarge = ConditioningFailure(.unusable, "larger than \(limit) bytes")
        let unwritten = ConditioningFailure(.machine, "it cannot be written to the disk")
        let changed = ConditioningFailure(.unusable, "its server sends another file than before")
        var offset = 0
        var known: Int?
        while true {
            let rest = file.deadline - now()
            guard rest > .zero else { return ConditioningFailure(.timeout, "its download took too long") }
            let request = Request(
                url: file.url, isNamedByAnswer: !file.isOperators, offset: offset, count: partBytes, limit: limit,
                time: rest)
            switch await part(request) {
            case .failure(let failure): return failure
            case .whole(let bytes):
                guard offset == 0 else { return changed }
                guard bytes.count <= limit else { return tooLarge }
                return await write(bytes) ? nil : unwritten
            case .part(let bytes, let total):
                guard known == nil || total == nil || known == total else { return changed }
                known = known ?? total
                guard total ?? 0 <= limit, offset + bytes.count <= limit else { return tooLarge }
                guard !bytes.isEmpty else { return nil }
                guard await write(bytes) else { return unwritten }
                offset += bytes.count
                if let total, offset >= total { return nil }
                if total == nil, bytes.count < partBytes { return nil }
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
