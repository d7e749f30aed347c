import AuthCore

/// A sign-in with a provider that is not configured. On a terminal, the user chooses how.
struct FirstSignIn {
    let context: Context
    let flags: FlowFlags

    /// The provider that the user names, unless it is configured, or chooses, unless one is configured. Nil if the user
    /// cannot be prompted.
    func provider(_ named: String?) async throws -> String? {
        guard context.canPrompt, flags.steps.complete == nil, !flags.steps.begin, !flags.isNonInteractive else {
            return nil
        }
        let profile = context.profile
        guard let named else {
            let (ids, other) = (try context.ownProviderIDs(), "another provider")
            guard try profile.projectSettings() == nil else { return nil }
            if ids.count == 1 { return try profile.find(ids[0])?.isSetUp == false ? ids[0] : nil }
            try context.configDirectory.requireWritable()
            let setup = SetupProvider(context: context, request: SetupRequest())
            guard !ids.isEmpty else { return try await setup.choose() }
            let choices = ids + [other]
            context.output.list("Which provider?", choices)
            let chosen = try await context.ask("A number, or the name of a provider or service") { typed in
                let known = Result { try Output.choice(typed, among: choices) }
                if Int(typed) != nil { return try known.get() }
                if let id = try? known.get() { return id }
                let isConfigured = (try? context.named(typed)).map(ids.contains) ?? false
                return try await isConfigured ? context.named(typed) : setup.chosen(typed)
            }
            return try await chosen == other ? setup.choose() : chosen
        }
        guard !named.contains("://") else { return named }
        let id = try context.named(named)
        let providerID = try profile.catalogEntry(id)?.id ?? id
        let isMistyped = try !Spelling.suggestions(for: providerID, among: profile.providerIDs()).isEmpty
        guard (try? ProviderID(providerID)) != nil, Provider.isBuiltIn(providerID) || !isMistyped,
            try profile.find(providerID)?.isSetUp != true
        else { return nil }
        try context.configDirectory.requireWritable()
        return id
    }

    /// Asks how to sign in; nil if the user registers a client.
    func tokens(_ id: String) async throws -> PersonalTokenSignIn? {
        let isOther =
            flags.given.list.contains { !["--scope", "--prompt", "--login-hint"].contains($0.name) }
            || flags.port != nil
        guard !isOther, try context.profile.find(id)?.isSetUp != true, try context.profile.projectSettings() == nil,
            Dialect.named(id)?.personalTokens != nil
        else { return nil }
        let provider = try context.profile.resolve(id).provider()
        let pasted = PersonalTokenSignIn(context: context, provider: provider, scopes: flags.scopes)
        var ways: [(way: PersonalTokenSignIn?, text: String)] = [
            (pasted, "paste a personal access token"),
            (nil, "register an OAuth app of your own (3 minutes; for teams)"),
        ]
        if provider.baseURL == nil, let user = context.ghUser(at: id) {
            var copied = pasted
            copied.ghUser = user
            ways.insert((copied, "use the token of gh, which is signed in as \(user)"), at: 0)
        }
        context.say(["How do you want to sign in to \(provider.baseURL?.authority ?? id)?", ""])
        context.say(ways.enumerated().map { "  \($0 + 1)  \($1.text)" } + [""])
        return try await context.ask("Choose", default: "1") { typed in
            guard let number = Int(typed), ways.indices.contains(number - 1) else {
                throw InvalidInput("enter a number from 1 to \(ways.count)")
            }
            return ways[number - 1].way
        }
    }

    func setUp(_ named: String) async throws -> SetUp? {
        var request = SetupRequest(named: named)
        request.tenant = flags.authorization.tenant
        request.port = flags.port
        request.opensBrowser = flags.opensBrowser
        request.redirects = [.browser, .paste].contains(flags.selectedFlow)
        request.isSignIn = true
        return try await Setup(context: context, request: request).run()
    }
}

extension Context {
    var isFirstSignIn: Bool { get async throws { try await profile.storedAccountCount() == 0 } }

    /// Where the key is, at a profile's first sign-in.
    func showKey() async throws {
        let place: String
        switch try await profile.vaultStatus().kind {
        case .file: place = environment.shortened(configDirectory.path(of: "key"))
        case .keyring: place = "the desktop's keyring"
        case .passphrase: return
        }
        say(["Tokens are stored encrypted; the key is in \(place)."])
    }

    func showNext(_ id: String) {
        let screen = Screen.standardError(environment)
        let next: [Cell] = ["Next: ", Cell(text(of: "authctl token \(names(of: []).provider(id))"), as: .important)]
        let isForGit = Dialect.named(id)?.personalTokens != nil
        let git: [Cell] = isForGit ? ["For git: ", Cell(text(of: "authctl use git"), as: .important)] : []
        let line = next + (isForGit ? ["     "] : []) + git
        let isNarrow = screen.columns.map { line.width > $0 } ?? false
        output.prompt([[]] + (isNarrow ? [next, git] : [line]), on: screen)
    }

    /// Prints prose to the user. A line that does not fit is wrapped between words.
    func say(_ lines: [String]) {
        let screen = Screen.standardError(environment)
        let shown = lines.flatMap { line in
            TextWidth.of(line) > screen.columns ?? .max ? Paragraph.lines(line, on: screen) : [[Cell(line)]]
        }
        output.prompt(shown, on: screen)
    }

    /// Shows that a host cannot be reached, and waits for Enter.
    func waitToTryAgain(_ host: String) async throws {
        _ = try await required { try output.ask("Cannot reach \(host). Press Enter to try again. ") { $0 } }
    }

    /// The user that gh's configuration names for the host. gh itself runs only if the user agrees.
    fileprivate func ghUser(at host: String) -> String? {
        let shared = environment["XDG_CONFIG_HOME"] ?? "\(environment.home)/.config"
        let directory = environment["GH_CONFIG_DIR"] ?? "\(shared)/gh"
        guard environment.hasProgram("gh"), let text = try? SecretInput.file("\(directory)/hosts.yml"),
            let members = try? YAMLMembers(Array(text.utf8), key: host, isList: false),
            let user = members.entries["user"]?.string, user.hasOnlyLettersAndDigits(or: "-_"), !user.isEmpty
        else { return nil }
        return user
    }
}
