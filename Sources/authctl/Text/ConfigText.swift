import AuthCore

extension Context {
    /// Says which keys of `config.yaml` and of an organization's files are likely to be mistakes. It is no error: a later
    /// version may know them.
    func noteDoubtfulKeys() throws {
        let own = try profile.settings().doubtfulKeys(profile: profile.name).map { ("config.yaml", $0) }
        let organizations = try profile.organization().doubtfulKeys.map { ("'\(ServerText.shown($0.path))'", $0.key) }
        for (file, key) in own + organizations {
            output.note(key.words(in: file))
        }
    }
}

extension UnknownKeyWarning {
    /// - Parameter file: what it stands in, as a person is told.
    func words(in file: String) -> String {
        "\(file) line \(line): unknown key '\(ServerText.shown(name))', did you mean '\(meant)'?"
    }
}
