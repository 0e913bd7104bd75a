import Testing

@Suite struct LayoutTests {
    static let manifest = Repository.text("Package.swift")

    @Test func `every source folder is a target`() {
        for folder in Repository.folders(in: "Sources") {
            #expect(Self.manifest.contains("\"\(folder)\""), "Sources/\(folder) is no target")
        }
    }

    @Test func `every test folder is a target and named after one`() {
        for folder in Repository.folders(in: "Tests") where folder.hasSuffix("Tests") {
            // The arguments of a long one have lines of their own.
            let isTarget = Self.manifest.filter { !$0.isWhitespace }.contains("tests(\"\(folder)\"")
            #expect(isTarget, "Tests/\(folder) is no target")
            let tested = String(folder.dropLast("Tests".count))
            // FuzzTests replays what Tests/Fuzz has.
            #expect(["Repository", "Fuzz"].contains(tested) || Repository.folders(in: "Sources").contains(tested))
        }
    }

    @Test func `no module is a drawer for odds and ends`() {
        for folder in Repository.folders(in: "Sources") {
            #expect(!["Utilities", "Utils", "Common", "Helpers", "Misc"].contains(folder))
        }
    }

    @Test func `the package depends on no other package`() {
        #expect(!Self.manifest.contains(".package("))
    }

    @Test(arguments: Repository.files(in: "Sources", suffix: ".swift"))
    func `a source file is short and free of traps and notes to self`(file: String) {
        let text = Repository.text(file)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 500, "\(file) is too long")
        for word in ["try!", "fatalError", "TODO", "FIXME", "@unchecked Sendable {}"] {
            #expect(!text.contains(word), "\(file) contains \(word)")
        }
    }

    @Test func `a C shim says what Swift cannot import of it`() {
        let headers = Repository.files(in: "Sources", suffix: ".h")
        #expect(!headers.isEmpty)
        for header in headers {
            let lines = Repository.text(header).split(separator: "\n").drop { $0.hasPrefix("#") }
            let first = lines.prefix { $0.hasPrefix("//") || $0.hasPrefix("/*") || $0.hasPrefix(" *") }
            #expect(first.joined().count > 40, "\(header) does not begin with its reason")
        }
    }

    @Test func `C is only there for shims, and for the viewers of a benchmark, which must not be what limits it`() {
        for file in Repository.files(in: "Sources", suffix: ".c") {
            let isAllowed = file.hasPrefix("Sources/C") || file == "Sources/Benchmarks/Swarm/swarm.c"
            #expect(isAllowed, "\(file) is outside a shim")
        }
    }
}
