/// What went wrong with a database file.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The file cannot be opened: no folder, no permission.
        case cannotOpen
        /// Another process held a lock for longer than was waited.
        case busy
        /// The file is no database, or a damaged one.
        case damaged
        /// No room on the disk, or the size limit is reached.
        case full
        case readOnly
        /// What was opened does not stand under its name any more.
        case moved
        /// The disk failed.
        case inputOutput
        /// The file was written by another version, or is somebody else's.
        case unknownSchema
        /// More is waiting than the queue holds.
        case overloaded
        /// The file was closed.
        case closed
        case system
    }

    package let code: Code
    /// One sentence for an operator.
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { detail }

    /// Equality looks at the code alone.
    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
