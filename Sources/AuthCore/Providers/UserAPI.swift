/// How a provider without OpenID Connect says who the user is: one request to its API, or the token response itself, and
/// where its JSON has the values.
package struct UserAPI: Sendable, Equatable {
    /// Nil if the token response has the values.
    package var endpoint: HTTPURL?
    /// The JSON of a POST request, for example to GraphQL; nil for a GET request.
    package var body: String?
    /// The paths of values, such as `data.user.id` or `emails.0`. The identifier must never change at the provider.
    package var uidPath: String?
    package var namePath: String?
    package var emailPath: String?

    var identifiesUser: Bool { uidPath != nil }

    func person(_ api: ProviderAPI) async throws -> JSONObject {
        guard let endpoint else { return JSONObject() }
        let body = try body.map { try StrictJSON.parse(Array($0.utf8)) }
        return try await api.send(body == nil ? .get : .post, to: endpoint, body: body).object()
    }

    func identity(_ source: ProfileSource) throws -> Identity {
        let document = source.userInfo.map { JSONValue.object($0) }
        func text(_ path: String?) -> String? {
            guard let value = path.flatMap({ document?.value(at: $0) }) else { return nil }
            // An identifier can be a number of 64 bits, which must not be rounded.
            return ProfileSource.bounded(value) ?? value.number.map(\.text)
        }
        guard let uid = text(uidPath) else {
            throw OAuthError.invalidResponse(.missing(uidPath ?? ""), at: .profile)
        }
        return Identity(key: source.key(uid), email: text(emailPath), displayName: text(namePath))
    }
}
