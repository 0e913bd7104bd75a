import Testing

@testable import HLS

@Suite struct ConditioningSignalTests {
    private func signal(_ line: String) throws -> ConditioningSignal? {
        switch try AdSignalTests.markers(line).first {
        case .signalExit(let signal), .signalSpan(let signal), .signalReturn(let signal): signal
        default: nil
        }
    }

    @Test func `what names the signal is typed`() throws {
        let signal = try #require(
            try signal("#EXT-X-SIGNAL-EXIT:30,SpliceType=LiveDAI,SignalId=Zm9v,Paid=prov.com/ASST0001,streamID=s2"))
        #expect(signal.duration == .seconds(30))
        #expect(signal.spliceType == "LiveDAI")
        #expect(signal.signalID == "Zm9v")
        #expect(signal.providerAssetID == "prov.com/ASST0001")
        #expect(signal.streamID == "s2")
    }

    @Test(arguments: [
        ("#EXT-X-SIGNAL-EXIT:Duration=30", nil, 30), ("#EXT-X-SIGNAL-EXIT:SpliceType=VOD_DAI", nil, nil),
        ("#EXT-X-SIGNAL-SPAN:6/30", 6, 30), ("#EXT-X-SIGNAL-SPAN:6,SpliceType=LiveDAI", 6, nil),
        ("#EXT-X-SIGNAL-SPAN", nil, nil), ("#EXT-X-SIGNAL-RETURN:SpliceType=LiveDAI", nil, nil),
    ])
    func `length and elapsed time stand first or are named`(line: String, elapsed: Int?, duration: Int?) throws {
        let signal = try #require(try signal(line))
        #expect(signal.elapsed == elapsed.map { .seconds($0) })
        #expect(signal.duration == duration.map { .seconds($0) })
    }
}
