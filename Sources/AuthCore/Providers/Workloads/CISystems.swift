/// The other CI systems, according to their documentation of OpenID Connect tokens.
extension WorkloadPlatform {
    static let gitlab = WorkloadPlatform(
        name: "gitlab",
        isDetected: { $0.variable("GITLAB_CI") == "true" },
        token: { request, host in
            let variables = Variables(host: host, platform: "gitlab")
            return .held(RawIDToken(try variables.token(request, suffix: "_ID_TOKEN", remedy: .namedToken)))
        },
        accepts: { issuer, host in
            issuer.hasSameBytes(as: host.variable("CI_SERVER_URL") ?? "https://gitlab.com")
        },
        defaultAudience: { $0.variable("CI_SERVER_URL") }, isFixed: true,
        identity: { claims throws(WorkloadError) in
            WorkloadIdentity(
                federatedID: "\(try claims.required("namespace_id"))/\(try claims.required("project_id"))",
                displayName: claims.text("project_path"))
        })

    static let circleci = WorkloadPlatform(
        name: "circleci",
        isDetected: { $0.variable("CIRCLECI") == "true" },
        token: { request, host in
            // The existing token is for the organization, so a token for another audience must be requested.
            if request.source == nil, let audience = request.audience,
                audience != host.variable("CIRCLE_ORGANIZATION_ID")
            {
                let claims: JSONValue = ["aud": .string(audience)]
                return .command(["circleci", "run", "oidc", "get", "--claims", claims.text])
            }
            let names = request.source.map { [$0] } ?? ["CIRCLE_OIDC_TOKEN_V2", "CIRCLE_OIDC_TOKEN"]
            for name in names { if let token = host.variable(name) { return .held(RawIDToken(token)) } }
            throw WorkloadError.missing(names[0], platform: "circleci", remedy: .context)
        },
        accepts: { issuer, host in
            guard let organization = host.variable("CIRCLE_ORGANIZATION_ID") else {
                return issuer.hasPrefix("https://oidc.circleci.com/org/")
            }
            return issuer.hasSameBytes(as: "https://oidc.circleci.com/org/\(organization)")
        },
        defaultAudience: { $0.variable("CIRCLE_ORGANIZATION_ID") }, isFixed: true,
        identity: { claims throws(WorkloadError) in
            // The issuer names the organization.
            WorkloadIdentity(
                federatedID: try claims.required("oidc.circleci.com/project-id"),
                displayName: claims.text("oidc.circleci.com/vcs-origin"))
        })

    /// All organizations have the same issuer, so the identity must include the organization.
    static let buildkite = WorkloadPlatform(
        name: "buildkite",
        isDetected: { $0.variable("BUILDKITE") == "true" },
        token: { request, _ in
            .command(
                ["buildkite-agent", "oidc", "request-token"] + (request.audience.map { ["--audience", $0] } ?? []))
        },
        accepts: { issuer, _ in issuer.hasSameBytes(as: "https://agent.buildkite.com") },
        defaultAudience: { $0.variable("BUILDKITE_ORGANIZATION_SLUG").map { "https://buildkite.com/\($0)" } },
        identity: { claims throws(WorkloadError) in
            WorkloadIdentity(
                federatedID: "\(try claims.required("organization_id"))/\(try claims.required("pipeline_id"))",
                displayName: claims.text("organization_slug").map { "\($0)/\(claims.text("pipeline_slug") ?? "")" })
        })

