extension AdResolution {
    /// Joins an InLine with the wrappers above it (R-W7).
    func merged(_ index: Int, _ inLine: InLine, creative: Int, _ linear: Linear) -> ResolvedAd {
        var merged = merged(index, inLine)
        add(inLine.elements.creatives[creative], linear, of: ads[index], to: &merged)
        for (position, other) in inLine.elements.creatives.enumerated() where position != creative {
            if let unused = other.linear { merged.unusedLinears.append(unused) }
        }
        return merged
    }

    /// The same without a linear creative.
    func merged(_ index: Int, _ inLine: InLine) -> ResolvedAd {
        var merged = ResolvedAd()
        let node = ads[index]
        let levels = wrappers(above: index)
        merged.id = node.ad.id
        merged.sequence = node.ad.sequence ?? levels.last { ads[$0].ad.sequence != nil }.flatMap { ads[$0].ad.sequence }
        merged.adType = node.ad.adType
        merged.conditionalAd = node.ad.conditionalAd
        merged.wrapperCount = levels.count
        for level in levels { add(wrapper: level, to: &merged) }
        add(inLine, of: node, to: &merged)
        return merged
    }

    private func absolute(_ url: String, _ document: Int) -> String {
        URLText.resolve(url, against: documents[document].url)
    }

    private func add(elements: AdElements, in document: Int, to merged: inout ResolvedAd) {
        merged.impressions += requestable(elements.impressions.map(\.url), in: document)
        merged.errorURLs += requestable(elements.errors, in: document)
        merged.viewableImpressions += elements.viewableImpressions
        merged.verifications += elements.verifications
        merged.extensions += elements.extensions
        merged.creativeExtensions += elements.creatives.flatMap(\.extensions)
        merged.pricing = merged.pricing ?? elements.pricing
        let companions = elements.creatives.compactMap(\.companionAds).filter { !$0.companions.isEmpty }
        if !companions.isEmpty { merged.companionAds = companions }
    }

    private func add(linear: Linear, in document: Int, to merged: inout ResolvedAd) {
        merged.trackingEvents += linear.trackingEvents.events.compactMap { tracking in
            var event = tracking
            event.url = absolute(tracking.url, document)
            return URLText.isRequestable(event.url) ? event : nil
        }
        merged.clickTracking += requestable(linear.clickTracking.map(\.url), in: document)
        merged.customClicks += requestable(linear.customClicks.map(\.url), in: document)
        if let through = linear.clickThrough { merged.clickThrough = absolute(through.url, document) }
    }

    /// Icons of one level: those of a program replace what levels above have for it.
    private func add(icons: [Icon], to merged: inout ResolvedAd) {
        let programs = Set(icons.compactMap(\.program))
        merged.icons.removeAll { icon in icon.program.map(programs.contains) ?? false }
        merged.icons += icons
    }

    private func add(wrapper index: Int, to merged: inout ResolvedAd) {
        guard let wrapper = ads[index].wrapper else { return }
        let document = ads[index].document
        add(elements: wrapper.elements, in: document, to: &merged)
        merged.companionsOfWrappers += Self.companionCount(wrapper.elements)
        merged.blockedAdCategories += wrapper.blockedAdCategories
        merged.wrapperAdSystems.append(wrapper.elements.adSystem ?? "")
        let linears = wrapper.elements.creatives.compactMap(\.linear)
        for linear in linears { add(linear: linear, in: document, to: &merged) }
        add(icons: linears.flatMap(\.icons), to: &merged)
        let overlays = wrapper.elements.creatives.compactMap(\.nonLinearAds)
        merged.nonLinearTrackers += overlays.flatMap(\.trackingEvents.events)
        merged.nonLinearClickTracking += overlays.flatMap(\.nonLinears).flatMap(\.clickTracking)
    }

    private func add(_ inLine: InLine, of node: AdNode, to merged: inout ResolvedAd) {
        let elements = inLine.elements
        add(elements: elements, in: node.document, to: &merged)
        merged.companionsOfInLine = Self.companionCount(elements)
        merged.adSystem = elements.adSystem
        merged.adSystemVersion = elements.adSystemVersion
        merged.title = elements.adTitle
        merged.description = inLine.description
        merged.advertiser = inLine.advertiser
        merged.adServingID = inLine.adServingID
        merged.categories = inLine.categories
        merged.expires = inLine.expires
        merged.surveys = inLine.surveys
        merged.nonLinearAds = elements.creatives.compactMap(\.nonLinearAds)
    }

    private func add(_ creative: Creative, _ linear: Linear, of node: AdNode, to merged: inout ResolvedAd) {
        add(linear: linear, in: node.document, to: &merged)
        add(icons: linear.icons, to: &merged)
        merged.creativeID = creative.id
        merged.creativeAdID = creative.adID
        merged.creativeSequence = creative.sequence
        merged.universalAdIDs = creative.universalAdIDs
        if merged.universalAdIDs.isEmpty {
            merged.universalAdIDs = (node.ad.elements?.extensionUniversalAdIDs ?? [])
                .filter { $0.creativeID == nil || $0.creativeID == creative.id }.map(\.id)
        }
        merged.duration = linear.duration
        merged.skipOffset = linear.skipOffset
        merged.adParameters = linear.adParameters
        merged.mediaFiles = linear.mediaFiles.map { absolute($0, node.document) }
        merged.mezzanines = linear.mezzanines.map { absolute($0, node.document) }
        merged.interactiveFiles = linear.interactiveFiles
        merged.closedCaptions = linear.closedCaptions
    }

    private func absolute(_ file: MediaFile, _ document: Int) -> MediaFile {
        guard !file.url.isEmpty else { return file }
        var file = file
        file.url = absolute(file.url, document)
        return file
    }

    private static func companionCount(_ elements: AdElements) -> Int {
        elements.creatives.compactMap(\.companionAds).reduce(0) { $0 + $1.companions.count }
    }
}
