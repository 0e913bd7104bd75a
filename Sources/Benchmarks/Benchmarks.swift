internal import Glibc

/// Micro-benchmarks. Each checks what it times, and reports a ratio to a limit measured in the same run: absolute figures say
/// more about the machine than about the code. `Scripts/bench-throughput` measures the whole server.
@main
struct Benchmarks {
    static func main() {
        let benchmarks = [PlaylistParsing.run, PlaylistStitching.run]
        for benchmark in benchmarks {
            guard let line = benchmark() else {
                print("a benchmark's output is wrong; it was not timed")
                exit(1)
            }
            print(line)
        }
    }

    /// Shortest time of `rounds` calls.
    static func best(of rounds: Int, _ body: () -> Void) -> Duration {
        let clock = ContinuousClock()
        var best = Duration.seconds(1_000_000)
        for _ in 0..<rounds { best = min(best, clock.measure(body)) }
        return best
    }

    /// A number with two decimals.
    static func text(_ number: Double) -> String {
        let hundredths = Int(number * 100 + 0.5)
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
