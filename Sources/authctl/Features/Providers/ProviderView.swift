import AuthCore

/// A provider's settings, or why they are invalid.
struct ProviderView: Viewed {
    static let view = View<ProviderView>("Provider") {
        Field("providerId", of: \.id)
        Provider.settings.filter(\.isInJSON).map(field)
        Field("parameters", of: \.provider?.dialect.knownParameters)
        Field("from", of: \.place?.from, means: "the file, or environment")
        Field("insteadOf", of: \.place?.hidden, means: "a file that it overrides")
        Field("error", of: \.failure?.object, means: "the configuration is invalid")
    }

    let id: String
    @Shared private var provider: Provider?
    /// Where the client secret is stored.
    private var secret: String?
    private var place: ConfigurationPlace?
    private(set) var failure: Failure?

    init(_ provider: Provider, secret: String?, from place: ConfigurationPlace?) {
        (id, _provider, self.secret, self.place) = (provider.id, Shared(wrappedValue: provider), secret, place)
    }

    private init(_ id: String, _ failure: Failure) {
        (self.id, _provider, self.failure) = (id, Shared(wrappedValue: nil), failure)
    }

    /// Includes an invalid configuration, so that the others are still listed.
    init(listed id: String, _ context: Context) async {
        do {
            let provider = try context.profile.resolve(id).configured()
            let secret = try? await ProviderText.secretPlace(provider, context)
            self.init(provider, secret: secret, from: try context.profile.place(of: id))
        } catch {
            self.init(id, Failure(error, while: ErrorContext(provider: id)).repeating(context.settings.repeatedOptions))
        }
    }

    var cells: [Cell] {
        guard let provider else { return [Cell(id), Cell("cannot be used", as: .bad)] }
        let foreign = place?.foreignDescription.map { [Cell($0)] } ?? []
        return [Cell(id), Cell(provider.issuer.text), Cell(provider.clientID)] + foreign
    }

    private static func field(_ setting: ProviderSetting) -> Field<ProviderView> {
        let type: any Shown.Type =
            switch setting.kind {
            case .text, .file, .variable, .endpoint: String?.self
            case .flag: Bool?.self
            case .list, .words: [String]?.self
            case .pairs: JSONObject?.self
            }
        return Field(setting.jsonName, as: type, means: meanings[setting.key]) { $0.json(setting) }
    }

    private func json(_ setting: ProviderSetting) -> JSONValue {
        if setting.key == "client_secret_file" { return secret.json }
        guard let provider, setting.isRelevant(provider), let value = setting.value(provider) else { return .null }
        return setting.kind == .file ? .string("file \(value.displayText)") : value.json
    }

    private static let meanings = [
        "base_url": "null: the provider's own", "client_id": "null: the project's, or none",
        "client_secret_file": "where it is stored", "params": "sent at every sign-in",
        "redirect_uri": "null: the default", "auth_method": "null: by the metadata", "app_id": "at github.com",
        "private_key": "the file", "private_key_passphrase_file": "the file", "key_alg": "null: by the metadata",
        "certificate": "the file", "ca_file": "the file",
        "assertion_from": "the provider of identity assertions",
        "team_id": "at apple.com", "made_for": "the resource it was added for",
    ]
}

extension Dialect.KnownParameter: Viewed {
    static let view = View<Dialect.KnownParameter>("Parameter") {
        Field("name", of: \.name, means: "for --param")
        Field("meaning", of: \.kind.description)
    }
}
