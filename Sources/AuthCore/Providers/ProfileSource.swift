/// A user's claims, read by the rules of their provider.
package struct ProviderProfile: Sendable, Equatable {
    /// The issuer, or the origin of a provider without one: the same number at two of them is two users.
    package var authority: String
    /// The provider's stable identifier; bytes are compared.
    package var federatedID: String
    package var email: String?
    package var isEmailVerified = false
    package var displayName: String?
    package var photoURL: String?
    /// The user name at the provider, which users can change: never an identifier.
    package var screenName: String?
    /// The address is one that only forwards (Apple).
    package var isPrivateRelay = false
    package var tenantID: String?
}

/// The sources of a profile. All are verified, except `user`.
package struct ProfileSource: Sendable {
    package var authority: String
    package var claims: JSONObject
    package var userInfo: JSONObject?
    package var user: JSONObject?
    package var trustsEmail: Bool
    package var isMoved: Bool

    func text(_ name: String) -> String? {
        ProfileSource.bounded(claims[name]) ?? ProfileSource.bounded(userInfo?[name])
    }

    var emailDocument: JSONObject? { claims["email"] == nil ? userInfo : claims }

    static func bounded(_ value: JSONValue?) -> String? {
        value?.string.flatMap { $0.isEmpty || $0.utf8.count > 1024 ? nil : $0 }
    }

    static func isTrue(_ value: JSONValue?) -> Bool { value?.bool == true || value == "true" }

    func subject() throws(IDTokenRejection) -> String {
        guard let subject = claims["sub"]?.string else { throw .claim("sub") }
        return subject
    }
}
