extension Dialect {
    /// GitHub: OAuth 2.0 without ID tokens, comma-separated scopes, errors with status 200. With a base URL, a GitHub
    /// Enterprise Server.
    static let github = Dialect(
        endpoints: Endpoints(
            issuer: .none("https://github.com"), authorization: "https://github.com/login/oauth/authorize",
            token: "https://github.com/login/oauth/access_token",
            deviceAuthorization: "https://github.com/login/device/code", api: "https://api.github.com",
            movedAPIPath: "/api/v3", apiHosts: ["https://api.github.com", "https://uploads.github.com"],
            gitHosts: ["https://github.com", "https://gist.github.com"],
            registryHosts: ["https://ghcr.io", "https://docker.pkg.github.com"]),
        hasIDTokens: false, defaultScopes: ["read:user", "user:email"],
        knownParameters: [
            KnownParameter("allow_signup", .newAccounts),
            KnownParameter("login", .suggestedAccount),
            KnownParameter("prompt", .accountPicker),
        ],
        optionNames: [.loginHint: "login", .prompt: "prompt"], secretMethod: .clientSecretPost,
        secretReason: .noPublicClients("GitHub"), deviceNeedsNoSecret: true,
        deviceScopes: [Scopes.offlineAccess], tokenResponsesMayBeForms: true,
        grants: GitHub.grants, person: GitHub.person, identity: GitHub.identity,
        checksAccessToken: GitHub.check,
        personalTokens: .init(
            contains: GitHub.isPersonal, check: GitHub.checkPersonalToken, page: "https://github.com/settings/tokens",
            newPage: "https://github.com/settings/tokens/new?description=authctl&scopes=", scopes: ["user:email"]),
        installations: .init(token: GitHub.installationToken, app: GitHub.app), revocation: .call(GitHub.revoke),
        tokenUserName: "x-access-token",
        reauthentication: [("prompt", "select_account")],
        project: .init(scopes: ["user:email"]),
        registration: .init(
            url: "https://github.com/settings/applications/new", movesWithBase: true,
            fields: [
                .name("Application name"), .homepage("Homepage URL"), .redirectURI("Authorization callback URL"),
                .checkbox("Enable Device Flow"), .either("Token expiration"),
            ], details: [.clientID("Client ID")], owner: "GitHub", client: "an OAuth app"))
}

enum GitHub {
    private static let maximumPages = 10

    @Sendable static func grants(_ granted: [String], _ requested: String) -> Bool {
        let covers: [String: [String]] = [
            "user": ["read:user", "user:email", "user:follow"],
            "repo": ["repo:status", "repo_deployment", "public_repo", "repo:invite", "security_events"],
        ]
        let ranks = ["read:", "write:", "admin:"]
        // `offline_access` requests a refresh token, and is not a permission.
        if requested == Scopes.offlineAccess { return true }
        return granted.contains { scope in
            if scope == requested || covers[scope]?.contains(requested) == true { return true }
            guard let required = ranks.firstIndex(where: requested.hasPrefix),
                let has = ranks.firstIndex(where: scope.hasPrefix)
            else { return false }
            return has > required && scope.dropFirst(ranks[has].count) == requested.dropFirst(ranks[required].count)
        }
    }

    @Sendable static func person(_ api: ProviderAPI) async throws -> JSONObject {
        try await person(try await api.send(to: "/user"), api)
    }

    private static func person(_ user: ProviderAPI.Page, _ api: ProviderAPI) async throws -> JSONObject {
        guard user.status != 401 else { throw CredentialError.invalid(nil) }
        var person = try user.object()
        var emails: [JSONValue] = []
        var page: ProviderAPI.Page? = try await api.send(to: "/user/emails", query: [("per_page", "100")])
        var count = 1
        while let current = page, current.status == 200, let listed = current.json.array {
            emails += listed
            guard let next = current.next, count < maximumPages else { break }
            page = try await api.send(to: next)
            count += 1
        }
        person["emails"] = .array(emails)
        return person
    }

