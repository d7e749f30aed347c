import AuthCore

extension AuthorizationServer {
    func certificate(of request: Request) -> ForwardedCertificate? {
        settings.certificateHeader.flatMap { ForwardedCertificate(request, header: $0) }
    }

    /// - Throws: `Refusal` if the client did not present its registered certificate (RFC 8705 section 2).
    func checkCertificate(_ request: Request, of client: Client) throws {
        func refuse(_ why: String) -> Refusal { Refusal("invalid_client", why, status: 401) }
        guard request.form["client_secret"] == nil, request.form["client_assertion"] == nil,
            request.authorization == nil
        else { throw refuse("There is another credential in addition to the certificate.") }
        guard let shown = certificate(of: request) else { throw refuse("The client did not present a certificate.") }
        if let thumbprint = client.certificate {
            guard shown.thumbprint == thumbprint else { throw refuse("The certificate is not the registered one.") }
            return
        }
        guard shown.isVerified else { throw refuse("The certificate was not signed by a known CA.") }
        guard shown.subject == client.subject else {
            throw refuse("The certificate is that of '\(shown.subject)'.")
        }
    }

    func checkCertificateFaults(_ request: Request) throws {
        if has(.certificateRefused) {
            throw Refusal("invalid_client", "The fault mtls-refused is on.", status: 401)
        }
        if has(.requiresCertificate), certificate(of: request) == nil {
            throw Refusal("invalid_client", "The client did not present a certificate.", status: 401)
        }
    }

    func bindingCertificate(of request: Request) throws -> String? {
        guard let thumbprint = certificate(of: request)?.thumbprint, !has(.certificateUnbound) else { return nil }
        return has(.certificateOther) ? Base64URL.encode(try HashFunction.sha256.digest(thumbprint.utf8)) : thumbprint
    }

    /// Refuses a refresh with another certificate than that of the tokens, except if the client authenticates with the
    /// certificate (RFC 8705 section 4).
    func checkCertificate(_ request: Request, for grant: Grant) throws {
        guard let bound = grant.certificate, client(grant.clientID)?.isKnownByCertificate == false else { return }
        guard try bindingCertificate(of: request) == bound else {
            throw Refusal("invalid_grant", "The tokens are bound to another certificate.")
        }
    }

    var authenticationMethods: [String] {
        let methods = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]
        return settings.certificateHeader == nil
            ? methods : methods + ["tls_client_auth", "self_signed_tls_client_auth"]
    }

    /// Adds the metadata about client certificates (RFC 8705 sections 3.3 and 5).
    func addCertificates(to object: inout JSONObject) {
        guard settings.certificateHeader != nil else { return }
        object["tls_client_certificate_bound_access_tokens"] = true
        guard let base = settings.mtlsURL else { return }
        var aliases: JSONObject = [
            "token_endpoint": .string(base + "/token"), "revocation_endpoint": .string(base + "/revoke"),
            "introspection_endpoint": .string(base + "/introspect"),
            "pushed_authorization_request_endpoint": .string(base + "/par"),
            "device_authorization_endpoint": .string(base + "/device_authorization"),
            "userinfo_endpoint": .string(base + "/userinfo"),
        ]
        if has(.noTokenAlias) { aliases["token_endpoint"] = nil }
        object["mtls_endpoint_aliases"] = .object(aliases)
    }
}

/// Access tokens: random text, or JWTs (RFC 9068) with a confirmation claim.
extension AuthorizationServer {
    func newAccessToken(of grant: Grant) throws -> String {
        guard settings.givesJWTs else { return try token(rules.accessTokenPrefix(settings)) }
        let time = grant.issuedAt ?? now()
        let audience = has(.wrongAudience) ? "https://other.example" : grant.audiences.first ?? issuer.name
        var claims: JSONObject = [
            "iss": .string(issuer.name), "sub": .string(Person(user: grant.user).subject),
            "client_id": .string(grant.clientID),
            "aud": grant.audiences.count > 1 ? JSONValue(grant.audiences) : .string(audience),
            "iat": JSONValue(time),
            "exp": JSONValue(time + settings.accessTokenLifetime), "jti": .string(try token()),
            "scope": .string(grant.scopes.joined(separator: " ")),
        ]
        claims["cnf"] = confirmation(of: grant)
        return try JWSSigner(key: issuer.key, algorithm: settings.algorithm, keyID: issuer.keyID).sign(
            claims, type: "at+jwt")
    }

    /// The confirmation claim `cnf` (RFC 7800) of a token; nil if the token is not sender-constrained.
    func confirmation(of grant: Grant) -> JSONValue? {
        if let key = grant.proofKey { return ["jkt": .string(key)] }
        return grant.certificate.map { ["x5t#S256": .string($0)] }
    }
}
