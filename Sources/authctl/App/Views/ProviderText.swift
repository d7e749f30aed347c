import AuthCore

enum ProviderText {
    static func place(_ client: ProviderClient) -> String {
        if let base = client.provider.baseURL { return "at '\(base.text)'" }
        if let endpoint = client.provider.tokenEndpoint { return "token endpoint '\(endpoint.text)'" }
        return Provider.isBuiltIn(client.provider.id) ? "built in" : "issuer '\(client.metadata.issuer)'"
    }

    static func notes(_ made: RegisterClient.Registered) -> [String] {
        var notes: [String] = []
        if let method = made.provider.authenticationMethod, method != made.requestedMethod {
            notes.append(
                "registered with '\(method.rawValue)', although '\(made.requestedMethod.rawValue)' was requested")
        }
        if let end = made.client.secretExpiresAt {
            notes.append("the client secret expires at \(HTTPDate.rfc3339(end)): register again before that")
        }
        return notes
    }
}
