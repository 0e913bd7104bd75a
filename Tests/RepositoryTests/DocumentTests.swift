import Testing

@Suite struct DocumentTests {
    static let readme = Repository.text("README.md")
    static let documents = Repository.files(suffix: ".md")

    @Test func `the read-me's commands are there and can be run`() {
        let commands = Set(Self.readme.matches(of: /\.\/(Scripts\/[a-z-]+)/).map { String($0.1) })
        #expect(commands.isSuperset(of: ["Scripts/demo", "Scripts/test"]))
        for command in commands {
            #expect(Repository.isExecutable(command), "\(command) is missing or not executable")
        }
    }

    @Test func `every script can be run and is told of in the read-me`() {
        for script in Repository.files(in: "Scripts") {
            #expect(Repository.isExecutable(script), "\(script) is not executable")
            #expect(Self.readme.contains(script), "the read-me does not speak of \(script)")
        }
    }

    @Test func `continuous integration runs the read-me's test command`() {
        #expect(Repository.isExecutable(".ci/run"))
        #expect(Repository.text(".ci/run").contains("Scripts/test"))
    }

    @Test(arguments: documents)
    func `links between documents lead somewhere`(document: String) {
        let folder = document.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        for match in Repository.text(document).matches(of: /\]\(([^)#\s]+)(?:#[^)]*)?\)/) {
            let target = String(match.1)
            guard !target.contains("://") else { continue }
            #expect(Repository.exists(folder + target), "\(document) links to \(target)")
        }
    }

    @Test func `nothing depends on the machine it was written on`() {
        let places = ["/wo" + "rk/", "/ho" + "me/", "/ro" + "ot/", "/tmp/" + "wt", "/tmp/" + "team"]
        for file in Repository.files() where file != "LICENSE" {
            let text = Repository.text(file)
            for place in places {
                #expect(!text.contains(place), "\(file) speaks of \(place)")
            }
        }
    }

    @Test func `the files that a repository has are there`() {
        for file in ["README.md", "CHANGELOG.md", "LICENSE", "Dockerfile", ".swift-format", ".gitignore"] {
            #expect(Repository.exists(file), "\(file) is missing")
        }
        #expect(Repository.text("LICENSE").contains("Apache License"))
    }
}
