import HLS
import Server
import VAST

extension AdAnswerReport {
    /// For the person at the terminal.
    var text: String {
        var lines: [String] = []
        for request in requests { lines.append(Self.line(request)) }
        switch form {
        case .vast(let version): lines.append("VAST \(version ?? "without a version")")
        case .vmap(let version):
            lines.append("VMAP \(version ?? "without a version"): \(breaks.count) break\(breaks.count == 1 ? "" : "s")")
        case nil: break
        }
        lines += notes.map { "note: \($0)" }
        for told in breaks { lines += self.lines(of: told) }
        return lines.map { Self.printable($0) + "\n" }.joined()
    }

    private static func line(_ request: AdAnswerRequest) -> String {
        let outcome =
            switch request.outcome {
            case .success(let bytes): "\(bytes) bytes"
            case .failure(let failure): failure.text
            }
        let redirect = request.finalURL.map { ", redirected to \($0)" } ?? ""
        return "request \(request.url)\(redirect): \(outcome), \(seconds(request.elapsed)) s"
    }

    private func lines(of told: Break) -> [String] {
        var lines: [String] = []
        if let adBreak = told.adBreak {
            let types = adBreak.breakTypes.isEmpty ? "" : ", \(adBreak.breakTypes.joined(separator: " "))"
            let repeats = adBreak.repeatAfter.map { ", again every \(Self.seconds($0)) s" } ?? ""
            let id = adBreak.breakID.map { " \"\($0)\"" } ?? ""
            lines.append("break\(id) at \(adBreak.timeOffsetText ?? "no offset")\(types)\(repeats)")
            if let reason = told.skipped { lines.append("  skipped: \(reason)") }
        }
        guard let ads = told.ads else { return lines }
        switch ads.mode {
        case .buffet: lines.append("  a buffet: as many as the break has room for, in this order")
        case .waterfall: lines.append("  a waterfall: the first that gives an ad")
        case .pod, .single, .none: break
        }
        lines += ads.pod.enumerated().flatMap { place, ad in self.lines(of: ad, at: place, of: ads.pod.count) }
        if ads.pod.isEmpty, ads.overlays.isEmpty { lines.append("  no ads") }
        for spare in ads.spares { lines.append("  replacement \(Self.name(of: spare))") }
        for note in ads.log {
            let code = note.code.map { " (code \($0))" } ?? ""
            lines.append("  \(Self.kind(note.kind))\(note.adID.map { " \($0)" } ?? "")\(code): \(note.text)")
        }
        for overlay in ads.overlays {
            lines.append("  overlay \(Self.name(of: overlay))")
            for call in calls(ofOverlay: overlay) { lines.append("    call \(call.event) \(call.url)") }
        }
        for error in errors(of: told) {
            lines.append("  error \(error.code)\(error.adID.map { " of \"\($0)\"" } ?? ""): \(error.code.meaning)")
            for url in calls(of: error) { lines.append("    call error \(url)") }
        }
        for call in breakCalls(of: told) { lines.append("  call \(call.event) \(call.url)") }
        if ads.isPartial { lines.append("  time was up before all wrappers had answered") }
        return lines
    }

    private func lines(of ad: ResolvedAd, at place: Int, of count: Int) -> [String] {
        let length = ad.duration.map { " \(Self.seconds($0)) s" } ?? " without a duration"
        var lines = ["  ad \(place + 1) of \(count): \(Self.name(of: ad))\(length), \(ad.fate)"]
        if ad.wrapperCount > 0 {
            let wrappers = ad.wrapperCount == 1 ? "wrapper" : "wrappers"
            lines.append("    behind \(ad.wrapperCount) \(wrappers): \(ad.wrapperAdSystems.joined(separator: ", "))")
        }
        if let interactive = ad.interactive {
            let place = ad.interactiveParameters?.place.rawValue
            lines.append(
                "    interactive: \(interactive.name), \(place.map { "parameters in \($0)" } ?? "no parameters that can be read")"
            )
        }
        for file in ad.mediaFiles { lines.append("    media \(file.use.rawValue) \(file.type ?? "") \(file.url)") }
        for call in calls(of: ad, at: place) {
            let verb = ad.canBeStitched ? "call" : "then call"
            lines.append("    \(verb) \(call.event)\(call.time.map { " at \(Self.seconds($0))" } ?? "") \(call.url)")
        }
        return lines
    }

    private static func name(of ad: ResolvedAd) -> String {
        [ad.id.map { "\"\($0)\"" }, ad.adSystem, ad.title].compactMap(\.self).joined(separator: " ")
    }

    private static func kind(_ kind: AdNote.Kind) -> String {
        switch kind {
        case .adSkipped: "skipped"
        case .oddity: "note"
        case .noAd: "no ad"
        }
    }

    /// Milliseconds are enough.
    static func seconds(_ duration: Duration) -> String { DecimalText.text(duration, fractionDigits: 3) }

    /// What came over a wire must not speak to the terminal.
    private static func printable(_ text: String) -> String {
        // Controls, and what turns the writing direction.
        func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
        }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isUnsafe($0) ? " " : $0 }))
    }
}
