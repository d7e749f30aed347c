/// Why a credential obtained elsewhere is not accepted.
package enum CredentialError: CodedError, Sendable, Equatable {
    case neverAccepted
    case noIDTokens
    /// The provider does not identify the user.
    case namesNoUser
    /// The credential is invalid or expired.
    case invalid(ServerText?)
    case otherClient
    /// The provider's ID tokens are accepted only with their nonce.
    case nonceRequired
    /// The provider has no client, which every token but a personal access token requires.
    case notPersonalToken(page: String)
    case personalTokenRejected(page: String)
    case secretNeeded, installationToken, refreshToken
    /// Identity Toolkit accepts only tokens of the project's client.
    case personalTokenInProject

    package var code: ErrorCode {
        switch self {
        case .invalid, .otherClient, .notPersonalToken, .personalTokenRejected: .invalidCredential
        case .nonceRequired: .missingOrInvalidNonce
        case .secretNeeded: .invalidConfiguration
        default: .operationNotAllowed
        }
    }
}
