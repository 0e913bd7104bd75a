extension MediaPlaylist {
    /// Checks the playlist by every rule that can be seen in one media playlist. Ordered by line; of what is broken
    /// everywhere only the first findings are listed. Linear in the playlist's bytes.
    package func lint() -> [PlaylistFinding] {
        let checks: [any LintCheck] = [
            TextLint(), FileLint(.media), AttributeLint(), VariableLint(self), VersionLint(self), HeaderLint(self),
            DurationLint(self), DiscontinuityLint(), KeyLint(), ResourceLint(self), InitializationLint(),
            PlaybackLint(self), ProgramDateLint(self), DateRangeLint(self), PartLint(self), LowLatencyLint(self),
        ]
        return Lint.findings(source, checks)
    }
}
