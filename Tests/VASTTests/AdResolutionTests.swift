import Testing

@testable import VAST

struct AdResolutionTests {
    @Test func `a pod plays by its numbers, whatever the order in the document (V22, R-P1)`() {
        let document = Sample.vast(
            Sample.inLine("c", sequence: 30), Sample.inLine("a", sequence: 1), Sample.inLine("b", sequence: 7))
        let ads = AdServerScript.resolve(document)
        #expect(ads.pod.map(\.id) == ["a", "b", "c"])
        #expect(ads.mode == .pod)
    }

    @Test func `a failed ad of a pod is replaced by a spare, which keeps the place (R-P2, R-P5)`() {
        let document = Sample.vast(
            Sample.inLine("s1"), Sample.inLine("a", sequence: 1, media: ""), Sample.inLine("b", sequence: 2),
            Sample.inLine("s2"))
        let ads = AdServerScript.resolve(document)
        #expect(ads.pod.map(\.id) == ["s1", "b"])
        #expect(ads.spares.map(\.id) == ["s2"])
        #expect(
            ads.errors == [
                ErrorReport(adID: "a", code: .mediaFileUnsupported, urls: ["http://t.test/a/err?c=[ERRORCODE]"])
            ])
        #expect(ads.log.contains { $0.adID == "a" && $0.kind == .adSkipped })
    }

    @Test func `an ad of a mezzanine alone is for a server that makes media of it (R-M5)`() {
        let mezzanine = "<Mezzanine type=\"video/mp4\" delivery=\"progressive\">http://m.test/a.mov</Mezzanine>"
        let document = Sample.vast(Sample.inLine("a", media: mezzanine))
        #expect(AdServerScript.resolve(document).errors.map(\.code) == [.mediaFileUnsupported])
        let ads = AdServerScript.resolve(document, takingMezzanines: true)
        #expect(ads.pod.first?.mezzanines.map(\.url) == ["http://m.test/a.mov"])
    }

    @Test func `a buffet is offered whole in document order (R-P3)`() {
        let ads = AdServerScript.resolve(Sample.vast(Sample.inLine("a"), Sample.inLine("b")))
        #expect(ads.pod.map(\.id) == ["a", "b"])
        #expect(ads.mode == .buffet)
    }

    @Test func `a waterfall stops at the first ad, and nobody asks for the rest (V20, R60, R-P4)`() {
        var script = AdServerScript([
            "http://ads.test/first": Sample.vast(
                Sample.wrapper("blank", to: " ", attributes: "fallbackOnNoAd=\"true\""),
                Sample.wrapper("dead", to: "http://ads.test/dead"), Sample.wrapper("good", to: "http://ads.test/good"),
                Sample.wrapper("never", to: "http://ads.test/never")),
            "http://ads.test/good": Sample.vast(Sample.inLine("1")),
        ])
        var resolution = AdResolution(url: "http://ads.test/first")
        let ads = script.run(&resolution)
        #expect(ads.pod.map(\.id) == ["1"])
        #expect(ads.errors.map(\.adID) == ["blank", "dead"])
        #expect(ads.errors.map(\.code) == [.wrapper, .wrapperUnavailable])
        #expect(!script.asked.contains("http://ads.test/never"))
    }

    @Test func `no ad, an empty in-line and a dead wrapper are told apart and cost nobody else (R61, V44, R-W8)`() {
        let none = AdServerScript.resolve("<VAST><Error>http://t.test/none</Error></VAST>")
        #expect(none.pod.isEmpty)
        #expect(none.errors == [ErrorReport(adID: nil, code: .noAd, urls: ["http://t.test/none"])])
        let mixed = AdServerScript.resolve(
            Sample.vast(
                "<Ad id=\"e\"><InLine><Creatives/></InLine></Ad>", Sample.wrapper("bad", to: "junk"), Sample.inLine("1")
            ),
            ["http://ads.test/junk": "this is no XML"])
        #expect(mixed.pod.map(\.id) == ["1"])
        #expect(mixed.errors.map(\.code) == [.schema, .xmlParsing])
    }

    @Test func `a wrapper to nothing is 303, to VAST 1 is 102, to a missing page 301 (V15)`() {
        func code(_ answer: String?) -> [VASTErrorCode] {
            AdServerScript.resolve(
                Sample.vast(Sample.wrapper("w", to: "next")), answer.map { ["http://ads.test/next": $0] } ?? [:]
            ).errors.map(\.code)
        }
        #expect(code("<VAST/>") == [.noAd])
        #expect(code("") == [.noAd])
        #expect(code("<VideoAdServingTemplate/>") == [.unsupportedVersion])
        #expect(code("<VMAP/>") == [.schema])
        #expect(code(nil) == [.wrapperUnavailable])
    }

    @Test func `status 204 is no ad, not a failure (V43, R-H1)`() {
        var script = AdServerScript(["http://ads.test/first": Sample.vast(Sample.wrapper("w", to: "next"))])
        script.answers["http://ads.test/next"] = .failure(.status(204))
        var resolution = AdResolution(url: "http://ads.test/first")
        #expect(script.run(&resolution).errors.map(\.code) == [.noAd])
    }

    @Test func `a wrapper to itself, and a circle of two, end with 302 to every wrapper (V17, R58, R-W3)`() {
        let own = AdServerScript.resolve(
            Sample.vast(Sample.wrapper("w", to: "http://ads.test/first"), Sample.inLine("1")))
        // The break is served all the same.
        #expect(own.pod.map(\.id) == ["1"])
        #expect(own.errors == [ErrorReport(adID: "w", code: .wrapperLimit, urls: ["http://t.test/w/err"])])
        var script = AdServerScript([
            "http://ads.test/first": Sample.vast(Sample.wrapper("a", to: "b?cb=[CACHEBUSTING]")),
            "http://ads.test/b?cb=[CACHEBUSTING]": Sample.vast(Sample.wrapper("b", to: "/first?cb=${x}")),
        ])
        var resolution = AdResolution(url: "http://ads.test/first")
        let ads = script.run(&resolution)
        #expect(ads.errors.map(\.code) == [.wrapperLimit])
        #expect(ads.errors.first?.urls == ["http://t.test/a/err", "http://t.test/b/err"])
        #expect(script.asked.count == 2)
    }

    @Test func `five wrappers are followed, a sixth is 302 to all of them (R-W2)`() {
        func chain(_ length: Int) -> ResolvedAds {
            var documents: [String: String] = [:]
            for step in 1..<length {
                documents["http://ads.test/\(step)"] = Sample.vast(Sample.wrapper("w\(step)", to: "\(step + 1)"))
            }
            documents["http://ads.test/\(length)"] = Sample.vast(Sample.inLine("end"))
            return AdServerScript.resolve(Sample.vast(Sample.wrapper("w0", to: "1")), documents)
        }
        #expect(chain(5).pod.map(\.wrapperCount) == [5])
        #expect(chain(6).errors.map(\.code) == [.wrapperLimit])
        #expect(chain(6).errors.first?.urls.count == 6)
        #expect(chain(40).pod.isEmpty)
    }

    @Test func `a wrapper that follows no other wrapper gets 303 (R-W4)`() {
        let ads = AdServerScript.resolve(
            Sample.vast(Sample.wrapper("w", to: "next", attributes: "followAdditionalWrappers=\"0\"")),
            ["http://ads.test/next": Sample.vast(Sample.wrapper("x", to: "end"))])
        #expect(ads.errors == [ErrorReport(adID: "x", code: .noAd, urls: ["http://t.test/w/err"])])
    }

    @Test func `the attribute misspelt is not there: further wrappers are followed (V20)`() {
        let ads = AdServerScript.resolve(
            Sample.vast(Sample.wrapper("w", to: "next", attributes: "followAdditonalWrappers=\"false\"")),
            [
                "http://ads.test/next": Sample.vast(Sample.wrapper("x", to: "end")),
                "http://ads.test/end": Sample.vast(Sample.inLine("1")),
            ])
        #expect(ads.pod.map(\.wrapperCount) == [2])
    }

    @Test func `below a wrapper one ad is taken unless it allows more (V19, R-W5)`() {
        let pod = Sample.vast(Sample.inLine("1", sequence: 1), Sample.inLine("2", sequence: 2))
        let mixed = Sample.vast(Sample.inLine("1", sequence: 1), Sample.inLine("s"))
        func ids(_ attributes: String, _ answer: String) -> [String?] {
            AdServerScript.resolve(
                Sample.vast(Sample.wrapper("w", to: "next", attributes: attributes)), ["http://ads.test/next": answer]
            ).pod.map(\.id)
        }
        #expect(ids("", pod) == ["1"])
        #expect(ids("allowMultipleAds=\"true\"", pod) == ["1", "2"])
        #expect(ids("", mixed) == ["s"])
    }

    @Test func `an ad behind a wrapper keeps the wrapper's place, a pod is spread there (V18, V21, R-W6)`() {
        let document = Sample.vast(
            Sample.wrapper("w2", to: "pod", sequence: 2, attributes: "allowMultipleAds=\"true\""),
            Sample.inLine("a", sequence: 1), Sample.wrapper("w3", to: "dead", sequence: 3),
            Sample.wrapper("w4", to: "one", sequence: 4))
        let ads = AdServerScript.resolve(
            document,
            [
                "http://ads.test/pod": Sample.vast(Sample.inLine("y", sequence: 2), Sample.inLine("x", sequence: 1)),
                "http://ads.test/one": Sample.vast(Sample.inLine("z")),
            ])
        #expect(ads.pod.map(\.id) == ["a", "x", "y", "z"])
        #expect(ads.pod.map(\.sequence) == [1, 1, 2, 4])
        // Whoever failed between them, each has its own trackers.
        #expect(ads.pod.map { $0.trackers("start") } == ["a", "x", "y", "z"].map { ["http://t.test/\($0)/start"] })
        #expect(ads.pod.last?.impressions == ["http://t.test/w4/imp", "http://t.test/z/imp"])
        #expect(ads.errors.map(\.adID) == ["w3"])
    }

    @Test func `fallbackOnNoAd decides whether a spare is tried (R-W6)`() {
        func ids(_ attributes: String) -> [String?] {
            AdServerScript.resolve(
                Sample.vast(
                    Sample.wrapper("w", to: "dead", sequence: 1, attributes: attributes),
                    Sample.inLine("p", sequence: 2), Sample.inLine("spare"))
            ).pod.map(\.id)
        }
        #expect(ids("fallbackOnNoAd=\"true\"") == ["spare", "p"])
        #expect(ids("") == ["spare", "p"])
        #expect(ids("fallbackOnNoAd=\"false\"") == ["p"])
    }

    @Test func `trackers of every level are merged (V34, V35, V37, V38, R-W7)`() {
        func level(_ name: String) -> String {
            """
            <Pricing model="cpm">\(name)</Pricing><AdVerifications><Verification vendor="\(name)"/></AdVerifications>\
            <ViewableImpression><Viewable>http://v/\(name)</Viewable></ViewableImpression>\
            <Extensions><Extension type="\(name)"/></Extensions><Creatives><Creative><Linear><TrackingEvents>\
            <Tracking event="start">http://t.test/\(name)/start</Tracking></TrackingEvents><VideoClicks>\
            <ClickThrough>http://c/\(name)</ClickThrough><ClickTracking>http://k/\(name)</ClickTracking></VideoClicks>\
            <Icons><Icon program="p" width="\(name == "outer" ? 1 : 2)"/></Icons></Linear></Creative><Creative/>\
            </Creatives>
            """
        }
        let ads = AdServerScript.resolve(
            Sample.vast(Sample.wrapper("outer", to: "inner", extra: level("outer"))),
            [
                "http://ads.test/inner": Sample.vast(Sample.wrapper("inner", to: "end", extra: level("inner"))),
                "http://ads.test/end": Sample.vast(
                    Sample.inLine(
                        "1",
                        extra: """
                            <Extensions><Extension type="AdVerifications"><AdVerifications><Verification vendor="old"/>\
                            </AdVerifications></Extension></Extensions>
                            """)),
            ])
        let ad = ads.pod.first
        #expect(ad?.impressions == ["http://t.test/outer/imp", "http://t.test/inner/imp", "http://t.test/1/imp"])
        #expect(ad?.trackers("start") == ["outer", "inner", "1"].map { "http://t.test/\($0)/start" })
        #expect(ad?.errorURLs.count == 3)
        #expect(ad?.clickThrough == "http://c/inner")
        #expect(ad?.clickTracking == ["http://k/outer", "http://k/inner"])
        #expect(ad?.verifications.map(\.vendor) == ["outer", "inner", "old"])
        #expect(ad?.viewableImpressions.flatMap(\.viewable) == ["http://v/outer", "http://v/inner"])
        #expect(ad?.viewableImpressions.count == 2)
        #expect(ad?.extensions.map(\.type) == ["outer", "inner", "AdVerifications"])
        #expect(ad?.pricing?.value == "outer")
        #expect(ad?.icons.map(\.width) == [2])
        #expect(ad?.adSystem == "T")
        #expect(ad?.wrapperAdSystems == ["W", "W"])
    }

    @Test(arguments: ["", "<Creatives/>", "<Creatives><Creative/></Creatives>"])
    func `a wrapper without a linear is no error (V38, R-W8)`(creatives: String) {
        let ads = AdServerScript.resolve(
            Sample.vast(Sample.wrapper("w", to: "end", extra: creatives)),
            ["http://ads.test/end": Sample.vast(Sample.inLine("1"))])
        #expect(ads.pod.map(\.wrapperCount) == [1])
        #expect(ads.errors.isEmpty)
    }

    @Test func `equal trackers are all kept (R-U5)`() {
        let twice = "<Impression>http://t.test/1/imp</Impression>"
        let ad = AdServerScript.resolve(Sample.vast(Sample.inLine("1", extra: twice))).pod.first
        #expect(ad?.impressions == ["http://t.test/1/imp", "http://t.test/1/imp"])
    }

    @Test func `slots are asked for at the same time, bounded, and keep their order (R-W8)`() {
        var documents = [
            "http://ads.test/first": "<VAST>"
                + (1...9).map { (number: Int) -> String in
                    Sample.wrapper("w\(number)", to: "\(number)", sequence: number)
                }.joined() + "</VAST>"
        ]
        for number in 1...9 { documents["http://ads.test/\(number)"] = Sample.vast(Sample.inLine("\(number)")) }
        var options = AdResolution.Options()
        options.limits.parallelRequests = 4
        var resolution = AdResolution(url: "http://ads.test/first", options: options)
        var open: [AdRequest] = []
        var most = 0
        var ads: ResolvedAds?
        while ads == nil {
            switch resolution.next() {
            case .finished(let ready): ads = ready
            case .fetch(let requests):
                open += requests
                most = max(most, open.count)
                // The last one asked is the first to answer.
                guard let request = open.popLast() else { Issue.record("stuck"); return }
                resolution.receive(
                    .body(Array((documents[request.url] ?? "").utf8), finalURL: request.url), for: request.id)
            }
        }
        #expect(ads?.pod.map(\.id) == (1...9).map { (number: Int) -> String? in String(number) })
        #expect(most == 4)
    }

    @Test func `at the deadline what is ready is taken and the rest reported with 301 (R-H4)`() {
        var resolution = AdResolution(url: "http://ads.test/first")
        guard case .fetch(let first) = resolution.next(), let root = first.first else {
            Issue.record("no request"); return
        }
        let document = Sample.vast(Sample.inLine("a", sequence: 1), Sample.wrapper("w", to: "slow", sequence: 2))
        resolution.receive(.body(Array(document.utf8), finalURL: nil), for: root.id)
        guard case .fetch(let second) = resolution.next(), let slow = second.first else {
            Issue.record("no request"); return
        }
        #expect(slow.url == "http://ads.test/slow")
        #expect(slow.depth == 1)
        resolution.deadline()
        resolution.receive(.body(Array(Sample.vast(Sample.inLine("late")).utf8), finalURL: nil), for: slow.id)
        guard case .finished(let ads) = resolution.next() else { Issue.record("not finished"); return }
        #expect(ads.pod.map(\.id) == ["a"])
        #expect(ads.isPartial)
        #expect(ads.errors == [ErrorReport(adID: "w", code: .wrapperUnavailable, urls: ["http://t.test/w/err"])])
    }

    @Test func `a first request that fails gives no ad and says why (R-H1, V54)`() {
        var script = AdServerScript([:])
        script.answers["http://ads.test/first"] = .failure(.refusedAddress)
        var resolution = AdResolution(url: "http://ads.test/first")
        let ads = script.run(&resolution)
        #expect(ads.pod.isEmpty && ads.errors.isEmpty)
        #expect(ads.requestFailure == .refusedAddress)
        var unusable = AdResolution(url: "file:///etc/passwd")
        #expect(script.run(&unusable).requestFailure == .unusableURL)
        var late = AdResolution(url: "http://ads.test/first")
        _ = late.next()
        late.deadline()
        guard case .finished(let none) = late.next() else { Issue.record("not finished"); return }
        #expect(none.requestFailure == .timeout)
    }

    @Test func `requests, bytes and ads of one break are bounded (R-X6)`() {
        let many = "<VAST>" + (1...20).map { Sample.wrapper("w\($0)", to: "\($0)") }.joined() + "</VAST>"
        var script = AdServerScript(["http://ads.test/first": many])
        var options = AdResolution.Options()
        options.limits.requests = 5
        options.limits.adsPerDocument = 10
        var resolution = AdResolution(url: "http://ads.test/first", options: options)
        let ads = script.run(&resolution)
        #expect(script.asked.count == 5)
        #expect(ads.errors.count == 10)
        options.limits.totalBytes = 100
        var small = AdResolution(url: "http://ads.test/first", options: options)
        #expect(script.run(&small).requestFailure == .tooLarge)
    }

    @Test func `no log line holds the query of a URL (R-H7)`() {
        let ads = AdServerScript.resolve(
            Sample.vast(
                Sample.wrapper("w", to: "http://ads.test/x?secret=1"), Sample.wrapper("v", to: "ftp://h/?secret=1")),
            ["http://ads.test/x?secret=1": "<VAST secret='1' secret='2'/>"])
        #expect(ads.log.count == 2)
        #expect(!ads.log.contains { $0.text.contains("secret=") })
    }

    @Test func `an ad with neither or both kinds is 101 for itself alone (R-E2)`() {
        let both = "<Ad id=\"both\"><InLine/><Wrapper/></Ad>"
        let ads = AdServerScript.resolve(Sample.vast(both, "<Ad id=\"none\"/>", Sample.inLine("1")))
        #expect(ads.pod.map(\.id) == ["1"])
        #expect(ads.errors.map(\.code) == [.schema, .schema])
    }

    @Test func `a category that a wrapper blocks is 205 where that is enforced (spec section 4)`() {
        let answer = Sample.vast(Sample.inLine("1", extra: "<Category authority=\"a\">233</Category>"))
        func codes(_ blocked: String) -> [VASTErrorCode] {
            AdServerScript.resolve(
                Sample.vast(Sample.wrapper("w", to: "next", extra: blocked)), ["http://ads.test/next": answer],
                enforcingCategories: true
            ).errors.map(\.code)
        }
        #expect(codes("<BlockedAdCategories authority=\"a\">232,233</BlockedAdCategories>") == [.categoryBlocked])
        #expect(codes("<BlockedAdCategories authority=\"b\">232,233</BlockedAdCategories>") == [])
    }

    @Test func `a break's own error event tells how its source failed (R-V5)`() {
        var script = AdServerScript(["http://ads.test/junk": "junk"])
        script.answers["http://ads.test/slow"] = .failure(.timeout)
        func code(_ url: String) -> VASTErrorCode? {
            var resolution = AdResolution(url: url)
            return script.run(&resolution).breakErrorCode
        }
        #expect(code("http://ads.test/slow") == .vmapTimeout)
        #expect(code("http://ads.test/gone") == .vmapRetrieval)
        #expect(code("http://ads.test/junk") == .vmapAdResponseUnreadable)
    }
}
