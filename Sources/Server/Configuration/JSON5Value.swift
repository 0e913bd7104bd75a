/// A value of a JSON5 document that knows the line it stands on.
package struct JSON5Value: Sendable, Equatable {
    /// One `name: value` of an object.
    package struct Member: Sendable, Equatable {
        package var name: String
        /// Line of the name, from 1.
        package var line: Int
        package var value: JSON5Value
    }

    package enum Content: Sendable, Equatable {
        case null
        case bool(Bool)
        /// `JSON5` has one kind of number; whole ones up to 2^53 are exact.
        case number(Double)
        case string(String)
        case array([JSON5Value])
        /// In the order of the file. Names are unique: the parser refuses a second one.
        case object([Member])
    }

    package var content: Content
    /// Line of the value's first character, from 1.
    package var line: Int

    package init(_ content: Content, line: Int) {
        self.content = content
        self.line = line
    }

    /// What the value is, in the words of an error message.
    package var kind: String {
        switch content {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }

    package subscript(name: String) -> JSON5Value? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.name == name }?.value
    }

    package subscript(index: Int) -> JSON5Value? {
        guard case .array(let elements) = content, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}

/// Why a text is not JSON5, and on which line.
package struct JSON5Error: Error, Sendable, Equatable, CustomStringConvertible {
    package var line: Int
    package var detail: String

    package var description: String { "line \(line): \(detail)" }
}
