import AuthCoreTesting
import Synchronization
import Testing

@testable import AuthCore

/// Authorization requests, and hostile responses to them.
@Suite struct `Authorization responses` {
    private func encode(_ pairs: [(String, String)]) -> String { FormURLEncoded.encode(pairs) }

    /// The error of a sign-in whose callback has this query. STATE is replaced with the correct state.
    private func failure(_ query: String) async throws -> (any Error, TestProvider) {
        let provider = try TestProvider()
        let run = try SignInRun(provider) { [.query(query.replacing("STATE", with: $0))] }
        let failure = try await run.failure()
        return (failure, provider)
    }

    private let iss = "&iss=https%3A%2F%2Fid.example.com"

    @Test func `B1: a callback with a missing, empty or wrong state gets 404, and the right one is still accepted`()
        async throws
    {
        let run = try SignInRun(try TestProvider()) { state in
            [
                .query("code=evil"), .query("code=evil&state="), .query("code=evil&state=\(String(state.reversed()))"),
                .query(SignInRun.goodQuery(state: state)),
            ]
        }
        #expect(try await run.run().account.email == "ada@example.com")
        #expect(run.listenerStatuses.prefix(3).allSatisfy { $0.contains("404") })
    }

    @Test(
        arguments: [("&state=x", .anotherSignIn), ("&state=", .anotherSignIn), ("", .cutOff)]
            as [(String, PastedResponseFault)])
    func `B1: a pasted callback with a missing, empty or wrong state is refused`(
        state: String, fault: PastedResponseFault
    ) async throws {
        let provider = try TestProvider()
        let pasted = "REDIRECT_URI?code=evil" + state + iss
        let run = try SignInRun(provider) { _ in [.pasted(pasted)] }
        let failure = try await run.failure { $0.flow = .paste }
        #expect(failure == OAuthError.stateMismatch)
        #expect(failure.code == .invalidResponse)
        #expect(run.faults.withLock { $0 } == [fault])
        #expect(provider.requests(to: "/token").isEmpty)
    }

    @Test(arguments: ["", "\"CALLBACK\"", "'CALLBACK'", " <CALLBACK> ", "“CALLBACK”", "CALLBACK\r"])
    func `a pasted line that is not the callback does not end the wait, and a quoted callback is accepted`(
        callback: String
    ) async throws {
        for flow in [SignInRequest.Flow.auto, .paste] {
            let run = try SignInRun(try TestProvider()) { _ in
                [
                    .pasted("hello"), .pasted("the-authorization-code"),
                    .pasted("http://127.0.0.1:1/callback?code=evil&state=x"),
                    .pasted("REDIRECT_URI?code=evil&state=x"), .pasted(callback),
                ]
            }
            let result = try await run.run {
                $0.flow = flow
                $0.opensBrowser = false
            }
            #expect(result.account.email == "ada@example.com")
            #expect(run.others.withLock { $0.count } == 4)
            #expect(run.faults.withLock { $0 } == [.notACallback, .notACallback, .anotherPage, .anotherSignIn])
        }
    }

    @Test func `B2: a callback with an attacker's code and state does not end the wait, and is not redeemed`()
        async throws
    {
        let provider = try TestProvider()
        let run = try SignInRun(provider) { state in
            [
                .query(SignInRun.goodQuery(state: "attackers-state", code: "attackers-code")),
                .query(SignInRun.goodQuery(state: state)),
            ]
        }
        _ = try await run.run()
        let bodies = provider.requests(to: "/token").map { String(decoding: $0.body ?? [], as: UTF8.self) }
        #expect(bodies.count == 1)
        #expect(bodies[0].contains("code=\(TestProvider.code)"))
    }

    @Test func `B3: a stolen code is refused if the server rejects it (PKCE) or the nonce is different`() async throws {
        let refusing = try TestProvider()
        refusing.on("/token") { _ throws(HTTPError) in .json(["error": "invalid_grant"], status: 400) }
        #expect(try await SignInRun.good(refusing).failure().code == .invalidCredential)
        let replaying = try TestProvider()
        replaying.claims { $0["nonce"] = "of-another-sign-in" }
        #expect(try await SignInRun.good(replaying).failure().code == .missingOrInvalidNonce)
    }

    @Test(arguments: ["", "&iss=https%3A%2F%2Fother.example.com"])
    func `B4: a callback with a different iss, or without the supported iss, causes no token request`(iss: String)
        async throws
    {
        let (failure, provider) = try await failure("code=c&state=STATE" + iss)
        #expect(failure == OAuthError.issuerMixUp)
        #expect(provider.requests(to: "/token").isEmpty)
    }

    @Test(arguments: [
        "https://ID.example.com", "https://id.example.com/", "https://id.example.com:443", "http://id.example.com",
    ])
    func `B5: a callback whose iss differs only in case, slash, port or scheme is refused`(iss: String) async throws {
        let (failure, _) = try await failure("code=c&state=STATE&iss=" + FormURLEncoded.encode(iss))
        #expect(failure == OAuthError.issuerMixUp)
    }

