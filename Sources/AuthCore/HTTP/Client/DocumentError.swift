/// A response that is not the requested document. If there is no response, the error is an `HTTPError`.
package enum DocumentError: CodedError, Sendable, Equatable {
    case status(Int, url: String)
    /// A redirect to another origin, or one too many.
    case redirect(url: String, to: ServerText)
    /// `retryAfter` in seconds, if the server sent it.
    case tooManyRequests(origin: String, retryAfter: Int64?)

    package var code: ErrorCode {
        switch self {
        case .status(let status, _): status >= 500 ? .providerUnavailable : .invalidResponse
        case .redirect: .invalidResponse
        case .tooManyRequests: .tooManyRequests
        }
    }
}
