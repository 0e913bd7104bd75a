/// Values of attributes as texts, kept when their playlist is gone.
enum AttributeText {
    /// Whether two texts say the same: numbers, dates and hexadecimal digits may be spelled in different ways.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        if left == right { return true }
        if let one = DecimalText.duration(left), let other = DecimalText.duration(right) { return one == other }
        if let one = DateTime(left), let other = DateTime(right) { return one == other }
        return left.hasPrefix("0x") && left.lowercased() == right.lowercased()
    }
}
