import AuthCore

extension OAuthError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .refused(let error, let description, let endpoint):
            Refusal(error: error, description: description, endpoint: endpoint, context: context).explanation
        case .invalidResponse(let fault, let endpoint):
            "the answer of the \(endpoint.name) cannot be used: \(fault.message)".hint(run: context.again)
        case .unavailable(let status, let origin): "'\(origin)' answered with status \(status)".hint(.again)
        case .tooManyRequests(let origin, let seconds): .slowDown(origin, seconds)
        case .issuerMixUp:
            "the answer came from another issuer than was asked, or does not say from which".hint(run: context.again)
        case .stateMismatch: "this callback does not belong to this sign-in".hint(run: context.again)
        case .reservedParameter(let name): "'\(name)' cannot be set with --param: it protects the sign-in"
        case .missingScopes(let scopes):
            "not granted: \(quoted: scopes)".hint("run it again and approve, or ask without it")
        }
    }
}

/// An error response of OAuth 2.0, OpenID Connect or RFC 8628.
private struct Refusal {
    let error: String
    let description: ServerText?
    let endpoint: OAuthError.Endpoint
    let context: ErrorContext

    var explanation: Explanation {
        let by = context.provider.map { "'\($0)' says " } ?? ""
        let said = description.map { "\(error): \($0)" } ?? error
        return "\(by)\(said)\(error == "invalid_target" ? targets : "")".hint(hint)
    }

    /// What the token was to be for.
    private var targets: String {
        context.audiences.map { "; the audience was '\(shown: $0)'" }.joined()
            + (context.resource.map { "; the resource was '\($0)'" } ?? "")
    }

    private var hint: Hint {
        switch error {
        case "access_denied", "authorization_declined":
            endpoint == .exchange
                ? "its administrator says who may trade which token for what"
                : "run it again and approve, or ask the organization's owner"
        case "login_required", "interaction_required": "run it again without --prompt none"
        case "consent_required": "run it again with --prompt consent"
        case "user_cancelled_authorize", "expired_token", "token_expired": .run(context.again)
        case "invalid_client", "unauthorized_client", "unsupported_grant_type", "unsupported_response_type",
            "unsupported_token_type", "invalid_scope", "incorrect_client_credentials", "redirect_uri_mismatch",
            "device_flow_disabled":
            "check the client's ID, secret or certificate, and scopes: \(run: context.settings)"
        case "invalid_target" where endpoint == .exchange:
            "its administrator says for whom it makes tokens, and what --audience and --resource call them"
        case "invalid_target":
            .run(
                context.resource.map { "authctl providers discover \($0)" } ?? "authctl providers discover --help")
        case "unverified_user_email": "verify your primary email address there, then run it again"
        case "server_error", "temporarily_unavailable": .again
        default: hintForOthers
        }
    }

    private var hintForOthers: Hint {
        // Without a proof: it wants one.
        if error == "invalid_dpop_proof", endpoint != .exchange, endpoint != .introspection, let bound = context.bound {
            return "with tokens bound to a key of this machine: \(run: bound)"
        }
        if endpoint == .exchange {
            return
                "its administrator says whose tokens it takes, and from which clients; an ID token is traded with --type id"
        }
        guard endpoint == .token || endpoint == .refresh, description?.isAboutClientSecret == true else {
            return .run(context.again)
        }
        return context.provider.map { .run("authctl providers set \($0) --client-secret-stdin") }
            ?? "check the client secret: \(run: context.settings)"
    }
}

extension OAuthError.Endpoint {
    fileprivate var name: String {
        switch self {
        case .authorization: "authorization endpoint"
        case .pushedAuthorization: "pushed authorization request endpoint"
        case .token: "token endpoint"
        case .refresh: "token endpoint (refresh)"
        case .exchange: "token endpoint (exchange)"
        case .revocation: "revocation endpoint"
        case .introspection: "introspection endpoint"
        case .userInfo: "userinfo endpoint"
        case .deviceAuthorization: "device authorization endpoint"
        case .profile: "profile API"
        case .tokenCheck: "token check"
        case .registration: "registration endpoint"
        }
    }
}

extension AnswerFault {
    fileprivate var message: String {
        switch self {
        case .status(let status): "status \(status)"
        case .statusWithoutCode(let status): "status \(status) without an error code"
        case .redirect(let status): "a redirect (status \(status)), which is not followed"
        case .noObject(let status?): "status \(status), and the body is no JSON object"
        case .noObject(nil): "the body is no JSON object"
        case .missing("client_id"): "no 'client_id'"
        case .missing(let name): "'\(name)' is missing"
        case .malformed(let name, let form): "'\(name)' is \(form.denied)"
        case .repeated(let name): "'\(name)' is there twice"
        case .unreadableName: "a parameter name is not text"
        case .unwanted(let name): "'\(name)' in the response, which was not asked for"
        case .withheld(let name): "'\(name)' is missing although it was asked for"
        case .unbound: "the access token is bound to nothing, and the entry is held to FAPI 2.0"
        case .otherAudience(let audience, let resource):
            "the access token is for \(quoted: audience.prefix(3).map { ServerText.shown($0) }), not for '\(shown: resource)'"
        case .otherCertificate: "the access token is bound to a certificate that is not this client's"
        case .bindingLost: "the access token is not bound to the client's certificate any more"
        case .unusableCode: "the code is empty, too long or not text"
        case .neitherCodeNorError: "neither a code nor an error"
        case .codeAndError: "a code and an error at once"
        case .noEndpoint: "there is none"
        case .unknownMethod(let said): "'token_endpoint_auth_method' is \(said), which is not known here"
        case .methodWithoutKey(let method): "'\(method.rawValue)', though no key was sent"
        case .methodWithoutCertificate(let method): "'\(method.rawValue)', which was not asked for"
        case .methodWithoutSecret(let method): "'\(method.rawValue)', and no 'client_secret'"
        }
    }
}

extension AnswerFault.Form {
    fileprivate var denied: String {
        switch self {
        case .token: "not a token"
        case .accessToken: "no access token"
        case .bearer: "not 'Bearer'"
        case .dpop: "not 'DPoP': the token is not bound"
        case .httpsURL: "no https URL"
        case .digits: "no string of digits"
        case .number: "no number"
        case .span: "no number of seconds above 0"
        case .shortSpan: "not below the 600 seconds of FAPI 2.0"
        case .text: "not UTF-8 text"
        case .userCode: "missing, too long or no text to type"
        case .clientIdentifier: "no client identifier (RFC 6749 A.1)"
        case .parameter: "not a parameter"
        }
    }
}
