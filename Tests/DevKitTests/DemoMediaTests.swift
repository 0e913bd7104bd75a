import Testing

@testable import DevKit

@Suite struct DemoMediaTests {
    @Test func `media are made once and found again`() throws {
        let folder = try Files.makeTemporaryFolder("/tmp/podstitch-media-")
        defer { Files.removeTree(folder) }
        guard ChildProcess("ffmpeg", ["-version"], in: folder)?.wait().status == 0 else {
            print("skipped: no ffmpeg")
            return
        }
        let item = DemoItem(folder: "item", title: "it", seconds: 4, colour: "0x305070", hertz: 440)
        var lines: [String] = []
        let made = try DemoMedia.prepare(folder: "\(folder)/media", items: [item]) { lines.append($0) }
        #expect(!lines.isEmpty)
        for packaging in DemoPackaging.allCases {
            for name in packaging.tracks {
                let track = try made.track(item, packaging, name)
                #expect(track.segments.count == 2)
                #expect(track.targetDuration == 2)
                #expect((track.map != nil) == (packaging == .fmp4))
                #expect(track.segments.allSatisfy { $0.size > 0 })
            }
            #expect(Files.exists("\(made.folder)/item/\(packaging.rawValue)/master.m3u8"))
        }
        lines = []
        _ = try DemoMedia.prepare(folder: "\(folder)/media", items: [item]) { lines.append($0) }
        #expect(lines.isEmpty)
    }

    @Test func `a failed making leaves nothing behind`() throws {
        let folder = try Files.makeTemporaryFolder("/tmp/podstitch-media-")
        defer { Files.removeTree(folder) }
        let item = DemoItem(folder: "item", title: "it", seconds: 4, colour: "no such colour", hertz: 440)
        #expect(throws: DemoError.self) {
            try DemoMedia.prepare(folder: "\(folder)/media", items: [item]) { _ in }
        }
        #expect(Files.names(in: folder).isEmpty)
    }
}
