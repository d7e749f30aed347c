import Testing

@testable import AuthCore

@Suite struct `Client authentication` {
    private func credentials(
        _ method: ClientAuthentication, clientID: String = "client"
    ) throws -> (parameters: [String: String], headers: [(name: String, value: String)]) {
        let credentials = try method.apply(
            clientID: clientID, audience: "https://id.example.com/token", now: 1_795_248_000, random: .openSSL)
        return (Dictionary(uniqueKeysWithValues: credentials.parameters), credentials.headers)
    }

    @Test func `A public client sends only its client_id`() throws {
        let (parameters, headers) = try credentials(.none)
        #expect(parameters == ["client_id": "client"])
        #expect(headers.isEmpty)
    }

    @Test func `client_secret_basic form-encodes ID and secret before Base64 (RFC 6749 section 2.3.1)`() throws {
        let (parameters, headers) = try credentials(
            .secret(ClientSecret("p@ss:w ord"), by: .clientSecretBasic), clientID: "a:b")
        #expect(parameters.isEmpty)
        // a%3Ab:p%40ss%3Aw%20ord
        #expect(headers.map(\.value) == ["Basic YSUzQWI6cCU0MHNzJTNBdyUyMG9yZA=="])
    }

    @Test func `client_secret_post sends the ID and the secret in the body`() throws {
        #expect(
            try credentials(.secret(ClientSecret("s"), by: .clientSecretPost)).parameters == [
                "client_id": "client", "client_secret": "s",
            ])
    }

    @Test(arguments: [SignatureAlgorithm.es256, .rs256, .ps256, .edDSA])
    func `private_key_jwt sends an assertion that the public key verifies (RFC 7523)`(algorithm: SignatureAlgorithm)
        throws
    {
        let key = try PrivateKey.generate(algorithm.family)
        let read = try PrivateKey(pem: try key.pem())
        let (parameters, _) = try credentials(.privateKeyJWT(read, algorithm, keyID: "k1"))
        #expect(parameters["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        let token = try UnverifiedJWS(try #require(parameters["client_assertion"]))
        let verified = try JWSVerifier(keys: JWKSet(keys: [JWK(key: key.publicKey, keyID: "k1")])).verify(token)
        try check(verified.payload)
    }

    @Test func `client_secret_jwt sends an assertion that the secret verifies`() throws {
        let (parameters, _) = try credentials(.secret(ClientSecret("a-long-shared-secret"), by: .clientSecretJWT))
        let parts = try #require(parameters["client_assertion"]).split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        let mac = try HashFunction.sha256.authenticationCode(
            of: Array("\(parts[0]).\(parts[1])".utf8), key: Array("a-long-shared-secret".utf8))
        #expect(Base64URL.encode(mac) == parts[2])
        try check(try #require(Base64URL.decode(parts[1])))
    }

    private func check(_ payload: [UInt8]) throws {
        let claims = try StrictJSON.object(payload)
        #expect(claims["iss"] == "client" && claims["sub"] == "client")
        #expect(claims["aud"] == "https://id.example.com/token")
        #expect(claims["iat"] == 1_795_248_000 && claims["exp"] == 1_795_248_060)
        #expect((claims["jti"]?.string?.utf8.count ?? 0) >= 16)
    }

    @Test func `The secret is sent by a method that the revocation endpoint supports (RFC 8414 section 2)`() {
        let post = ClientAuthentication.secret(ClientSecret("s"), by: .clientSecretPost)
        #expect(post.adapted(to: [.clientSecretBasic]).method == .clientSecretBasic)
        #expect(post.adapted(to: [.clientSecretPost, .clientSecretBasic]).method == .clientSecretPost)
        #expect(post.adapted(to: nil).method == .clientSecretPost)
    }

    @Test func `A secret for Basic is sent in the form to an endpoint that supports only that`() {
        let basic = ClientAuthentication.secret(ClientSecret("s"), by: .clientSecretBasic)
        #expect(basic.adapted(to: [.clientSecretPost]).method == .clientSecretPost)
        let signed = ClientAuthentication.secret(ClientSecret("s"), by: .clientSecretJWT)
        #expect(signed.adapted(to: [.clientSecretPost]).method == .clientSecretJWT)
        let assertion = ClientAuthentication.assertion(ClientAssertion("a.b.c"))
        #expect(assertion.adapted(to: [.clientSecretPost]).method == .privateKeyJWT)
    }
}
