import AuthCore

extension Context {
    func noteDoubtfulKeys() throws {
        let own = try profile.settings().doubtfulKeys(profile: profile.name).map { ("config.yaml", $0) }
        let organizations = try profile.organization().doubtfulKeys.map { ("'\(ServerText.shown($0.path))'", $0.key) }
        for (file, key) in own + organizations {
            output.note(key.words(in: file))
        }
    }
}

extension UnknownKeyWarning {
    func words(in file: String) -> String {
        "\(file) line \(line): unknown key '\(ServerText.shown(name))', did you mean '\(meant)'?"
    }
}
