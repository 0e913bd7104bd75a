internal import Synchronization

/// Bytes that many share, each of whom needs few: nobody is given what would be beyond the sum.
package final class ByteBudget: Sendable {
    private let left: Mutex<Int>

    package init(_ bytes: Int) { left = Mutex(bytes) }

    /// How many are left.
    package var remaining: Int { left.withLock { $0 } }

    /// False, and nothing is taken, where there are not so many left.
    package func take(_ bytes: Int) -> Bool {
        left.withLock { left in
            guard bytes <= left else { return false }
            left -= bytes
            return true
        }
    }

    package func giveBack(_ bytes: Int) { left.withLock { $0 += bytes } }
}
