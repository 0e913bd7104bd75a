/// Whether text is in Unicode's normal form C. The standard library has no normaliser, but it knows what tells: scalars that
/// never are in that form, the order of marks, and, as strings are equal by canonical equivalence, which letter and mark
/// have a scalar of their own. All of the Unicode version that the library has.
enum NormalForm {
    /// Why it is not; nil if it is.
    static func fault(_ text: String) -> String? {
        var starter: Unicode.Scalar?
        var previousClass: UInt8 = 0
        for scalar in text.unicodeScalars {
            guard scalar.value >= 0x300 else {
                starter = scalar
                previousClass = 0
                continue
            }
            let properties = scalar.properties
            if properties.isFullCompositionExclusion { return "\(scalar.excerpt) has another form" }
            let order = properties.canonicalCombiningClass.rawValue
            if order != 0, order < previousClass { return "\(scalar.excerpt) stands behind a mark of higher class" }
            if let base = starter, canCompose(scalar, properties), previousClass == 0 || previousClass < order,
                isComposed(base, scalar)
            {
                return "\(base.excerpt) and \(scalar.excerpt) have one of their own"
            }
            previousClass = order
            if order == 0 { starter = scalar }
        }
        return nil
    }

    private static func canCompose(_ scalar: Unicode.Scalar, _ properties: Unicode.Scalar.Properties) -> Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark: true
        default: (0x1161...0x11C2).contains(scalar.value)
        }
    }

    private static func isComposed(_ base: Unicode.Scalar, _ mark: Unicode.Scalar) -> Bool {
        // Hangul: a leading consonant with a vowel, and a syllable of the two with a final consonant.
        if (0x1100...0x1112).contains(base.value), (0x1161...0x1175).contains(mark.value) { return true }
        if (0xAC00...0xD7A3).contains(base.value), (0x11A8...0x11C2).contains(mark.value) {
            return (base.value - 0xAC00) % 28 == 0
        }
        var pair = String.UnicodeScalarView()
        pair.append(base)
        pair.append(mark)
        return composed.contains(String(pair))
    }

    /// All scalars of the blocks that have letters with marks. A pair is equal to one of them if they are equivalent.
    private static let composed: Set<String> = {
        var result: Set<String> = []
        for range in [0xC0...0x22FF, 0x3040...0x30FF, 0x11080...0x11940] as [ClosedRange<UInt32>] {
            for value in range {
                guard let scalar = Unicode.Scalar(value), !scalar.properties.isFullCompositionExclusion else {
                    continue
                }
                result.insert(String(Character(scalar)))
            }
        }
        return result
    }()
}
