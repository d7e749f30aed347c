import Testing

@testable import AuthCore
@testable import authctl

/// Texts and hints of errors whose rules AuthCoreTests tests.
@Suite struct `Texts of errors` {
    private func text(_ error: any Error) -> String {
        Failure(error, while: ErrorContext("sign-in failed", provider: "oidc.test")).message
    }

    private func hint(_ error: any Error) -> String? {
        Failure(error, while: ErrorContext("no token", provider: "oidc.test")).hint?.text
    }

    @Test func `the reason of an error is in its message`() throws {
        let key = "oidc.test: auth_method"
        for (error, reason) in [
            (PasswordError.weak(.tooShort(minimumLength: 10)), "it has fewer than 10 characters"),
            (PasswordError.weak(.tooLong(maximumBytes: 1024)), "it is longer than 1024 bytes"),
            (PasswordError.weak(.fewCharacters), "it repeats a few characters"),
            (PasswordError.weak(.sequence), "it is a sequence of letters or digits"),
            (PasswordError.weak(.common), "this password is too weak: it is a common password"),
            (PasswordError.weak(.hasAddress), "it contains the email address"),
            (ProviderError.invalid(setting: key, .certificateNeeded(.tlsClientAuth)), "'tls_client_auth' requires a certificate (--certificate)"),
            (
                ProviderError.invalid(setting: key, .certificateNeeded(.selfSignedTLSClientAuth)),
                "'self_signed_tls_client_auth' requires a certificate (--certificate)"
            ),
            (ProviderError.invalid(setting: key, .certificateExpired(at: 2_082_585_600)), "expired at 2035-"),
            (
                ProviderError.invalid(setting: key, .certificateNotYetValid(from: 1_767_225_600)),
                "not valid before 2026-01-01"
            ),
            (ProviderError.invalid(setting: key, .notOfKey(.es384, .ellipticCurve(.p256))), "ES384"),
            (
                ProviderError.invalid(setting: key, .keyNotSupported(.rsa, supported: [.edDSA])), "EdDSA"
            ),
            (
                DiscoveryError.invalidEndpoint("mtls_endpoint_aliases.token_endpoint", .notAURL),
                "'mtls_endpoint_aliases.token_endpoint' is invalid: it is not an https URL"
            ),
            (DiscoveryError.invalidEndpoint("a", .notAString), "'a' is invalid: it is not a string"),
            (DiscoveryError.invalidEndpoint("b", .plainHTTP), "'b' is invalid: it is plain http"),
            (DiscoveryError.invalidEndpoint("c", .privateNetwork), "'c' is invalid: it points into a private network"),
            (DiscoveryError.missingEndpoint("jwks_uri"), "'jwks_uri'"),
            (DiscoveryError.missingEndpoint("token_endpoint"), "'token_endpoint'"),
            (DocumentError.redirect(url: "https://a", to: ServerText("https://b")), "redirects to 'https://b'"),
            (DiscoveryError.notFound(url: "https://id.example.com/x"), "https://id.example.com/x"),
            (OAuthError.invalidResponse(.otherCertificate, at: .token), "bound to another client's certificate"),
            (OAuthError.invalidResponse(.malformed("token_type", isNot: .dpop), at: .token), "not 'DPoP'"),
            (OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .token), "not 'Bearer'"),
            (OAuthError.invalidResponse(.unbound, at: .token), "is not sender-constrained"),
            (OAuthError.missingScopes(["repo"]), "'repo'"),
            (OAuthError.refused(code: "invalid_client", description: nil, at: .token), "invalid_client"),
            (
                IDTokenRejection.notYetValid(at: 1_795_248_061, now: 1_795_248_000),
                "this clock says 2026-11-21T08:00:00Z"
            ),
            (
                IDTokenRejection.issuedInFuture(at: 1_795_248_061, now: 1_795_248_000),
                "this clock says 2026-11-21T08:00"
            ),
            (
                IDTokenRefused(
                    rejection: .expired(at: 1_795_248_000, now: 1_795_248_372),
                    issuer: try HTTPURL("https://id.example.com"), clockOffset: 372),
                "sign-in failed: invalid ID token: it expired at 2026-11-21T08:00:00Z; "
                    + "this clock is 6 min ahead of 'id.example.com'"
            ),
        ] as [(any Error, String)] {
            #expect(text(error).contains(reason), "\(text(error))")
        }
    }

    @Test func `a message about FAPI 2.0 names the requirement`() {
        for (fault, reason) in [
            (.noPushedRequests, "PAR endpoint"), (.noResponseIssuer, "'iss'"), (.secret, "the client has a secret"),
            (.unboundTokens, "nor certificate-bound tokens"),
            (.idTokenAlgorithms([.es384, .rs256]), "signs ID tokens with ES384, RS256"),
            (.clientAlgorithm(.es384), "would sign with ES384"), (.setting("pushed_authorization_request_endpoint"), "comes from the configuration"),
            (.setting("nonce_required"), "its 'nonce_required' is off"), (.audience, "'assertion_audience'"),
            (.flow(.device), "device flow"), (.flow(.workload), "exchange of a CI job's token"),
            (.flow(.exchange), "does not allow token exchange"), (.plainHTTP("token_endpoint"), "its 'token_endpoint' is plain http"),
            (.builtIn, "endpoints are built in"), (.authentication(.clientSecretBasic), "'client_secret_basic'"),
        ] as [(FAPI2Fault, String)] {
            let text = text(ProviderError.fapi2(provider: "oidc.test", fault))
            #expect(text.contains("must comply with FAPI 2.0") && text.contains(reason), "\(text)")
            #expect(text.hasSuffix(" (\(fault.requirement.section))"), "\(text)")
        }
    }

    @Test func `a failed exchange names its audiences`() {
        let refused = OAuthError.refused(code: "invalid_target", description: nil, at: .exchange)
        let failed = ExchangeFailed(
            provider: "oidc.test", audiences: ["https://b.example"], resource: nil, error: refused)
        #expect(text(failed).contains("the audience was 'https://b.example'"))
    }

    @Test func `a hint depends on the data of the error`() throws {
        let issuer = try HTTPURL("https://id.example.com")
        let document = "https://id.example.com/.well-known/openid-configuration"
        func refused(_ rejection: IDTokenRejection) -> IDTokenRefused {
            IDTokenRefused(rejection: rejection, issuer: issuer, provider: "oidc.test")
        }
        for (error, expected) in [
            (OAuthError.tooManyRequests(origin: "o", retryAfter: 60), "try again in 60 seconds"),
            (OAuthError.tooManyRequests(origin: "o", retryAfter: nil), nil),
            (DocumentError.redirect(url: document, to: ServerText("https://evil.example/d")), nil),
            (HTTPError.cannotConnect(origin: "http://127.0.0.1:1", reason: "refused"), nil),
            (
                DocumentError.redirect(
                    url: document, to: ServerText("https://evil.example/a/.well-known/openid-configuration")),
                "if that issuer is correct: authctl providers set oidc.test --issuer https://evil.example/a"
            ),
            (
                DiscoveryError.onlyOAuthDocument(url: document, issuer: issuer.text),
                "authctl providers set oidc.test --discovery oauth"
            ),
            (refused(.otherUser), "authctl signin oidc.test"), (refused(.jose(.noKey(kid: "k1"))), nil),
            (DiscoveryError.notFound(url: document), nil),
        ] as [(any Error, String?)] {
            #expect(hint(error) == expected)
        }
    }

    @Test func `the hint for more scopes contains none of them, because the server chose them`() throws {
        let error = try needed("read api://other/read", by: "microsoft.com")
        for purpose in [ErrorContext.Purpose.request, .bridge] {
            let failure = Failure(error, while: ErrorContext("request failed", for: purpose))
            #expect(failure.exitCode == 7 && failure.hint?.text.contains("read") == false)
        }
    }

    private func needed(_ scopes: String, by provider: String) throws -> StepUpRequired {
        let challenge = "Bearer error=\"insufficient_scope\", scope=\"\(scopes)\""
        let stepUp = try #require(
            StepUp(HTTPResponse(status: 403, headers: [(name: "WWW-Authenticate", value: challenge)])))
        return StepUpRequired(
            requirement: stepUp, status: 403, providerID: provider, resource: try HTTPURL("https://evil.example/mcp"),
            granted: ["openid"], accountUID: "u")
    }

    @Test func `An option of signin in a hint after setup follows the command that has it`() {
        let error = SignInAfterSetup(
            provider: "oidc.a", again: "authctl signin oidc.a", error: SignInError.registeredPortInUse(8400))
        #expect(
            Failure(error, while: ErrorContext()).hint?.text
                == "to sign in: authctl signin oidc.a; end that program, or paste the callback URL: add --flow paste")
    }
}
