import AuthCore

extension Context {
    /// Says which keys of `config.yaml` and of an organization's files are likely to be mistakes. It is no error: a later
    /// version may know them.
    func noteDoubtfulKeys() throws {
        let own = try profile.settings().doubtfulKeys(profile: profile.name).map { ("config.yaml", $0) }
        let organizations = try profile.organization().doubtfulKeys.map { ("'\(ServerText.shown($0.path))'", $0.key) }
        for (file, key) in own + organizations {
            output.note(
                "\(file) line \(key.line): unknown key '\(ServerText.shown(key.name))', did you mean '\(key.meant)'?")
        }
    }
}
