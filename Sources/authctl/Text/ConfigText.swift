import AuthCore

extension Context {
    /// Says which keys of `config.yaml` are likely to be mistakes. It is no error: a later version may know them.
    func noteDoubtfulKeys() throws {
        for key in try profile.settings().doubtfulKeys(profile: profile.name) {
            output.note(
                "config.yaml line \(key.line): unknown key '\(ServerText.shown(key.name))', did you mean '\(key.meant)'?"
            )
        }
    }
}
