import AuthCore

extension EmulatedProvider {
    static let gitHubActions = EmulatedProvider(
        id: "github-actions",
        faults: JobIssuer.faults.union([.nameSubject, .foreignSubject, .jobTokenError503, .jobTokenLost])
    ) { site in
        let path = "/_services/token"
        let job = try JobIssuer(site, path: path, keySetPath: path + "/.well-known/jwks", claims: gitHubClaims)
        return job.endpoints + [.any("/actions/token", job.issueToken)]
    }

    static let gitLabCI = EmulatedProvider(id: "gitlab-ci", faults: JobIssuer.faults) { site in
        try JobIssuer(site, keySetPath: "/oauth/discovery/keys", claims: gitLabClaims).endpoints
    }

    static let kubernetes = EmulatedProvider(
        id: "kubernetes", faults: JobIssuer.faults.union([.numericJWTID])
    ) { site in
        try JobIssuer(site, keySetPath: "/openid/v1/jwks", claims: kubernetesClaims).endpoints
    }

    private static func gitHubClaims(_ job: JobIssuer) -> JSONObject {
        let project = job.project
        let repository = "\(project.owner)/\(project.name)"
        let withIDs = "\(project.owner)@\(project.ownerID)/\(project.name)@\(project.id)"
        // In repositories from before July 2026, the subject has no IDs.
        let repositoryClaim =
            job.site.has(.foreignSubject)
            ? "\(project.owner)-evil/x" : job.site.has(.nameSubject) ? repository : withIDs
        return [
            "jti": .string((try? job.site.token()) ?? ""),
            "sub": .string("repo:\(repositoryClaim):ref:refs/heads/main"),
            "ref": "refs/heads/main", "ref_type": "branch", "ref_protected": "false", "event_name": "push",
            "repository": .string(repository), "repository_id": .string(project.id),
            "repository_owner": .string(project.owner), "repository_owner_id": .string(project.ownerID),
            "repository_visibility": "private", "runner_environment": "github-hosted", "run_id": "1",
            "run_attempt": "1",
            "workflow": "ci", "job_workflow_ref": .string("\(repository)/.github/workflows/ci.yml@refs/heads/main"),
            "sha": .string(String(repeating: "a", count: 40)), "nbf": JSONValue(job.site.now() - 300),
        ]
    }

    private static func gitLabClaims(_ job: JobIssuer) -> JSONObject {
        let project = job.project
        let path = "\(project.owner)/\(project.name)"
        return [
            "jti": .string((try? job.site.token()) ?? ""),
            "sub": .string("project_path:\(path):ref_type:branch:ref:main"), "namespace_id": .string(project.ownerID),
            "namespace_path": .string(project.owner), "project_id": .string(project.id),
            "project_path": .string(path), "ref": "main", "ref_type": "branch", "ref_protected": "false",
            "pipeline_source": "push", "runner_id": 1, "runner_environment": "gitlab-hosted",
        ]
    }

    private static func kubernetesClaims(_ job: JobIssuer) -> JSONObject {
        let project = job.project
        func uid(_ name: String) -> String {
            let digits = Person(user: name).hexadecimal
            return [0, 8, 12, 16, 20].map { start in
                String(digits.dropFirst(start).prefix(start == 0 ? 8 : start == 20 ? 12 : 4))
            }.joined(separator: "-")
        }
        var claims: JSONObject = [
            "sub": .string("system:serviceaccount:\(project.owner):\(project.name)"), "nbf": JSONValue(job.site.now()),
            "kubernetes.io": [
                "namespace": .string(project.owner),
                "serviceaccount": ["name": .string(project.name), "uid": .string(uid(project.name))],
                "pod": ["name": "pod-1", "uid": .string(uid("pod-1"))],
            ],
        ]
        if job.site.has(.numericJWTID) { claims["jti"] = 1 }
        return claims
    }
}

/// The issuer of a CI system's job tokens. It does not sign in users, so its metadata only has the keys.
struct JobIssuer {
    let site: Site
    let issuer: TokenIssuer
    let keySetPath: String
    private let path: String
    private let claims: (JobIssuer) -> JSONObject

    static let faults: Set<Fault> = [
        .wrongIssuer, .wrongAudience, .expiredIDToken, .futureIDToken, .badSignature, .algorithmNone, .unknownKeyID,
        .discoveryWrongIssuer, .keySetError500,
    ]

    init(_ site: Site, path: String = "", keySetPath: String, claims: @escaping (JobIssuer) -> JSONObject) throws {
        self.site = site
        self.path = path
        self.keySetPath = keySetPath
        self.claims = claims
        issuer = try TokenIssuer(site, name: site.settings.base + path)
    }

    var endpoints: [Endpoint] {
        [
            .get(path + "/.well-known/openid-configuration", discovery),
            .get(keySetPath, issuer.keySet),
            .get("/emulator/job-token", variable),
        ]
    }

    private func discovery(_ request: Request) -> Reply {
        .json([
            "issuer": .string(site.has(.discoveryWrongIssuer) ? issuer.name + "/other" : issuer.name),
            "jwks_uri": .string(site.settings.base + keySetPath), "subject_types_supported": ["public"],
            "response_types_supported": ["id_token"],
            "id_token_signing_alg_values_supported": [.string(site.settings.algorithm.rawValue)],
        ])
    }

    private func variable(_ request: Request) throws -> Reply {
        let token = try token(audience: request.query["audience"] ?? site.settings.base)
        return Reply(status: 200, headers: [("Content-Type", "text/plain")], body: Array(token.utf8))
    }

    func issueToken(_ request: Request) throws -> Reply {
        site.count("job-token request")
        if site.number(of: "job-token request") < 3 {
            if site.has(.jobTokenLost) { return .noResponse }
            if site.has(.jobTokenError503) { return Reply(status: 503, headers: [("Retry-After", "0")]) }
        }
        guard request.bearerToken == "request-token" else { return Reply(status: 401) }
        let audience = request.query["audience"] ?? "\(site.settings.base)/\(project.owner)"
        return .json(["count": 1, "value": .string(try token(audience: audience))])
    }

    private func token(audience: String) throws -> String {
        site.count("job-token")
        let grant = Grant(
            clientID: audience, redirectURI: "", challenge: nil, nonce: nil, scopes: [], user: site.settings.user,
            tenant: nil, authenticatedAt: site.now())
        return try issuer.idToken(grant, claims: claims(self), accessToken: nil, hasAuthTime: false)
    }

    var project: (owner: String, name: String, ownerID: String, id: String) {
        let parts = site.settings.user.split(separator: "/").map(String.init)
        let (owner, name) = parts.count == 2 ? (parts[0], parts[1]) : ("octo-org", "octo-repo")
        return (owner, name, String(Person(user: owner).number), String(Person(user: "\(owner)/\(name)").number))
    }
}
