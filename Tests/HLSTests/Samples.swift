import Testing

@testable import HLS

/// Reads a media playlist written as a literal.
func media(_ text: String) throws -> MediaPlaylist {
    try MediaPlaylist(parsing: Array(text.utf8))
}

func multivariant(_ text: String) throws -> MultivariantPlaylist {
    try MultivariantPlaylist(parsing: Array(text.utf8))
}

func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
}

extension MediaPlaylist {
    /// The texts of some lines.
    func texts(_ lines: PlaylistLines) -> [String] {
        lines.map { text($0.range) }
    }

    func uri(_ index: Int) -> String {
        text(segments[index].uri)
    }

    func rules() -> [Int] {
        lint().map(\.rule)
    }
}
