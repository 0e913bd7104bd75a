import FoundationEssentials
import Glibc
import Testing

@testable import podstitch

@Suite struct InputFileTests {
    private func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test func `a pipe is read to its end, as shells give one for a command's output`() throws {
        let ends = try pipe()
        defer { close(ends.read) }
        #expect(write(ends.write, "#EXTM3U\n", 8) == 8)
        close(ends.write)
        #expect(InputFile.read("/dev/fd/\(ends.read)") == .read(Array("#EXTM3U\n".utf8)))
    }

    @Test func `what never ends is refused`() {
        #expect(InputFile.read("/dev/zero", byteLimit: 100_000) == .failed("more than 100000 bytes"))
    }

    @Test func `cancelling ends the wait for a pipe that nobody writes to`() async throws {
        let ends = try pipe()
        defer {
            close(ends.read)
            close(ends.write)
        }
        let task = Task { InputFile.read("/dev/fd/\(ends.read)") }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `a file URL names its file with escapes, a path without`() throws {
        let name = "\(UInt64.random(in: 0...UInt64.max)) 20%25.m3u8"
        let file = FileManager.default.temporaryDirectory.appending(path: name)
        try Data("x".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let escaped = file.path.replacing("%", with: "%25").replacing(" ", with: "%20")
        #expect(InputFile.read(file.path) == .read([0x78]))
        #expect(InputFile.read("file://" + escaped) == .read([0x78]))
        #expect(InputFile.read(escaped) == .failed("no such file"))
        #expect(InputFile.read(FileManager.default.temporaryDirectory.path) == .failed("a folder, not a file"))
    }
}
