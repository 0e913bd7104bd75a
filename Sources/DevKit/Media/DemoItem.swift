/// One thing to show: the programme or an ad.
package struct DemoItem: Sendable, Equatable {
    /// Folder under the media folder.
    package let folder: String
    /// Text drawn over the picture, and the ad's title.
    package let title: String
    /// Whole seconds.
    package let seconds: Int
    /// Name of ffmpeg's colour source for the background; `nil` is a moving test card.
    package let colour: String?
    /// Pitch of the sound, so that ears tell the ads apart as well.
    package let hertz: Int

    /// The programme. 80 s is a whole number of 2 s segments and, at 48 kHz, of AAC frames, so that it loops without drift.
    package static let programme = DemoItem(
        folder: "programme", title: "programme", seconds: 80, colour: nil, hertz: 440)

    /// Long and short by turns: two neighbours make 25 s.
    package static let ads = [
        DemoItem(folder: "ads/red", title: "red ad 15 s", seconds: 15, colour: "0xB02020", hertz: 550),
        DemoItem(folder: "ads/blue", title: "blue ad 10 s", seconds: 10, colour: "0x2040B0", hertz: 770),
        DemoItem(folder: "ads/green", title: "green ad 15 s", seconds: 15, colour: "0x208030", hertz: 660),
        DemoItem(folder: "ads/amber", title: "amber ad 10 s", seconds: 10, colour: "0xC08010", hertz: 880),
    ]

    package static var all: [DemoItem] { [programme] + ads }
}

/// One step of the bit rate ladder.
struct DemoRendition: Sendable {
    let name: String
    let width: Int
    let height: Int
    /// Cap of the video, bit/s.
    let bitRate: Int

    static let ladder = [
        DemoRendition(name: "v0", width: 640, height: 360, bitRate: 600_000),
        DemoRendition(name: "v1", width: 480, height: 270, bitRate: 350_000),
        DemoRendition(name: "v2", width: 320, height: 180, bitRate: 180_000),
    ]
}

/// How the demo's media are packed.
package enum DemoPackaging: String, Sendable, CaseIterable {
    /// MPEG-TS segments with picture and sound.
    case ts
    /// fMP4 segments, the sound in a rendition of its own.
    case fmp4

    /// Folders that hold a media playlist.
    package var tracks: [String] {
        let video = DemoRendition.ladder.map(\.name)
        return self == .ts ? video : video + ["audio"]
    }
}