    @Test func `B6: a provider whose PKCE methods lack S256 is unsupported, and the browser is not opened`()
        async throws
    {
        let provider = try TestProvider()
        var metadata = provider.metadata
        metadata["code_challenge_methods_supported"] = ["plain"]
        let changed = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        let run = try SignInRun.good(provider)
        let failure = try await run.failure()
        #expect(failure.code == .unsupported)
        #expect(failure == DiscoveryError.unsupported(.proofKey))
        #expect(run.opened.withLock { $0.isEmpty })
    }

    @Test func `B6: a provider that lists no PKCE methods gets the S256 challenge of the code verifier`() async throws {
        let provider = try TestProvider()
        #expect(provider.metadata["code_challenge_methods_supported"] == nil)
        let run = try SignInRun.good(provider)
        _ = try await run.run()
        let sent = provider.parameters(of: try #require(run.opened.withLock { $0.first }))
        let form = try #require(provider.requests(to: "/token").first).form
        let verifier = try #require(form.first { $0.name == "code_verifier" }?.value)
        #expect(sent.filter { $0.name == "code_challenge_method" }.map(\.value) == ["S256"])
        #expect(
            sent.filter { $0.name == "code_challenge" }.map(\.value)
                == [Base64URL.encode(try HashFunction.sha256.digest(verifier.utf8))])
    }

    /// Each flow is used for one sign-in that the user denies and two that succeed.
    @Test func `B7, B8: each sign-in has a new code verifier, state and nonce of at least 128 bits`() async throws {
        let provider = try TestProvider()
        var metadata = provider.metadata
        metadata["pushed_authorization_request_endpoint"] = "https://id.example.com/par"
        let changed = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        var seen: Set<String> = []
        for flow in [SignInRequest.Flow.auto, .paste] {
            for isPushed in [false, true] {
                for isDenied in [true, false, false] {
                    let iss = self.iss
                    let run = try SignInRun(provider) { state in
                        let query =
                            isDenied ? "error=access_denied&state=\(state)" + iss : SignInRun.goodQuery(state: state)
                        return [flow == .paste ? .pasted("REDIRECT_URI?" + query) : .query(query)]
                    }
                    func change(_ request: inout SignInRequest) {
                        request.flow = flow
                        request.acceptsPaste = flow == .paste
                        request.pushesRequest = isPushed
                    }
                    // Makes the next ID token contain the nonce of the next request.
                    provider.claims { $0["nonce"] = nil }
                    if isDenied {
                        #expect(try await run.failure(change).code == .accessDenied)
                    } else {
                        _ = try await run.run(change)
                    }
                    let url = try #require(run.pages.withLock { $0.last }).url
                    let sent = provider.parameters(of: url)
                    func only(_ name: String) throws -> String {
                        let values = sent.filter { $0.name == name }.map(\.value)
                        try #require(values.count == 1, "\(name)")
                        return values[0]
                    }
                    var secrets = [try only("state"), try only("nonce"), try only("code_challenge")]
                    if !isDenied {
                        let form = try #require(provider.requests(to: "/token").last).form
                        let verifier = try #require(form.first { $0.name == "code_verifier" }?.value)
                        // RFC 7636 section 4.1.
                        #expect(verifier.utf8.count == 43)
                        let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8
                        #expect(verifier.utf8.allSatisfy { unreserved.contains($0) })
                        #expect(!url.contains(verifier) && !sent.contains { $0.value.contains(verifier) })
                        secrets.append(verifier)
                    }
                    for secret in secrets {
                        #expect(try #require(Base64URL.decode(secret)).count >= 16, "at least 128 bits")
                        #expect(seen.insert(secret).inserted, "used only once")
                    }
                }
            }
        }
        #expect(provider.requests(to: "/token").count == 8)
    }

    @Test(
        arguments: [
            ("access_denied", .accessDenied), ("user_cancelled_authorize", .cancelled),
        ] as [(String, ErrorCode)])
    func `B9: a sign-in that the user denies or cancels fails with the code for it`(
        error: String, code: ErrorCode
    ) async throws {
        let (failure, _) = try await failure("error=\(error)&state=STATE&error_reason=user_denied" + iss)
        #expect(failure == OAuthError.refused(code: error, description: nil, at: .authorization))
        #expect(failure.code == code)
    }

    @Test func `B9: an error with a wrong state does not end the sign-in`() async throws {
        let run = try SignInRun(try TestProvider()) { state in
            [.query("error=access_denied&state=wrong"), .query(SignInRun.goodQuery(state: state))]
        }
        _ = try await run.run()
    }

    @Test(
        arguments: [
            ("login_required", .accessDenied), ("interaction_required", .accessDenied),
            ("consent_required", .consentRequired), ("server_error", .providerUnavailable),
            ("temporarily_unavailable", .providerUnavailable), ("invalid_scope", .invalidConfiguration),
            ("something_new", .invalidResponse),
        ] as [(String, ErrorCode)])
    func `B10: each other OAuth error in a callback has its own error code`(error: String, code: ErrorCode) async throws
    {
        let (failure, provider) = try await failure("error=\(error)&state=STATE" + iss)
        #expect(failure == OAuthError.refused(code: error, description: nil, at: .authorization))
        #expect(failure.code == code)
        #expect(provider.requests(to: "/token").isEmpty)
    }

