import FuzzChecks
import Glibc

/// Corpora as libFuzzer has them, an input a file, and as they are kept, all inputs in one.
enum CorpusFiles {
    /// `unpack FILE FOLDER` writes each input into the folder; `pack FOLDER FILE` gathers them. Nil for anything else.
    static func run(_ arguments: [String]) -> CInt? {
        guard arguments.count == 4 else { return nil }
        switch arguments[1] {
        case "unpack":
            guard let file = read(arguments[2]), let inputs = FuzzCorpus.unpacked(file) else { return 1 }
            for (index, input) in inputs.enumerated() {
                guard write(input, to: "\(arguments[3])/packed-\(index)") else { return 1 }
            }
            return 0
        case "pack":
            let inputs = names(in: arguments[2]).compactMap { read("\(arguments[2])/\($0)") }
            return write(FuzzCorpus.packed(inputs), to: arguments[3]) ? 0 : 1
        default: return nil
        }
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    private static func write(_ bytes: [UInt8], to path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        let written = fwrite(bytes, 1, bytes.count, file)
        return fclose(file) == 0 && written == bytes.count
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
