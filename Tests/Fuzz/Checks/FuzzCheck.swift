/// What a fuzzing run feeds its inputs to. The same code runs in the fuzzing program and, on its corpora, in the tests.
package enum FuzzCheck: String, CaseIterable, Sendable {
    /// Whole playlists of either kind and everything that can be asked of them.
    case playlist
    /// Whole playlists of either kind, read and written and no more: many more inputs in the same time.
    case reading
    /// Lint of playlists.
    case lint
    /// Lint of the versions of a playlist that is loaded again and again.
    case reload
    /// Lint of a whole presentation.
    case renditions
    /// Playlist delta updates.
    case delta
    /// Segments replaced, inserted and removed.
    case splice
    /// Edits of a playlist.
    case edit
    /// Attribute lists, vendors' pairs and the typed values of both.
    case attributes
    /// Dates and decimal numbers.
    case scalars
    /// URI references against a base.
    case uri

    /// Whether its inputs are playlists, to be changed line by line.
    package var hasLines: Bool {
        switch self {
        case .playlist, .lint, .reload, .renditions, .delta, .splice, .edit: true
        // Of readings there are so many that the bytes' own mutations find as much, at twice the speed.
        case .reading, .attributes, .scalars, .uri: false
        }
    }

    /// Throws where `input` breaks a promise of the library. What traps or hangs is a finding too.
    package func run(_ input: [UInt8]) throws(FuzzFailure) {
        switch self {
        case .playlist: try PlaylistCheck.run(input)
        case .reading: try ReadingCheck.run(input)
        case .lint: try LintCheck.run(input)
        case .reload: try ReloadCheck.run(input)
        case .renditions: try RenditionsCheck.run(input)
        case .delta: try DeltaCheck.run(input)
        case .splice: try SpliceCheck.run(input)
        case .edit: try EditCheck.run(input)
        case .attributes: try AttributeCheck.run(input)
        case .scalars: try ScalarCheck.run(input)
        case .uri: try URICheck.run(input)
        }
    }
}

/// A promise that does not hold.
package struct FuzzFailure: Error, CustomStringConvertible {
    package let description: String
}

/// Throws unless `condition` holds.
@inline(__always)
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(FuzzFailure) {
    if !condition { throw FuzzFailure(description: message()) }
}
