import AuthCore

/// GitHub Apps: their keys, installations and installation tokens.
final class GitHubApps {
    private let server: AuthorizationServer
    private var apps: [String: App] = [:]
    private var tokens: [String: Token] = [:]

    private struct App {
        let id: String
        var keys: [PublicKey] = []
        /// Repositories as `OWNER/NAME`.
        var repositories: [String] = []
        var permissions: [String: String] = [:]

        /// Each owner has one installation.
        var owners: [String] { Set(repositories.map { GitHubApps.owner($0) }).sorted() }
        func installation(_ owner: String) -> Int64? { owners.firstIndex(of: owner).map { 1000 + Int64($0) } }
    }

    private struct Token {
        let repositories: [String]
        let permissions: [String: String]
        /// Seconds since 1970.
        let expiresAt: Int64
    }

    init(_ server: AuthorizationServer) { self.server = server }

    func endpoints(_ root: String) -> [Endpoint] {
        [
            .get(root + "/app", app), .get(root + "/repos/*/*/installation", installation),
            .post(root + "/app/installations/*/access_tokens", newToken), .get(root + "/repos/*/*", repository),
            .get(root + "/installation/repositories", repositories),
        ]
    }

    private static func owner(_ repository: String) -> String { String(repository.prefix { $0 != "/" }) }

    private static func parts(_ text: String?) -> [String] { (text ?? "").split(separator: ",").map(String.init) }

    private static func permissions(_ texts: [String]) -> [String: String] {
        texts.reduce(into: [:]) { all, text in
            let parts = text.split(separator: ":").map(String.init)
            all[parts[0]] = parts.count > 1 ? parts[1] : "read"
        }
    }

    /// Returns a new private key of the app `id`, as its owner would download it in GitHub's settings.
    /// `repositories=OWNER/NAME,…` sets where the app is installed, `permissions=NAME:LEVEL,…` its permissions.
    func newKey(_ request: Request) throws -> Reply {
        let id = request.query["id"] ?? "12345"
        var app = apps[id] ?? App(id: id)
        let key = try PrivateKey.generate(.rsa)
        app.keys.append(key.publicKey)
        if let names = request.query["repositories"] { app.repositories = GitHubApps.parts(names) }
        app.permissions = GitHubApps.permissions(
            ["metadata:read"] + GitHubApps.parts(request.query["permissions"] ?? "contents:write"))
        apps[id] = app
        return Reply(status: 200, headers: [("Content-Type", "text/plain")], body: try key.pem())
    }

    // MARK: As the app

    private static func message(_ text: String, status: Int) -> Reply {
        .json(["message": .string(text), "documentation_url": "https://docs.github.com/rest"], status: status)
    }

    private struct Problem: Error { let reply: Reply }

