/// Hands out files of the media folder, whole or in part.
struct MediaFiles: Sendable {
    let root: String

    /// Content types by file name extension; what is not named here is not handed out.
    private static let contentTypes = [
        "m3u8": "application/vnd.apple.mpegurl", "ts": "video/mp2t", "m4s": "video/iso.segment", "mp4": "video/mp4",
    ]

    /// A file below the root by its relative path.
    func respond(relativePath: String, range: String?) -> StandInResponse {
        let names = relativePath.split(separator: "/", omittingEmptySubsequences: false)
        guard !names.isEmpty, names.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("\0") }) else {
            return .notFound
        }
        return Self.respond(file: "\(root)/\(relativePath)", range: range)
    }

    /// A file by its path on disk.
    static func respond(file: String, range: String?) -> StandInResponse {
        let suffix = file.split(separator: ".").last.map(String.init) ?? ""
        guard let type = contentTypes[suffix], let size = Files.size(file) else { return .notFound }
        var response = StandInResponse(status: 200, contentType: type, body: [], contentRange: nil)
        response.maxAge = suffix == "m3u8" ? 0 : 60
        switch ByteRange(header: range, size: size) {
        case .whole:
            guard let body = Files.read(file) else { return .notFound }
            response.body = body
        case .part(let part):
            guard let body = Files.read(file, offset: part.lowerBound, count: part.count) else { return .notFound }
            response.status = 206
            response.body = body
            response.contentRange = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
        case .unsatisfiable:
            response = StandInResponse(status: 416, "range not satisfiable")
            response.contentRange = "bytes */\(size)"
        }
        return response
    }
}

/// What a Range header asks for. RFC 9110 §14.2; several ranges, other units and nonsense mean the whole.
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    init(header: String?, size: Int) {
        self = .whole
        guard let header, header.hasPrefix("bytes=") else { return }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return }
        let first = Self.number(ends[0])
        let last = Self.number(ends[1])
        switch (first, last) {
        case (let first?, let last?) where first <= last:
            self = first < size ? .part(first..<(min(last, size - 1) + 1)) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (nil, let count?) where ends[0].isEmpty:
            self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        default:
            return
        }
    }

    /// Digits alone.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
