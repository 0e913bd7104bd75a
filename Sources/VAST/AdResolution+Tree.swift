extension AdResolution {
    /// An Ad in the tree of documents.
    struct AdNode: Sendable {
        var ad: Ad
        var document: Int
        /// The wrapper that led to the document; nil in the first one.
        var parent: Int?
        /// Wrappers above.
        var depth: Int
        var state = State.new
        /// URL the wrapper's document was asked from.
        var target: String?
        /// Settled: the ads that take its place, none if it failed.
        var outcome: [ResolvedAd]?

        enum State: Sendable {
            case new
            case requested
            case failed(FetchFailure)
            case unreadable(VASTError)
            case document(Int)
        }

        var wrapper: Wrapper? {
            if case .wrapper(let wrapper) = ad.content { wrapper } else { nil }
        }
    }

    /// A document in the tree, with the ads chosen to be played.
    struct DocumentNode: Sendable {
        var url: String?
        var parent: Int?
        var mode: AdMode
        /// Ads to play, in order; in a waterfall the alternatives.
        var slots: [Int]
        /// Stand-alone ads not used so far.
        var spares: [Int]
        var errors: [String]
        /// The wrapper that was passed over since its parent follows none (R-W4).
        var ignoredWrapper: String?
        /// Outcome of slots settled and of replacements.
        var settled: [[ResolvedAd]?]
        var outcome: [ResolvedAd]?
    }

    /// Adds a document and chooses its mode and slots (R-P1, R-P3 to R-P5, R-W4, R-W5).
    mutating func open(
        _ document: VASTDocument, below parent: Int?, url: String?, multiple: Bool, follow: Bool
    ) -> Int {
        let index = documents.count
        if document.ignoredAds > 0 { note(.oddity, nil, "\(document.ignoredAds) ads beyond the limit not read") }
        for repair in document.repairs { note(.oddity, nil, "document repaired: \(repair.rawValue)") }
        var node = DocumentNode(
            url: url, parent: parent, mode: .none, slots: [], spares: [], errors: document.errors, settled: [])
        let depth = parent.map { ads[$0].depth + 1 } ?? 0
        let first = ads.count
        for ad in document.ads {
            ads.append(AdNode(ad: ad, document: index, parent: parent, depth: depth))
        }
        let usable = { (position: Int) -> Bool in
            guard !follow, case .wrapper = document.ads[position].content else { return true }
            return false
        }
        var pod = document.pod.filter(usable)
        var standAlone = document.standAlone.filter(usable)
        if pod.isEmpty, standAlone.isEmpty, let ignored = document.ads.first {
            node.ignoredWrapper = ignored.id ?? ""
        }
        if !multiple {
            // Only the first stand-alone ad; a pod gives its first ad, which real servers rely on (R-W5).
            standAlone = Array((standAlone.isEmpty ? pod : standAlone).prefix(1))
            pod = []
        }
        if !pod.isEmpty {
            node.mode = .pod
            node.slots = pod.map { first + $0 }
            node.spares = standAlone.map { first + $0 }
        } else {
            node.slots = standAlone.map { first + $0 }
            let waterfall = node.slots.contains { ads[$0].wrapper?.fallbackOnNoAd == true }
            node.mode = node.slots.isEmpty ? .none : node.slots.count == 1 ? .single : waterfall ? .waterfall : .buffet
        }
        node.settled = Array(repeating: nil, count: node.slots.count)
        documents.append(node)
        return index
    }

    /// The ads a document gives, or nil while something is under way.
    mutating func evaluate(document index: Int) -> [ResolvedAd]? {
        if let outcome = documents[index].outcome { return outcome }
        if documents[index].slots.isEmpty {
            reportNoAd(document: index)
            documents[index].outcome = []
            return []
        }
        let outcome = documents[index].mode == .waterfall ? waterfall(in: index) : slots(of: index)
        documents[index].outcome = outcome
        return outcome
    }

    /// The first alternative that gives an ad; later ones are left alone (R-P4).
    private mutating func waterfall(in index: Int) -> [ResolvedAd]? {
        for slot in documents[index].slots {
            guard let ads = evaluate(ad: slot) else { return nil }
            if !ads.isEmpty { return ads }
        }
        return []
    }

    /// All slots at the same time, their order kept; failed ones of a pod are then replaced in order (R-P2, R-W8).
    private mutating func slots(of index: Int) -> [ResolvedAd]? {
        var complete = true
        for (position, slot) in documents[index].slots.enumerated() where documents[index].settled[position] == nil {
            guard let outcome = evaluate(ad: slot) else {
                complete = false
                continue
            }
            // An empty one of a pod stays open for a replacement below.
            let replaceable = documents[index].mode == .pod && ads[slot].wrapper?.fallbackOnNoAd != false
            if !outcome.isEmpty || !replaceable { documents[index].settled[position] = outcome }
        }
        guard complete else { return nil }
        for position in documents[index].slots.indices where documents[index].settled[position] == nil {
            while documents[index].settled[position] == nil {
                guard let spare = documents[index].spares.first else {
                    documents[index].settled[position] = []
                    break
                }
                guard let outcome = evaluate(ad: spare) else { return nil }
                documents[index].spares.removeFirst()
                if !outcome.isEmpty { documents[index].settled[position] = outcome }
            }
        }
        return documents[index].settled.flatMap { $0 ?? [] }
    }

    /// The ads that take the place of an Ad, or nil while something is under way.
    private mutating func evaluate(ad index: Int) -> [ResolvedAd]? {
        if let outcome = ads[index].outcome { return outcome }
        let outcome: [ResolvedAd]?
        switch ads[index].ad.content {
        case .invalid:
            outcome = fail(index, .schema, "holds neither or both of InLine and Wrapper")
        case .inLine(let inLine):
            let blocked = blockedCategory(of: inLine, at: index)
            if let blocked, !options.enforcesBlockedCategories {
                note(.oddity, ads[index].ad.id, "plays in spite of a wrapper blocking category \(blocked.prefix(60))")
            }
            if let blocked, options.enforcesBlockedCategories {
                outcome = fail(index, .categoryBlocked, "category \(blocked.prefix(60)) is blocked by a wrapper")
            } else if let playable = inLine.playableLinear(options.playable, takesMezzanines: options.takesMezzanines) {
                outcome = [merged(index, inLine, creative: playable.index, playable.linear)]
            } else if options.keepsOverlays, inLine.unplayableCode == .linearity {
                overlays.append(merged(index, inLine))
                note(.oddity, ads[index].ad.id, "an overlay alone: for the player")
                outcome = []
            } else {
                outcome = fail(index, inLine.unplayableCode, Self.explanation(inLine, options.playable))
            }
        case .wrapper(let wrapper):
            outcome = evaluate(wrapper: wrapper, index)
        }
        ads[index].outcome = outcome
        return outcome
    }

    private mutating func evaluate(wrapper: Wrapper, _ index: Int) -> [ResolvedAd]? {
        switch ads[index].state {
        case .new:
            return request(wrapper, index)
        case .requested:
            return nil
        case .failed(let failure):
            return fail(index, .wrapperUnavailable, "wrapper answer: \(failure)")
        case .unreadable(let error):
            return fail(index, error.code, "wrapper answer: \(error)")
        case .document(let document):
            return evaluate(document: document)
        }
    }

    /// Asks for a wrapper's document, unless something forbids it (R-W1 to R-W3).
    private mutating func request(_ wrapper: Wrapper, _ index: Int) -> [ResolvedAd]? {
        guard let uri = wrapper.adTagURI else { return fail(index, .wrapper, "wrapper without a URI") }
        guard ads[index].depth < options.limits.wrappers else {
            return fail(index, .wrapperLimit, "more than \(options.limits.wrappers) wrappers")
        }
        let target = URLText.resolve(uri, against: documents[ads[index].document].url)
        guard URLText.isRequestable(target) else { return fail(index, .wrapper, "wrapper URI of an unusable scheme") }
        if chainURLs(above: index).contains(URLText.loopKey(target)) {
            return fail(index, .wrapperLimit, "wrapper loop")
        }
        guard !deadlinePassed else { return fail(index, .wrapperUnavailable, "no time left") }
        guard requestCount < options.limits.requests else {
            return fail(index, .wrapperUnavailable, "more than \(options.limits.requests) requests for a break")
        }
        ads[index].target = target
        ads[index].state = .requested
        enqueue(target, depth: ads[index].depth + 1, for: .wrapper(index))
        return nil
    }

    /// URLs of the documents an ad was reached through, as requested and as answered, as loop keys.
    private func chainURLs(above index: Int) -> Set<String> {
        var urls: Set<String> = []
        if let rootURL { urls.insert(URLText.loopKey(rootURL)) }
        var node: Int? = index
        while let current = node {
            if let url = documents[ads[current].document].url { urls.insert(URLText.loopKey(url)) }
            node = ads[current].parent
            if let parent = node, let target = ads[parent].target { urls.insert(URLText.loopKey(target)) }
        }
        return urls
    }

    /// A category of the ad that a wrapper of the chain blocks under the same authority.
    private func blockedCategory(of inLine: InLine, at index: Int) -> String? {
        guard !inLine.categories.isEmpty else { return nil }
        for blocked in wrappers(above: index).compactMap({ ads[$0].wrapper }).flatMap(\.blockedAdCategories) {
            let names = blocked.text.split { $0 == "," || $0.isWhitespace }.map(String.init)
            for category in inLine.categories where category.qualifier == blocked.qualifier {
                if names.contains(category.text) || blocked.text == category.text { return category.text }
            }
        }
        return nil
    }

    /// The wrappers above an ad, outermost first.
    func wrappers(above index: Int) -> [Int] {
        var chain: [Int] = []
        var node = ads[index].parent
        while let current = node {
            chain.append(current)
            node = ads[current].parent
        }
        return chain.reversed()
    }

    /// Error URLs of the wrappers above and of the ad itself, outermost first.
    func errorURLs(of index: Int) -> [String] {
        (wrappers(above: index) + [index]).flatMap { level in
            requestable(ads[level].ad.elements?.errors ?? [], in: ads[level].document)
        }
    }

    /// Made absolute; those no request can be made to are dropped (R-U2, R-U3).
    func requestable(_ urls: [String], in document: Int) -> [String] {
        urls.map { URLText.resolve($0, against: documents[document].url) }.filter(URLText.isRequestable)
    }

    mutating func fail(_ index: Int, _ code: VASTErrorCode, _ text: String) -> [ResolvedAd] {
        let id = ads[index].ad.id
        errors.append(ErrorReport(adID: id, code: code, urls: errorURLs(of: index)))
        note(.adSkipped, id, text, code: code)
        return []
    }

    /// A readable document without an ad: 303 to the chain and to its own Error (R-E4, R-W4).
    private mutating func reportNoAd(document index: Int) {
        let node = documents[index]
        let chain = node.parent.map(errorURLs(of:)) ?? []
        let own = node.ignoredWrapper == nil ? requestable(node.errors, in: index) : []
        let id = node.ignoredWrapper ?? node.parent.flatMap { ads[$0].ad.id }
        errors.append(ErrorReport(adID: id, code: .noAd, urls: chain + own))
        let text = node.ignoredWrapper == nil ? "answer without an ad" : "a further wrapper is not to be followed"
        note(node.parent == nil ? .noAd : .adSkipped, id, text, code: .noAd)
    }

    /// Stand-alone InLines of the first document that were not needed.
    mutating func unusedSpares() -> [ResolvedAd] {
        guard let root = rootDocument, documents[root].mode == .pod else { return [] }
        return documents[root].spares.compactMap { index in
            guard case .inLine(let inLine) = ads[index].ad.content,
                let playable = inLine.playableLinear(options.playable, takesMezzanines: options.takesMezzanines)
            else { return nil }
            return merged(index, inLine, creative: playable.index, playable.linear)
        }
    }

    private static func explanation(_ inLine: InLine, _ playable: Set<MediaUse>) -> String {
        let files = inLine.elements.creatives.compactMap(\.linear).flatMap(\.mediaFiles)
        if inLine.unplayableCode == .linearity { return "only nonlinear creatives" }
        if inLine.unplayableCode == .schema { return "no linear creative" }
        let kinds = Set(files.map(\.use.rawValue)).sorted().joined(separator: ", ")
        let wanted = playable.map(\.rawValue).sorted().joined(separator: ", ")
        return "no media file of a usable kind: has \(kinds.isEmpty ? "none" : kinds); takes \(wanted)"
    }
}
