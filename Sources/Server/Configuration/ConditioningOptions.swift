/// `conditioning`: how ads that are files become HLS.
package struct ConditioningOptions: Sendable, Equatable {
    package var isEnabled = true
    /// Where what was made is kept.
    package var folder = "podstitch-creatives"
    /// Path of ffmpeg, or its name on the search path; ffprobe lies beside it.
    package var ffmpeg = "ffmpeg"
    /// Beyond it the least recently used goes.
    package var maxStoredBytes = 10_737_418_240
    /// Of the file system: below it the least recently used goes, and nothing is made.
    package var minFreeBytes = 1_073_741_824
    /// Address that stands before what was made; nil serves it from here.
    package var urlPrefix: String?
    /// Ads encoded at one time.
    package var jobs = 1
    /// Ads downloaded beside them.
    package var downloads = 3
    /// Of both together, those of one host.
    package var jobsOfHost = 2
    /// Ads that wait to be made; more are turned away.
    package var maxQueuedJobs = 100
    /// Of one ad: download and all programs.
    package var timeLimit = Duration.milliseconds(600_000)
    package var maxSourceBytes = 268_435_456
    /// A download that brings fewer for ``stallTime``, also before its first one, is given up.
    package var leastSourceRate = 32_768
    package var stallTime = Duration.milliseconds(10_000)
    package var longestAd = Duration.milliseconds(180_000)
    /// Of each encoder; nil shares half of the cores among the jobs.
    package var threads: Int?
    /// Integrated, LUFS; nil leaves the sound as it is.
    package var loudness: Int?
}

extension ConditioningOptions {
    init(_ section: OptionReader) {
        self.init()
        var options = section
        isEnabled = options.flag("enabled", isEnabled)
        folder = options.text("folder", folder) ?? folder
        ffmpeg = options.text("ffmpeg", ffmpeg) ?? ffmpeg
        maxStoredBytes = options.integer("maxStoredBytes", maxStoredBytes, in: 1_048_576...1_125_899_906_842_624)
        minFreeBytes = options.integer("minFreeBytes", minFreeBytes, in: 0...1_125_899_906_842_624)
        urlPrefix = options.urlPrefix("urlPrefix")
        jobs = options.integer("jobs", jobs, in: 1...64)
        downloads = options.integer("downloads", downloads, in: 1...64)
        jobsOfHost = options.integer("maxJobsPerHost", jobsOfHost, in: 1...128)
        maxQueuedJobs = options.integer("maxQueuedJobs", maxQueuedJobs, in: 1...100_000)
        timeLimit = options.milliseconds("timeoutMilliseconds", 600_000, in: 1_000...86_400_000)
        maxSourceBytes = options.integer("maxSourceBytes", maxSourceBytes, in: 65_536...2_147_483_647)
        leastSourceRate = options.integer("minSourceBytesPerSecond", leastSourceRate, in: 1...1_073_741_824)
        stallTime = options.milliseconds("sourceStallMilliseconds", 10_000, in: 1_000...600_000)
        longestAd = options.milliseconds("maxAdDurationMilliseconds", 180_000, in: 1_000...3_600_000)
        threads = options.integer("threads", nil, in: 1...64)
        loudness = options.integer("loudnessLUFS", nil, in: -60 ... -5)
        options.finish()
    }
}
