import HLS

@testable import Stitching

/// The markers of a simulated origin, in one dialect.
struct SimulatedMarkers {
    enum Style: String, Codable, CaseIterable {
        case cueOut, cueOutAttributes, enhanced, oatcls, splicePoint, scte35, primetime, signal, dateRange, everything
    }

    struct Break {
        var event: UInt32
        var start: Duration
        /// Seconds.
        var planned: Int?
    }

    let style: Style
    let epoch: DateTime

    func out(_ begun: Break) -> [String] {
        let splice = TestSplice.out(begun.event, seconds: begun.planned.map { UInt64($0) })
        let signal = TestSplice.signal(
            .init(type: 0x34, event: begun.event, seconds: begun.planned.map { UInt64($0) }))
        let length = begun.planned.map { "\($0)" }
        switch style {
        case .cueOut: return [length.map { "#EXT-X-CUE-OUT:\($0)" } ?? "#EXT-X-CUE-OUT"]
        case .cueOutAttributes: return [length.map { "#EXT-X-CUE-OUT:DURATION=\($0)" } ?? "#EXT-X-CUE-OUT"]
        case .enhanced:
            return [
                "#EXT-OATCLS-SCTE35:\(splice.base64)", "#EXT-X-ASSET:CAID=0x01",
                length.map { "#EXT-X-CUE-OUT:\($0)" } ?? "#EXT-X-CUE-OUT",
            ]
        case .oatcls: return ["#EXT-OATCLS-SCTE35:\(splice.base64)"]
        case .splicePoint:
            let text = "#EXT-X-SPLICEPOINT-SCTE35:\(signal.base64)"
            return begun.event % 2 == 0 ? [text] : [text, text]
        case .scte35:
            let attribute = length.map { "DURATION=\($0)," } ?? ""
            return ["#EXT-X-SCTE35:TYPE=0x34,ID=\"\(begun.event)\",\(attribute)CUE-OUT=YES,CUE=\"\(signal.base64)\""]
        case .primetime:
            return ["#EXT-X-CUE:TYPE=\"SpliceOut\",ID=\"\(begun.event)\",TIME=\"1.0\",DURATION=\"\(length ?? "0")\""]
        case .signal: return ["#EXT-X-SIGNAL-EXIT\(length.map { ":\($0)" } ?? "")"]
        case .dateRange: return [range(begun) + "SCTE35-OUT=\(splice.hexadecimal)"]
        case .everything:
            return [
                "#EXT-OATCLS-SCTE35:\(splice.base64)", length.map { "#EXT-X-CUE-OUT:\($0)" } ?? "#EXT-X-CUE-OUT",
                range(begun) + "SCTE35-OUT=\(splice.hexadecimal)",
            ]
        }
    }

    func inside(_ begun: Break, at time: Duration) -> [String] {
        let elapsed = DecimalText.text(time - begun.start)
        switch style {
        case .enhanced, .everything:
            guard let planned = begun.planned else { return ["#EXT-X-CUE-OUT-CONT"] }
            return ["#EXT-X-CUE-OUT-CONT:ElapsedTime=\(elapsed),Duration=\(planned)"]
        case .scte35: return ["#EXT-X-SCTE35:TYPE=0x34,ID=\"\(begun.event)\",CUE-OUT=CONT,ELAPSED=\(elapsed)"]
        case .signal: return begun.planned.map { ["#EXT-X-SIGNAL-SPAN:\(elapsed)/\($0)"] } ?? ["#EXT-X-SIGNAL-SPAN"]
        case .cueOut, .cueOutAttributes: return ["#EXT-X-CUE-OUT-CONT"]
        case .oatcls, .splicePoint, .primetime, .dateRange: return []
        }
    }

    func back(_ begun: Break, at time: Duration) -> [String] {
        let splice = TestSplice.back(begun.event)
        let signal = TestSplice.signal(.init(type: 0x35, event: begun.event))
        switch style {
        case .cueOut, .cueOutAttributes: return ["#EXT-X-CUE-IN"]
        case .enhanced: return ["#EXT-OATCLS-SCTE35:\(splice.base64)", "#EXT-X-CUE-IN"]
        case .oatcls: return ["#EXT-OATCLS-SCTE35:\(splice.base64)"]
        case .splicePoint: return ["#EXT-X-SPLICEPOINT-SCTE35:\(signal.base64)"]
        case .scte35: return ["#EXT-X-SCTE35:TYPE=0x35,ID=\"\(begun.event)\",CUE-IN=YES,CUE=\"\(signal.base64)\""]
        case .primetime: return ["#EXT-X-CUE:TYPE=\"SpliceIn\",ID=\"\(begun.event)\""]
        case .signal: return ["#EXT-X-SIGNAL-RETURN"]
        case .dateRange, .everything:
            let length = DecimalText.text(time - begun.start)
            let line = range(begun) + "DURATION=\(length),SCTE35-IN=\(splice.hexadecimal)"
            return style == .dateRange ? [line] : [line, "#EXT-X-CUE-IN"]
        }
    }

    private func range(_ begun: Break) -> String {
        let date = epoch.advanced(by: begun.start).formatted
        let planned = begun.planned.map { "PLANNED-DURATION=\($0)," } ?? ""
        return "#EXT-X-DATERANGE:ID=\"\(begun.event)\",START-DATE=\"\(date)\",\(planned)"
    }
}
