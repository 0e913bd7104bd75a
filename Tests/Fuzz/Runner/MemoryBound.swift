import FuzzChecks
import Glibc

/// Counts the bytes allocated while an input is worked on, by the hooks that the address sanitizer offers, and stops the
/// run where their peak is above the bound.
enum MemoryBound {
    /// Bytes per byte of input that a check may have allocated at any one time.
    private static let factor = 64
    /// What needs not grow with the input: tables, the first allocation of arrays, messages.
    private static let constant = 16_384

    nonisolated(unsafe) private static var isCounting = false
    nonisolated(unsafe) private static var live = 0
    nonisolated(unsafe) private static var peak = 0
    /// The worst input so far, as excess over 64 times its bytes.
    nonisolated(unsafe) private static var worst = 0
    nonisolated(unsafe) private static var reports = false

    static func install() {
        reports = getenv("FUZZ_MEMORY") != nil
        _ = installHooks(
            { _, size in
                guard MemoryBound.isCounting else { return }
                MemoryBound.live &+= size
                if MemoryBound.live > MemoryBound.peak { MemoryBound.peak = MemoryBound.live }
            },
            { pointer in
                guard MemoryBound.isCounting, let pointer else { return }
                MemoryBound.live &-= allocatedSize(pointer)
            })
    }

    static func begin() {
        live = 0
        peak = 0
        isCounting = true
    }

    static func end(inputBytes: Int, check: FuzzCheck) {
        isCounting = false
        let excess = peak - factor * inputBytes
        if reports, excess > worst {
            worst = excess
            report("\(check.rawValue): \(peak) bytes for \(inputBytes), \(excess) above 64 times")
        }
        if excess > constant {
            report("\(check.rawValue): \(peak) bytes of memory for an input of \(inputBytes)")
            abort()
        }
    }
}

@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
    _ allocated: @convention(c) (UnsafeRawPointer?, Int) -> Void, _ freed: @convention(c) (UnsafeRawPointer?) -> Void
) -> CInt

@_silgen_name("__sanitizer_get_allocated_size")
private func allocatedSize(_ pointer: UnsafeRawPointer) -> Int
