/// The candidate that a mistyped name most likely means, if one is near enough.
package func likelyMeant(_ name: String, among candidates: [String]) -> String? {
    let typed = Array(name.lowercased().utf8.prefix(80))
    let limit = max(1, typed.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
        let spelled = Array(candidate.lowercased().utf8)
        // A name without its unit (`gracePeriod`) is the commonest mistake, and far by letters.
        let isStem = typed.count >= 3 && (spelled.starts(with: typed) || typed.starts(with: spelled))
        let distance = isStem ? min(1, limit) : editDistance(typed, spelled)
        if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
}

/// Letters to insert, delete, replace or swap with their neighbour to come from one word to the other.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in 1...a.count {
        var row = [i]
        for j in 1...b.count {
            let isSame = a[i - 1] == b[j - 1]
            var cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (isSame ? 0 : 1))
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { cost = min(cost, beforePrevious[j - 2] + 1) }
            row.append(cost)
        }
        (beforePrevious, previous) = (previous, row)
    }
    return previous[b.count]
}
