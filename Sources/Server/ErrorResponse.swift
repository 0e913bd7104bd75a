/// The one error type of the server: what went wrong in the words of a viewer's request.
package struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// The request itself makes no sense.
        case badRequest
        /// No stream ID, or one that cannot be one.
        case badStreamID
        /// A `nextToken` that was not given out for this session.
        case badToken
        /// A stream ID alone, which more than one source has a session of.
        case ambiguous
        /// No channel or title of that name, or no such route.
        case notFound
        /// The route exists, not with this method.
        case methodNotAllowed
        /// The session has ended or never was.
        case sessionNotFound
        /// The session has no such rendition.
        case playlistNotFound
        /// More than the server is set to hold.
        case overloaded
        /// The server is stopping.
        case shuttingDown
        /// The origin cannot be reached, or answers with an error.
        case originUnavailable
        /// The origin says there is no such playlist.
        case originNotFound
        /// The origin does not answer in time.
        case originTimedOut
        /// What the origin sends is not a playlist we can read.
        case originUnreadable
        /// A fault of ours.
        case internalError
    }

    package var code: Code
    /// Where: a source's name, a line of a playlist. For the log.
    package var place: String
    /// What exactly. For the log, never for a viewer.
    package var detail: String

    package init(_ code: Code, place: String = "", detail: String = "") {
        self.code = code
        self.place = place
        self.detail = detail
    }

    package static func == (a: ServerError, b: ServerError) -> Bool { a.code == b.code }

    package var description: String { [code.rawValue, place, detail].filter { !$0.isEmpty }.joined(separator: ": ") }
}

/// What a viewer gets for an error: a status and a short text that gives nothing away. The only place that maps errors to HTTP.
package struct ErrorResponse: Sendable, Equatable {
    package var status: Int
    package var code: String
    package var message: String

    package init(_ error: any Error) {
        if let error = error as? ServerError {
            self.init(error.code)
        } else {
            self.init(.internalError)
        }
    }

    package init(_ code: ServerError.Code) {
        let (status, name, message) = Self.mapping(code)
        self.status = status
        self.code = name
        self.message = message
    }

    /// `{"error":{"code":"not_found","message":"…"}}`
    package var body: [UInt8] {
        // Both texts are ours and hold nothing to escape.
        Array("{\"error\":{\"code\":\"\(code)\",\"message\":\"\(message)\"}}\n".utf8)
    }

    package static let contentType = "application/json"

    private static func mapping(_ code: ServerError.Code) -> (status: Int, code: String, message: String) {
        switch code {
        case .badRequest: (400, "bad_request", "The request could not be understood.")
        case .badStreamID: (400, "bad_stream_id", "A stream ID is needed, of at most 256 printable characters.")
        case .badToken: (400, "bad_token", "This nextToken is not one of this session: ask without one.")
        case .ambiguous:
            (
                409, "ambiguous",
                "Several streams have this stream ID: ask /v1/tracking/{live or vod}/{name}/{stream ID}."
            )
        case .notFound: (404, "not_found", "There is nothing at this address.")
        case .methodNotAllowed: (405, "method_not_allowed", "This method is not allowed here.")
        case .sessionNotFound: (404, "session_not_found", "There is no such session, or it has ended.")
        case .playlistNotFound: (404, "playlist_not_found", "The stream has no such playlist.")
        case .overloaded: (503, "overloaded", "The server has no room for this now.")
        case .shuttingDown: (503, "shutting_down", "The server is stopping.")
        case .originUnavailable: (502, "origin_unavailable", "The content is not available at the moment.")
        case .originNotFound: (404, "origin_not_found", "The content does not exist.")
        case .originTimedOut: (504, "origin_timed_out", "The content did not answer in time.")
        case .originUnreadable: (502, "origin_unreadable", "The content cannot be read.")
        case .internalError: (500, "internal_error", "Something went wrong on our side.")
        }
    }
}
