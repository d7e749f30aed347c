/// An error between this client and an authorization server.
package enum OAuthError: CodedError, Sendable, Equatable {
    /// An error response (RFC 6749 sections 4.1.2.1 and 5.2). Its texts can be printed.
    case refused(code: String, description: ServerText?, at: Endpoint)
    case invalidResponse(ResponseFault, at: Endpoint)
    /// The status is 5xx, or the body is missing.
    case unavailable(status: Int, origin: String)
    case tooManyRequests(origin: String, retryAfter: Int64?)
    /// The authorization response has another `iss`, or none although the metadata promises one (RFC 9207).
    case issuerMixUp
    case stateMismatch
    case reservedParameter(String)
    case missingScopes([String])

    package var code: ErrorCode {
        switch self {
        case .refused(let error, let description, let endpoint): .oauth(error, description: description, at: endpoint)
        case .invalidResponse, .issuerMixUp, .stateMismatch: .invalidResponse
        case .unavailable: .providerUnavailable
        case .tooManyRequests: .tooManyRequests
        case .reservedParameter: .usage
        case .missingScopes: .consentRequired
        }
    }

    package var libraryCode: ErrorCode {
        switch self {
        case .missingScopes: .insufficientScope
        // With `prompt=none`, the provider did not ask the user.
        case .refused("login_required", _, _), .refused("interaction_required", _, _): .refused
        default: code.general
        }
    }

    /// The error codes for a rejected refresh token: RFC 6749's, GitHub's, and Twitch's message.
    static let deadGrants: Set<String> = ["invalid_grant", "bad_refresh_token", "Invalid refresh token"]
    static let refusalsOfClients = deadGrants.union(["invalid_client", "unauthorized_client", "invalid_request"])

    static func refused(
        _ error: JSONValue, in object: JSONObject, of response: HTTPResponse, at endpoint: Endpoint
    ) -> OAuthError {
        // Facebook's error is an object with a message, Huawei's is a number.
        let code = error.string ?? error.object?["type"]?.string ?? error.number?.text ?? "error"
        // Microsoft's descriptions have several lines.
        let text = (object["error_description"]?.string ?? error.object?["message"]?.string)?
            .replacing(".\r\n", with: "; ").replacing("\r\n", with: "; ")
        return .refused(
            code: response.shown(code).description, description: text.map(response.shown), at: endpoint)
    }

    package enum Endpoint: Sendable {
        case authorization
        /// RFC 9126.
        case pushedAuthorization
        case token
        case refresh
        /// The token endpoint, to exchange a token (RFC 8693).
        case exchange
        case revocation
        /// RFC 7662.
        case introspection
        case userInfo, deviceAuthorization, profile, tokenCheck, registration, installation
    }
}

extension ErrorCode {
    /// The meaning of an error code of OAuth 2.0, OpenID Connect or RFC 8628.
    fileprivate static func oauth(
        _ error: String, description: ServerText?, at endpoint: OAuthError.Endpoint
    ) -> ErrorCode {
        switch error {
        case "access_denied", "authorization_declined", "login_required", "interaction_required": .accessDenied
        case "consent_required": .consentRequired
        case "user_cancelled_authorize": .cancelled
        case "invalid_client", "unauthorized_client", "unsupported_grant_type", "unsupported_response_type",
            "unsupported_token_type", "invalid_scope", "incorrect_client_credentials", "redirect_uri_mismatch",
            "device_flow_disabled", "invalid_target":
            .invalidConfiguration
        case "unverified_user_email": .operationNotAllowed
        case "server_error", "temporarily_unavailable": .providerUnavailable
        case "expired_token", "token_expired": .timedOut
        case "invalid_dpop_proof" where endpoint != .introspection: .invalidCredential
        default:
            switch endpoint {
            case .exchange: .invalidCredential
            case .token, .refresh: description?.isAboutClientSecret == true ? .invalidConfiguration : .invalidCredential
            default: .invalidResponse
            }
        }
    }
}

extension ServerText {
    /// Google and Facebook do not send an error code for this, only a description.
    package var isAboutClientSecret: Bool {
        description.lowercased().replacing(" ", with: "_").contains("client_secret")
    }
}