    @Test(
        arguments: [
            ("code=c&error=access_denied&state=STATE", .codeAndError), ("state=STATE", .neitherCodeNorError),
        ] as [(String, ResponseFault)])
    func `B11: a callback with both a code and an error, or with neither, is refused`(
        query: String, fault: ResponseFault
    ) async throws {
        #expect(try await failure(query + iss).0 == OAuthError.invalidResponse(fault, at: .authorization))
    }

    @Test(
        arguments: [
            ("code=a&code=b&state=STATE", .repeated("code")), ("code=a&state=STATE&state=STATE", .repeated("state")),
            ("code=a&state=STATE&state=x", .repeated("state")),
            ("code[]=a&state=STATE", .malformed("code[]", isNot: .parameter)),
            ("code=a&state=STATE&iss=https%3A%2F%2Fid.example.com", .repeated("iss")),
        ] as [(String, ResponseFault)])
    func `B12: a callback with a duplicate parameter or a list parameter is refused`(
        query: String, fault: ResponseFault
    ) async throws {
        let (failure, provider) = try await failure(query + iss)
        #expect(failure == OAuthError.invalidResponse(fault, at: .authorization))
        #expect(provider.requests(to: "/token").isEmpty)
    }

    @Test(arguments: ["response=eyJ", "access_token=t", "id_token=t"])
    func `B13: a callback with a token or a JARM response is refused`(extra: String) async throws {
        let name = String(extra.prefix { $0 != "=" })
        #expect(
            try await failure("code=c&state=STATE&\(extra)" + iss).0
                == OAuthError.invalidResponse(.notRequested(name), at: .authorization))
    }

    @Test func `B14: a callback without a query, as with a fragment response, ends in a timeout`()
        async throws
    {
        let run = try SignInRun(try TestProvider()) { _ in [.query("")] }
        let failure = try await run.failure { $0.timeout = 0 }
        #expect(failure == SignInError.timedOut(seconds: 0))
        #expect(failure.code == .timedOut)
    }

    @Test(arguments: [String(repeating: "c", count: 4097), "", "a\r\nb", "a\u{0}b", "%C3%28"])
    func `B15: a code that is too long, empty, not UTF-8 or has control characters is refused`(code: String)
        async throws
    {
        let encoded = code.hasPrefix("%") ? code : FormURLEncoded.encode(code)
        let fault = code.hasPrefix("%") ? ResponseFault.malformed("code", isNot: .text) : .unusableCode
        #expect(
            try await failure("code=\(encoded)&state=STATE" + iss).0
                == OAuthError.invalidResponse(fault, at: .authorization))
    }

    @Test(arguments: ["x", String(repeating: "c", count: 4096), "a b+c/d=&%"])
    func `B15: a code of 1 or 4096 bytes, or with characters that need encoding, is redeemed unchanged`(code: String)
        async throws
    {
        let provider = try TestProvider()
        _ = try await SignInRun(provider) { [.query(SignInRun.goodQuery(state: $0, code: code))] }.run()
        let body = provider.requests(to: "/token").first?.body ?? []
        #expect(FormURLEncoded.decode(body)?.first { $0.name == "code" }?.value == code)
    }

    @Test func `B15: a plus sign in a callback is decoded as a space, and only once`() async throws {
        let provider = try TestProvider()
        let iss = self.iss
        _ = try await SignInRun(provider) { [.query("code=a+b%2Bc&state=\($0)" + iss)] }.run()
        #expect(
            FormURLEncoded.decode(provider.requests(to: "/token").first?.body ?? [])?.first { $0.name == "code" }?.value
                == "a b+c")
    }

    @Test func `B16: a callback for another user than the login hint signs in to that user's account`() async throws {
        let provider = try TestProvider()
        let first = try await SignInRun.good(provider).run()
        provider.claims { claims in
            claims["sub"] = "somebody-else"
            claims["email"] = "eve@example.com"
            claims["nonce"] = nil
        }
        let second = try await SignInRun.good(provider).run { $0.loginHint = "ada@example.com" }
        #expect(second.account.uid != first.account.uid)
        #expect(second.account.email == "eve@example.com")
    }

    @Test func `B18: a 307 redirect from the token endpoint is not followed`() async throws {
        let provider = try TestProvider()
        provider.on("/token") { _ throws(HTTPError) in
            HTTPResponse(status: 307, headers: [(name: "location", value: "https://id.example.com/elsewhere")])
        }
        #expect(try await SignInRun.good(provider).failure() == OAuthError.invalidResponse(.redirect(307), at: .token))
        #expect(provider.requests(to: "/elsewhere").isEmpty)
    }

    @Test func `B19: a sign-in without a callback ends in a timeout`() async throws {
        let failure = try await SignInRun(try TestProvider()) { _ in [] }.failure { $0.timeout = 0 }
        #expect(failure == SignInError.timedOut(seconds: 0))
    }
}
