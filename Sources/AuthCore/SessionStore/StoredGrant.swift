extension Grant {
    init?(stored object: JSONObject, of providerID: String) {
        var object = object
        object["providerID"] = .string(providerID)
        // Up to version 0.2.0 the tokens stood beside the rest, and bearer tokens were not called so.
        if object["tokens"] == nil { object["tokens"] = .object(object) }
        if object["binding"] == nil { object["binding"] = .string(Binding.bearer.rawValue) }
        guard let grant = try? JSONValue.object(object).decoded(as: Grant.self) else { return nil }
        self = grant
        resource = object["resource"]?.string.flatMap { try? HTTPURL($0) }
    }

    func stored() throws -> JSONObject {
        var object = try JSONValue(encoding: self).object ?? JSONObject()
        object["resource"] = resource.map { .string($0.text) }
        return object
    }

    mutating func mapSecrets(_ change: (String, _ field: String) throws -> String?) throws {
        func changed<Kind>(_ secret: Secret<Kind>?, _ field: String) throws -> Secret<Kind>? {
            try secret.flatMap { try change($0.revealed(), field).map { Secret($0) } }
        }
        tokens.accessToken = try changed(tokens.accessToken, "access token")
        tokens.refreshToken = try changed(tokens.refreshToken, "refresh token")
        tokens.idToken = try changed(tokens.idToken, "ID token")
        nonce = try changed(nonce, "nonce")
        bindingKey = try changed(bindingKey, "binding key")
    }
}
