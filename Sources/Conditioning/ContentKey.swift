/// Names what was made of one ad for one ladder: the same ad and the same ladder have the same key, in every process and after every
/// restart.
package struct ContentKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// 32 hexadecimal digits: it names a folder and stands in addresses.
    package let text: String

    /// Raised when what is made of a ladder changes, so that what older versions made is not taken for it.
    private static let version = 2

    /// - Parameter ad: what tells the ad's media from all others, such as its ID and the file's address.
    package init(ad: String, ladder: ConditioningLadder) {
        var text = "\(Self.version)\n\(ladder.container.rawValue) \(ladder.longestSegment.wholeMicroseconds)"
        if let loudness = ladder.loudness { text += " \(loudness)" }
        for output in ladder.outputs {
            text += "\n\(output.name)"
            if let video = output.video {
                text +=
                    " \(video.codec.rawValue) \(video.profile.rawValue) \(video.level ?? 0) \(video.width)x\(video.height)"
                text += " \(video.frameRate.text) \(video.peakBitRate) \(video.bitDepth) \(video.range.rawValue)"
                text += " \(video.pixelAspect.width):\(video.pixelAspect.height)"
            }
            if let audio = output.audio {
                text += " \(audio.codec.rawValue) \(audio.sampleRate) \(audio.channels) \(audio.bitRate)"
            }
        }
        text += "\n\(ad)"
        self.text = SHA256.digest(of: Array(text.utf8)).prefix(16).map(Self.digits).joined()
    }

    /// Reads a key; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 32,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.text = text
    }

    package var description: String { text }

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    private static func digits(_ byte: UInt8) -> String {
        byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
    }
}
