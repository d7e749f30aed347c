/// A grant as JSON, to be sealed: what is kept of it while it waits for something.
enum GrantText {
    static func encode(_ grant: Grant) -> JSONObject {
        var object = unbound(grant)
        guard grant.binding != .bearer else { return object }
        object["binding"] = .string(grant.binding.rawValue)
        object["bindingKey"] = JSONValue(grant.bindingKey?.revealed())
        return object
    }

    private static func unbound(_ grant: Grant) -> JSONObject {
        [
            "issuer": .string(grant.issuer), "clientID": .string(grant.clientID),
            "tokenOrigin": .string(grant.tokenOrigin),
            "accessToken": JSONValue(grant.accessToken?.revealed()), "expiresAt": number(grant.expiresAt),
            "expiresIn": number(grant.lifetime),
            "refreshToken": JSONValue(grant.refreshToken?.revealed()),
            "idToken": JSONValue(grant.idToken?.revealed()),
            "idTokenExpiresAt": number(grant.idTokenExpiresAt),
            "idTokenExpiresIn": number(grant.idTokenLifetime), "subject": .string(grant.subject),
            "nonce": JSONValue(grant.nonce?.revealed()),
            "authenticatedAt": number(grant.authenticatedAt), "scopes": JSONValue(grant.scopes),
            "lastProvenAt": JSONValue(grant.lastProvenAt), "source": .string(grant.source.text),
            "resource": JSONValue(grant.resource?.text),
        ]
    }

    private static func number(_ value: Int64?) -> JSONValue { value.map { JSONValue($0) } ?? .null }

    /// - Returns: nil where it is none.
    static func decode(_ grant: JSONObject, of providerID: String) -> Grant? {
        func text(_ name: String) -> String? { grant[name]?.string }
        func number(_ name: String) -> Int64? { grant[name]?.number?.integer.map(Seconds.time) }
        func span(_ name: String) -> Int64? { grant[name].flatMap(Seconds.span(of:)) }
        guard let issuer = text("issuer"), let clientID = text("clientID"), let origin = text("tokenOrigin"),
            let subject = text("subject"), let provenAt = number("lastProvenAt"),
            let source = text("source").flatMap({ Grant.Source(text: $0, of: providerID) })
        else { return nil }
        var decoded = Grant(
            providerID: providerID, issuer: issuer, clientID: clientID,
            tokens: Tokens(
                accessToken: text("accessToken").map { AccessToken($0) }, expiresAt: number("expiresAt"),
                lifetime: span("expiresIn"), refreshToken: text("refreshToken").map { RefreshToken($0) },
                idToken: text("idToken").map { RawIDToken($0) }, idTokenExpiresAt: number("idTokenExpiresAt"),
                idTokenLifetime: span("idTokenExpiresIn"), scopes: grant["scopes"]?.strings ?? [], tokenOrigin: origin),
            subject: subject, nonce: text("nonce").map { Nonce($0) }, authenticatedAt: number("authenticatedAt"),
            lastProvenAt: provenAt, source: source, resource: text("resource").flatMap { try? HTTPURL($0) })
        if let name = text("binding") {
            guard let binding = Grant.Binding(rawValue: name) else { return nil }
            decoded.binding = binding
            decoded.bindingKey = text("bindingKey").map { BindingKey($0) }
        }
        return decoded
    }
}
