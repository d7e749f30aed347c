import AuthCore

/// Determines which provider to set up. The metadata of an OpenID Provider is fetched.
struct SetupProvider {
    let context: Context
    let request: SetupRequest

    struct Found {
        @Shared var provider: Provider
        var registers = false
    }

    func find() async throws -> Found {
        switch try await target() {
        case .builtIn(let id, let tenant): return Found(provider: try request.provider(id, issuer: nil, tenant: tenant))
        // No questions are asked about a configured provider.
        case .openID(let id?, let issuer, let service)
        where try (issuer == nil || service != nil) && context.profile.find(id) != nil:
            return Found(provider: try context.profile.resolve(id).provider())
        case .openID(let id, let issuer?, let service):
            return try await entry(id, client: try await client(at: issuer, id: id, service: service), service: service)
        case .openID(let id, nil, let service?):
            return try await entry(id, client: client(of: service), service: service)
        case .openID(let id, nil, nil):
            let known = try await context.ask("Issuer (the provider's https URL)") { text in
                do { return try await client(at: text.withDefaultScheme.withoutDiscoveryPath, id: id) } catch {
                    throw InvalidInput(error)
                }
            }
            return try await entry(id, client: known)
        }
    }

    func guide() async throws -> SetupGuide? {
        guard let target = try named() else { return nil }
        let profile = context.profile
        switch target {
        case .builtIn(let id, let tenant):
            if let found = try profile.find(id) { return SetupGuide(configured: try found.signingIn()) }
            return SetupGuide(try request.provider(id, issuer: nil, tenant: tenant))
        case .openID(let id?, _, _) where try profile.find(id) != nil:
            return SetupGuide(configured: try profile.resolve(id).provider())
        case .openID(let id, nil, let service):
            // A placeholder, which the guide does not show.
            let provider = try request.provider(
                id ?? SetupRequest.unused("oidc.work", try profile.providerIDs()), issuer: "https://issuer.invalid",
                of: service)
            return SetupGuide(provider, hasIssuer: false)
        case .openID(let id, let issuer?, let service):
            let client = try await client(at: issuer, id: id, service: service)
            let taken = try profile.providerIDs()
            let name = id ?? SetupRequest.id(for: client.provider.issuer, taken: taken)
            let provider = try request.provider(name, issuer: client.provider.issuer.text, of: service)
            return SetupGuide(provider, registers: registers(client, service))
        }
    }

    private func named() throws -> SetupRequest.Target? {
        if let named = request.named {
            let isEntry =
                !named.contains("://") && !SetupRequest.anyOpenID.contains(named) && SetupService.named(named) == nil
            return try SetupRequest.target(isEntry ? context.named(named) : named, issuer: request.issuer)
        }
        return try request.issuer.map { try SetupRequest.target(issuer: $0, id: nil) }
    }

    private func target() async throws -> SetupRequest.Target {
        if let named = try named() { return named }
        let choices = SetupText.choices
        context.output.prompt("Which provider?")
        for (index, choice) in choices.enumerated() { context.output.prompt("  \(index + 1)  \(choice.name)") }
        return try await context.ask("A number, a name, or an issuer's URL") { word in
            let begun = choices.filter { $0.id.hasPrefix(word) }
            var chosen = begun.count == 1 ? begun[0].id : word
            if word.utf8.first?.isDigit == true, !word.contains(".") {
                guard let number = Int(word), choices.indices.contains(number - 1) else {
                    throw InvalidInput("enter a number from 1 to \(choices.count), a name or a URL")
                }
                chosen = choices[number - 1].id
            }
            do {
                let target = try SetupRequest.target(chosen, issuer: nil)
                // An issuer that cannot be reached is asked for again.
                if case .openID(let id, let issuer?, _) = target { _ = try await client(at: issuer, id: id) }
                return target
            } catch { throw InvalidInput(error) }
        }
    }

    /// Resolves the provider at an issuer. If the metadata's issuer differs only by a slash at the end, that issuer is
    /// used.
    private func client(
        at issuer: String, id: String?, service: SetupService? = nil
    ) async throws -> ProviderClient {
        func resolved(_ issuer: String) async throws -> ProviderClient {
            try await ProviderClient.resolve(
                try request.provider(id ?? "oidc.new", issuer: issuer, of: service), keys: ClientKeys(),
                services: context.profile.services(), refetch: .always)
        }
        do {
            return try await resolved(issuer)
        } catch DiscoveryError.issuerMismatch(_, let found?)
            where found.description == issuer + "/" || found.description + "/" == issuer
        {
            return try await resolved(found.description)
        }
    }

    private func client(of service: SetupService) async throws -> ProviderClient {
        guard case .issuer(let form, let question, _, let standard) = service.source else {
            throw ProviderError.unknownID(service.name)
        }
        return try await context.ask(question, default: standard) { text in
            var issuer = try service.issuer(text)
            if issuer == nil {
                let realm = try await context.ask("Realm") { try SetupService.realm($0) }
                issuer = try service.issuer(text, realm: realm)
            }
            do { return try await client(at: issuer ?? form, id: service.providerID, service: service) } catch {
                throw InvalidInput(error)
            }
        }
    }

    private func entry(_ id: String?, client: ProviderClient, service: SetupService? = nil) async throws -> Found {
        let issuer = client.provider.issuer
        if id == nil || service != nil,
            let known = try context.profile.providers().first(where: { $0.issuer.isSameIssuer(as: issuer) })
        {
            return Found(provider: known)
        }
        var name = id
        if name == nil {
            let taken = try context.profile.providerIDs()
            name = try await context.ask("Local name", default: SetupRequest.id(for: issuer, taken: taken)) { text in
                let id = text.hasPrefix("oidc.") ? text : "oidc." + text
                do { _ = try ProviderID(id) } catch { throw InvalidInput(error) }
                guard !taken.contains(id) else { throw InvalidInput("'\(id)' already exists") }
                return id
            }
        }
        return Found(
            provider: try request.provider(name ?? "", issuer: issuer.text, of: service),
            registers: registers(client, service))
    }

    /// Whether dynamic client registration is used. The known services require an administrator's token for it.
    private func registers(_ client: ProviderClient, _ service: SetupService?) -> Bool {
        client.metadata[.registration] != nil && service == nil
    }
}
