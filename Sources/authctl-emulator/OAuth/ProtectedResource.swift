import AuthCore

/// APIs at `/api…` that accept this provider's tokens (RFC 6750, RFC 8707), with protected resource metadata (RFC
/// 9728).
struct ProtectedResource {
    let server: AuthorizationServer
    private static let wellKnown = "/.well-known/oauth-protected-resource"

    private var scopes: [String] {
        ["notes.read", "notes.write"] + (server.has(.ciCommands) ? [HostileText.commands] : [])
    }

    var endpoints: [Endpoint] {
        [
            .any("/api*", reply), .any("/api*/*", reply),
            .get(ProtectedResource.wellKnown + "/api*", metadata),
            .get(ProtectedResource.wellKnown, rootMetadata),
        ]
    }

    private func resource(_ path: String) -> String {
        server.settings.base + "/" + (path.split(separator: "/").first.map { String($0) } ?? "")
    }

    // MARK: Metadata

    private func metadata(_ request: Request) -> Reply? {
        guard !server.has(.resourceAtRoot) else { return nil }
        server.count("resource metadata")
        if server.has(.resourceRedirect) { return .redirect("http://169.254.169.254/latest/meta-data") }
        return document(resource(String(request.path.dropFirst(ProtectedResource.wellKnown.utf8.count))))
    }

    private func rootMetadata(_ request: Request) -> Reply? {
        guard server.has(.resourceAtRoot) else { return nil }
        server.count("resource metadata")
        return document(server.settings.base)
    }

    private func document(_ resource: String) -> Reply {
        let base = server.settings.base
        var servers = [base]
        if server.has(.resourceSeveralServers) { servers = ["https://id.example.com", base] }
        if server.has(.resourceManyServers) { servers = (1...50).map { "https://id\($0).example.com" } }
        var object: JSONObject = [
            "resource": .string(server.has(.resourceMismatch) ? "https://other.example/api" : resource),
            "authorization_servers": JSONValue(servers), "bearer_methods_supported": ["header"],
        ]
        if !server.has(.resourceWithoutScopes) { object["scopes_supported"] = JSONValue(scopes) }
        if server.has(.resourceLarge) { object["padding"] = .string(String(repeating: "x", count: 10 << 20)) }
        return .json(.object(object))
    }

    // MARK: The API

    private func reply(_ request: Request) -> Reply {
        server.count("api \(request.method)")
        let resource = resource(request.path)
        guard let grant = (try? server.granted(request)) ?? nil else { return challenge(request, resource) }
        // A token for another resource is invalid (RFC 8707 section 2).
        guard grant.resource == resource || (server.has(.resourceAtRoot) && grant.resource == server.settings.base)
        else {
            return challenge(request, resource, "invalid_token")
        }
        if let challenge = stepUp(request, grant, resource) { return challenge }
        return .json([
            "resource": .string(resource), "user": .string(grant.user), "client": .string(grant.clientID),
            "scope": .string(grant.scopes.joined(separator: " ")), "method": .string(request.method),
            "body": .string(String(decoding: request.body, as: UTF8.self)),
        ])
    }

    /// `…/write` requires a scope, `…/secret` a recent authentication with two factors (RFC 9470).
    private func stepUp(_ request: Request, _ grant: Grant, _ resource: String) -> Reply? {
        let isEndless = server.has(.stepUpForever)
        func refused(_ status: Int, _ parameters: [(String, String)]) -> Reply {
            server.count("step-up")
            let header = parameters.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ", ")
            return .json(
                ["error": .string(parameters[0].1)], status: status, headers: [("WWW-Authenticate", "Bearer \(header)")]
            )
        }
        switch request.path.split(separator: "/").dropFirst().first {
        case "write" where isEndless || !grant.scopes.contains("notes.write"):
            let scope = server.has(.stepUpUnnamed) ? [] : [("scope", "notes.write")]
            return refused(403, [("error", "insufficient_scope")] + scope)
        case "secret" where isEndless || grant.context != "urn:example:two-factors":
            return refused(
                401,
                [
                    ("error", "insufficient_user_authentication"), ("acr_values", "urn:example:two-factors"),
                    ("max_age", "300"),
                ])
        default: return nil
        }
    }

    private func challenge(_ request: Request, _ resource: String, _ error: String? = nil) -> Reply {
        var parameters = [(String, String)]()
        if let error { parameters.append(("error", error)) }
        if !server.has(.resourceUnnamed), !server.has(.resourceAtRoot) {
            let path = resource.dropFirst(server.settings.base.utf8.count)
            parameters.append(("resource_metadata", server.settings.base + ProtectedResource.wellKnown + path))
        }
        if server.has(.challengeNamesScope) { parameters.append(("scope", "notes.read")) }
        let header = parameters.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ", ")
        return .json(
            ["error": "invalid_token"], status: 401,
            headers: [("WWW-Authenticate", "Bearer realm=\"api\"" + (header.isEmpty ? "" : ", " + header))])
    }
}
