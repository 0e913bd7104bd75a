internal import CISAL

/// gzip at isa-l's level 1. One per loop: its work memory is used again.
final class GzipEncoder {
    private let context: UnsafeMutablePointer<cisal_gzip>?

    init() { context = cisal_gzip_create() }

    deinit { cisal_gzip_destroy(context) }

    /// The compressed bytes; nil where they would not be fewer.
    func compress(_ input: [UInt8]) -> [UInt8]? {
        guard let context, input.count > 64, let length = UInt32(exactly: input.count) else { return nil }
        var written = 0
        let output = [UInt8](unsafeUninitializedCapacity: input.count) { buffer, count in
            input.withUnsafeBufferPointer { source in
                written = cisal_gzip_compress(
                    context, source.baseAddress, length, buffer.baseAddress, UInt32(clamping: buffer.count))
            }
            count = min(written, input.count)
        }
        return written > 0 && written < input.count ? output : nil
    }
}
