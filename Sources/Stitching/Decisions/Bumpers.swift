/// Media of the operator's that are shown before and after the ads of a pod. No ads: nothing is reported of them.
package struct Bumpers: Sendable {
    package static let startID = "start-bumper"
    package static let endID = "end-bumper"

    static func isBumper(_ id: String) -> Bool { id == startID || id == endID }

    package var start: AdMedia?
    package var end: AdMedia?

    package init(start: AdMedia? = nil, end: AdMedia? = nil) {
        self.start = start
        self.end = end
    }
}

/// Bumpers that a session can show.
struct FittingBumpers {
    typealias Fitting = (ad: PodAd, match: [RenditionKey: AdMatch])

    private(set) var start: Fitting?
    private(set) var end: Fitting?
    /// Why one that was given cannot be used, by its id.
    private(set) var problems: [(id: String, reason: AdSkip)] = []
    private let leading: RenditionKey

    init(_ bumpers: Bumpers, _ rules: MediaRules, leading: RenditionKey) {
        self.leading = leading
        start = fitting(bumpers.start, Bumpers.startID, rules)
        end = fitting(bumpers.end, Bumpers.endID, rules)
    }

    private mutating func fitting(_ media: AdMedia?, _ id: String, _ rules: MediaRules) -> Fitting? {
        guard let media else { return nil }
        do throws(AdSkip) {
            return (PodAd(id: id, media: media), try rules.matches(of: media))
        } catch {
            problems.append((id, error))
            return nil
        }
    }

    var isEmpty: Bool { start == nil && end == nil }

    /// On the leading rendition.
    var duration: Duration {
        [start, end].compactMap { $0 }.reduce(.zero) {
            $0 + PodFill.duration(of: [($1.ad.media, $1.match[leading] ?? .rendition(0))])
        }
    }

    func around(_ ads: [PodAd]) -> [PodAd] { (start.map { [$0.ad] } ?? []) + ads + (end.map { [$0.ad] } ?? []) }

    func around(_ matches: [[RenditionKey: AdMatch]]) -> [[RenditionKey: AdMatch]] {
        (start.map { [$0.match] } ?? []) + matches + (end.map { [$0.match] } ?? [])
    }
}
