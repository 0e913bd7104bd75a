/// Many inputs in one file: each as its length in decimal, a line feed, its bytes, and a line feed.
package enum FuzzCorpus {
    /// The inputs of a file; nil where it is cut short or malformed.
    package static func unpacked(_ file: [UInt8]) -> [[UInt8]]? {
        var inputs: [[UInt8]] = []
        var rest = file[...]
        while !rest.isEmpty {
            guard let feed = rest.firstIndex(of: 0x0A), let count = Int(String(decoding: rest[..<feed], as: UTF8.self)),
                count >= 0, rest.endIndex - feed - 2 >= count, rest[feed + 1 + count] == 0x0A
            else { return nil }
            inputs.append(Array(rest[(feed + 1)..<(feed + 1 + count)]))
            rest = rest[(feed + 2 + count)...]
        }
        return inputs
    }

    /// The file of the inputs, in an order that depends on nothing but them.
    package static func packed(_ inputs: [[UInt8]]) -> [UInt8] {
        let sorted = inputs.sorted { $0.count != $1.count ? $0.count < $1.count : $0.lexicographicallyPrecedes($1) }
        return sorted.flatMap { Array("\($0.count)\n".utf8) + $0 + [0x0A] }
    }
}
