/// Why a credential obtained elsewhere is not taken.
package enum CredentialError: CodedError, Sendable, Equatable {
    /// Nobody can tell for which client the provider's access tokens were made.
    case neverAccepted
    /// The provider issues no ID tokens.
    case noIDTokens
    /// It is no longer, or never was, good.
    case invalid(ServerText?)
    /// It was made for another client.
    case otherClient
    /// The provider's ID tokens are taken only with their nonce.
    case nonceRequired
    /// Telling for whom it was made needs the client's secret.
    case secretNeeded
    /// An app's own token (GitHub's `ghs_`) belongs to no user.
    case installationToken
    case refreshToken
    /// Identity Toolkit accepts only tokens of the project's client.
    case personalTokenInProject

    package var code: ErrorCode {
        switch self {
        case .invalid, .otherClient: .invalidCredential
        case .nonceRequired: .missingOrInvalidNonce
        case .secretNeeded: .invalidConfiguration
        default: .operationNotAllowed
        }
    }
}
