import FuzzChecks
import Glibc

/// The fuzzing program. FUZZ_CHECK names the ``FuzzCheck`` that the inputs go to; the arguments are libFuzzer's,
/// or those of ``CorpusFiles``.
@main
struct FuzzHLS {
    nonisolated(unsafe) fileprivate static var check = FuzzCheck.playlist

    static func main() {
        if let status = CorpusFiles.run(CommandLine.arguments) { exit(status) }
        guard let name = getenv("FUZZ_CHECK").map({ String(cString: $0) }), let check = FuzzCheck(rawValue: name)
        else {
            print("FUZZ_CHECK is none of", FuzzCheck.allCases.map(\.rawValue).joined(separator: ", "))
            exit(2)
        }
        self.check = check
        // What is made once, such as the catalogue of rules, is no input's memory.
        for head in ["#EXTM3U\n#EXT-X-TARGETDURATION:4\n# e\u{301}\n", "#EXTM3U\n#EXT-X-STREAM-INF:A=1\na\n"] {
            let text = Array((head + LineMutator.lines.joined(separator: "\n")).utf8)
            try? FuzzCheck.lint.run(text)
            try? check.run(text)
        }
        MemoryBound.install()
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(runDriver(&count, &arguments, testOneInput))
    }
}

private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    MemoryBound.begin()
    do {
        try FuzzHLS.check.run(input)
    } catch {
        report("\(FuzzHLS.check.rawValue): \(error)")
        abort()
    }
    MemoryBound.end(inputBytes: count, check: FuzzHLS.check)
    return 0
}

/// Writes a line where libFuzzer writes its own.
func report(_ text: String) {
    let line = Array((text + "\n").utf8)
    line.withUnsafeBytes { _ = write(2, $0.baseAddress, $0.count) }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// What libFuzzer calls in place of its own choice of a mutation.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int, _ seed: CUnsignedInt) -> Int {
    var mutator = LineMutator(seed: seed)
    guard FuzzHLS.check.hasLines, mutator.next(2) == 0 else { return mutateBytes(data, size, limit) }
    let output = mutator.mutated(Array(UnsafeBufferPointer(start: data, count: size))).prefix(limit)
    for (offset, byte) in output.enumerated() { data[offset] = byte }
    return output.isEmpty ? mutateBytes(data, size, limit) : output.count
}

@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int) -> Int
