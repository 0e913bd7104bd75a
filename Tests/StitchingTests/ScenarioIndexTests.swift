import FoundationEssentials
import Testing

/// Which golden folder shows what: every rule of the timeline, every report of users, every marker that is read.
struct ScenarioIndexTests {
    /// The items of the timeline's design, in their order.
    static let timeline: [(rule: String, folders: [String])] = [
        ("a pod replaces or is inserted", ["live-break-with-two-ads", "vod-insertion-at-a-cue"]),
        ("numbers", ["one-break-right-behind-another", "the-counter-rises-as-discontinuities-leave"]),
        (
            "discontinuity sequence",
            ["origin-discontinuities-around-a-break", "an-origin-discontinuity-inside-a-break-goes"]
        ),
        ("held edge", ["audio-ahead-of-video-is-held"]),
        ("release in real time", ["live-break-with-two-ads", "a-pod-that-ends-between-two-boundaries"]),
        ("return", ["a-pod-that-ends-between-two-boundaries", "pods-a-little-too-long-do-not-add-up"]),
        ("dates", ["a-pod-that-ends-between-two-boundaries", "content-without-dates"]),
        (
            "fit, fill and early returns",
            [
                "an-ad-that-does-not-fit-is-left-out", "live-slate-fills-a-break", "live-slate-up-to-the-next-boundary",
                "unfilled-time-above-the-threshold", "live-early-return-cuts-the-pod",
                "live-early-return-lets-the-ad-end", "slate-repays-a-cut",
            ]
        ),
        (
            "undecided breaks",
            [
                "an-undecided-break-holds-the-edge", "live-break-left-to-content",
                "live-slate-where-the-ad-server-fails", "live-long-break-asked-for-again",
            ]
        ),
        (
            "joining inside a break",
            [
                "joining-inside-a-break", "live-joining-a-break-with-slate", "live-joining-a-break-with-ads",
                "past-breaks-of-a-dvr-window",
            ]
        ),
        ("window", ["a-short-window-is-kept-longer", "a-break-before-three-target-durations-were-seen"]),
        (
            "target duration",
            ["the-target-duration-is-fixed-for-the-session", "an-ad-with-longer-segments-is-left-out"]
        ),
        (
            "order at joints",
            ["live-clear-ads-in-encrypted-content", "live-fmp4-with-separate-audio", "an-implicit-iv-is-written-out"]
        ),
        (
            "all renditions",
            [
                "live-audio-languages-and-an-audio-only-variant", "live-subtitles-get-empty-files-with-the-ads-times",
                "live-i-frame-playlist-gets-the-ads-i-frames", "a-muxed-ad-is-left-out-of-separate-audio",
            ]
        ),
        ("an origin that begins anew", ["an-origin-that-begins-anew"]),
        ("the same input, the same bytes", ["live-break-with-two-ads"]),
    ]

    /// Reports of users about numbers, breaks, fit, keys and dates, by their number.
    static let reports: [(number: Int, folders: [String])] = [
        (1, ["the-counter-rises-as-discontinuities-leave"]), (2, ["the-counter-rises-as-discontinuities-leave"]),
        (4, ["the-counter-rises-as-discontinuities-leave"]), (5, ["the-counter-rises-as-discontinuities-leave"]),
        (6, ["the-target-duration-is-fixed-for-the-session"]), (7, ["live-slate-where-the-ad-server-fails"]),
        (9, ["the-counter-rises-as-discontinuities-leave"]), (11, ["a-pod-that-ends-between-two-boundaries"]),
        (12, ["live-fmp4-with-separate-audio"]), (13, ["a-pod-that-ends-between-two-boundaries"]),
        (15, ["the-counter-rises-as-discontinuities-leave"]), (16, ["low-latency-tags-of-the-origin-go"]),
        (17, ["low-latency-tags-of-the-origin-go"]),
        (19, ["live-break-with-two-ads", "an-origin-discontinuity-inside-a-break-goes"]),
        (20, ["cue-out-with-a-duration-attribute"]), (21, ["cue-out-with-a-duration-attribute"]),
        (23, ["live-markers-of-the-origin-pass"]),
        (25, ["joining-inside-a-break", "continuations-with-pairs-tell-the-length"]),
        (26, ["vod-cue-pairs-with-blanks-insert-also-at-the-end"]), (28, ["several-dialects-are-one-break"]),
        (30, ["an-ad-with-longer-segments-is-left-out"]), (31, ["live-audio-languages-and-an-audio-only-variant"]),
        (32, ["a-muxed-ad-is-left-out-of-separate-audio"]), (34, ["pods-a-little-too-long-do-not-add-up"]),
        (35, ["live-long-break-asked-for-again"]), (36, ["live-clear-ads-in-encrypted-content"]),
        (38, ["clear-parts-of-the-content-stay-clear"]), (39, ["several-key-formats-come-back-after-the-pod"]),
        (41, ["an-implicit-iv-is-written-out", "an-implicit-iv-in-a-sliding-window"]),
        (42, ["live-fmp4-with-separate-audio"]), (43, ["byte-ranges-get-their-offsets-behind-a-pod"]),
        (45, ["an-implicit-iv-is-written-out"]), (46, ["live-break-with-two-ads"]),
        (48, ["live-subtitles-get-empty-files-with-the-ads-times"]),
        (49, ["live-subtitles-get-empty-files-with-the-ads-times"]),
        (51, ["gaps-beside-a-break-stay-and-gaps-in-it-go"]), (67, ["low-latency-tags-of-the-origin-go"]),
        (76, ["live-clear-ads-in-encrypted-content", "clear-parts-of-the-content-stay-clear"]),
    ]

