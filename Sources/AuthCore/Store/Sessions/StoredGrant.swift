extension Grant {
    init(stored object: JSONObject, of providerID: String) throws(UnexpectedJSON) {
        self.providerID = providerID
        issuer = try object.stored("issuer")
        clientID = try object.stored("clientID")
        // Up to version 0.2.0 there was no `tokens` object, and bearer tokens had no `binding`.
        tokens = try Tokens(stored: object["tokens"] ?? .object(object))
        subject = try object.stored("subject")
        nonce = try object.storedIfPresent("nonce")
        authenticatedAt = try object.storedIfPresent("authenticatedAt")
        lastProvenAt = try object.stored("lastProvenAt")
        source = try object.stored("source")
        renewal = try object.storedIfPresent("renewal")
        binding = try object.storedIfPresent("binding") ?? .bearer
        bindingKey = try object.storedIfPresent("bindingKey")
        omitsIDToken = try object.storedIfPresent("omitsIDToken") ?? false
        resource = object["resource"]?.string.flatMap { try? HTTPURL($0) }
    }

    /// The latest time, so that removing the listed session does not mistake it for an older one.
    static func unreadable(of providerID: String) -> Grant {
        Grant(
            providerID: providerID, issuer: "", clientID: "", tokens: Tokens(tokenOrigin: ""), subject: "",
            lastProvenAt: Seconds.latest, source: .browser)
    }

    var stored: JSONObject {
        JSONObject(storing: [
            "issuer": issuer, "clientID": clientID, "tokens": tokens, "subject": subject, "nonce": nonce,
            "authenticatedAt": authenticatedAt, "lastProvenAt": lastProvenAt, "source": source, "renewal": renewal,
            "binding": binding, "bindingKey": bindingKey, "resource": resource?.text,
            "omitsIDToken": omitsIDToken ? true : nil,
        ])
    }

    mutating func mapSecrets(_ change: (String, _ field: String) throws -> String?) throws {
        func changed<Kind>(_ secret: Secret<Kind>?, _ field: String) throws -> Secret<Kind>? {
            try secret.flatMap { try change($0.revealed(), field).map { Secret($0) } }
        }
        tokens.accessToken = try changed(tokens.accessToken, "access token")
        tokens.refreshToken = try changed(tokens.refreshToken, "refresh token")
        tokens.unproven = try changed(tokens.unproven, "unproven refresh token")
        tokens.idToken = try changed(tokens.idToken, "ID token")
        nonce = try changed(nonce, "nonce")
        bindingKey = try changed(bindingKey, "binding key")
    }
}
