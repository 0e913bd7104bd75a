import FuzzChecks
import Glibc
import Testing

/// What fuzzing has found, and the inputs by which it found its way: all promises hold for each of them.
@Suite struct FuzzCorpusTests {
    static let folder = String(#filePath[..<(#filePath.lastIndex(of: "/") ?? #filePath.endIndex)]) + "/../Fuzz"

    static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    @Test(arguments: FuzzCheck.allCases)
    func `every input of a corpus keeps all promises`(check: FuzzCheck) throws {
        let file = try #require(Self.read("\(Self.folder)/Corpora/\(check.rawValue).corpus"))
        let inputs = try #require(FuzzCorpus.unpacked(file), "the corpus is cut short")
        #expect(inputs.count > 10)
        for input in inputs {
            do throws(FuzzFailure) {
                try check.run(input)
            } catch {
                Issue.record("\(error): \(String(decoding: input, as: UTF8.self).debugDescription)")
            }
        }
    }

    @Test func `every finding stays mended`() throws {
        let names = Self.names(in: Self.folder + "/Findings")
        #expect(!names.isEmpty)
        for name in names {
            let check = try #require(FuzzCheck(rawValue: String(name.prefix { $0 != "-" })), "\(name) names no check")
            let input = try #require(Self.read("\(Self.folder)/Findings/\(name)"))
            do throws(FuzzFailure) {
                try check.run(input)
            } catch {
                Issue.record("\(name): \(error)")
            }
        }
    }

    @Test func `packed inputs come back as they were, and a file cut short is none`() throws {
        let inputs: [[UInt8]] = [[], [0x0A], Array("#EXTM3U\n5\nab".utf8), [0, 255]]
        let file = FuzzCorpus.packed(inputs)
        let back = try #require(FuzzCorpus.unpacked(file))
        #expect(Set(back) == Set(inputs) && back.count == inputs.count)
        for length in 1..<file.count where FuzzCorpus.unpacked(Array(file[..<length])) != nil {
            // Only a cut between two inputs leaves a whole file.
            #expect(file[length - 1] == 0x0A)
        }
    }
}