    /// The tags that mark breaks.
    static let markers: [(tag: String, folders: [String])] = [
        ("EXT-X-CUE-OUT:n", ["live-break-with-two-ads"]),
        ("EXT-X-CUE-OUT:DURATION=n", ["cue-out-with-a-duration-attribute"]),
        ("EXT-X-CUE-OUT", ["a-break-of-unknown-length"]), ("EXT-X-CUE-OUT-CONT:e/n", ["joining-inside-a-break"]),
        ("EXT-X-CUE-OUT-CONT:ElapsedTime=", ["continuations-with-pairs-tell-the-length"]),
        ("EXT-X-CUE-SPAN", ["a-cue-span-inside-a-break"]),
        ("EXT-X-CUE-IN", ["live-early-return-cuts-the-pod", "a-return-marker-that-never-comes"]),
        ("EXT-OATCLS-SCTE35", ["live-oatcls-and-asset-mark-a-break", "an-oatcls-message-alone"]),
        ("EXT-X-ASSET", ["live-oatcls-and-asset-mark-a-break"]),
        (
            "EXT-X-CUE",
            [
                "live-primetime-cue-counts-its-duration", "a-primetime-splice-in-ends-a-break",
                "a-primetime-splice-insert-is-a-point",
            ]
        ),
        ("EXT-X-CUE-CONT", ["primetime-continuations"]), ("EXT-X-SCTE35", ["live-ext-x-scte35-marks-a-break"]),
        ("EXT-SCTE35", ["a-legacy-scte35-tag-with-blanks"]),
        ("EXT-X-SPLICEPOINT-SCTE35", ["live-splicepoint-messages-mark-a-break", "levels-of-segmentation-nest"]),
        (
            "EXT-X-DATERANGE",
            [
                "live-date-range-marks-a-break", "a-date-range-announced-ahead", "a-date-range-by-its-tag",
                "a-date-range-command", "a-cancelled-announcement",
            ]
        ),
        ("EXT-X-SIGNAL", ["live-esam-signals-mark-a-break"]),
        ("EXT-X-PLACEMENT-OPPORTUNITY", ["vod-placement-opportunity-inserts"]),
        ("private tags", ["private-ad-tags-pass-through"]),
        ("ads stitched by others", ["ads-of-another-stitcher-are-left-alone"]),
        ("several on one segment", ["several-dialects-are-one-break", "a-marker-in-one-rendition-only"]),
    ]

    private static let names = Set(
        ScenarioFolder.all().compactMap { $0.path.split(separator: "/").last.map(String.init) })

    @Test func `every item of the timeline has a folder that shows it`() {
        #expect(Self.timeline.count == 16)
        for (rule, folders) in Self.timeline { check(folders, rule) }
    }

    @Test func `every report has a folder that shows what is right`() {
        #expect(Self.reports.count == 38)
        for (number, folders) in Self.reports { check(folders, "R\(number)") }
    }

    @Test func `every marker has a folder that shows how it is read`() {
        #expect(Self.markers.count == 20)
        for (tag, folders) in Self.markers { check(folders, tag) }
    }

    private func check(_ folders: [String], _ what: String) {
        #expect(!folders.isEmpty, "nothing shows: \(what)")
        for folder in folders { #expect(Self.names.contains(folder), "\(what): no folder \(folder)") }
    }
}
