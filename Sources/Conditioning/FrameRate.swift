/// Frames per second as a fraction: 30000/1001.
package struct FrameRate: Hashable, Sendable {
    package let frames: Int
    package let seconds: Int

    /// Nil beyond 1 to 240 frames per second.
    package init?(frames: Int, seconds: Int) {
        guard (1...240_000_000).contains(frames), (1...1_000_000).contains(seconds) else { return nil }
        guard frames >= seconds, frames / seconds <= 240 else { return nil }
        self.frames = frames
        self.seconds = seconds
    }

    /// The rate meant by a number of thousandths of frames per second, as FRAME-RATE gives it: 29970 is 30000/1001.
    package init?(thousandths: Int) {
        guard (1_000...240_000).contains(thousandths) else { return nil }
        let whole = (thousandths + 500) / 1_000
        let reduced = whole * 1_000_000 / 1_001
        if (thousandths - whole * 1_000).magnitude <= 2 {
            self.init(frames: whole, seconds: 1)
        } else if (thousandths - reduced).magnitude <= 2 {
            self.init(frames: whole * 1_000, seconds: 1_001)
        } else {
            self.init(frames: thousandths, seconds: 1_000)
        }
    }

    /// Reads `30000/1001` or `25`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, let frames = Int(first), parts.count <= 2 else { return nil }
        guard let seconds = parts.count == 2 ? Int(parts[1]) : 1 else { return nil }
        self.init(frames: frames, seconds: seconds)
    }

    package var text: String { "\(frames)/\(seconds)" }

    /// The number of frames nearest to a span of at most a day.
    package func count(nearestTo span: Duration) -> Int {
        let microseconds = span.wholeMicroseconds
        let divisor = seconds * 1_000_000
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: divisor)
        return whole * frames + (rest * frames + divisor / 2) / divisor
    }

    /// The fewest frames that last as long as a span of at most a day.
    func count(covering span: Duration) -> Int {
        let microseconds = span.wholeMicroseconds
        let divisor = seconds * 1_000_000
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: divisor)
        return whole * frames + (rest * frames + divisor - 1) / divisor
    }

    /// The most whole frames that are no longer than a span.
    func count(within span: Duration) -> Int {
        let microseconds = span.wholeMicroseconds
        let divisor = seconds * 1_000_000
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: divisor)
        return whole * frames + rest * frames / divisor
    }

    /// How long so many frames last.
    package func duration(of count: Int) -> Duration { .seconds(count * seconds) / frames }
}
