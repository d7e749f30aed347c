import AuthCore

extension Context {
    func noteUnknownKeys() throws { for note in try unknownKeys() { output.note(note) } }

    /// Returns a sentence for each unknown key in the configuration files.
    func unknownKeys() throws -> [String] {
        let own = try profile.settings().unknownKeys(profile: profile.name).map { ("config.yaml", $0) }
        let system = try profile.systemConfiguration().unknownKeys.map { ("'\(shown: $0.path)'", $0.key) }
        return (own + system).map { file, key in
            "\(file) line \(key.line): unknown key '\(shown: key.name)'\(key.remark)"
        }
    }
}

extension UnknownKeyWarning {
    fileprivate var remark: String {
        if let suggestion { return ", did you mean '\(suggestion)'?" }
        return name == "client_secret"
            ? " is ignored; to store a secret: providers set --client-secret-stdin" : " is ignored"
    }
}
