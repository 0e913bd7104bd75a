internal import HLS
internal import Stitching
internal import Transport

/// Serves parts of subtitle segments that a joint cuts: `sub/RENDITION/NUMBER-FROM-TO.vtt`, relative to the session. The files are
/// fetched and read once for all sessions; where in one a time lies is told by the media that play at it.
struct SubtitlePieces: Sendable {
    static let folder = "sub"

    /// Why a file or a timestamp is not there.
    enum Failure: Error, Sendable { case notFound, notReadable, timeout }

    private let documents: SharedCache<OriginAddress, WebVTTDocument, Failure>
    private let timestamps: SharedCache<MediaPlace, Int64, Failure>
    private let patience: Duration

    /// A content segment of which the first kilobytes tell when it begins.
    struct MediaPlace: Hashable, Sendable {
        var address: OriginAddress
        var offset: Int64
        var initialization: String?
        var initializationOffset: Int64
    }

    /// Larger files are not cut.
    static let largestFile = 8 << 20

    /// - Parameters:
    ///   - fetch: requests a file of an origin; has its own deadline.
    ///   - beginning: requests the first kilobytes of a segment of an origin.
    init(
        time: any TimeSource, patience: Duration,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void,
        fetch: @escaping @Sendable (UpstreamRequest) async -> UpstreamAnswer,
        beginning: @escaping @Sendable (OriginAddress, Int64) async -> [UInt8]?
    ) {
        self.patience = patience
        documents = SharedCache(
            limit: 64, lifetime: .seconds(600), failureLifetime: .seconds(5), time: time, start: start
        ) { address in
            guard case .body(let bytes, _, _, _) = await fetch(UpstreamRequest(address: address)) else {
                return .failure(.notFound)
            }
            guard bytes.count <= Self.largestFile, let document = WebVTTDocument(bytes) else {
                return .failure(.notReadable)
            }
            return .success(document)
        }
        timestamps = SharedCache(
            limit: 10_000, lifetime: .seconds(3_600), failureLifetime: .seconds(60), time: time, start: start
        ) { place in
            guard let bytes = await beginning(place.address, place.offset) else { return .failure(.notFound) }
            var found = MediaTimestamps.first(inTransportStream: bytes)
            if let url = place.initialization {
                var address = place.address
                address.url = url
                let initialization = await beginning(address, place.initializationOffset)
                found = initialization.flatMap { MediaTimestamps.first(inFragment: bytes, initialization: $0) }
            }
            return found.map { .success($0) } ?? .failure(.notReadable)
        }
    }

    static func name(_ piece: SubtitlePiece, of rendition: RenditionKey) -> String {
        "\(folder)/\(percentEscaped(rendition.text))/\(piece.number)-\(piece.bounds).vtt"
    }

    /// Of the parts of a path behind `sub/`.
    static func read(_ parts: [String]) -> (rendition: RenditionKey, piece: SubtitlePiece)? {
        guard parts.count == 2, parts[1].hasSuffix(".vtt"), let hyphen = parts[1].firstIndex(of: "-"),
            let number = Int64(parts[1][..<hyphen]),
            let piece = SubtitlePiece(
                number: number, bounds: parts[1][parts[1].index(after: hyphen)...].dropLast(4))
        else { return nil }
        return (RenditionKey(parts[0]), piece)
    }

    /// The part, as WebVTT.
    func body(
        _ piece: SubtitlePiece, of rendition: RenditionKey, in ledger: BreakLedger, of source: Source
    ) async throws(ServerError) -> [UInt8] {
        guard let place = ledger.place(ofSegment: piece.number, in: rendition) else {
            throw ServerError(.notFound, place: source.id.name, detail: "no such subtitle segment")
        }
        let options = source.options
        let origin = { @Sendable (url: String) in
            OriginAddress(url: url, headers: options.headers, http2: options.http2)
        }
        async let timestamp = timestamp(of: place, origin)
        switch await documents.value(for: origin(place.url), within: patience) {
        case .success(let document)?:
            return document.part(
                piece, startingAt: await timestamp, expected: place.elapsed ?? document.firstStart ?? .zero)
        case .failure(.notFound)?: throw ServerError(.originNotFound, place: source.id.name, detail: "subtitles")
        case .failure(.notReadable)?: throw ServerError(.originUnreadable, place: source.id.name, detail: "subtitles")
        case .failure(.timeout)?, nil: throw ServerError(.originTimedOut, place: source.id.name, detail: "subtitles")
        }
    }

    /// Of the media at the start of the subtitle segment; nil where they do not tell.
    private func timestamp(of place: SubtitlePlace, _ origin: @Sendable (String) -> OriginAddress) async -> Int64? {
        guard let media = place.media, !media.isEncrypted else { return nil }
        let found = await timestamps.value(
            for: MediaPlace(
                address: origin(media.url), offset: media.offset, initialization: media.initialization,
                initializationOffset: media.initializationOffset), within: patience)
        guard case .success(let timestamp)? = found else { return nil }
        return (timestamp &+ media.lead) & (MediaTimestamps.period - 1)
    }
}
