/// What fills the part of a break that no ad covers.
package enum FillPolicy: Sendable, Equatable {
    /// The content itself. Slate, where there is any, only repays what an early cut has lost, or makes a return possible.
    case content
    /// Slate up to the planned end; also where there are no ads at all.
    case slate
    /// Slate up to the next boundary of the content.
    case minimizeSlate
}

/// What a session sees that begins inside a break.
package enum JoinPolicy: Sendable, Equatable {
    case content
    /// Slate for what is left of the break.
    case slate
    /// Ads for what is left of it.
    case fit
}
