import ArgumentParser
import Testing

@testable import AuthCore
@testable import authctl

@Suite struct `Issuers in setup` {
    @Test(arguments: [
        ("https://acme.okta.com", Dialect.Preset.okta), ("https://acme.okta.com/oauth2/default", .okta),
        ("https://acme.eu.auth0.com/", .auth0), ("https://id.example.com/realms/work", .keycloak),
        ("https://id.example.com/auth/realms/work", .keycloak), ("https://gitlab.com", .gitlab),
        ("https://gitlab.example.com", .gitlab),
        ("https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_abc", .cognito),
    ])
    func `an issuer of a known service selects its preset`(_ issuer: String, _ preset: Dialect.Preset) throws {
        #expect(Dialect.Preset(issuer: try HTTPURL(issuer)) == preset)
    }

    @Test(arguments: [
        "https://id.example.com", "https://okta.com.example.com", "https://notokta.com", "https://evilauth0.com",
        "https://amazonaws.com.example", "https://mygitlab.com", "http://127.0.0.1:8080",
    ])
    func `an issuer of an unknown service has no preset`(_ issuer: String) throws {
        #expect(Dialect.Preset(issuer: try HTTPURL(issuer)) == nil)
    }

    @Test(arguments: [
        ("https://accounts.google.com", "google.com", nil), ("https://github.com", "github.com", nil),
        ("https://appleid.apple.com", "apple.com", nil),
        ("https://login.microsoftonline.com/contoso.example/v2.0", "microsoft.com", "contoso.example"),
    ])
    func `an issuer of a built-in provider selects that provider`(_ issuer: String, _ id: String, _ tenant: String?)
        throws
    {
        #expect(try SetupRequest.target(issuer, issuer: nil) == .builtIn(id, tenant: tenant))
    }

    @Test(arguments: [
        ("https://id.example.com", "oidc.example"), ("https://example.com", "oidc.example"),
        ("https://login.example.co.uk", "oidc.example"), ("http://127.0.0.1:8080", "oidc.local"),
        ("http://localhost:8080", "oidc.local"), ("http://[::1]:8080", "oidc.local"),
        ("https://id.taken.com", "oidc.taken-3"),
    ])
    func `a new provider's ID is derived from its issuer`(_ issuer: String, _ id: String) throws {
        #expect(SetupRequest.id(for: try HTTPURL(issuer), taken: ["oidc.taken", "oidc.taken-2"]) == id)
        _ = try ProviderID(id)
    }

    @Test(arguments: [
        ("https://acme.okta.com/oauth2/default", "https://acme-admin.okta.com/admin/apps/active"),
        ("https://id.example.com/auth/realms/corp", "https://id.example.com/auth/admin/corp/console/"),
        ("https://gitlab.example.com", "https://gitlab.example.com/-/user_settings/applications"),
        ("https://id.example.com", nil), ("https://login.example.com", nil),
    ])
    func `a known service's issuer gives the page where a client is registered`(_ issuer: String, _ page: String?)
        throws
    {
        #expect(try SetupRequest().provider("oidc.work", issuer: issuer).registrationPage == page)
    }

    @Test func `the redirect URI to register contains the port only for an unknown service`() throws {
        let request = SetupRequest()
        let uri = "http://127.0.0.1:8400/callback/oidc.work"
        #expect(try request.provider("oidc.work", issuer: "https://id.example.com").redirectURIToRegister == uri)
        let known = try request.provider("oidc.work", issuer: "https://id.example.com/realms/work")
        #expect(known.redirectURIToRegister == "http://127.0.0.1/callback/oidc.work")
    }
}

@Suite struct `Input of setup` {
    @Test(arguments: [
        ("github", SetupRequest.Target.builtIn("github.com", tenant: nil)), ("x", .builtIn("twitter.com", tenant: nil)),
        ("oidc", .openID(id: nil, issuer: nil)), ("oidc.work", .openID(id: "oidc.work", issuer: nil)),
        ("https://id.example.com/a", .openID(id: nil, issuer: "https://id.example.com/a")),
    ])
    func `setup accepts a provider ID, an alias or an issuer`(_ word: String, _ target: SetupRequest.Target) throws {
        #expect(try SetupRequest.target(word, issuer: nil) == target)
    }

    @Test(arguments: [
        ("gihub.com", ProviderError.unknownID("gihub.com")), ("", .unknownID("")), ("7", .unknownID("7")),
        ("oidc.a b", .unknownID("oidc.a b")),
        (
            "ftp://id.example.com", .invalid(setting: "issuer", .notHTTPSURL(ServerText("ftp://id.example.com")))
        ),
        ("https://a@b.example", .invalid(setting: "issuer", .userName(ServerText("https://a@b.example")))),
    ])
    func `setup refuses input that is not a provider ID, an alias or an issuer`(_ word: String, _ error: ProviderError)
    {
        #expect(throws: error) { try SetupRequest.target(word, issuer: nil) }
    }

