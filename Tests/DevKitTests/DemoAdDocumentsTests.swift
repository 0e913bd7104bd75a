import Testing

@testable import DevKit

@Suite struct DemoAdDocumentsTests {
    let documents = DemoAdDocuments(base: "http://127.0.0.1:9100")

    @Test(arguments: [(30, 0), (30, 1), (26, 2), (25, 3), (10, 0), (9, 0), (600, 5)])
    func `a pod never outlasts the break`(seconds: Int, turn: Int) {
        let pod = DemoAdDocuments.pod(of: DemoItem.ads, filling: seconds, turn: turn)
        #expect(pod.map(\.seconds).reduce(0, +) <= seconds)
        #expect(pod.isEmpty == (seconds < 10))
        #expect(Set(pod.map(\.folder)).count == pod.count)
    }

    @Test func `turns bring other ads first`() {
        let firsts = (0..<4).map { DemoAdDocuments.pod(of: DemoItem.ads, filling: 30, turn: $0).first?.folder }
        #expect(Set(firsts).count == 4)
        let lengths = (0..<4).map { turn in
            DemoAdDocuments.pod(of: DemoItem.ads, filling: 26, turn: turn).map(\.seconds).reduce(0, +)
        }
        #expect(lengths == [25, 25, 25, 25])
    }

    @Test func `a document names media in both packagings and every quartile`() {
        let text = documents.vast(Array(DemoItem.ads.prefix(2)), request: 7)
        for part in [
            "sequence=\"2\"", "<Duration>00:00:15</Duration>", "/media/ads/red/ts/master.m3u8",
            "/media/ads/blue/fmp4/master.m3u8", "event=thirdQuartile&request=7&ad=blue-2", "<Impression",
        ] {
            #expect(text.contains(part), "\(part) is missing")
        }
    }

    @Test func `a document without ads carries an error address`() {
        let text = documents.vast([], request: 1)
        #expect(text.contains("<Error>"))
        #expect(!text.contains("<Ad "))
    }

    @Test func `a VMAP has breaks at the start, in the middle and at the end`() {
        let text = documents.vmap(request: 3)
        for offset in ["start", "50%", "end"] { #expect(text.contains("timeOffset=\"\(offset)\"")) }
    }

    @Test func `the report shows requests and beacons and escapes them`() {
        let report = AdReport()
        let number = report.nextNumber()
        report.record(.init(number: number, milliseconds: 5000, target: "/vast?a=<\"b\">", ads: ["red"]))
        report.record(.init(milliseconds: 6500, request: "1", ad: "red-1", event: "impression"))
        #expect(report.page().contains("impression +1.5"))
        #expect(!report.page().contains("<\"b"))
        #expect(report.json().contains("\"target\":\"/vast?a=<\\\"b\\\">\""))
    }
}
