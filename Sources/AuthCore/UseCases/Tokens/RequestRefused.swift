/// Why a request was not sent or failed.
package enum RequestRefused: CodedError, Sendable, Equatable {
    case host(origin: String, provider: String, owner: SessionOwner?)
    /// The provider has no configuration on this machine, in which a host could be allowed.
    case hostWithoutConfiguration(origin: String, provider: String)
    case otherResource(url: String, provider: String)
    /// A token for one resource may only be exchanged at another issuer (RFC 8693) if the user allows it.
    case exchange(resource: String, provider: String, at: String)
    /// - Parameters:
    ///   - variable: the environment variable of the token, if any.
    ///   - session: the end of the token's session, if any.
    indirect case status(Int, variable: String?, session: NotSignedIn?)
    case redirect(Int, to: ServerText)
    case tooManyRequests(retryAfter: Int64?)

    package var code: ErrorCode {
        switch self {
        case .status, .redirect, .tooManyRequests: .requestFailed
        case .host, .hostWithoutConfiguration, .otherResource, .exchange: .operationNotAllowed
        }
    }

    /// Nil if the status is 200 to 299.
    package init?(_ response: HTTPResponse, variable: String?, session: NotSignedIn?, now: Int64) {
        switch response.status {
        case 200...299: return nil
        case 429: self = .tooManyRequests(retryAfter: RetryAfter.seconds(response, now: now))
        case let status:
            let location = (300...399).contains(status) ? response.header("location") : nil
            // The query may contain a token, for example of a download.
            let parts = location?.split(separator: "?", maxSplits: 1)
            self =
                parts?.first.map { .redirect(status, to: ServerText($0 + (parts?.count == 2 ? "?…" : ""))) }
                ?? .status(status, variable: variable, session: session)
        }
    }
}

/// The provider that a host belongs to, and an account with a session.
package struct SessionOwner: Sendable, Equatable {
    package let provider: String
    package let account: String?
    /// Whether each token of the provider is for one resource.
    package var isForResources = false
}
