internal import Glibc

/// Micro-benchmarks. Each checks what it times, and reports a ratio to a limit measured in the same run: absolute figures say
/// more about the machine than about the code. `Scripts/bench-playlists` compares them with their bars, `Scripts/bench-throughput`
/// measures the whole server.
///
///     Benchmarks                                     all, one line each
///     Benchmarks --only parse-1200 --iterations 10   runs one so many times and prints nothing: for counting instructions
///     Benchmarks --samples FOLDER                    writes the playlists that are read, for rivals
///     Benchmarks --list                              the names
@main
struct Benchmarks {
    static func main() {
        let benchmarks = PlaylistReading.all + PlaylistSplicing.all + [PlaylistStitching.benchmark]
        switch Arguments(CommandLine.arguments.dropFirst()) {
        case .all:
            for benchmark in benchmarks {
                guard let line = benchmark.run() else {
                    fail("\(benchmark.name): the output is wrong; it was not timed")
                }
                print(line)
            }
        case .only(let name, let iterations):
            guard let benchmark = benchmarks.first(where: { $0.name == name }) else { fail("no benchmark \(name)") }
            guard benchmark.repeated(iterations) else { fail("\(name): the output is wrong") }
        case .samples(let folder):
            for sample in SamplePlaylist.all {
                guard write(sample.bytes, to: "\(folder)/\(sample.name).m3u8") else {
                    fail("cannot write to \(folder)")
                }
            }
        case .list: for benchmark in benchmarks { print(benchmark.name) }
        case nil: fail("usage: Benchmarks [--list | --samples FOLDER | --only NAME [--iterations N]]")
        }
    }

    private enum Arguments {
        case all, list
        case samples(String)
        case only(String, iterations: Int)

        init?(_ arguments: ArraySlice<String>) {
            let words = Array(arguments)
            switch (words.first, words.count) {
            case (nil, _): self = .all
            case ("--list", 1): self = .list
            case ("--samples", 2): self = .samples(words[1])
            case ("--only", 2): self = .only(words[1], iterations: 1)
            case ("--only", 4):
                guard words[2] == "--iterations", let count = Int(words[3]), count > 0 else { return nil }
                self = .only(words[1], iterations: count)
            default: return nil
            }
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) -> Bool {
        guard let file = fopen(path, "wb") else { return false }
        let written = fwrite(bytes, 1, bytes.count, file)
        return fclose(file) == 0 && written == bytes.count
    }

    private static func fail(_ message: String) -> Never {
        print(message)
        exit(1)
    }
}

/// One thing that is timed.
struct Benchmark {
    let name: String
    /// The line to print; nil where the output was wrong.
    let run: () -> String?
    /// Does it so many times, untimed; false where the output was wrong.
    let repeated: (Int) -> Bool
}
