/// Why a request was not sent or failed.
package enum RequestRefused: CodedError, Sendable, Equatable {
    case host(origin: String, provider: String, owner: SessionOwner?)
    case otherResource(url: String, provider: String)
    /// A token for one resource may only be exchanged at another issuer (RFC 8693) if the user allows it.
    case exchange(resource: String, provider: String, at: String)
    /// - Parameter variable: the environment variable of the token, if any.
    case status(Int, variable: String?)

    package var code: ErrorCode { if case .status = self { .requestFailed } else { .operationNotAllowed } }
}

/// The provider that a host belongs to, and an account with a session.
package struct SessionOwner: Sendable, Equatable {
    package let provider: String
    package let account: String?
    /// Whether each token of the provider is for one resource.
    package var isForResources = false
}
