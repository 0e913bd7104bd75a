internal import CCurl
internal import Synchronization

/// The cookies of one viewer. libcurl takes them out of the answers and says which a later request is to carry (RFC 6265).
///
/// Requests that run at one time each begin with what was there; what each learned is put together at its end. Kept in memory alone.
package final class CookieJar: Sendable {
    /// A cookie as libcurl writes it: the line of a Netscape cookie file.
    struct Cookie: Sendable {
        var line: String

        /// Two of one domain, path and name are the same cookie.
        var key: [Substring] {
            let fields = line.split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false)
            return fields.count > 5 ? [fields[0], fields[2], fields[5]] : [line[...]]
        }
    }

    /// More are not kept: the newest of them are lost.
    static let limit = 32
    /// Of all of them together.
    static let byteLimit = 8_192

    private struct Kept {
        var cookies: [Cookie] = []
        var bytes = 0
    }

    private let kept = Mutex(Kept())
    private let budget: ByteBudget?

    /// - Parameter budget: what all jars together may hold; nil for no bound but the jar's own.
    package init(budget: ByteBudget? = nil) { self.budget = budget }

    deinit { budget?.giveBack(kept.withLock { $0.bytes }) }

    var cookies: [Cookie] { kept.withLock { $0.cookies } }

    /// What an answer left of the cookies that its request began with, and those it set.
    func replace(_ sent: [Cookie], with received: [Cookie]) {
        guard !(sent.isEmpty && received.isEmpty) else { return }
        let gone = Set((sent + received).map(\.key))
        kept.withLock { kept in
            kept.cookies.removeAll { gone.contains($0.key) }
            let left = kept.cookies.reduce(0) { $0 + $1.line.utf8.count }
            budget?.giveBack(kept.bytes - left)
            kept.bytes = left
            for cookie in received {
                let bytes = cookie.line.utf8.count
                guard kept.cookies.count < Self.limit, kept.bytes + bytes <= Self.byteLimit,
                    budget?.take(bytes) ?? true
                else { continue }
                kept.cookies.append(cookie)
                kept.bytes += bytes
            }
        }
    }
}

extension CookieJar.Cookie {
    /// Gives a request its cookies, and lets libcurl read those of its answer.
    static func set(_ cookies: [Self], of easy: UnsafeMutableRawPointer) {
        _ = ccurl_set_text(easy, CURLOPT_COOKIEFILE, "")
        for cookie in cookies { _ = ccurl_set_text(easy, CURLOPT_COOKIELIST, cookie.line) }
    }

    /// What libcurl knows behind an answer.
    static func all(of easy: UnsafeMutableRawPointer) -> [Self] {
        let list = ccurl_info_list(easy, CURLINFO_COOKIELIST)
        defer { curl_slist_free_all(list) }
        var cookies: [Self] = []
        var next = list
        while let item = next, cookies.count < CookieJar.limit {
            if let text = item.pointee.data { cookies.append(Self(line: String(cString: text))) }
            next = item.pointee.next
        }
        return cookies
    }
}
