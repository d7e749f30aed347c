/// Introspects a token at its provider (RFC 7662), and compares the response with the expected values.
package struct IntrospectToken: Sendable {
    package var hint: TokenEndpoint.TokenTypeHint?
    /// The expected audience.
    package var audience: String?
    /// The expected issuer.
    package var issuer: String?
    package var required: [ClaimRequirement] = []
    private let client: ProviderClient

    package init(_ provider: String, in profile: Profile) async throws { client = try await profile.client(provider) }

    init(client: ProviderClient) { self.client = client }

    package func run(_ token: String) async throws -> JSONObject {
        let url = try client.metadata.required(.introspection, or: .unsupported(.introspection))
        let members = try await client.tokenEndpoint().introspect(
            token, hint: hint, at: url,
            authentication: client.authentication.adapted(to: client.metadata.introspectionAuthenticationMethods))
        guard members["active"] == true else { throw TokenRejected(members: members, reason: .inactive) }
        try checkTimes(members)
        if let name = differing(members) { throw TokenRejected(members: members, reason: .differs(name)) }
        return members
    }

    /// Some servers report an expired token as active (RFC 7662 section 2.2 has `exp` and `nbf`).
    private func checkTimes(_ members: JSONObject) throws(TokenRejected) {
        func time(_ name: String) throws(TokenRejected) -> Int64? {
            guard let value = members[name], value != .null else { return nil }
            guard let time = value.number?.integer else {
                throw TokenRejected(members: members, reason: .differs(name))
            }
            return time
        }
        let now = client.services.clock.now()
        let skew = ExpectedIDToken.clockSkew
        if let end = try time("exp"), end <= now - skew { throw TokenRejected(members: members, reason: .expired) }
        if let start = try time("nbf"), start > now + skew {
            throw TokenRejected(members: members, reason: .notYetValid)
        }
    }

    private func differing(_ members: JSONObject) -> String? {
        if let audience {
            guard let named = members["aud"]?.oneOrMoreStrings, named.containsBytes(of: audience) else { return "aud" }
        }
        if let issuer, !(members["iss"]?.string).hasSameBytes(as: issuer) { return "iss" }
        return required.first { !$0.holds(in: members) }?.name
    }
}

/// The token is not active, or differs from the expected values.
package struct TokenRejected: CodedError, Sendable, Equatable {
    package let members: JSONObject
    package let reason: Reason
    package var code: ErrorCode { .invalidCredential }

    package enum Reason: Sendable, Equatable {
        /// Unknown, expired, revoked, or not visible to this client. Servers do not distinguish them (RFC 7662 section
        /// 2.2).
        case inactive
        case expired
        case notYetValid
        case differs(String)
    }
}
