/// What is done with the credential that a flow yields.
package enum SignInOperation: Sendable {
    case signIn
    case link(uid: String, hasConsent: Bool)
    case reauthenticate(uid: String)

    /// What it is, without whom it is for: the words are Firebase's, and those of the JSON.
    package enum Kind: String, Sendable, Codable { case signIn, link, reauthenticate }

    package var kind: Kind {
        switch self {
        case .signIn: .signIn
        case .link: .link
        case .reauthenticate: .reauthenticate
        }
    }
}
