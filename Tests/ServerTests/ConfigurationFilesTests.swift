import FoundationEssentials
import Testing

@testable import Server

@Suite struct ConfigurationFilesTests {
    private static func file(_ name: String) throws -> [UInt8] {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return [UInt8](try Data(contentsOf: URL(filePath: "/\(root)/Config/\(name)")))
    }

    /// The value of an option in the file, found by the pattern of its section.
    private static func value(_ option: KnownOption, in document: JSON5Value) -> JSON5Value? {
        switch option.section {
        case "": document[option.name]
        case "channels[]": document["channels"]?[0]?[option.name]
        case "titles[]": document["titles"]?[0]?[option.name]
        case "adProviders.*.schedule": document["adProviders"]?["house"]?[option.name]
        case "adProviders.*.schedule.ads[]": document["adProviders"]?["house"]?["ads"]?[0]?[option.name]
        case "adProviders.*": document["adProviders"]?["main"]?[option.name]
        default: document[option.section]?[option.name]
        }
    }

    @Test func `the documented file names every option with its default and a comment above it`() throws {
        let bytes = try Self.file("podstitch.json5")
        let document = try JSON5Parser.parse(bytes)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let options = try Configuration.knownOptions(readingLike: bytes)
        #expect(options.count > 60)
        for option in options {
            let name = "\(option.section).\(option.name)"
            guard let value = Self.value(option, in: document) else {
                Issue.record("\(name) is missing in Config/podstitch.json5")
                continue
            }
            if option.section.isEmpty { continue }
            if let standard = option.defaultJSON {
                let expected = try JSON5Parser.parse(Array(standard.utf8))
                #expect(value.withoutLines == expected.withoutLines, "default of \(name)")
            }
            let above = lines[value.line - 2].drop { $0 == " " }
            #expect(above.hasPrefix("// "), "comment of \(name)")
        }
    }

    @Test func `the documented file reads as the defaults of the types`() throws {
        let read = try Configuration.decode(try Self.file("podstitch.json5"), file: "podstitch.json5", secrets: .none)
        let standard = Configuration()
        #expect(read.server == standard.server)
        #expect(read.network == standard.network)
        #expect(read.conditioning == standard.conditioning)
        for source in read.channels + read.titles {
            #expect(source == SourceOptions(kind: source.kind, name: source.name, origin: source.origin))
        }
        guard case .vast(let main) = read.adProviders["main"] else {
            Issue.record("no provider")
            return
        }
        #expect(main == VASTProviderOptions(url: main.url))
        #expect(read.adProviders["none"] == AdProviderOptions.none)
        let house = ListedAdsOptions(ads: [.init(id: "house-1", url: "https://cdn.example/house/master.m3u8")])
        #expect(read.adProviders["house"] == .schedule(house))
    }

    @Test func `the example file is valid`() throws {
        let read = try Configuration.decode(try Self.file("example.json5"), file: "example.json5", secrets: .none)
        #expect(read.channels.map(\.name) == ["news"])
        #expect(read.titles.map(\.ads) == [["main"]])
        #expect(read.network.allowPrivateUpstreams)
    }
}

extension JSON5Value {
    /// The value alone, wherever it stands.
    fileprivate var withoutLines: JSON5Value {
        guard case .array(let elements) = content else { return JSON5Value(content, line: 0) }
        return JSON5Value(.array(elements.map(\.withoutLines)), line: 0)
    }
}
