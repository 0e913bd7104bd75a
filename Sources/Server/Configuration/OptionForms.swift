/// The forms that are more than a number or a text: addresses, URLs, names, headers.
extension OptionReader {
    static let rangeForm = "an address range like \"10.0.0.0/8\""

    /// A text with a default where null means "none", so that null and missing differ.
    mutating func nullable(_ name: String, _ standard: String) -> String? {
        let text = text(name, standard)
        return isNull(name) ? nil : text
    }

    mutating func listenAddress(_ name: String, _ standard: ListenAddress?, isOptional: Bool = false) -> ListenAddress?
    {
        let isOff = isOptional && isNull(name)
        guard let text = text(name, standard?.description) else { return standard }
        if isOff { return nil }
        guard let address = ListenAddress(parsing: text) else {
            report("not an address with a port, like \"127.0.0.1:8080\" or \"[::1]:8080\"", name)
            return standard
        }
        return address
    }

    mutating func url(_ name: String) -> String? { checkedURL(text(name), name) }

    mutating func requiredURL(_ name: String) -> String? { checkedURL(requiredText(name), name) }

    /// A list of URLs, empty by default.
    mutating func urls(_ name: String) -> [String] {
        list(name, "a URL") { text in urlFault(text) == nil ? text : nil }
    }

