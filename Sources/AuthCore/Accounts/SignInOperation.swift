package enum SignInOperation: Sendable {
    case signIn
    case link(uid: String, hasConsent: Bool)
    case reauthenticate(uid: String)

    /// The operation without its account. The names are Firebase's, and part of the JSON output.
    package enum Kind: String, Sendable, StoredJSON { case signIn, link, reauthenticate }

    package var kind: Kind {
        switch self {
        case .signIn: .signIn
        case .link: .link
        case .reauthenticate: .reauthenticate
        }
    }
}
