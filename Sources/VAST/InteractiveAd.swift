/// An ad of Infillion's that its player makes interactive (R-I1).
package enum InteractiveAd: Sendable, Hashable {
    case trueX, idvx

    /// By AdSystem, case and blanks aside.
    package init?(adSystem: String?) {
        switch adSystem?.trimmed.lowercased() {
        case "truex": self = .trueX
        case "idvx": self = .idvx
        default: return nil
        }
    }

    package var name: String {
        switch self {
        case .trueX: "TrueX"
        case .idvx: "IDVx"
        }
    }
}

/// What an interactive ad is begun with, and where it stands. It holds what belongs to one viewer: never to be logged (R-I9).
package struct InteractiveParameters: Sendable, Hashable {
    package enum Place: String, Sendable, Hashable {
        case companion, adParameters
    }

    package var place: Place
    package var json: [UInt8]
}

extension ResolvedAd {
    package var interactive: InteractiveAd? { InteractiveAd(adSystem: adSystem) }

    /// Where the parameters may stand, in the order in which players look (R-I2). Whether they are JSON is not judged here.
    package var interactiveCandidates: [InteractiveParameters] {
        InteractiveParameters.candidates(companionAds.flatMap(\.companions), adParameters)
    }
}

extension InteractiveParameters {
    static func candidates(_ companions: [Companion], _ adParameters: AdParameters?) -> [InteractiveParameters] {
        let companions = companions.filter { $0.apiFramework?.lowercased() == "truex" }
        var found = companions.flatMap(\.resources).filter { $0.kind == .staticResource }.compactMap { resource in
            DataURL.bytes(resource.content).map { InteractiveParameters(place: .companion, json: $0) }
        }
        if let text = adParameters?.text, !text.isEmpty {
            found.append(InteractiveParameters(place: .adParameters, json: Array(text.utf8)))
        }
        return found
    }
}

/// A `data:` URL (RFC 2397).
package enum DataURL {
    /// What it holds; nil for any other URL, and for base64 that is none.
    package static func bytes(_ url: String) -> [UInt8]? {
        let bytes = Array(url.utf8)
        guard let comma = bytes.firstIndex(of: 0x2C) else { return nil }
        let head = String(decoding: bytes[..<comma], as: UTF8.self).lowercased()
        guard head.hasPrefix("data:") else { return nil }
        let data = unescaped(bytes[(comma + 1)...])
        return head.hasSuffix(";base64") ? decoded(data) : data
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == 0x25, index + 2 < bytes.endIndex,
                let value = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                result.append(value)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// Blanks are passed over, padding may be missing.
    private static func decoded(_ text: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        for byte in text where byte > 0x20 && byte != 0x3D {
            guard let value = value(byte) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count % 4 == 0 { result += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)] }
        }
        switch count % 4 {
        case 2: result.append(UInt8(bits >> 4 & 0xFF))
        case 3: result += [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)]
        case 1: return nil
        default: break
        }
        return result
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        case 0x2B, 0x2D: 62
        case 0x2F, 0x5F: 63
        default: nil
        }
    }
}
