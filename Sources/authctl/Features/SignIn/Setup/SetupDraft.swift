import AuthCore

/// An incomplete provider configuration.
struct SetupDraft {
    let context: Context
    let redirects: Bool
    let entry: CatalogEntry?
    private(set) var provider: Provider
    private(set) var secret: ClientSecret?
    private(set) var setUp: SetUp

    mutating func completed() async throws -> ProviderClient {
        var details = SetupGuide.details(of: provider, entry)
        if redirects, provider.signsInByDeviceWithoutSecret { details.append(.clientSecret("Client secret")) }
        while true {
            for detail in details { try await ask(detail) }
            do {
                let client = try await resolved(provider)
                switch try await checked(client) {
                case .known: return client
                case .unclear:
                    context.output.note("the sign-in will show whether '\(provider.id)' knows the client")
                    return client
                case .refused(let code, let description):
                    context.output.prompt(
                        "Nothing was stored, because '\(provider.id)' rejects this client: \(ClientCheck.reason(code, description))"
                    )
                    let isDisabled = ["unauthorized_client", "device_flow_disabled"].contains(code)
                    if client.usesDeviceFlowOnly, isDisabled {
                        context.output.prompt("Enable the device flow on that page, then press Enter to try again.")
                    } else {
                        // The client can have a secret that the service does not require. It is asked for first.
                        if let entry, entry.secret == .none, details.count == 1 {
                            details.insert(.secretIfAny("Client secret"), at: 0)
                        } else {
                            // A wrong answer is not offered again.
                            provider.clientID = ""
                        }
                        if client.usesDeviceFlowOnly { context.output.prompt("Check the client ID on that page.") }
                    }
                }
            } catch let error as ProviderError {
                context.output.prompt("That cannot be used: \(InvalidInput(error).reason).")
            }
        }
    }

    /// Checks the client. If the provider cannot be reached, the user can try again with the same values.
    private func checked(_ client: ProviderClient) async throws -> ClientCheck.Result {
        while true {
            do { return try await ClientCheck().run(client) } catch is HTTPError {
                try await context.waitToTryAgain(client.provider.issuer.host)
            }
        }
    }

    private func resolved(_ provider: Provider) async throws -> ProviderClient {
        var keys = try await context.profile.keys(of: provider, sealed: false)
        keys.secret = secret
        return try await ProviderClient.resolve(provider, keys: keys, services: context.profile.services())
    }

    private mutating func ask(_ detail: Dialect.Registration.Detail) async throws {
        let (context, old) = (self.context, provider)
        switch detail {
        case .clientID(let label, let form):
            provider.clientID = try await context.ask(label, default: old.clientID.isEmpty ? nil : old.clientID) {
                text in
                try SetupDetail.clientID(text, form: form, isMoved: old.baseURL != nil)
            }
        case .clientSecret(let label), .secretIfAny(let label):
            let isOptional = detail == .secretIfAny(label)
            secret = try await context.hidden(label, isOptional: isOptional).map { ClientSecret($0) }
        case .tenant:
            provider.tenant = try await context.ask(
                "Tenant (a GUID, a domain, common, organizations or consumers)", default: old.tenant
            ) { text in
                var named = old
                named.tenant = text
                do {
                    let services = try context.profile.services()
                    return try await ProviderClient.resolve(named, keys: ClientKeys(), services: services).provider
                        .tenant
                } catch let error as ProviderError { throw InvalidInput(error) }
            }
        case .redirectURI(let label):
            provider.redirectURI = try await context.ask(label, default: old.redirectURI, read: SetupDetail.publicURL)
            setUp.port = try await context.ask(
                "Local port of your proxy or tunnel, or 'paste' to paste callback URLs",
                default: setUp.port.map { String($0) } ?? "paste"
            ) { text in
                guard text != "paste" else { return nil }
                guard let port = UInt16(text), port > 0 else {
                    throw InvalidInput("a port must be a number from 1 to 65535")
                }
                return port
            }
            setUp.pastes = setUp.port == nil
        case .teamID(let label):
            provider.teamID = try await context.ask(label, default: old.teamID, read: SetupDetail.tenCharacters)
        case .keyID(let label):
            provider.keyID = try await context.ask(label, default: old.keyID, read: SetupDetail.tenCharacters)
        case .privateKey:
            provider.privateKeyFile = try await context.ask("Path of the .p8 file", default: old.privateKeyFile) {
                text in
                var named = old
                let path = ConfigPath.absolute(text, context.environment)
                named.privateKeyFile = path
                do { _ = try await resolved(named) } catch let error as any UnusableClient { throw InvalidInput(error) }
                return path
            }
        }
    }
}
