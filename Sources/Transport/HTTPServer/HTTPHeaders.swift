/// The header fields of a received request, in order, as ranges into its bytes. Names are compared without case.
package struct HTTPHeaders: Sendable, Sequence {
    /// Where name and value lie in `bytes`. White space around the value is left out.
    struct Field: Sendable {
        var nameStart: UInt32
        var nameEnd: UInt32
        var valueStart: UInt32
        var valueEnd: UInt32
    }

    let bytes: [UInt8]
    let fields: [Field]

    init(bytes: [UInt8], fields: [Field]) {
        self.bytes = bytes
        self.fields = fields
    }

    package var count: Int { fields.count }

    /// The value of the first field of that name.
    package subscript(name: String) -> String? {
        for field in fields where matches(field, name) { return value(of: field) }
        return nil
    }

    /// The values of all fields of that name, in order.
    package func values(_ name: String) -> [String] {
        fields.filter { matches($0, name) }.map { value(of: $0) }
    }

    /// The names as received, with their values.
    package func makeIterator() -> AnyIterator<(name: String, value: String)> {
        var position = 0
        return AnyIterator {
            guard position < fields.count else { return nil }
            defer { position += 1 }
            let field = fields[position]
            return (text(field.nameStart, field.nameEnd), value(of: field))
        }
    }

    /// The values of all fields of that name as one list, `a, b`, or nil.
    func list(_ name: String) -> String? {
        let all = values(name)
        return all.isEmpty ? nil : all.joined(separator: ", ")
    }

    private func value(of field: Field) -> String { text(field.valueStart, field.valueEnd) }

    private func text(_ start: UInt32, _ end: UInt32) -> String {
        String(decoding: bytes[Int(start)..<Int(end)], as: UTF8.self)
    }

    private func matches(_ field: Field, _ name: String) -> Bool {
        let expected = name.utf8
        guard Int(field.nameEnd - field.nameStart) == expected.count else { return false }
        var position = Int(field.nameStart)
        for byte in expected {
            if ASCII.lowercased(bytes[position]) != ASCII.lowercased(byte) { return false }
            position += 1
        }
        return true
    }
}
