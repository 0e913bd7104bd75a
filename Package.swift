// swift-tools-version:6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A Swift module of the server. What it may import is held by RepositoryTests.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

/// FUZZ=1 adds the fuzzing program and instruments what it is to find its way through. See Scripts/fuzz.
let isFuzzing = Context.environment["FUZZ"] != nil
/// Counters alone, without calls at every comparison: the dictionary and the mutator know the words, at twice the speed.
let coverage = "-sanitize-coverage=edge,inline-8bit-counters,pc-table"
let fuzzed: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address", coverage])] : []
let fuzzing: [Target] =
    isFuzzing
    ? [
        .executableTarget(
            name: "FuzzHLS", dependencies: ["FuzzChecks"], path: "Tests/Fuzz/Runner",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library", "-enforce-exclusivity=unchecked"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
    ] : []

let package = Package(
    name: "podstitch",
    products: [.executable(name: "podstitch", targets: ["podstitch"])],
    targets: [
        // C libraries from Debian, and what Swift cannot import of them.
        .systemLibrary(name: "CISAL", providers: [.apt(["libisal-dev"])]),
        .systemLibrary(name: "CLibcurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CLibxml2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .target(name: "CCurl", dependencies: ["CLibcurl"]),
        .target(name: "CXML2", dependencies: ["CLibxml2"]),
        .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),

        // Formats.
        .target(name: "HLS", swiftSettings: strict + fuzzed),
        module("SCTE35"),
        module("VAST", ["CXML2"]),
        // Decides.
        module("Stitching", ["HLS", "SCTE35", "VAST"]),
        // Moves bytes.
        module("Transport", ["CCurl", "CLinux", "CISAL", "CSQLite"]),
        // Makes ads out of files.
        module("Conditioning", ["CLinux", "HLS"]),
        // Wires.
        module("Server", ["HLS", "SCTE35", "VAST", "Stitching", "Transport", "Conditioning"]),
        // Stand-ins for the outside world, for the demo and the tests.
        module("DevKit", ["HLS", "Transport"]),

        .executableTarget(
            name: "podstitch", dependencies: ["HLS", "SCTE35", "VAST", "Stitching", "Transport", "Server", "DevKit"],
            swiftSettings: strict),
        .executableTarget(
            name: "Benchmarks", dependencies: ["HLS", "VAST", "Stitching", "Transport", "Server", "CLinux"],
            // Built by Scripts/bench-breaks.
            exclude: ["Swarm"],
            swiftSettings: strict),

        // What holds for every input; run by the fuzzing program and, on its corpora, by FuzzTests.
        .target(name: "FuzzChecks", dependencies: ["HLS"], path: "Tests/Fuzz/Checks", swiftSettings: strict),

        // A client of which a test decides every byte.
        .target(name: "RawSockets", path: "Tests/RawSockets", swiftSettings: strict),

        tests("FuzzTests", ["FuzzChecks", "HLS"]),
        tests("HLSTests", ["HLS"]),
        tests("SCTE35Tests", ["SCTE35"], exclude: ["vectors.json"]),
        tests("VASTTests", ["VAST"]),
        tests("StitchingTests", ["Stitching", "HLS", "SCTE35", "VAST"], exclude: ["Scenarios", "Simulation/Cases"]),
        tests("TransportTests", ["Transport", "RawSockets"]),
        tests("ConditioningTests", ["Conditioning", "CLinux", "HLS"]),
        tests(
            "ServerTests",
            ["Server", "Conditioning", "DevKit", "HLS", "RawSockets", "SCTE35", "VAST", "Stitching", "Transport"]),
        tests("DevKitTests", ["DevKit", "HLS", "Transport"]),
        tests("podstitchTests", ["podstitch", "HLS", "SCTE35", "VAST", "Server", "Stitching", "Transport"]),
        tests("RepositoryTests", []),
    ] + fuzzing,
    swiftLanguageModes: [.v6]
)

/// PROVE_TIMELINES=1 leaves nothing but the timeline and its tests, which are then quickly built with optimised code. See Scripts/prove-timelines.
if Context.environment["PROVE_TIMELINES"] != nil {
    let needed = ["CLibxml2", "CXML2", "HLS", "SCTE35", "VAST", "Stitching", "StitchingTests"]
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
