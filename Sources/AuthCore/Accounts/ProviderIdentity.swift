extension Identity {
    package init(providerID: String, profile: ProviderProfile) {
        self.init(
            key: IdentityKey(
                providerID: providerID, authority: profile.authority, federatedID: profile.federatedID),
            email: profile.email, isEmailVerified: profile.isEmailVerified, displayName: profile.displayName,
            photoURL: profile.photoURL, screenName: profile.screenName, isPrivateRelay: profile.isPrivateRelay,
            tenantID: profile.tenantID)
    }
}
