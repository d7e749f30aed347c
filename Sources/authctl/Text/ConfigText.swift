import AuthCore

extension Context {
    func noteUnknownKeys() throws {
        let own = try profile.settings().unknownKeys(profile: profile.name).map { ("config.yaml", $0) }
        let organizations = try profile.organization().unknownKeys.map { ("'\(ServerText.shown($0.path))'", $0.key) }
        for (file, key) in own + organizations {
            output.note(key.message(in: file))
        }
    }
}

extension UnknownKeyWarning {
    func message(in file: String) -> String {
        "\(file) line \(line): unknown key '\(ServerText.shown(name))', did you mean '\(suggestion)'?"
    }
}
