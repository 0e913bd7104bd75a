import Testing

@testable import HLS

@Suite struct PrimetimeCueTests {
    @Test func `an EXT-X-CUE is typed whole`() throws {
        let line =
            "#EXT-X-CUE:TYPE=SpliceOut,ID=76,TIME=123.41,DURATION=30.0,AVAIL-NUM=1,AVAILS-EXPECTED=2,PROGRAM-ID=0"
        guard case .primetimeCue(let cue)? = try AdSignalTests.markers(line + ",PRE-ROLL-TIME=4").first else {
            Issue.record("no cue")
            return
        }
        #expect(cue.kind == .known(.spliceOut))
        #expect(cue.id == "76")
        #expect(cue.time == .milliseconds(123_410))
        #expect(cue.duration == .seconds(30))
        #expect(cue.availNumber == 1 && cue.availsExpected == 2 && cue.programID == 0)
        #expect(cue.prerollTime == .seconds(4))
    }

    @Test func `a kind that is not known keeps its spelling, and none is none`() throws {
        for (line, kind) in [("TYPE=\"Splice\"", EnumeratedValue<PrimetimeCue.Kind>.unknown("Splice")), ("ID=1", nil)] {
            guard case .primetimeCue(let cue)? = try AdSignalTests.markers("#EXT-X-CUE:\(line)").first else {
                Issue.record("no cue")
                return
            }
            #expect(cue.kind == kind)
            #expect(cue.duration == nil)
        }
    }
}
