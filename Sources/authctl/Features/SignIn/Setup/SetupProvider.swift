import AuthCore

/// Determines which provider to set up. The metadata of an OpenID Provider is fetched.
struct SetupProvider {
    let context: Context
    let request: SetupRequest

    struct Found {
        @Shared var provider: Provider
        var registers = false
        var entry: CatalogEntry?
    }

    func find() async throws -> Found {
        switch try await target() {
        case .builtIn(let id, let tenant): return Found(provider: try request.provider(id, issuer: nil, tenant: tenant))
        case .service(let entry, let issuer): return try await found(entry, issuer: issuer)
        // No questions are asked about a configured provider.
        case .openID(let id?, nil) where try context.profile.find(id) != nil:
            return Found(provider: try context.profile.resolve(id).provider())
        case .openID(let id, let issuer?): return try await entry(id, client: try await client(at: issuer, id: id))
        case .openID(let id, nil):
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
        case .service(let entry, let issuer):
            if let found = try profile.find(entry.id) { return SetupGuide(configured: try found.signingIn()) }
            var provider = try entry.example()
            if let issuer { provider = try await resolved(try entry.provider(issuer: issuer)).provider }
            return SetupGuide(
                request.redirected(provider), of: entry, at: request.baseURL, hasIssuer: issuer != nil)
        case .openID(let id?, _) where try profile.find(id) != nil:
            return SetupGuide(configured: try profile.resolve(id).provider())
        case .openID(let id, nil):
            // A placeholder, which the guide does not show.
            let provider = try request.provider(
                id ?? SetupRequest.unused("oidc.work", try profile.providerIDs()), issuer: "https://issuer.invalid")
            return SetupGuide(provider, hasIssuer: false)
        case .openID(let id, let issuer?):
            let client = try await client(at: issuer, id: id)
            let taken = try profile.providerIDs()
            let name = id ?? SetupRequest.id(for: client.provider.issuer, taken: taken)
            let provider = try request.provider(name, issuer: client.provider.issuer.text)
            return SetupGuide(provider, registers: client.metadata[.registration] != nil)
        }
    }

    /// The provider of a service. The questions are asked again if their answers lead to no provider.
    private func found(_ entry: CatalogEntry, issuer: HTTPURL?) async throws -> Found {
        if try context.profile.find(entry.id) != nil {
            return Found(provider: try context.profile.resolve(entry.id).provider())
        }
        if let file = entry.file {
            let hosts = Set(entry.hosts).sorted().joined(separator: ", ")
            context.say([
                "'\(entry.name)' is described in \(context.environment.shortened(file)). It sends what you enter to: \(hosts)"
            ])
        }
        let base = try request.baseURL.map { try Provider.url($0, setting: "--base-url") }
        var attempt = 0
        while true {
            attempt += 1
            var answers: [String: String] = [:]
            for question in entry.questions where issuer == nil && answers[question.name] == nil {
                let given = try await context.ask(question.text, default: question.standard) { text in
                    guard let given = entry.answers(in: text, to: question) else {
                        throw InvalidInput("'\(shown: text)' \(question.problem)")
                    }
                    return given
                }
                answers.merge(given) { $1 }
            }
            let entry = entry.answering(answers)
            var provider = try entry.provider(issuer: issuer, at: base)
            if issuer != nil || !answers.isEmpty, provider.tokenEndpoint == nil {
                do { provider = try await resolved(provider).provider } catch  where !answers.isEmpty {
                    try context.output.again(InvalidInput(error), attempt)
                    continue
                }
                let known = try context.profile.providers().first { $0.issuer.isSameIssuer(as: provider.issuer) }
                if let known { return Found(provider: known) }
            }
            return Found(provider: request.redirected(provider), entry: entry)
        }
    }

    private func named() throws -> SetupRequest.Target? {
        try request.named.map { try target($0) } ?? request.issuer.map { try SetupRequest.target(issuer: $0, id: nil) }
    }

    private func target(_ named: String) throws -> SetupRequest.Target {
        let known = (try? HTTPURL(named.withoutDiscoveryPath)).flatMap(context.providerID(at:))
        guard known == nil, !named.contains("://"), !SetupRequest.anyOpenID.contains(named) else {
            return try SetupRequest.target(known ?? named, issuer: request.issuer)
        }
        let name = try context.named(named)
        if name == named, let entry = try context.profile.catalogEntry(named) {
            return try SetupRequest.target(entry, issuer: request.issuer)
        }
        return try SetupRequest.target(name, issuer: request.issuer)
    }

    private func target() async throws -> SetupRequest.Target {
        if let named = try named() { return named }
        return try await target(choose())
    }

    /// Asks for a name or an issuer's URL.
    func choose() async throws -> String {
        let choices = SetupText.choices
        context.output.list("Which provider?", choices.map(\.name))
        return try await context.ask("A number, a name, or an issuer's URL") { word in
            let isNumber = word.utf8.first?.isDigit == true && !word.contains(".")
            let known = Result { try Output.choice(word, among: choices.map(\.id)) }
            return try await chosen(isNumber ? known.get() : (try? known.get()) ?? word)
        }
    }

    /// The name of what a user typed: a service by a part of its name, a provider, or an issuer that can be reached.
    func chosen(_ word: String) async throws -> String {
        let services = word.contains("://") ? [] : Catalog.entries.filter { $0.matches(word) }
        if let service = services.first(where: { $0.name == word || services.count == 1 }) { return service.name }
        if services.count > 1 {
            throw InvalidInput("several services: \(services.map(\.name).joined(separator: ", "))")
        }
        do {
            let target = try SetupRequest.target(word, issuer: nil)
            // An issuer that cannot be reached is asked for again.
            if case .openID(let id, let issuer?) = target { _ = try await client(at: issuer, id: id) }
            return word
        } catch { throw InvalidInput(error) }
    }

    private func client(at issuer: String, id: String?) async throws -> ProviderClient {
        try await resolved(try request.provider(id ?? "oidc.new", issuer: issuer))
    }

    /// Discovers the provider. If the metadata's issuer differs only by a slash at the end, that issuer is used.
    private func resolved(_ provider: Provider) async throws -> ProviderClient {
        func client(_ provider: Provider) async throws -> ProviderClient {
            try await ProviderClient.resolve(
                provider, keys: ClientKeys(), services: context.profile.services(), refetch: .always)
        }
        do { return try await client(provider) } catch DiscoveryError.issuerMismatch(let expected, let found?)
            where found.description == expected + "/" || found.description + "/" == expected
        {
            var other = provider
            other.issuer = try Provider.url(found.description, setting: "issuer")
            return try await client(other)
        }
    }

    private func entry(_ id: String?, client: ProviderClient) async throws -> Found {
        let issuer = client.provider.issuer
        if id == nil,
            let known = try context.profile.providers().first(where: { $0.issuer.isSameIssuer(as: issuer) })
        {
            return Found(provider: known)
        }
        var name = id
        if name == nil {
            let taken = try context.profile.providerIDs()
            let standard = String(SetupRequest.id(for: issuer, taken: taken).dropFirst("oidc.".count))
            context.output.prompt("You will type it in commands: authctl token \(standard)")
            name = try await context.ask("Name for this provider", default: standard) { text in
                let id = text.hasPrefix("oidc.") ? text : "oidc." + text
                do { _ = try ProviderID(id) } catch { throw InvalidInput(error) }
                guard !taken.contains(id) else { throw InvalidInput("'\(id)' already exists") }
                return id
            }
        }
        return Found(
            provider: try request.provider(name ?? "", issuer: issuer.text),
            registers: client.metadata[.registration] != nil)
    }
}
