import HLS

/// Attribute lists and what their values are read as.
enum AttributeCheck {
    static func run(_ bytes: [UInt8]) throws(FuzzFailure) {
        let list = AttributeList(bytes, in: 0..<bytes.count)
        var position = 0
        for attribute in list {
            let range = attribute.value.range
            try require(position <= range.lowerBound && range.upperBound <= bytes.count, "a value at \(range)")
            position = range.upperBound
            try require(!attribute.name.utf8.contains(0x2C), "a comma in the name \(attribute.name)")
            if attribute.value.isQuoted {
                try require(!bytes[range].contains(0x22), "a quote within quotes at \(range)")
            } else {
                try require(!bytes[range].contains(0x2C), "a comma in a value at \(range)")
            }
            try values(attribute.value)
            try require(
                list.value(ignoringCase: attribute.name.lowercased()) != nil
                    || attribute.name.utf8.contains { $0 >= 0x80 }, "\(attribute.name) is not found")
        }
        _ = (list["URI"], list["BYTERANGE"])
    }

    private static func values(_ value: AttributeValue) throws(FuzzFailure) {
        let integer = value.integer
        let duration = value.duration
        if let integer, let duration {
            try require(duration == .seconds(integer), "\(integer) is read as \(duration)")
        }
        if let bytes = value.hexadecimal {
            try require(bytes.count == (value.range.count - 1) / 2, "\(bytes.count) bytes of \(value.text)")
        }
        if let size = value.resolution {
            try require(size.width >= 0 && size.height >= 0, "\(size)")
        }
        _ = (value.text, value.dateTime, value.isYes)
    }
}
