/// GitHub Actions: a token for each request, while the job has `permissions: id-token: write` (GitHub, "OpenID Connect
/// reference").
extension WorkloadPlatform {
    static let github = WorkloadPlatform(
        name: "github",
        isDetected: { $0.variable("GITHUB_ACTIONS") == "true" },
        token: { request, host in
            let variables = Variables(host: host, platform: "github")
            let base = try variables.url("ACTIONS_ID_TOKEN_REQUEST_URL", remedy: .permission)
            let secret = try variables.required("ACTIONS_ID_TOKEN_REQUEST_TOKEN", remedy: .permission)
            let url = try HTTPURL(base.appending(request.audience.map { [("audience", $0)] } ?? []))
            return .request(
                HTTPRequest(
                    .get, url,
                    headers: [
                        (name: "Authorization", value: "bearer \(secret)"), (name: "Accept", value: "application/json"),
                    ], maximumResponseLength: 1 << 17, secrets: [secret]), member: "value")
        },
        accepts: { issuer, host in
            let server = host.variable("GITHUB_SERVER_URL") ?? GitHubActions.server
            let home = GitHubActions.issuer(of: server)
            // An enterprise may have its own path below the issuer.
            return issuer.hasSameBytes(as: home) || (server == GitHubActions.server && issuer.hasPrefix(home + "/"))
        },
        defaultAudience: { host in
            host.variable("GITHUB_REPOSITORY_OWNER").map {
                "\(host.variable("GITHUB_SERVER_URL") ?? GitHubActions.server)/\($0)"
            }
        },
        identity: { claims throws(WorkloadError) in
            let owner = try claims.required("repository_owner_id")
            let repository = try claims.required("repository_id")
            let name = claims.text("repository")
            // An organization can customize `sub`. If it has GitHub's own form, it must agree with the other claims.
            if let subject = claims.subject.flatMap({ GitHubSubject($0) }) {
                guard name.hasSameBytes(as: subject.owner + "/" + subject.repository),
                    subject.ownerID.map({ $0.hasSameBytes(as: owner) }) ?? true,
                    subject.repositoryID.map({ $0.hasSameBytes(as: repository) }) ?? true
                else { throw .claim("sub") }
            }
            return WorkloadIdentity(federatedID: "\(owner)/\(repository)", displayName: name)
        })
}

private enum GitHubActions {
    static let server = "https://github.com"

    static func issuer(of server: String) -> String {
        guard server != Self.server else { return "https://token.actions.githubusercontent.com" }
        guard let url = try? HTTPURL(server), url.host.hasSuffix(".ghe.com") else { return server + "/_services/token" }
        return "https://token.actions.\(url.host)"
    }
}
