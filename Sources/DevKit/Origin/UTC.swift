/// Wall-clock times as text.
enum UTC {
    /// `2026-01-17T08:15:06.000Z` for whole seconds since 1970, not before 1970.
    static func text(seconds: Int64) -> String {
        let time = seconds % 86_400
        let (year, month, day) = date(day: seconds / 86_400)
        return "\(year)-\(pad(month))-\(pad(day))T\(pad(time / 3600)):\(pad(time / 60 % 60)):\(pad(time % 60)).000Z"
    }

    /// Year, month and day of the n-th day since 1970-01-01, by the Gregorian calendar.
    private static func date(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        var rest = day
        var year: Int64 = 1970
        while rest >= length(ofYear: year) {
            rest -= length(ofYear: year)
            year += 1
        }
        var month: Int64 = 1
        while rest >= length(ofMonth: month, year) {
            rest -= length(ofMonth: month, year)
            month += 1
        }
        return (year, month, rest + 1)
    }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func length(ofYear year: Int64) -> Int64 { isLeap(year) ? 366 : 365 }

    private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func pad(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
