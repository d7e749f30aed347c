/// Why a request was not sent, or what came back.
package enum RequestRefused: CodedError, Sendable, Equatable {
    /// The provider's entry does not allow its token to go there.
    /// - Parameter owner: whose host it is, where another session's provider has it.
    case host(origin: String, provider: String, owner: SessionOwner?)
    /// The tokens are for protected resources that the URL is not part of.
    case otherResource(url: String, provider: String)
    /// A token for one resource was to be traded at another issuer (RFC 8693), and nobody said that it may go there.
    case exchange(resource: String, provider: String, at: String)
    /// The API answered with an error; its body was handed out.
    case status(Int)

    package var code: ErrorCode { if case .status = self { .requestFailed } else { .operationNotAllowed } }
}

/// The provider that a host belongs to, and who has a session there.
package struct SessionOwner: Sendable, Equatable {
    package let provider: String
    /// An address, or a UID, that names the account and no other; nil if no session is known.
    package let account: String?
}
