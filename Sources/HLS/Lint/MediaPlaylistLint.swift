extension MediaPlaylist {
    /// Checks the playlist by every rule that can be seen in one media playlist. Ordered by line; of what is broken
    /// everywhere only the first findings are listed.
    package func lint() -> [PlaylistFinding] {
        let checks: [any LintCheck] = [
            FileLint(.media), AttributeLint(), VersionLint(self), HeaderLint(self), DurationLint(self),
            DiscontinuityLint(self), KeyLint(), ResourceLint(), DateLint(),
        ]
        return Lint.findings(source, checks)
    }
}
