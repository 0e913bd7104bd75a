import Glibc
import SCTE35

extension Podstitch {
    /// The messages go to standard output, what could not be read to standard error.
    static func scte35(_ arguments: SpliceArguments) -> Int32 {
        var text = Array(arguments.text.utf8)
        if arguments.text == "-" {
            switch InputFile.readStandardInput() {
            case .read(let bytes): text = bytes
            case .failed(let reason):
                complain("podstitch scte35: standard input: \(reason)")
                return 1
            case .cancelled: return 1
            }
        }
        let report = SpliceReport(of: text, checksum: arguments.ignoresChecksum ? .ignored : .required)
        FileHandleOutput.write(Array(report.json.utf8), to: STDOUT_FILENO)
        for fault in report.faults { complain("podstitch scte35: \(fault)") }
        return report.faults.isEmpty ? 0 : 1
    }
}
