extension RandomAccessCollection where Index == Int {
    /// The first index whose element fulfils a condition that all elements after it fulfil, too; the end if there is none.
    /// Takes a time that grows with the logarithm of the count.
    @inlinable
    package func partitioningIndex(where condition: (Element) -> Bool) -> Int {
        var lower = startIndex
        var upper = endIndex
        while lower < upper {
            let middle = lower + (upper - lower) / 2
            if condition(self[middle]) { upper = middle } else { lower = middle + 1 }
        }
        return lower
    }
}
