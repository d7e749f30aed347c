/// How the client authenticates at the token endpoint (OpenID Connect Core section 9, RFC 7523).
package enum ClientAuthentication: Sendable {
    case none
    /// By a method for which `Method.isBySecret` is true.
    case secret(ClientSecret, by: Method)
    case privateKeyJWT(PrivateKey, SignatureAlgorithm, keyID: String?)
    case signedSecret(SignedClientSecret)
    /// A client assertion signed by a third party, the CI system (RFC 7523 section 2.2).
    case assertion(ClientAssertion)
    /// The client certificate in TLS (RFC 8705 section 2). The request itself carries no credential.
    case certificate(Method)

    /// The names of `token_endpoint_auth_method`.
    package enum Method: String, Sendable, CaseIterable {
        case none
        case clientSecretBasic = "client_secret_basic"
        case clientSecretPost = "client_secret_post"
        case clientSecretJWT = "client_secret_jwt"
        case privateKeyJWT = "private_key_jwt"
        case tlsClientAuth = "tls_client_auth"
        case selfSignedTLSClientAuth = "self_signed_tls_client_auth"

        /// Whether the client authenticates with its certificate in TLS (RFC 8705).
        package var isByCertificate: Bool { self == .tlsClientAuth || self == .selfSignedTLSClientAuth }
        var isBySecret: Bool { [.clientSecretBasic, .clientSecretPost, .clientSecretJWT].contains(self) }
    }

    /// The audience of a client assertion.
    package enum Audience: String, Sendable, CaseIterable {
        case issuer
        /// For servers that follow RFC 7523 without its revision, and accept only this audience.
        case tokenEndpoint = "token-endpoint"
    }

    var method: Method {
        switch self {
        case .none: .none
        case .secret(_, let method), .certificate(let method): method
        case .signedSecret: .clientSecretPost
        case .privateKeyJWT, .assertion: .privateKeyJWT
        }
    }

    /// Whether the client signs a time, which the server rejects if this machine's clock is wrong.
    var isSignedWithTime: Bool {
        switch self {
        case .secret(_, let method): method == .clientSecretJWT
        case .privateKeyJWT, .signedSecret: true
        case .none, .assertion, .certificate: false
        }
    }

    /// Whether form encoding changes neither the client ID nor the secret. Several servers do not decode the two parts
    /// of `client_secret_basic` (RFC 6749 section 2.3.1).
    static func isPlainInBasic(clientID: String, _ secret: ClientSecret) -> Bool {
        [clientID, secret.revealed()].allSatisfy { FormURLEncoded.encode($0).hasSameBytes(as: $0) }
    }

    func adapted(to methods: [Method]?) -> ClientAuthentication {
        let sent: [Method] = [.clientSecretBasic, .clientSecretPost]
        guard let methods, !methods.contains(method), sent.contains(method), case .secret(let secret, _) = self,
            let other = sent.first(where: methods.contains)
        else { return self }
        return .secret(secret, by: other)
    }

    static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// Seconds for which an assertion is valid.
    static let assertionLifetime: Int64 = 60

    /// Returns the form parameters and headers that authenticate one request. The audience is the issuer by default: an
    /// attacker's metadata could name the token endpoint of another server, and receive an assertion for it
    /// (draft-ietf-oauth-rfc7523bis, FAPI 2.0).
    func apply(
        clientID: String, audience: String, now: Int64, random: RandomSource
    ) throws -> (parameters: [(String, String)], headers: [(name: String, value: String)]) {
        switch self {
        case .none, .certificate: return ([("client_id", clientID)], [])
        case .secret(let secret, by: .clientSecretBasic):
            // The client ID and the secret are form-encoded before they are joined (RFC 6749 section 2.3.1).
            let pair = FormURLEncoded.encode(clientID) + ":" + FormURLEncoded.encode(secret.revealed())
            let encoded = Base64.encode(Array(pair.utf8))
            return ([], [(name: "Authorization", value: "Basic \(encoded)")])
        case .secret(let secret, by: .clientSecretJWT):
            let claims = try assertion(of: clientID, for: audience, now: now, random: random)
            let input = JWSSigner.input(["alg": "HS256", "typ": "JWT"], claims)
            let mac = try HashFunction.sha256.authenticationCode(
                of: Array(input.utf8), key: Array(secret.revealed().utf8))
            return parameters(clientID, input + "." + Base64URL.encode(mac))
        case .secret(let secret, _): return ([("client_id", clientID), ("client_secret", secret.revealed())], [])
        case .privateKeyJWT(let key, let algorithm, let keyID):
            let signer = JWSSigner(key: key, algorithm: algorithm, keyID: keyID)
            return parameters(
                clientID, try signer.sign(try assertion(of: clientID, for: audience, now: now, random: random)))
        case .signedSecret(let made):
            let secret = try made.secret(clientID: clientID, now: now)
            return ([("client_id", clientID), ("client_secret", secret)], [])
        case .assertion(let token): return parameters(clientID, token.revealed())
        }
    }

    private func parameters(
        _ clientID: String, _ assertion: String
    ) -> ([(String, String)], [(name: String, value: String)]) {
        let form = [
            ("client_id", clientID), ("client_assertion_type", ClientAuthentication.assertionType),
            ("client_assertion", assertion),
        ]
        return (form, [])
    }

    private func assertion(
        of clientID: String, for audience: String, now: Int64, random: RandomSource
    ) throws -> JSONObject {
        [
            "iss": .string(clientID), "sub": .string(clientID), "aud": .string(audience),
            "jti": .string(try random.token(bytes: 16)), "iat": JSONValue(now),
            "exp": JSONValue(now + ClientAuthentication.assertionLifetime),
        ]
    }
}

/// The inputs of Apple's client secrets: an ES256 JWT of team, key and client (Sign in with Apple, "Creating a client
/// secret").
package struct SignedClientSecret: Sendable {
    package let key: PrivateKey
    package let keyID: String
    package let teamID: String
    package let audience: String

    /// Seconds for which a secret is valid. Apple accepts up to half a year.
    static let lifetime: Int64 = 300

    func secret(clientID: String, now: Int64) throws -> String {
        try JWSSigner(key: key, algorithm: .es256, keyID: keyID).sign([
            "iss": .string(teamID), "iat": JSONValue(now), "exp": JSONValue(now + SignedClientSecret.lifetime),
            "aud": .string(audience), "sub": .string(clientID),
        ])
    }
}