    /// A URL that paths are put behind: scheme, host and path alone, without a slash at its end.
    mutating func urlPrefix(_ name: String) -> String? {
        guard let url = url(name) else { return nil }
        let isPlain = url.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-_.~:/[]%".utf8.contains(byte)
        }
        guard isPlain else {
            report("nothing but scheme, host, port and path may stand here", name)
            return nil
        }
        return url.hasSuffix("/") ? String(url.dropLast()) : url
    }

    private func checkedURL(_ text: String?, _ name: String) -> String? {
        guard let text else { return nil }
        guard let fault = urlFault(text) else { return text }
        report("not a URL: \(fault)", name)
        return nil
    }

    /// Reports a macro without an end, and those of the `session` family that nothing would fill in. Those of the other families depend
    /// on the viewer and the break.
    func checkMacros(_ name: String, _ url: String) {
        if let fault = unclosedFault(url) { report(fault, name) }
        for fault in macroFaults(url) { report(fault, name) }
    }

    private func unclosedFault(_ url: String) -> String? {
        guard let open = unclosedBracket(in: url) else { return nil }
        let macro = url[open...].dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return "the macro that begins with \"[\(macro.prefix(40))\" has no \"]\""
    }

    private func macroFaults(_ url: String) -> [String] {
        let names = SessionMacros.sessionNames
        return url.split(separator: "[session.").dropFirst().compactMap { part in
            let macro = String(part.prefix { $0 != "]" })
            guard macro.count < part.count, !names.contains(macro) else { return nil }
            let hint = likelyMeant(macro, among: names).map { ", did you mean [session.\($0)]?" }
            return "there is no macro [session.\(macro)]\(hint ?? ", known are \(names.joined(separator: ", "))")"
        }
    }

    private func unclosedBracket(in text: String) -> String.Index? {
        var open: [String.Index] = []
        for index in text.indices {
            switch text[index] {
            case "[": open.append(index)
            case "]": _ = open.popLast()
            default: break
            }
        }
        return open.last
    }

    mutating func segmentationTypes(_ name: String, _ standard: Set<UInt8>) -> Set<UInt8> {
        Set(integers(name, standard.map(Int.init).sorted(), in: 0x10...0xFE).map { UInt8(clamping: $0) })
    }

    mutating func store(_ name: String, _ standard: ServerOptions.Store) -> ServerOptions.Store {
        guard let store = text(name, standard.text) else { return standard }
        if store == "memory" { return .memory }
        if store.hasPrefix("sqlite:") {
            let path = String(store.dropFirst("sqlite:".utf8.count))
            if !path.isEmpty, !path.hasSuffix("/") { return .sqlite(path: path) }
            report("\"sqlite:\" needs the path of a file, like \"sqlite:podstitch.db\"", name)
            return standard
        }
        let isLater = ["redis:", "rediss:"].contains { store.hasPrefix($0) }
        report(
            isLater
                ? "this store is \(Self.notYetText)"
                : "not a store, expected \"memory\", or \"sqlite:\" and the path of a file",
            name)
        return standard
    }

    /// A name that stands in URLs as it is.
    mutating func sourceName(_ name: String) -> String? {
        guard let text = requiredText(name) else { return nil }
        let isSafe = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-_.~".utf8.contains(byte)
        }
        guard isSafe, text != ".", text != "..", text.utf8.count <= 100 else {
            report("\"\(text)\" cannot stand in a URL: letters, digits, - _ . ~ and at most 100 of them", name)
            return nil
        }
        return text
    }

    /// Providers that one source may name.
    private static let referenceLimit = 8

    /// The name of an ad provider, or a list of names in the order in which they are asked; "none" is always there. Where `takesURLs`
    /// an ad server's URL with its macros may stand in place of a name.
    mutating func references(_ name: String, to providers: [String], takesURLs: Bool = false) -> [String] {
        var found: [String] = []
        for one in texts(name) {
            func report(_ detail: String) { collector.report(detail, at: one.place, line: one.line) }
            if found.contains(one.text) {
                report("\"\(one.text)\" is named twice")
            } else if takesURLs, one.text.contains("://") {
                if let fault = urlFault(one.text) { report("not a URL: \(fault)") } else { found.append(one.text) }
                if let fault = unclosedFault(one.text) { report(fault) }
                for fault in macroFaults(one.text) { report(fault) }
            } else if one.text == "none" || providers.contains(one.text) {
                found.append(one.text)
            } else {
                let hint = likelyMeant(one.text, among: providers).map { ", did you mean \"\($0)\"?" } ?? ""
                report("adProviders has no \"\(one.text)\"\(hint)")
            }
        }
        if found.count > Self.referenceLimit { report("names more than \(Self.referenceLimit) providers", name) }
        return found
    }

    mutating func providerType(_ name: String) -> String? { requiredText(name) }

    /// HTTP fields: `{ "X-Key": "text" }`, or for a secret `{ "X-Key": { file: "path" } }` or `{ environment: "NAME" }`.
    mutating func headers(_ name: String) -> [HeaderOption] {
        members(name).compactMap { member in
            let place = "\(place(of: name)).\(member.name)"
            let isToken = !member.name.isEmpty && member.name.utf8.allSatisfy { isTokenByte($0) }
            guard isToken else {
                collector.report("not the name of an HTTP header", at: place, line: member.line)
                return nil
            }
            guard let value = headerValue(member.value, place: place) else { return nil }
            guard !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
                collector.report("the value holds a control character", at: place, line: member.line)
                return nil
            }
            return HeaderOption(name: member.name, value: value)
        }
    }

    private func headerValue(_ value: JSON5Value, place: String) -> String? {
        if case .string(let text) = value.content { return text }
        guard case .object(let members) = value.content, members.count == 1, let member = members.first,
            case .string(let source) = member.value.content
        else {
            let detail = "expected a string, { file: \"path\" } or { environment: \"NAME\" }"
            collector.report(detail, at: place, line: value.line)
            return nil
        }
        switch member.name {
        case "file":
            if let data = collector.secrets.file(source) {
                let text = String(decoding: data, as: UTF8.self)
                return String(text.reversed().drop { $0.isNewline || $0 == " " }.reversed())
            }
            collector.report("the file \"\(source)\" cannot be read", at: place, line: member.line)
        case "environment":
            if let text = collector.secrets.environment(source) { return text }
            collector.report("the environment has no \(source)", at: place, line: member.line)
        default:
            let detail = "unknown option, expected file or environment"
            collector.report(detail, at: "\(place).\(member.name)", line: member.line)
        }
        return nil
    }
}

/// RFC 9110 §5.6.2.
private func isTokenByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
}

/// What keeps a text from being an absolute http or https URL; nil when nothing does. Macros (`[X]`, `${X}`) may stand in it.
func urlFault(_ text: String) -> String? {
    let lower = text.lowercased()
    guard lower.hasPrefix("http://") || lower.hasPrefix("https://") else {
        return "it begins with neither http:// nor https://"
    }
    if text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) { return "it holds a space or a control character" }
    let rest = text.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    let hostAndPort = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? authority
    var host = hostAndPort
    if host.first == UInt8(ascii: "[") {
        guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return "the [ of its host is not closed" }
        host = host[...end]
    } else {
        host = host.prefix { $0 != UInt8(ascii: ":") }
    }
    guard !host.isEmpty else { return "it has no host" }
    let port = hostAndPort.dropFirst(host.count)
    if !port.isEmpty {
        guard port.first == UInt8(ascii: ":"), let number = UInt16(String(decoding: port.dropFirst(), as: UTF8.self)),
            number > 0
        else { return "its port is not a number from 1 to 65535" }
    }
    return nil
}
