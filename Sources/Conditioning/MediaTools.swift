internal import Glibc

/// Where ffmpeg and ffprobe are.
package struct MediaTools: Sendable {
    package var ffmpeg: String
    package var ffprobe: String

    package init(ffmpeg: String, ffprobe: String) {
        self.ffmpeg = ffmpeg
        self.ffprobe = ffprobe
    }

    /// Looks for them: `ffmpeg` is a path, or a name that is looked for in the folders of `searchPath`; ffprobe lies beside it.
    ///
    /// - Returns: nil where one of them is missing.
    package static func find(_ ffmpeg: String, searchPath: String) -> MediaTools? {
        let candidates: [String]
        if ffmpeg.contains("/") {
            candidates = [ffmpeg]
        } else {
            candidates = searchPath.split(separator: ":").map { "\($0)/\(ffmpeg)" }
        }
        for path in candidates where path.hasPrefix("/") && isProgram(path) {
            let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
            let probe = "\(folder)/ffprobe"
            if isProgram(probe) { return MediaTools(ffmpeg: path, ffprobe: probe) }
        }
        return nil
    }

    private static func isProgram(_ path: String) -> Bool {
        var found = stat()
        return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    /// What there is in a file of a folder. Blocks.
    package func probe(
        _ file: String, in folder: String, within limit: Duration, cancelled: CancellationFlag = CancellationFlag()
    ) throws(ConditioningFailure) -> ProbedMedia {
        let program = ChildProgram(ffprobe, EncodingArguments.probe(file), in: folder, timeLimit: limit)
        let outcome = program.run(cancelled: cancelled)
        switch outcome.ending {
        case .status(0): return ProbedMedia(flat: outcome.output)
        case .status, .signal: throw ConditioningFailure(.unusable, "ffprobe can read nothing of it")
        case .timeout: throw ConditioningFailure(.timeout, "ffprobe took too long")
        case .cancelled: throw .stopped
        case .notStarted(let code): throw ConditioningFailure(.machine, "ffprobe cannot be started: error \(code)")
        }
    }
}
