import Glibc
import Server
import Synchronization

/// SIGTERM and SIGINT as something to wait for. A second one ends the process at once.
///
/// Blocking the signals and waiting for them in a thread would be shorter, but children (ffmpeg) would inherit the block.
enum StopSignal {
    /// Written by the handler, which may do little more.
    private static let pipeEnds: (read: Int32, write: Int32) = {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()
    private static let hasFired = Atomic<Bool>(false)

    /// Takes the signals over from here on. Call it before the server starts, so that none is lost.
    static func install() {
        // Made now: a handler must not be the first to touch them.
        _ = pipeEnds
        _ = hasFired.load(ordering: .relaxed)
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in
                if StopSignal.hasFired.exchange(true, ordering: .relaxed) { _exit(1) }
                var byte: UInt8 = 0
                _ = write(StopSignal.pipeEnds.write, &byte, 1)
            }
        }
    }

    /// Returns once a signal has come, also one that came before.
    static func wait() async {
        await withCheckedContinuation { continuation in
            startThread {
                var byte: UInt8 = 0
                while read(pipeEnds.read, &byte, 1) < 0, errno == EINTR {}
                continuation.resume()
            }
        }
    }
}
