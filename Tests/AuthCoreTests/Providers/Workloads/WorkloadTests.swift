import Testing

@testable import AuthCore

/// The identity of a CI job, from its platform's claims.
@Suite struct `Workload platforms` {
    private struct Host: WorkloadHost {
        var variables: [String: String] = [:]
        var files: [String: String] = [:]

        func variable(_ name: String) -> String? { variables[name] }
        var variableNames: [String] { Array(variables.keys) }
        func text(of path: String) -> String? { files[path] }
        func output(of command: [String]) async throws -> String { "" }
    }

    private func platform(_ name: String) throws -> WorkloadPlatform { try WorkloadPlatform.named(name, Host()) }

    @Test(arguments: [
        (["GITHUB_ACTIONS": "true", "KUBERNETES_SERVICE_HOST": "10.0.0.1"], "github"),
        (["GITLAB_CI": "true"], "gitlab"),
        (["TF_BUILD": "True"], "azure"), (["CIRCLECI": "true"], "circleci"), (["BUILDKITE": "true"], "buildkite"),
        (["BITBUCKET_BUILD_NUMBER": "7"], "bitbucket"), (["K_SERVICE": "run"], "google"),
        (["KUBERNETES_SERVICE_HOST": "10.0.0.1"], "kubernetes"), (["AZURE_FEDERATED_TOKEN_FILE": "/t"], "file"),
    ])
    func `Platform auto selects the CI system before the cloud platform it runs on`(
        variables: [String: String], name: String
    )
        throws
    {
        var host = Host(variables: variables)
        if name != "github" { host.files["/var/run/secrets/kubernetes.io/serviceaccount/token"] = "t" }
        #expect(try WorkloadPlatform.named("auto", host).name == name)
        #expect(throws: WorkloadError.notInAJob) { try WorkloadPlatform.named("auto", Host()) }
    }

    @Test(
        arguments: [
            ("github", [:], "https://token.actions.githubusercontent.com", true),
            ("github", [:], "https://token.actions.githubusercontent.com/octocat-inc", true),
            ("github", [:], "https://token.actions.githubusercontent.com.attacker.example", false),
            ("github", ["GITHUB_SERVER_URL": "https://ghes.example"], "https://ghes.example/_services/token", true),
            (
                "github", ["GITHUB_SERVER_URL": "https://ghes.example"], "https://token.actions.githubusercontent.com",
                false
            ),
            ("github", ["GITHUB_SERVER_URL": "https://octo.ghe.com"], "https://token.actions.octo.ghe.com", true),
            ("gitlab", [:], "https://gitlab.com", true), ("gitlab", [:], "https://gitlab.com/", false),
            ("circleci", ["CIRCLE_ORGANIZATION_ID": "1"], "https://oidc.circleci.com/org/1", true),
            ("circleci", ["CIRCLE_ORGANIZATION_ID": "1"], "https://oidc.circleci.com/org/12", false),
            ("azure", ["SYSTEM_COLLECTIONID": "a"], "https://vstoken.dev.azure.com/a", true),
            ("azure", ["SYSTEM_COLLECTIONID": "a"], "https://vstoken.dev.azure.com/b", false),
            ("azure", [:], "https://login.microsoftonline.com/72f988bf-0000-4000-8000-2d7cd011db47/v2.0", true),
            ("google", [:], "https://accounts.google.com", true), ("google", [:], "accounts.google.com", false),
            ("buildkite", [:], "https://agent.buildkite.com", true),
        ] as [(String, [String: String], String, Bool)])
    func `Each platform accepts only its own issuer`(
        name: String, variables: [String: String], issuer: String, isAccepted: Bool
    ) throws {
        #expect(try platform(name).accepts?(issuer, Host(variables: variables)) == isAccepted)
    }

    @Test func `Only the kubernetes and file platforms do not know their issuer`() throws {
        let unknown = WorkloadPlatform.all.filter { $0.accepts == nil }.map(\.name)
        #expect(unknown == ["kubernetes", "file"])
    }