    @Sendable static func identity(_ source: ProfileSource) throws -> Identity {
        guard let person = source.userInfo, let id = person["id"]?.number?.integer, id > 0 else {
            throw OAuthError.invalidResponse(.malformed("id", isNot: .number), at: .profile)
        }
        let emails = person["emails"]?.array?.compactMap(\.object) ?? []
        let primary = emails.first { $0["primary"]?.bool == true }
        // A GitHub Enterprise Server does not verify addresses.
        let isSafe = !source.isMoved || source.trustsEmail
        let email = ProfileSource.bounded(primary?["email"]) ?? source.text("email")
        return Identity(
            key: source.key(String(id)), email: email,
            isEmailVerified: isSafe && primary?["verified"]?.bool == true
                && (primary?["email"]?.string).hasSameBytes(as: email),
            displayName: source.text("name") ?? source.text("login"), photoURL: source.text("avatar_url"),
            screenName: source.text("login"))
    }

    @Sendable static func isPersonal(_ token: AccessToken) throws(CredentialError) -> Bool {
        let text = token.revealed()
        if text.hasPrefix("ghs_") { throw .installationToken }
        if text.hasPrefix("ghr_") { throw .refreshToken }
        return text.hasPrefix("ghp_") || text.hasPrefix("github_pat_")
    }

    /// GitHub reports scopes only for classic tokens.
    @Sendable static func checkPersonalToken(_ api: ProviderAPI) async throws -> CheckedPersonalToken {
        let user = try await api.send(to: "/user")
        return CheckedPersonalToken(
            person: try await person(user, api), scopes: Scopes.words(user.header("x-oauth-scopes")),
            expiresAt: user.header("github-authentication-token-expiration").flatMap(time))
    }

