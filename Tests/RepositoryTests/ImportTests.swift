import Testing

/// Who may import whom. Formats and Stitching see neither clock, file nor socket; Transport has never heard of an ad.
@Suite struct ImportTests {
    static let allowed: [String: Set<String>] = [
        "HLS": [],
        "SCTE35": [],
        "VAST": ["CXML2"],
        "Stitching": ["HLS", "SCTE35", "VAST"],
        "Transport": ["CCurl", "CISAL", "CLinux", "CSQLite", "Glibc", "Synchronization"],
        "Conditioning": ["CLinux", "HLS", "FoundationEssentials", "Glibc", "Synchronization"],
        "Server": [
            "HLS", "SCTE35", "VAST", "Stitching", "Transport", "Conditioning", "FoundationEssentials", "Glibc",
            "Synchronization",
        ],
        "DevKit": ["HLS", "Transport", "FoundationEssentials", "Glibc", "Synchronization"],
        "podstitch": [
            "HLS", "SCTE35", "VAST", "Stitching", "Transport", "Server", "DevKit", "FoundationEssentials", "Glibc",
            "Synchronization",
        ],
        "Benchmarks": [
            "CLinux", "HLS", "SCTE35", "VAST", "Stitching", "Transport", "Server", "FoundationEssentials", "Glibc",
            "Synchronization",
        ],
    ]

    static let swiftTargets = Repository.folders(in: "Sources").filter {
        !Repository.files(in: "Sources/\($0)", suffix: ".swift").isEmpty
    }

    @Test(arguments: swiftTargets)
    func `a target imports only what lies below it`(target: String) throws {
        let allowed = try #require(Self.allowed[target], "no import rule for Sources/\(target)")
        for file in Repository.files(in: "Sources/\(target)", suffix: ".swift") {
            let more = Repository.imports(of: file).subtracting(allowed)
            #expect(more.isEmpty, "\(file) imports \(more.sorted())")
        }
    }

    @Test func `the import rules speak of every Swift target`() {
        #expect(Set(Self.swiftTargets).isSubset(of: Self.allowed.keys))
        #expect(Self.swiftTargets.count > 5)
    }

    @Test(arguments: [
        ("import HLS", "HLS"), ("@testable import HLS", "HLS"), ("package import Transport", "Transport"),
        ("@_spi(Some) internal import struct Glibc.stat", "Glibc"),
    ])
    func `every spelling of an import is seen`(line: String, module: String) throws {
        let expression = Repository.importExpression
        let match = try #require(try expression.firstMatch(in: line))
        #expect(match.1 == module)
    }
}