    static let azure = WorkloadPlatform(
        name: "azure",
        isDetected: { $0.variable("TF_BUILD") != nil || $0.variable("SYSTEM_OIDCREQUESTURI") != nil },
        token: { request, host in
            let variables = Variables(host: host, platform: "azure")
            let base = try variables.url("SYSTEM_OIDCREQUESTURI", remedy: .platform("Azure Pipelines"))
            let secret = try variables.required("SYSTEM_ACCESSTOKEN", remedy: .mappedVariable("SYSTEM_ACCESSTOKEN"))
            let connection =
                try request.source
                ?? variables.required("AZURESUBSCRIPTION_SERVICE_CONNECTION_ID", remedy: .serviceConnection)
            let url = try HTTPURL(base.appending([("api-version", "7.1"), ("serviceConnectionId", connection)]))
            return .request(
                HTTPRequest(
                    .post, url,
                    headers: [
                        (name: "Authorization", value: "Bearer \(secret)"), (name: "Accept", value: "application/json"),
                        (name: "Content-Type", value: "application/json"),
                        // Otherwise the response to an invalid token is a sign-in page.
                        (name: "X-TFS-FedAuthRedirect", value: "Suppress"),
                    ], body: [], maximumResponseLength: 1 << 17, secrets: [secret]), member: "oidcToken")
        },
        accepts: { issuer, host in
            let tenants = TenantIssuers(
                template: "https://login.microsoftonline.com/\(TenantIssuers.placeholder)/v2.0", allowed: .every)
            if tenants.tenant(of: issuer) != nil { return true }
            let home = "https://vstoken.dev.azure.com/"
            guard let organization = host.variable("SYSTEM_COLLECTIONID") else { return issuer.hasPrefix(home) }
            return issuer.hasSameBytes(as: home + organization)
        },
        defaultAudience: { _ in "api://AzureADTokenExchange" },
        identity: WorkloadIdentity.subject)

    static let bitbucket = WorkloadPlatform(
        name: "bitbucket",
        isDetected: { $0.variable("BITBUCKET_BUILD_NUMBER") != nil },
        token: { request, host in
            let name = request.source ?? "BITBUCKET_STEP_OIDC_TOKEN"
            let variables = Variables(host: host, platform: "bitbucket")
            return .held(RawIDToken(try variables.required(name, remedy: .stepSetting)))
        },
        accepts: { issuer, host in
            let home = "https://api.bitbucket.org/2.0/workspaces/"
            guard let workspace = host.variable("BITBUCKET_WORKSPACE") else { return issuer.hasPrefix(home) }
            return issuer.hasSameBytes(as: home + workspace + "/pipelines-config/identity/oidc")
        },
        isFixed: true,
        identity: { claims throws(WorkloadError) in
            WorkloadIdentity(
                federatedID: try claims.required("repositoryUuid"),
                displayName: claims.text("branchName").map { "branch \($0)" })
        })
}

extension WorkloadIdentity {
    @Sendable static func subject(_ claims: WorkloadClaims) throws(WorkloadError) -> WorkloadIdentity {
        let subject = try claims.required("sub")
        return WorkloadIdentity(federatedID: subject, displayName: claims.text("email") ?? subject)
    }
}

/// Reads tokens and token URLs from a platform's environment variables.
struct Variables {
    let host: any WorkloadHost
    let platform: String

    func required(_ name: String, remedy: WorkloadRemedy) throws(WorkloadError) -> String {
        guard let value = host.variable(name) else { throw .missing(name, platform: platform, remedy: remedy) }
        return value
    }

    func url(_ name: String, remedy: WorkloadRemedy) throws(WorkloadError) -> HTTPURL {
        let text = try required(name, remedy: remedy)
        guard let url = try? HTTPURL(text) else {
            throw .missing("a URL in \(name)", platform: platform, remedy: remedy)
        }
        return url
    }

    /// The token in the named variable, or else in the only variable with this suffix that contains a JWT.
    func token(
        _ request: WorkloadRequest, suffix: String, remedy: WorkloadRemedy
    ) throws(WorkloadError) -> String {
        if let name = request.source { return try required(name, remedy: remedy) }
        let names = host.variableNames.filter { name in
            name.hasSuffix(suffix) && host.variable(name).map { (try? UnverifiedJWS($0)) != nil } == true
        }.sorted()
        guard let only = names.first, let token = host.variable(only) else {
            throw .missing("…\(suffix)", platform: platform, remedy: remedy)
        }
        guard names.count == 1 else { throw .ambiguous(names, platform: platform) }
        return token
    }
}
