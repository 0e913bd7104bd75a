import FoundationEssentials
import Testing

@testable import Conditioning

/// The real ffmpeg: small clips are made with it, and what was made of them is looked at.
struct MediaWorkshop {
    static let tools = MediaTools.find("ffmpeg", searchPath: "/usr/local/bin:/usr/bin:/bin")

    let folder: TemporaryFolder
    let tools: MediaTools

    init() throws {
        folder = try TemporaryFolder()
        tools = try #require(Self.tools)
    }

    private static let quiet = ["-nostdin", "-hide_banner", "-v", "error", "-y"]

    /// A clip by ffmpeg's own sources.
    func clip(
        _ name: String, video: String? = "testsrc2=s=320x180:r=30:d=4.3", audio: String? = "sine=440:r=44100:d=4.3",
        _ options: [String] = ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"]
    ) throws -> String {
        let inputs = [video, audio].compactMap { $0 }.flatMap { ["-f", "lavfi", "-i", $0] }
        let outcome = ChildProgram(
            tools.ffmpeg, Self.quiet + inputs + options + [name], in: folder.path, timeLimit: .seconds(60)
        ).run()
        try #require(outcome.isSuccess, "\(String(decoding: outcome.errors, as: UTF8.self))")
        return "\(folder.path)/\(name)"
    }

    struct Packet: Equatable {
        var start: Double
        var duration: Double
        var isKey: Bool
    }

    /// The packets of a file by their stream's type.
    func packets(_ file: String) throws -> [String: [Packet]] {
        let arguments = [
            "-v", "error", "-show_entries", "packet=codec_type,pts_time,duration_time,flags", "-of", "compact=p=0",
            file,
        ]
        let outcome = ChildProgram(tools.ffprobe, arguments, in: folder.path, timeLimit: .seconds(60)).run()
        try #require(outcome.isSuccess, "\(String(decoding: outcome.errors, as: UTF8.self))")
        var result: [String: [Packet]] = [:]
        for line in String(decoding: outcome.output, as: UTF8.self).split(separator: "\n") {
            var fields: [String: String] = [:]
            for field in line.split(separator: "|") {
                let parts = field.split(separator: "=", maxSplits: 1)
                if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
            }
            guard let type = fields["codec_type"], let start = fields["pts_time"].flatMap({ Double($0) }) else {
                continue
            }
            result[type, default: []].append(
                Packet(
                    start: start, duration: fields["duration_time"].flatMap { Double($0) } ?? 0,
                    isKey: fields["flags"]?.hasPrefix("K") ?? false))
        }
        return result
    }

    /// The light of the points of a file's picture, row by row, 0 to 255 as it is coded.
    func light(_ file: String, at seconds: Double = 0, width: Int, height: Int) throws -> [UInt8] {
        let arguments = [
            "-nostdin", "-v", "error", "-ss", "\(seconds)", "-i", file, "-frames:v", "1", "-vf",
            "scale=\(width):\(height):flags=neighbor:in_range=tv:out_range=tv,format=yuv420p,extractplanes=y", "-f",
            "rawvideo", "-",
        ]
        let outcome = ChildProgram(tools.ffmpeg, arguments, in: folder.path, timeLimit: .seconds(60)).run()
        try #require(outcome.output.count == width * height, "\(String(decoding: outcome.errors, as: UTF8.self))")
        return outcome.output
    }

    func streams(_ file: String) throws -> ProbedMedia { try tools.probe(file, in: folder.path, within: .seconds(20)) }
}

/// A conditioner on the real ffmpeg whose downloads are copies of files.
final class ConditionerBench: Sendable {
    let workshop: MediaWorkshop
    let conditioner: Conditioner
    let store: CreativeStore
    private let reports: AsyncStream<Conditioner.Report>

    init(_ workshop: MediaWorkshop, bytes: Int = 1 << 30, _ change: (inout Conditioner.Options) -> Void = { _ in }) {
        self.workshop = workshop
        var options = Conditioner.Options()
        options.timeLimit = .seconds(120)
        change(&options)
        let clock = ContinuousClock()
        let began = clock.now
        store = CreativeStore(
            folder: "\(workshop.folder.path)/store", limits: CreativeStore.Limits(bytes: bytes),
            process: String(UInt64.random(in: .min ... .max), radix: 36), now: { clock.now - began })
        let (stream, continuation) = AsyncStream.makeStream(of: Conditioner.Report.self)
        reports = stream
        conditioner = Conditioner(
            options: options, tools: workshop.tools, store: store, now: { clock.now - began },
            start: { job in Task { await job() } },
            fetch: { media, write in
                // The sound of `x.mp4+y.mp4` has a file of its own.
                let files = media.source.url.split(separator: "+").map(String.init)
                for (file, track) in zip(files, MediaTrack.allCases) {
                    guard let data = FileManager.default.contents(atPath: file) else {
                        return .failure(ConditioningFailure(.notFound, "status 404"))
                    }
                    guard data.count <= media.byteLimit else {
                        return .failure(ConditioningFailure(.unusable, "too large"))
                    }
                    guard await write(track, [UInt8](data)) else {
                        return .failure(ConditioningFailure(.machine, "not written"))
                    }
                }
                return .success(FetchedMedia(hasSound: files.count > 1))
            }, report: { continuation.yield($0) })
    }

    func request(_ sources: [String], _ ladder: ConditioningLadder) -> Conditioner.Request {
        Conditioner.Request(
            key: ContentKey(ad: sources.joined(separator: "\n"), ladder: ladder), ladder: ladder,
            sources: sources.map { MediaSource($0) })
    }

    /// Has an ad made and waits for what becomes of it: nil where it is there.
    func make(_ sources: [String], _ ladder: ConditioningLadder) async -> ConditioningFailure? {
        let request = request(sources, ladder)
        guard await conditioner.request(request) == .inProgress else {
            return ConditioningFailure(.machine, "not begun")
        }
        for await report in reports {
            switch report {
            case .made: return nil
            case .failed(_, let failure): return failure
            case .elsewhere: return ConditioningFailure(.machine, "elsewhere")
            }
        }
        return ConditioningFailure(.machine, "no report")
    }

    /// The folder of an output.
    func folder(_ output: String, of sources: [String], _ ladder: ConditioningLadder) -> String {
        "\(store.folder)/ready/\(ContentKey(ad: sources.joined(separator: "\n"), ladder: ladder))/\(output)"
    }
}
