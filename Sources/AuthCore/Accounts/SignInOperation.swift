package enum SignInOperation: Sendable {
    case signIn
    case link(uid: String, hasConsent: Bool)
    case reauthenticate(uid: String)

    /// The operation without its account. The names are Firebase's, and part of the JSON output.
    package enum Kind: String, Sendable, StoredJSON { case signIn, link, reauthenticate }

    /// The account to link to or to re-authenticate; nil for a sign-in.
    package var uid: String? {
        switch self {
        case .signIn: nil
        case .link(let uid, _), .reauthenticate(let uid): uid
        }
    }

    package var kind: Kind {
        switch self {
        case .signIn: .signIn
        case .link: .link
        case .reauthenticate: .reauthenticate
        }
    }
}
