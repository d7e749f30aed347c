extension Provider {
    /// What the identity's claims say, by this provider's rules.
    public func identity(of token: VerifiedIDToken, userInfo: JSONObject?) -> Identity {
        func text(_ name: String) -> String? {
            let value = token.claims[name]?.string ?? userInfo?[name]?.string
            return value.flatMap { $0.isEmpty || $0.utf8.count > 1024 ? nil : $0 }
        }
        let email = text("email")
        // Only a JSON true, from the same document as the address, and only where the entry says so.
        let source = token.claims["email"] == nil ? userInfo : token.claims
        let isVerified = trustsEmail && source?["email_verified"]?.bool == true
        return Identity(
            key: IdentityKey(providerID: id, authority: token.issuer, federatedID: token.subject), email: email,
            isEmailVerified: email != nil && isVerified, displayName: text("name") ?? text("preferred_username"),
            photoURL: text("picture"))
    }
}
