/// Why this program ended a sign-in.
package enum SignInError: CodedError, Sendable, Equatable {
    /// The timeout, in seconds, has passed.
    case timedOut(seconds: Int)
    /// The last automatic sign-in timed out; seconds until another one may open a browser.
    case recentlyTimedOut(pause: Int)
    case noBrowser
    case interactionRequired
    case unreachableRedirectURI(String)
    case redirectURINeeded(provider: String)
    case registeredPortInUse(UInt16)
    /// Only a fixed port can be published.
    case noFixedPort
    case confirmationNeedsTerminal
    /// The user's browser does not show the number, so another program sent the callback.
    case notConfirmed
    /// Without a client secret, the provider supports only the device flow for this client. The flow is `auto` for a
    /// sign-in in two calls.
    case browserNeedsSecret(provider: String, flow: SignInRequest.Flow)
    case nonceUsedBefore
    case noPendingSignIn(String)
    case startedAs(SignInOperation.Kind, id: String)
    /// An option whose result only a client on this machine can verify.
    case notThroughProject(RequestOption, provider: String)
    /// An option for a client on this machine, but the project is the client.
    case onlyByOwnClient(OwnClientOption, provider: String)
    case notTheCallback(PastedResponseFault, redirectURI: String, SignInOperation.Kind, id: String)
    case emptyInput

    package var code: ErrorCode {
        switch self {
        case .timedOut: .timedOut
        case .recentlyTimedOut, .noBrowser, .interactionRequired, .confirmationNeedsTerminal: .interactionRequired
        case .unreachableRedirectURI, .redirectURINeeded, .browserNeedsSecret: .invalidConfiguration
        case .registeredPortInUse: .portInUse
        case .nonceUsedBefore: .missingOrInvalidNonce
        case .noPendingSignIn: .invalidCredential
        case .startedAs, .noFixedPort, .notThroughProject, .onlyByOwnClient: .usage
        case .notTheCallback, .notConfirmed: .invalidResponse
        case .emptyInput: .cancelled
        }
    }
}

/// Options of a sign-in that require a client of this machine, not of a Firebase project.
package enum OwnClientOption: Sendable {
    /// RFC 9126.
    case pushedRequest
    /// RFC 9449.
    case boundTokens
}
