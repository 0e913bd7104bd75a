internal import HLS
internal import Synchronization

/// What the demo's ad server was asked and told, the newest few hundred of each.
final class AdReport: Sendable {
    struct AdRequest: Sendable, Equatable {
        let number: Int
        /// Milliseconds since 1970.
        let milliseconds: Int64
        /// Path and query as received.
        let target: String
        /// Titles of the ads in the answer.
        let ads: [String]
    }

    struct Beacon: Sendable, Equatable {
        let milliseconds: Int64
        let request: String
        let ad: String
        let event: String
    }

    private struct State {
        var count = 0
        var requests: [AdRequest] = []
        var beacons: [Beacon] = []
    }

    private static let limit = 500
    private let state = Mutex(State())

    /// The number of the next request, counted from 1.
    func nextNumber() -> Int {
        state.withLock { state in
            state.count += 1
            return state.count
        }
    }

    func record(_ request: AdRequest) {
        state.withLock { state in
            if state.requests.count >= Self.limit { state.requests.removeFirst(Self.limit / 4) }
            state.requests.append(request)
        }
    }

    func record(_ beacon: Beacon) {
        state.withLock { state in
            if state.beacons.count >= Self.limit * 10 { state.beacons.removeFirst(Self.limit) }
            state.beacons.append(beacon)
        }
    }

    /// A page for people, the newest request first.
    func page() -> String {
        let (requests, beacons) = state.withLock { ($0.requests, $0.beacons) }
        let byRequest = Dictionary(grouping: beacons, by: \.request)
        var rows = ""
        for request in requests.reversed() {
            var events = ""
            for (ad, beacons) in Self.byAd(byRequest["\(request.number)"] ?? []) {
                let texts = beacons.map { "\($0.event) +\(Self.seconds($0.milliseconds - request.milliseconds))" }
                events += "<div><b>\(escape(ad))</b> \(escape(texts.joined(separator: ", ")))</div>"
            }
            rows +=
                "<tr><td>\(request.number)</td><td>\(DateTime(nanoseconds: request.milliseconds * 1_000_000).formatted)</td>"
            rows += "<td><code>\(escape(request.target))</code><br>\(escape(request.ads.joined(separator: ", ")))</td>"
            rows += "<td>\(events)</td></tr>\n"
        }
        return """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="5">
            <title>Demo ad server</title>
            <style>body{font:14px sans-serif}td,th{border:1px solid #bbb;padding:4px;text-align:left;vertical-align:top}
            table{border-collapse:collapse}</style>
            <h1>Demo ad server: \(requests.count) requests, \(beacons.count) beacons</h1>
            <p>Beacons show the seconds since the ad request. The same as JSON: <a href="report.json">report.json</a></p>
            <table><tr><th>no.</th><th>time</th><th>request and its ads</th><th>beacons</th></tr>
            \(rows)</table></html>

            """
    }

    /// The same as JSON, in the order in which it came.
    func json() -> String {
        let (requests, beacons) = state.withLock { ($0.requests, $0.beacons) }
        let requestTexts = requests.map { request in
            let ads = request.ads.map(quote).joined(separator: ",")
            return "{\"number\":\(request.number),\"time\":\(request.milliseconds),"
                + "\"target\":\(quote(request.target)),\"ads\":[\(ads)]}"
        }
        let beaconTexts = beacons.map { beacon in
            "{\"time\":\(beacon.milliseconds),\"request\":\(quote(beacon.request)),"
                + "\"ad\":\(quote(beacon.ad)),\"event\":\(quote(beacon.event))}"
        }
        return "{\"requests\":[\n\(requestTexts.joined(separator: ",\n"))\n],"
            + "\"beacons\":[\n\(beaconTexts.joined(separator: ",\n"))\n]}\n"
    }

    /// Groups by ad in the order of their first beacon.
    private static func byAd(_ beacons: [Beacon]) -> [(ad: String, beacons: [Beacon])] {
        var groups: [(ad: String, beacons: [Beacon])] = []
        for beacon in beacons {
            if let index = groups.firstIndex(where: { $0.ad == beacon.ad }) {
                groups[index].beacons.append(beacon)
            } else {
                groups.append((beacon.ad, [beacon]))
            }
        }
        return groups
    }

    private static func seconds(_ milliseconds: Int64) -> String { "\(milliseconds / 1000).\(milliseconds / 100 % 10)" }

    private func escape(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
        return result
    }

    private func quote(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
