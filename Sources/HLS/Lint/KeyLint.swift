/// Rules of EXT-X-KEY and EXT-X-SESSION-KEY: 601-607.
struct KeyLint: LintCheck {
    /// Lines of keys that take their IV from the media sequence number.
    private var implicitLine = 0
    private var implicitCount = 0
    /// Whether whole resources are encrypted here by a key that names no IV (rule 607).
    private var hasBlockKeyWithoutIV = false

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .key, .sessionKey: readKey(line, bytes, &report)
        case .map:
            if hasBlockKeyWithoutIV {
                report.report(607, line.number, "EXT-X-MAP under AES-128 without IV")
            }
        default: break
        }
    }

    private mutating func readKey(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard let method = line.attribute("METHOD", bytes) else { return }
        let key = EncryptionKey(bytes, line: line.place)
        switch key.method {
        case .none:
            for name in ["URI", "IV", "KEYFORMAT", "KEYFORMATVERSIONS"] as [StaticString]
            where line.attribute(name, bytes) != nil {
                report.report(602, line.number, "METHOD=NONE with \(name)")
            }
            if line.kind == .key { hasBlockKeyWithoutIV = false }
            return
        case .other:
            report.report(601, line.number, "METHOD \(bytes.excerpt(method.value)) is none of the standard's")
        case .aes256GCM, .sampleAESCTR:
            if line.attribute("IV", bytes) != nil {
                report.report(606, line.number, "\(bytes.excerpt(method.value)) with IV")
            }
        case .aes128, .sampleAES: break
        }
        if line.attribute("URI", bytes) == nil {
            report.report(603, line.number, "METHOD=\(bytes.excerpt(method.value)) without URI")
        }
        checkVector(line, bytes, &report)
        guard line.kind == .key else { return }
        if key.isIdentity, key.method != .other { hasBlockKeyWithoutIV = key.method == .aes128 && !key.hasExplicitIV }
        if key.hasImplicitIV {
            implicitCount += 1
            if implicitLine == 0 { implicitLine = line.number }
        }
    }

    private func checkVector(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard let vector = line.attribute("IV", bytes), !bytes.hasReference(vector.value) else { return }
        let value = vector.value
        guard bytes.isHexadecimal(value), value.count <= 34 else {
            report.report(604, line.number, "IV \(bytes.excerpt(value)) is not 128 bits")
            return
        }
        // Leading zeros that are left out are met, and read.
        if value.count < 34 {
            report.report(
                604, line.number, "IV with \(value.count - 2) hexadecimal digits instead of 32", severity: .warning)
        }
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard implicitLine != 0 else { return }
        let others = implicitCount == 1 ? "" : ", as \(implicitCount - 1) more"
        report.report(605, implicitLine, "the IV is the media sequence number\(others): renumbering breaks decryption")
    }
}
