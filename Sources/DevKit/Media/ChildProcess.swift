internal import Glibc

/// A program run as a child, its standard error kept. Its standard input is empty, its standard output thrown away.
struct ChildProcess {
    private let identifier: pid_t
    private let errorOutput: Int32

    /// What is left of a child that has ended.
    struct Outcome {
        /// Exit status; 128 + the signal's number when a signal ended it.
        let status: Int32
        let errorText: String
    }

    /// Starts `program`, looked for on the search path, in `folder`. A missing program ends with status 127.
    init?(_ program: String, _ arguments: [String], in folder: String) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
        // Relative file names from there on, so that none has to be escaped for ffmpeg's own syntax. Swift sees no
        // posix_spawn_file_actions_addchdir_np, hence env.
        let texts = (["env", "-C", folder, program] + arguments).map { strdup($0) }
        defer { for text in texts { free(text) } }
        var identifier = pid_t()
        let failure = posix_spawnp(&identifier, "env", &actions, nil, texts + [nil], environ)
        close(ends[1])
        guard failure == 0 else {
            close(ends[0])
            return nil
        }
        self.identifier = identifier
        errorOutput = ends[0]
    }

    /// Blocks until the child has ended.
    func wait() -> Outcome {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(errorOutput, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            if text.count < 65_536 { text += buffer[0..<count] }
        }
        close(errorOutput)
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        return Outcome(
            status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, errorText: String(decoding: text, as: UTF8.self))
    }
}