    private func authenticated(_ request: Request) throws -> App {
        func refuse(_ text: String, _ status: Int = 401) -> Problem {
            Problem(reply: GitHubApps.message(text, status: status))
        }
        let undecodable = "A JSON web token could not be decoded"
        guard let text = request.bearerToken, let token = try? UnverifiedJWS(text),
            let payload = Base64URL.decode(String(text.split(separator: ".")[1])),
            let claims = try? StrictJSON.object(payload)
        else { throw refuse(undecodable) }
        guard let id = claims["iss"]?.string ?? claims["iss"]?.number?.text, id.utf8.allSatisfy(\.isDigit) else {
            throw refuse("'Issuer' claim ('iss') must be an Integer")
        }
        guard let app = apps[id] else { throw refuse("Integration not found", 404) }
        let isSigned = app.keys.contains { key in
            let keys = JWKSet(keys: [JWK(key: key, keyID: token.header.keyID)])
            return (try? JWSVerifier(keys: keys, algorithms: [.rs256]).verify(token)) != nil
        }
        guard isSigned else { throw refuse(undecodable) }
        guard let issued = claims["iat"]?.number?.integer, issued <= server.now() else {
            throw refuse(
                "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
        }
        guard let expires = claims["exp"]?.number?.integer, expires > server.now() else {
            throw refuse("'Expiration time' claim ('exp') must be a numeric value representing the future time")
        }
        guard expires <= server.now() + 600 else {
            throw refuse("'Expiration time' claim ('exp') is too far in the future")
        }
        return app
    }

    private func asApp(_ request: Request, _ body: (App) throws -> Reply) throws -> Reply {
        do { return try body(try authenticated(request)) } catch let problem as Problem { return problem.reply }
    }

    private func app(_ request: Request) throws -> Reply {
        server.count("app")
        return try asApp(request) { app in
            .json([
                "id": JSONValue(Int64(app.id) ?? 0), "slug": "emulated", "name": "Emulated",
                "html_url": .string(server.settings.base + "/apps/emulated"),
                "installations_count": JSONValue(Int64(app.owners.count)), "permissions": json(app.permissions),
            ])
        }
    }

    private func installation(_ request: Request) throws -> Reply {
        server.count("installation")
        return try asApp(request) { app in
            guard let name = named(request, "/installation", in: app.repositories),
                let id = app.installation(GitHubApps.owner(name))
            else { return GitHubApps.message("Not Found", status: 404) }
            return .json([
                "id": JSONValue(id), "app_id": JSONValue(Int64(app.id) ?? 0),
                "account": ["login": .string(GitHubApps.owner(name))], "permissions": json(app.permissions),
                "repository_selection": "selected",
            ])
        }
    }

    private func newToken(_ request: Request) throws -> Reply {
        server.count("installation token")
        return try asApp(request) { app in
            let id = request.path.split(separator: "/").dropLast().last.flatMap { Int64($0) }
            guard let owner = app.owners.first(where: { app.installation($0) == id }) else {
                return GitHubApps.message("Not Found", status: 404)
            }
            let own = app.repositories.filter { GitHubApps.owner($0) == owner }
            let names = request.json?["repositories"]?.strings
            let chosen = own.filter { name in
                names?.contains { "\(owner)/\($0)".lowercased() == name.lowercased() } ?? true
            }
            guard chosen.count == names?.count ?? own.count else {
                return GitHubApps.message(
                    "There is at least one repository that does not exist or is not accessible to the parent installation.",
                    status: 422)
            }
            var permissions = app.permissions
            if let wanted = request.json?["permissions"]?.object {
                permissions = ["metadata": "read"]
                let levels = ["read", "write", "admin"]
                for member in wanted.members {
                    guard let level = member.value.string, let has = app.permissions[member.name],
                        let needed = levels.firstIndex(of: level), needed <= levels.firstIndex(of: has) ?? 0
                    else {
                        return GitHubApps.message(
                            "The permissions requested are not granted to this installation.", status: 422)
                    }
                    permissions[member.name] = level
                }
            }
            if server.has(.otherRepositories) { return try issue(own, permissions, of: app, names: names != nil) }
            return try issue(chosen, permissions, of: app, names: names != nil)
        }
    }

    private func issue(
        _ repositories: [String], _ permissions: [String: String], of app: App, names: Bool
    ) throws -> Reply {
        let expiresAt = server.now() + server.settings.accessTokenLifetime
        let token = server.site.recorded(try text(of: app, expiresAt))
        tokens[token] = Token(repositories: repositories, permissions: permissions, expiresAt: expiresAt)
        var response: JSONObject = [
            "token": .string(token), "expires_at": .string(HTTPDate.rfc3339(expiresAt)),
            "permissions": json(permissions), "repository_selection": "selected",
        ]
        if names { response["repositories"] = json(repositories) }
        return .json(.object(response), status: 201)
    }

    /// About 40 characters or, in the format of 2026, `ghs_APPID_JWT` of about 520.
    private func text(of app: App, _ expiresAt: Int64) throws -> String {
        guard server.has(.longInstallationTokens) else { return try server.token("ghs_") }
        let claims: JSONObject = [
            "iss": "https://token.actions.githubusercontent.com", "aud": "api", "exp": JSONValue(expiresAt),
            "iat": JSONValue(server.now()), "jti": .string(try server.token()), "app": .string(app.id),
        ]
        let signer = JWSSigner(key: server.issuer.key, algorithm: .rs256, keyID: nil)
        return "ghs_\(app.id)_" + (try signer.sign(claims))
    }

    // MARK: With an installation token

    private func valid(_ request: Request) -> Token? {
        // GitHub also accepts the scheme "token".
        let token = request.bearerToken ?? request.authorization.map { String($0.drop { $0 != " " }.dropFirst()) }
        return token.flatMap { tokens[$0] }.flatMap { $0.expiresAt > server.now() ? $0 : nil }
    }

    private func repository(_ request: Request) -> Reply {
        server.count("repository")
        guard let token = valid(request) else { return GitHubApps.message("Bad credentials", status: 401) }
        guard let name = named(request, "", in: token.repositories) else {
            return GitHubApps.message("Not Found", status: 404)
        }
        guard token.permissions["contents"] != nil else {
            return GitHubApps.message("Resource not accessible by integration", status: 403)
        }
        return .json(json(name))
    }

    private func repositories(_ request: Request) -> Reply {
        guard let token = valid(request) else { return GitHubApps.message("Bad credentials", status: 401) }
        return .json([
            "total_count": JSONValue(Int64(token.repositories.count)), "repositories": json(token.repositories),
        ])
    }

    private func named(_ request: Request, _ end: String, in repositories: [String]) -> String? {
        guard let start = request.path.firstRange(of: "/repos/")?.upperBound else { return nil }
        let name = request.path[start...].dropLast(end.count).lowercased()
        return repositories.first { $0.lowercased() == name }
    }

    private func json(_ name: String) -> JSONValue {
        ["full_name": .string(name), "name": .string(String(name.dropFirst(GitHubApps.owner(name).count + 1)))]
    }

    private func json(_ names: [String]) -> JSONValue { .array(names.map { json($0) }) }

    private func json(_ permissions: [String: String]) -> JSONValue {
        .object(permissions.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { $0[$1.key] = .string($1.value) })
    }
}
