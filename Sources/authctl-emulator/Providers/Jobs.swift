import AuthCore

/// A CI system that vouches for its jobs: an issuer that signs nobody in, so its document has keys and nothing else.
class JobIssuer: OpenIDProvider {
    override var saysWhenAuthenticated: Bool { false }
    var keySetPath: String { "/jwks" }

    /// The path of the issuer below the server.
    var issuerPath: String { "" }
    override var issuer: String { settings.base + issuerPath }

    override func route(_ request: Request) throws -> Reply? {
        switch (request.method, request.path) {
        case ("GET", issuerPath + "/.well-known/openid-configuration"):
            return .json([
                "issuer": .string(has(.discoveryWrongIssuer) ? issuer + "/" : issuer),
                "jwks_uri": .string(settings.base + keySetPath), "subject_types_supported": ["public"],
                "response_types_supported": ["id_token"],
                "id_token_signing_alg_values_supported": [.string(settings.algorithm.rawValue)],
            ])
        case ("GET", keySetPath): return keySet()
        // What the system would put into the job's variable or file.
        case ("GET", "/emulator/job-token"):
            return Reply(
                status: 200, headers: [("Content-Type", "text/plain")],
                body: Array(try jobToken(audience: request.query["audience"] ?? settings.base).utf8))
        default: return nil
        }
    }

    func jobToken(audience: String) throws -> String {
        count("job-token")
        return try idToken(
            Grant(
                clientID: audience, redirectURI: "", challenge: nil, nonce: nil, scopes: [], user: settings.user,
                tenant: nil, authenticatedAt: now()), nil, isRefresh: false)
    }

    /// `owner/name` of what the job belongs to, and their numbers.
    var project: (owner: String, name: String, ownerID: String, id: String) {
        let parts = settings.user.split(separator: "/").map(String.init)
        let (owner, name) = parts.count == 2 ? (parts[0], parts[1]) : ("octo-org", "octo-repo")
        return (owner, name, String(Person(user: owner).number), String(Person(user: "\(owner)/\(name)").number))
    }
}

/// As GitHub Actions of a GitHub Enterprise Server. A job asks `/actions/token` with the token `request-token`.
final class GitHubActionsIssuer: JobIssuer {
    override var issuerPath: String { "/_services/token" }
    override var keySetPath: String { "/_services/token/.well-known/jwks" }

    override func route(_ request: Request) throws -> Reply? {
        guard request.path == "/actions/token" else { return try super.route(request) }
        guard request.bearerToken == "request-token" else { return Reply(status: 401) }
        let audience = request.query["audience"] ?? "\(settings.base)/\(project.owner)"
        return .json(["count": 1, "value": .string(try jobToken(audience: audience))])
    }

    override func claims(of grant: Grant) -> JSONObject {
        let project = self.project
        let repository = "\(project.owner)/\(project.name)"
        let withIDs = "\(project.owner)@\(project.ownerID)/\(project.name)@\(project.id)"
        // The name alone is what repositories have that were made before July 2026.
        let said = has(.foreignSubject) ? "\(project.owner)-evil/x" : has(.nameSubject) ? repository : withIDs
        return [
            "jti": .string((try? token()) ?? ""), "sub": .string("repo:\(said):ref:refs/heads/main"),
            "ref": "refs/heads/main", "ref_type": "branch", "ref_protected": "false", "event_name": "push",
            "repository": .string(repository), "repository_id": .string(project.id),
            "repository_owner": .string(project.owner), "repository_owner_id": .string(project.ownerID),
            "repository_visibility": "private", "runner_environment": "github-hosted", "run_id": "1",
            "run_attempt": "1",
            "workflow": "ci", "job_workflow_ref": .string("\(repository)/.github/workflows/ci.yml@refs/heads/main"),
            "sha": .string(String(repeating: "a", count: 40)), "nbf": JSONValue(now() - 300),
        ]
    }
}

/// As GitLab CI: numbers as text, truth as text.
final class GitLabIssuer: JobIssuer {
    override var keySetPath: String { "/oauth/discovery/keys" }

    override func claims(of grant: Grant) -> JSONObject {
        let project = self.project
        let path = "\(project.owner)/\(project.name)"
        return [
            "jti": .string((try? token()) ?? ""),
            "sub": .string("project_path:\(path):ref_type:branch:ref:main"), "namespace_id": .string(project.ownerID),
            "namespace_path": .string(project.owner), "project_id": .string(project.id),
            "project_path": .string(path), "ref": "main", "ref_type": "branch", "ref_protected": "false",
            "pipeline_source": "push", "runner_id": 1, "runner_environment": "gitlab-hosted",
        ]
    }
}

/// As a Kubernetes cluster: the token of a service account, projected for one audience.
final class KubernetesIssuer: JobIssuer {
    override var keySetPath: String { "/openid/v1/jwks" }

    override func claims(of grant: Grant) -> JSONObject {
        let project = self.project
        func uid(_ name: String) -> String {
            let digits = Person(user: name).hexadecimal
            return [0, 8, 12, 16, 20].map { start in
                String(digits.dropFirst(start).prefix(start == 0 ? 8 : start == 20 ? 12 : 4))
            }.joined(separator: "-")
        }
        var claims: JSONObject = [
            "sub": .string("system:serviceaccount:\(project.owner):\(project.name)"), "nbf": JSONValue(now()),
            "kubernetes.io": [
                "namespace": .string(project.owner),
                "serviceaccount": ["name": .string(project.name), "uid": .string(uid(project.name))],
                "pod": ["name": "pod-1", "uid": .string(uid("pod-1"))],
            ],
        ]
        if has(.numericJWTID) { claims["jti"] = 1 }
        return claims
    }
}