    @Test func `GitHub's token request keeps its query, escapes the audience and has a secret header`() throws {
        let host = Host(variables: [
            "ACTIONS_ID_TOKEN_REQUEST_URL": "https://run.example/token?api-version=2.0",
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "s3cret",
        ])
        var workload = WorkloadRequest()
        workload.audience = "a&b=c d"
        guard case .request(let request, member: "value") = try platform("github").token(workload, host) else {
            Issue.record("no request")
            return
        }
        #expect(request.url.text == "https://run.example/token?api-version=2.0&audience=a%26b%3Dc%20d")
        #expect(request.headers.first?.value == "bearer s3cret" && request.secrets == ["s3cret"])
    }

    @Test func `Azure's token is requested by POST for the service connection and without a redirect`() throws {
        let host = Host(variables: [
            "SYSTEM_OIDCREQUESTURI": "https://dev.example/oidctoken", "SYSTEM_ACCESSTOKEN": "s3cret",
            "AZURESUBSCRIPTION_SERVICE_CONNECTION_ID": "c-1",
        ])
        guard case .request(let request, member: "oidcToken") = try platform("azure").token(.init(), host) else {
            Issue.record("no request")
            return
        }
        #expect(request.method == .post)
        #expect(request.url.text == "https://dev.example/oidctoken?api-version=7.1&serviceConnectionId=c-1")
        #expect(request.headers.contains { $0.name == "X-TFS-FedAuthRedirect" && $0.value == "Suppress" })
    }

    @Test func `Google's metadata request requires an audience and does not use a proxy`() throws {
        var workload = WorkloadRequest()
        workload.audience = "https://api.example.com"
        guard case .request(let request, member: nil) = try platform("google").token(workload, Host()) else {
            Issue.record("no request")
            return
        }
        #expect(request.bypassesProxy && request.headers.contains { $0.name == "Metadata-Flavor" })
        #expect(request.url.host == "metadata.google.internal")
        #expect(throws: WorkloadError.audienceNeeded(platform: "google")) {
            try platform("google").token(.init(), Host())
        }
    }

    @Test func `CircleCI's token variable is used by default, and its CLI for another audience`() throws {
        let host = Host(variables: ["CIRCLE_ORGANIZATION_ID": "org", "CIRCLE_OIDC_TOKEN_V2": "t"])
        guard case .held = try platform("circleci").token(.init(), host) else {
            Issue.record("the variable is not used")
            return
        }
        var workload = WorkloadRequest()
        workload.audience = #"x"y"#
        guard case .command(let command) = try platform("circleci").token(workload, host) else {
            Issue.record("no command")
            return
        }
        #expect(command == ["circleci", "run", "oidc", "get", "--claims", #"{"aud":"x\"y"}"#])
    }

    @Test func `Another variable does not replace the one that the user named`() throws {
        var workload = WorkloadRequest()
        workload.source = "DEPLOY_TOKEN"
        let missing = WorkloadError.missing("DEPLOY_TOKEN", platform: "circleci", remedy: .context)
        #expect(throws: missing) { try platform("circleci").token(workload, Host(variables: ["CIRCLE_OIDC_TOKEN": "t"])) }
    }

    @Test(
        arguments: [
            ("repo:o/r:ref:refs/heads/main", "o", nil, "r", nil), ("repo:o@1/r@2:pull_request", "o", "1", "r", "2"),
        ] as [(String, String, String?, String, String?)])
    func `A GitHub subject is parsed with and without numeric IDs`(
        text: String, owner: String, ownerID: String?, repository: String, repositoryID: String?
    ) throws {
        let subject = try #require(GitHubSubject(text))
        #expect(subject.owner == owner && subject.ownerID == ownerID)
        #expect(subject.repository == repository && subject.repositoryID == repositoryID)
    }

    @Test(arguments: [
        "repo:o/r", "repo:o:ref", "repo:o/r/x:ref", "repo:/r:ref", "repo:o/:ref", "repo:o@/r:ref", "repo:o@x/r:ref",
        "repo:o@1@2/r:ref", "Repo:o/r:ref", "repo:o/r:", "", "repo::",
    ])
    func `A malformed GitHub subject is rejected`(text: String) { #expect(GitHubSubject(text) == nil) }

    @Test func `Random text does not crash the subject parser, and a parsed subject matches itself`() {
        var random = SystemRandomNumberGenerator()
        let pieces = ["repo", ":", "/", "@", "o", "r", "1", "ref", "%3A", "é", "\u{0}"]
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
            }
            .joined()
            if let subject = GitHubSubject(text) { #expect(subject.satisfies(subject)) }
        }
    }
}
