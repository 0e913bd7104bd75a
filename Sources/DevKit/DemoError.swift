/// What stops a demo from starting, in words for the person at the terminal.
package struct DemoError: Error, CustomStringConvertible, Equatable {
    package enum Code: Sendable {
        /// No `ffmpeg` on the search path, or it could not be started.
        case ffmpegMissing
        /// `ffmpeg` ended with an error.
        case ffmpegFailed
        /// The media folder could not be read or written.
        case mediaFolder
        /// One of the stand-in servers could not listen.
        case listen
    }

    package let code: Code
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { detail }

    package static func == (left: DemoError, right: DemoError) -> Bool { left.code == right.code }
}
