import CLinux
import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import Conditioning

@Suite struct ChildProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func shell(_ script: String, within limit: Duration = .seconds(20)) -> ChildProgram {
        ChildProgram("/bin/sh", ["-c", script], in: folder.path, timeLimit: limit)
    }

    /// Whether a process goes on, though it was told to end. One that has ended and that nobody has waited for does not.
    private func runs(_ text: String) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(5)
        while clock.now < end { if !isAlive(text) { return false } }
        return true
    }

    private func isAlive(_ text: String) -> Bool {
        guard let data = FileManager.default.contents(atPath: "/proc/\(text)/stat") else { return false }
        let fields = String(decoding: data, as: UTF8.self).split(separator: ")").last?.split(separator: " ")
        return fields?.first != "Z" && fields?.first != "X"
    }

    @Test func `what it writes comes back, with its status`() {
        let outcome = shell("pwd; echo wrong >&2; exit 3").run()
        #expect(outcome.ending == .status(3))
        #expect(
            String(decoding: outcome.output, as: UTF8.self).hasSuffix(
                "\(folder.path.split(separator: "/").last ?? "")\n"))
        #expect(outcome.errors == Array("wrong\n".utf8))
    }

    @Test func `it has none of our environment, files or input`() {
        let outcome = shell("env | grep -c PATH= ; ls /proc/self/fd | wc -l; cat").run()
        let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
        // The shell sets a PATH of its own where it has none; it is not handed on to children.
        #expect(lines.first == "0")
        // Three, and the folder that is being read.
        #expect(lines.dropFirst().first.flatMap { Int($0) } == 4)
    }

    @Test func `one that takes too long is ended with all it started`() throws {
        let outcome = shell("sleep 600 & echo $!; wait", within: .milliseconds(1_500)).run()
        #expect(outcome.ending == .timeout)
        let child = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").first
        #expect(!runs(String(try #require(child))))
    }

    @Test func `what it started goes with it, also when it ends by itself`() throws {
        let outcome = shell("sleep 600 >/dev/null 2>&1 & echo $!").run()
        #expect(outcome.ending == .status(0))
        let child = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").first
        #expect(!runs(String(try #require(child))))
    }

    @Test func `it ends when it is not wanted any more`() {
        let flag = CancellationFlag()
        flag.set()
        #expect(shell("sleep 600").run(cancelled: flag).ending == .cancelled)
    }

    @Test func `it ends with who started it, however that ends`() throws {
        // A thread stands for the process: the kernel ends the child with either.
        let path = folder.path
        let child = Mutex<Int32>(0)
        let thread = Thread {
            let texts: [String] = ["/bin/sh", "-c", "sleep 600"]
            let words = texts.map { strdup($0) }
            let limits = clinux_limits(niceness: 0, processor_seconds: 60, memory_bytes: 1 << 30, file_bytes: 1 << 20)
            let found = clinux_spawn("/bin/sh", words + [nil], [nil], path, 1, 2, limits)
            child.withLock { $0 = found }
            for word in words { free(word) }
        }
        thread.start()
        thread.join()
        let identifier = child.withLock { $0 }
        try #require(identifier > 0)
        #expect(!runs("\(identifier)"))
        waitpid(identifier, nil, 0)
    }

    @Test func `a flood of output is bounded`() {
        let outcome = shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2; echo end >&2").run()
        #expect(outcome.ending == .status(0))
        #expect(outcome.output.count == 1 << 20)
        #expect(outcome.errors.count <= 8_192)
        #expect(outcome.errors.suffix(4) == Array("end\n".utf8)[...])
    }

    @Test func `files are bounded`() {
        var program = shell("sleep 0.2; head -c 3000000 /dev/zero > large; echo $?")
        program.fileBytes = 1_000_000
        let outcome = program.run()
        #expect(String(decoding: outcome.output, as: UTF8.self) != "0\n")
    }

    @Test func `a program or a folder that is missing is told`() {
        #expect(
            ChildProgram("/nowhere/ffmpeg", [], in: folder.path, timeLimit: .seconds(1)).run().ending == .notStarted(2))
        #expect(ChildProgram("/bin/true", [], in: "/nowhere", timeLimit: .seconds(1)).run().ending == .notStarted(2))
    }

    @Test func `ffmpeg is found with its ffprobe beside it, or not at all`() throws {
        try folder.write("", to: "bin/ffmpeg")
        let path = "\(folder.path)/bin"
        #expect(MediaTools.find("ffmpeg", searchPath: path) == nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(path)/ffmpeg")
        #expect(MediaTools.find("ffmpeg", searchPath: path) == nil)
        try folder.write("", to: "bin/ffprobe")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(path)/ffprobe")
        #expect(MediaTools.find("ffmpeg", searchPath: "/nowhere:\(path)")?.ffprobe == "\(path)/ffprobe")
        #expect(MediaTools.find("\(path)/ffmpeg", searchPath: "")?.ffmpeg == "\(path)/ffmpeg")
        #expect(MediaTools.find("ffmpeg", searchPath: "") == nil)
    }
}

/// A thread that can be waited for.
private final class Thread {
    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    private let body: Body
    private var identifier = pthread_t()

    init(_ run: @escaping () -> Void) { body = Body(run) }

    func start() {
        pthread_create(
            &identifier, nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(body).toOpaque())
    }

    func join() { pthread_join(identifier, nil) }
}
