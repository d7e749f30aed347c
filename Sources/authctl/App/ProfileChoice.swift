import AuthCore

/// The profile chosen by `profile use`: a separate file with its name, so that `token` does not have to read
/// `config.yaml`.
enum ProfileChoice {
    static let name = "profile"

    static func load(from directory: ConfigDirectory) throws -> String? {
        guard let bytes = try directory.read(name, as: .settings, maximumLength: 128) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    static func save(_ profile: String, in directory: ConfigDirectory) throws {
        try directory.replaceFile(name, Array((profile + "\n").utf8))
    }
}
