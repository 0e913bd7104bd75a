internal import HLS

/// Makes media into a ladder, in a folder of its own. Blocks, but never longer than its time.
struct ConditioningJob: Sendable {
    var tools: MediaTools
    /// Holds the files.
    var folder: String
    var media: FetchedMedia
    var ladder: ConditioningLadder
    var limits: EncodingPlan.Limits
    var threads: Int
    var cancelled: CancellationFlag
    var deadline: ContinuousClock.Instant

    /// Longest time of a look at a file.
    private static let probeLimit = Duration.seconds(20)

    /// Makes the files in `result`.
    func run() throws(ConditioningFailure) -> EncodingPlan {
        let main = try probe(MediaTrack.main.rawValue)
        let sound = media.hasSound ? try probe(MediaTrack.sound.rawValue) : nil
        let plan = try plan(main, sound)
        for output in plan.outputs {
            guard CreativeStore.makeFolder("\(folder)/\(EncodingArguments.result)/\(output.format.name)") else {
                throw ConditioningFailure(.machine, "a folder cannot be made")
            }
        }
        let gain = try gain(plan)
        try ffmpeg(EncodingArguments.encode(plan, gain: gain, threads: threads), failing: .unusable)
        try check(plan)
        return plan
    }

    private func plan(_ main: ProbedMedia, _ sound: ProbedMedia?) throws(ConditioningFailure) -> EncodingPlan {
        // How long they are is held against what is there: of a file that was cut off nothing is made.
        guard let stream = main.video ?? main.audio ?? sound?.audio else {
            throw ConditioningFailure(.unusable, "neither pictures nor sound")
        }
        let found = try measured(stream, (main.video ?? main.audio) == nil ? .sound : .main)
        if let told = media.duration ?? stream.duration ?? main.duration {
            guard found + max(.seconds(1), told / 50) >= told else {
                throw ConditioningFailure(.unusable, "it ends after \(found) of \(told)")
            }
            return try EncodingPlan(main, sound: sound, ladder, limits: limits, length: media.duration)
        }
        return try EncodingPlan(main, sound: sound, ladder, limits: limits, length: found)
    }

    /// How long the packets of a stream last together.
    private func measured(_ stream: ProbedMedia.Stream, _ track: MediaTrack) throws(ConditioningFailure) -> Duration {
        let output = try ffmpeg(EncodingArguments.measure(stream.index, of: track), failing: .unusable).output
        func highest(_ name: String) -> Int {
            let values = output.split(whereSeparator: \.isNewline).compactMap { line -> Int? in
                line.hasPrefix("\(name)=") ? Int(line.dropFirst(name.utf8.count + 1)) : nil
            }
            return values.max() ?? 0
        }
        let last = Duration.microseconds(min(max(highest("out_time_us"), 0), 86_400_000_000))
        // That is when the last packet is decoded, which is a little before the end.
        let counted = stream.frameRate?.duration(of: min(max(highest("frame"), 0), 24_000_000)) ?? .zero
        return counted > last && counted - last < .seconds(1) ? counted : last
    }

    private func probe(_ file: String) throws(ConditioningFailure) -> ProbedMedia {
        try tools.probe(file, in: folder, within: try rest(Self.probeLimit), cancelled: cancelled)
    }

    private func gain(_ plan: EncodingPlan) throws(ConditioningFailure) -> Int {
        guard let target = ladder.loudness, let arguments = EncodingArguments.loudness(of: plan) else { return 0 }
        let errors = try ffmpeg(arguments, failing: .unusable).errors
        return LoudnessSummary(errors)?.gain(to: target) ?? 0
    }

    @discardableResult
    private func ffmpeg(
        _ arguments: [String], failing kind: ConditioningFailure.Kind
    ) throws(ConditioningFailure) -> (output: String, errors: String) {
        var program = ChildProgram(tools.ffmpeg, arguments, in: folder, timeLimit: try rest())
        program.processorSeconds = max(program.timeLimit.wholeMilliseconds / 1_000, 1) * (threads + 2)
        let outcome = program.run(cancelled: cancelled)
        let errors = String(decoding: outcome.errors, as: UTF8.self)
        switch outcome.ending {
        case .status(0): return (String(decoding: outcome.output, as: UTF8.self), errors)
        case .status(let status):
            let last = errors.split(whereSeparator: \.isNewline).last.map { ": \($0.prefix(200))" } ?? ""
            let isMachine = errors.contains("No space left") || errors.contains("Unknown encoder")
            throw ConditioningFailure(isMachine ? .machine : kind, "ffmpeg ended with \(status)\(last)")
        case .signal(let signal): throw ConditioningFailure(.machine, "ffmpeg was ended by signal \(signal)")
        case .timeout: throw ConditioningFailure(.timeout, "ffmpeg took too long")
        case .cancelled: throw .stopped
        case .notStarted(let code): throw ConditioningFailure(.machine, "ffmpeg cannot be started: error \(code)")
        }
    }

    private func rest(_ limit: Duration = .seconds(86_400)) throws(ConditioningFailure) -> Duration {
        if cancelled.isSet { throw .stopped }
        let rest = deadline - ContinuousClock.now
        guard rest > .zero else { throw ConditioningFailure(.timeout, "the work took too long") }
        return min(rest, limit)
    }

    /// Whether each output is as long as planned, in as many segments, none of them too long.
    private func check(_ plan: EncodingPlan) throws(ConditioningFailure) {
        let unlike = ConditioningFailure(.unusable, "what ffmpeg made is not what was planned")
        for output in plan.outputs {
            let place = "\(folder)/\(EncodingArguments.result)/\(output.format.name)/\(EncodingArguments.playlist)"
            guard let bytes = CreativeStore.read(place, 0..<(1 << 20)),
                let playlist = try? MediaPlaylist(parsing: bytes), playlist.hasEndList,
                playlist.segments.count == plan.segmentCount
            else { throw unlike }
            let total = playlist.segments.reduce(Duration.zero) { $0 + $1.duration }
            // A frame of the sound, and what rounding takes.
            var slack = Duration.milliseconds(50)
            if let audio = output.format.audio, audio.sampleRate > 0 {
                slack += .seconds(audio.codec.frameSize) / audio.sampleRate
            }
            guard (total - plan.duration).magnitude <= slack,
                playlist.segments.allSatisfy({ $0.duration <= ladder.longestSegment + slack })
            else { throw unlike }
        }
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
