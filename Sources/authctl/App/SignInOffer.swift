import AuthCore

/// What `setup` offers to do after the sign-in. The entry point collects the offers, because features do not use each
/// other.
struct SignInOffer: Sendable {
    /// The question, and the scope that the session needs; nil if there is nothing to offer.
    let question: @Sendable (Provider, Context) -> (text: String, scope: String)?
    /// Does it for the provider with this ID. Returns what was changed.
    let accept: @Sendable (String, Context) async throws -> [String]
}
