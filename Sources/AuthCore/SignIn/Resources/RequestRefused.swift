/// Why a request was not sent, or what came back.
package enum RequestRefused: CodedError, Sendable, Equatable {
    case host(origin: String, provider: String, owner: SessionOwner?)
    case otherResource(url: String, provider: String)
    /// A token for one resource may only be exchanged at another issuer (RFC 8693) if the user allows it.
    case exchange(resource: String, provider: String, at: String)
    /// - variable: of the environment, if the token is from one.
    case status(Int, variable: String?)

    package var code: ErrorCode { if case .status = self { .requestFailed } else { .operationNotAllowed } }
}

/// The provider that a host belongs to, and who has a session there.
package struct SessionOwner: Sendable, Equatable {
    package let provider: String
    package let account: String?
    /// Whether its tokens are for one resource each.
    package var isForResources = false
}