    @Test func `setup refuses a client ID that does not have the provider's format`() throws {
        let google = Dialect.Registration.IDForm.ending(".apps.googleusercontent.com")
        let guid = "72f988bf-0000-4000-8000-2d7cd011db47"
        for (text, form) in [
            ("1-a.apps.googleusercontent.com", google), (guid, .guid), (guid.uppercased(), .guid), ("123", .digits),
            ("x", .any),
        ] {
            #expect(try SetupDetail.clientID(text, form: form, isMoved: false) == text)
        }
        let characters = "it has invalid characters for a client ID"
        let ending = "each client ID of this provider ends with .apps.googleusercontent.com"
        for (text, form, reason) in [
            ("client-1", google, ending), (".apps.googleusercontent.com", google, ending),
            ("client-1", .guid, "each client ID of this provider is a GUID, 36 characters with hyphens"),
            ("app", .digits, "each client ID of this provider has only digits"), ("a b", .any, characters),
            ("é", .any, characters), ("a\u{7}", .any, characters),
        ] {
            #expect(throws: InvalidInput(reason)) { try SetupDetail.clientID(text, form: form, isMoved: false) }
        }
        #expect(try SetupDetail.clientID("client-1", form: .guid, isMoved: true) == "client-1")
        #expect(throws: InvalidInput(characters)) {
            try SetupDetail.clientID("a b", form: .guid, isMoved: true)
        }
    }

    @Test func `setup refuses an Apple team ID or redirect URL in the wrong format`() throws {
        #expect(try SetupDetail.tenCharacters("TEAM123456") == "TEAM123456")
        for text in ["TEAM12345", "TEAM1234567", "TEAM-12345"] {
            #expect(throws: InvalidInput("it has ten letters and digits")) {
                try SetupDetail.tenCharacters(text)
            }
        }
        _ = try SetupDetail.publicURL("https://signin.example.com/callback")
        for text in ["http://signin.example.com", "https://127.0.0.1/callback", "signin.example.com"] {
            #expect(throws: InvalidInput("it must be a public https URL, as registered")) {
                try SetupDetail.publicURL(text)
            }
        }
    }
}

@Suite struct `Services in setup` {
    private func issuer(_ service: String, _ answers: String...) throws -> String? {
        let entry = try #require(Catalog.named(service))
        var all: [String: String] = [:]
        for (question, answer) in zip(entry.questions, answers) {
            guard let given = entry.answers(in: answer, to: question) else { return nil }
            all.merge(given) { $1 }
        }
        return try? entry.answering(all).provider().issuer.text
    }

    @Test(arguments: [
        ("okta", "dev-123.okta.com", "https://dev-123.okta.com"),
        ("okta", "https://dev-123.okta.com/oauth2/default?a=b#c", "https://dev-123.okta.com"),
        ("okta", "DEV-123.okta.com/", "https://dev-123.okta.com"),
        ("auth0", "my.eu.auth0.com", "https://my.eu.auth0.com/"),
        ("auth0", "https://my.eu.auth0.com/", "https://my.eu.auth0.com/"),
        ("keycloak", "https://id.example.com/realms/main", "https://id.example.com/realms/main"),
        ("keycloak", "id.example.com:8443/auth/realms/main/account/", "https://id.example.com:8443/auth/realms/main"),
        ("keycloak", "http://localhost:8080/realms/REALM", "http://localhost:8080/realms/REALM"),
        (
            "cognito", "eu-west-1_AbCdEf", "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf"
        ),
        ("gitlab", "gitlab.com", "https://gitlab.com"), ("gitlab", "https://git/group", "https://git"),
        ("gitlab", "http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
    ])
    func `the issuer of a service is built from the answer`(_ service: String, _ answer: String, _ issuer: String)
        throws
    {
        #expect(try self.issuer(service, answer) == issuer)
    }

    @Test(arguments: ["id.example.com", "https://id.example.com/", "https://id.example.com"])
    func `a Keycloak URL without a realm requires the realm`(_ answer: String) throws {
        #expect(try issuer("keycloak", answer) == nil)
        #expect(try issuer("keycloak", answer, "main") == "https://id.example.com/realms/main")
    }

    @Test(arguments: [
        ("okta", "dev-123"), ("okta", "dev 123.okta.com"), ("okta", "dev-123.okta.com/admin"), ("auth0", "https://"),
        ("auth0", "a@b.example"), ("gitlab", "git..example.com"), ("gitlab", "http://git.example.com"),
        ("keycloak", "main"), ("cognito", "eu-west-1"), ("cognito", "_A1"), ("cognito", "eu-west-1_"),
        ("cognito", "eu-west-1_A b"), ("cognito", "eu-west-1.a_b"), ("cognito", "/"), ("zendesk", "a.b"),
        ("zendesk", "a/b"), ("zendesk", ""), ("dex", "id.example.com?a=b"), ("dex", "id.example.com#a"),
    ])
    func `an answer in the wrong form is refused`(_ service: String, _ answer: String) throws {
        let entry = try #require(Catalog.named(service))
        #expect(entry.answers(in: answer, to: try #require(entry.questions.first)) == nil)
    }

    @Test(arguments: ["a b", "a/b", "é", "a?b", ".."])
    func `a realm's name is one part of a path`(_ name: String) throws {
        let entry = try #require(Catalog.named("keycloak"))
        #expect(entry.answers(in: name, to: try #require(entry.questions.last)) == nil)
    }

    @Test func `each preset is a service of the catalog`() throws {
        for preset in Dialect.Preset.services {
            let entry = try #require(Catalog.named(preset))
            let provider = try entry.example()
            #expect(provider.preset?.rawValue == preset && entry.id == "oidc." + preset)
            #expect(SetupGuide(provider).console == entry.steps)
        }
        #expect(SetupText.services.allSatisfy { Catalog.named($0) != nil })
        #expect(Catalog.entry(of: try SetupRequest().provider("oidc.work", issuer: "https://id.example.com")) == nil)
    }

    @Test func `the tenant of Entra is in the issuer, or that of all organizations`() throws {
        let microsoft = "https://login.microsoftonline.com/contoso.example/v2.0"
        let id = Dialect.id(called: "microsoft")
        let entra = try #require(Catalog.named("entra"))
        #expect(try SetupRequest.target(entra, issuer: nil) == .builtIn(id, tenant: "organizations"))
        #expect(try SetupRequest.target(entra, issuer: microsoft) == .builtIn(id, tenant: "contoso.example"))
        #expect(throws: ProviderError.invalid(setting: "--issuer", .issuerOfBuiltIn("microsoft.com"))) {
            try SetupRequest.target(entra, issuer: "https://id.example.com")
        }
    }