    static func time(_ text: String) -> Int64? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let zone = parts[2] == "UTC" ? "Z" : "\(parts[2].prefix(3)):\(parts[2].dropFirst(3))"
        return HTTPDate.parseRFC3339("\(parts[0])T\(parts[1])\(zone)")
    }

    @Sendable static func check(_ api: ProviderAPI) async throws -> CheckedAccessToken {
        let token = api.accessToken?.revealed() ?? ""
        let page = try await api.send(
            .post, to: "/applications/\(FormURLEncoded.encode(api.clientID))/token",
            body: ["access_token": .string(token)],
            proof: .client, at: .tokenCheck)
        if page.status == 401 { throw OAuthError.refused(code: "invalid_client", description: nil, at: .tokenCheck) }
        // GitHub returns 404 or 422 for another client's token and for invalid tokens.
        guard page.status != 404, page.status != 422 else { throw CredentialError.otherClient }
        let response = try page.object(at: .tokenCheck)
        guard let client = response["app"]?.object?["client_id"]?.string, client.hasSameBytes(as: api.clientID) else {
            throw CredentialError.otherClient
        }
        guard let user = response["user"]?.object?["id"]?.number?.integer else { throw CredentialError.invalid(nil) }
        return CheckedAccessToken(
            federatedID: String(user), scopes: response["scopes"]?.strings ?? [],
            expiresAt: response["expires_at"]?.string.flatMap(HTTPDate.parseRFC3339))
    }

    /// "Delete an app token". Without the secret, and for a personal access token: "Revoke a list of credentials".
    @Sendable static func revoke(_ api: ProviderAPI) async throws {
        let token = JSONValue.string(api.accessToken?.revealed() ?? "")
        let isListed = try api.secret == nil || api.accessToken.map(isPersonal) == true
        let page =
            isListed
            ? try await api.send(
                .post, to: "/credentials/revoke", body: ["credentials": [token]], proof: .none, at: .revocation)
            : try await api.send(
                .delete, to: "/applications/\(FormURLEncoded.encode(api.clientID))/token",
                body: ["access_token": token],
                proof: .client, at: .revocation)
        // 404 and 422: the token is not valid any more. For a list, 404 is a server without this endpoint.
        guard [200, 202, 204, 422].contains(page.status) || page.status == 404 && !isListed else {
            throw OAuthError.invalidResponse(.status(page.status), at: .revocation)
        }
    }

    // MARK: Apps

    /// "Create an installation access token for an app", restricted to one repository.
    @Sendable static func installationToken(
        _ api: ProviderAPI, _ request: InstallationRequest
    ) async throws -> InstallationToken {
        let repository = request.repository
        let found = try await api.send(to: "/repos/\(repository.text)/installation", at: .installation)
        try checkApp(found)
        if [301, 404].contains(found.status) { throw InstallationError.notInstalled(repository, provider: id) }
        guard found.status == 200 else { throw refused(found) }
        guard let installation = found.json.object?["id"]?.number?.integer else {
            throw OAuthError.invalidResponse(.malformed("id", isNot: .number), at: .installation)
        }
        var body: JSONObject = ["repositories": [.string(repository.name)]]
        if !request.permissions.isEmpty {
            body["permissions"] = .object(
                request.permissions.reduce(into: JSONObject()) { $0[$1.name] = .string($1.level.rawValue) })
        }
        let page = try await api.send(
            .post, to: "/app/installations/\(installation)/access_tokens", body: .object(body), proof: .bearer,
            at: .installation)
        try checkApp(page)
        if page.status == 422, !request.permissions.isEmpty {
            throw InstallationError.permissionsRefused(request, provider: id, message(page))
        }
        guard page.status == 201 else { throw refused(page) }
        return try token(page.json.object ?? JSONObject(), request)
    }

    private static func token(_ response: JSONObject, _ request: InstallationRequest) throws -> InstallationToken {
        func malformed(_ name: String) -> OAuthError { .invalidResponse(.missing(name), at: .installation) }
        guard let token = response["token"]?.string, !token.isEmpty, token.isVisibleASCII else {
            throw malformed("token")
        }
        guard let expiresAt = response["expires_at"]?.string.flatMap(HTTPDate.parseRFC3339) else {
            throw malformed("expires_at")
        }
        // A token that is valid for more repositories must not be used as one for this repository.
        let repositories = response["repositories"]?.array ?? []
        guard repositories.count == 1, let name = repositories[0].object?["full_name"]?.string,
            request.repository.isSame(as: name)
        else { throw malformed("repositories") }
        let granted = (response["permissions"]?.object?.members ?? []).compactMap { member in
            InstallationPermission("\(member.name)=\(member.value.string ?? "")")
        }
        let isGranted = request.permissions.allSatisfy { wanted in
            granted.contains { $0.name == wanted.name && $0.level >= wanted.level }
        }
        guard isGranted else { throw InstallationError.permissionsRefused(request, provider: id, nil) }
        return InstallationToken(
            token: AccessToken(token), expiresAt: expiresAt, permissions: granted.map(\.text).sorted())
    }

    @Sendable static func app(_ api: ProviderAPI) async throws -> KnownApp {
        let page = try await api.send(to: "/app", at: .installation)
        try checkApp(page)
        guard page.status == 200 else { throw refused(page) }
        guard let name = page.json.object?["slug"]?.string, let url = page.json.object?["html_url"]?.string else {
            throw OAuthError.invalidResponse(.missing("slug"), at: .installation)
        }
        return KnownApp(name: page.shown(name), page: page.shown(url))
    }

    private static let id = "github.com"

    private static func message(_ page: ProviderAPI.Page) -> ServerText? {
        (page.json.object?["message"]?.string).map(page.shown)
    }

    /// A wrong key is status 401; an unknown app is 404, like a repository without an installation.
    private static func checkApp(_ page: ProviderAPI.Page) throws(InstallationError) {
        let isUnknown = page.status == 404 && page.json.object?["message"]?.string?.hasPrefix("Integration") == true
        guard page.status != 401, !isUnknown else { throw .appRejected(provider: id, message(page)) }
    }

    private static func refused(_ page: ProviderAPI.Page) -> InstallationError {
        .refused(provider: id, status: page.status, message(page))
    }
}
