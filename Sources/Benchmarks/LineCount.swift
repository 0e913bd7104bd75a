internal import Glibc

/// The limit of reading lines: the C library's memchr from line end to line end.
func lineCount(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes { buffer in
        guard var position = buffer.baseAddress else { return 0 }
        let end = position + buffer.count
        var count = 0
        while let found = memchr(position, 0x0A, end - position) {
            count += 1
            position = UnsafeRawPointer(found) + 1
        }
        return count
    }
}
