import Glibc
import SCTE35

extension Podstitch {
    /// The messages go to standard output, what could not be read to standard error.
    static func scte35(_ arguments: SpliceArguments) -> Int32 {
        var text = Array(arguments.text.utf8)
        if arguments.text == "-" {
            // Longer than any playlist: a pipe that never ends is cut.
            guard let read = readStandardInput(limit: 64 << 20) else {
                complain("podstitch scte35: standard input cannot be read")
                return 1
            }
            text = read
        }
        let report = SpliceReport(of: text, checksum: arguments.ignoresChecksum ? .ignored : .required)
        FileHandleOutput.write(Array(report.json.utf8), to: STDOUT_FILENO)
        for fault in report.faults { complain("podstitch scte35: \(fault)") }
        return report.faults.isEmpty ? 0 : 1
    }

    private static func readStandardInput(limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < limit {
            let count = buffer.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                return nil
            }
            bytes += buffer.prefix(count)
        }
        return bytes
    }
}
