/// The data that an identity is read from. All of it is verified, except `user`.
package struct ProfileSource: Sendable {
    package var providerID: String
    /// The issuer, or the origin of a provider without one. An identifier is unique only within one authority.
    package var authority: String
    package var claims: JSONObject
    package var userInfo: JSONObject?
    package var user: JSONObject?
    package var trustsEmail: Bool
    package var isMoved: Bool

    func key(_ federatedID: String) -> IdentityKey {
        IdentityKey(providerID: providerID, authority: authority, federatedID: federatedID)
    }

    func text(_ name: String) -> String? {
        ProfileSource.bounded(claims[name]) ?? ProfileSource.bounded(userInfo?[name])
    }

    /// The document that `text("email")` reads.
    var emailDocument: JSONObject? { ProfileSource.bounded(claims["email"]) == nil ? userInfo : claims }

    static func bounded(_ value: JSONValue?) -> String? {
        value?.string.flatMap { $0.isEmpty || $0.utf8.count > 1024 ? nil : $0 }
    }

    static func isTrue(_ value: JSONValue?) -> Bool { value?.bool == true || value == "true" }

    func subject() throws(IDTokenRejection) -> String {
        guard let subject = claims["sub"]?.string else { throw .claim("sub") }
        return subject
    }
}