    @Test func `--issuer may be a domain, and must be the provider's own at a built-in one`() throws {
        let okta = try #require(Catalog.named("okta"))
        #expect(
            try SetupRequest.target(okta, issuer: "dev-1.okta.com")
                == .service(okta, issuer: HTTPURL("https://dev-1.okta.com")))
        #expect(try SetupRequest.target("github", issuer: "github.com") == .builtIn("github.com", tenant: nil))
        #expect(throws: ProviderError.invalid(setting: "--issuer", .issuerOfBuiltIn("github.com"))) {
            try SetupRequest.target("github", issuer: "https://id.example.com")
        }
    }
}

@Suite struct `Output of setup` {
    private func guide(_ id: String) throws -> SetupGuide {
        let issuer = Provider.isBuiltIn(id) ? nil : "https://id.example.com"
        return SetupGuide(try SetupRequest().provider(id, issuer: issuer))
    }

    @Test(arguments: Dialect.builtIn.map(\.id) + ["oidc.work"])
    func `the commands that setup prints can be parsed after their variables are set`(id: String) throws {
        let guide = try guide(id)
        #expect(!guide.values.isEmpty && !guide.needs.isEmpty)
        for command in guide.commands {
            var text = command.text
            // Replaces the variables like a shell.
            for need in guide.needs { text = text.replacing("\"$\(need.variable)\"", with: "8400") }
            #expect(!text.contains("$"), "\(text)")
            let words = try #require(Shell.split(text))
            #expect(words.first == "authctl")
            _ = try Authctl.parseAsRoot(Array(words.dropFirst()))
        }
    }

    @Test func `setup for GitHub requires only a client ID and shows the device flow setting`() throws {
        let guide = try guide("github.com")
        #expect(guide.needs.map(\.variable) == ["CLIENT_ID"])
        #expect(guide.values.contains { $0.label == "Enable Device Flow" })
        #expect(guide.commands[0].text == "authctl providers add github.com --client-id \"$CLIENT_ID\"")
        #expect(guide.page == "https://github.com/settings/applications/new")
        var moved = SetupRequest()
        moved.baseURL = "https://ghe.example.com"
        let server = SetupGuide(try moved.provider("github.com", issuer: nil))
        #expect(server.page == "https://ghe.example.com/settings/applications/new")
        #expect(server.commands[0].text.contains(" --base-url https://ghe.example.com "))
    }

    @Test func `setup with dynamic registration shows no values and prints --register`() throws {
        let provider = try SetupRequest().provider("oidc.work", issuer: "https://id.example.com")
        let guide = SetupGuide(provider, registers: true)
        #expect(guide.values.isEmpty && guide.needs.isEmpty)
        #expect(guide.commands[0].text.contains(" --register"))
    }
}
