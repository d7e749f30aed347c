import AuthCore

extension OAuthError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .refused(let error, let description, let endpoint):
            Refusal(error: error, description: description, endpoint: endpoint, context: context).explanation
        case .invalidResponse(let fault, let endpoint):
            "invalid response from the \(endpoint.name): \(fault.message)".hint(fault.hint(context))
        case .unavailable(let status, let origin):
            "'\(origin)' responded with status \(status)\(status < 300 ? ", without a body" : "")"
        case .tooManyRequests(let origin, let seconds): .slowDown(origin, seconds)
        case .issuerMixUp:
            "the issuer 'iss' of the authorization response is missing or not the provider's issuer"
        case .stateMismatch: "the 'state' of the callback does not match this sign-in"
        case .reservedParameter(let name):
            "'\(name)' cannot be set with --param, because authctl sets it to protect the sign-in"
        case .missingScopes(let scopes):
            "the provider did not grant the scope \(quoted: scopes)".hint("approve it in the browser, or omit it")
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
        let by = context.provider.map { "'\($0)' returned " } ?? ""
        // Removes the final period, because more text may follow.
        var reason = description.map { "\(error): \($0)" } ?? error
        if reason.last == "." { reason.removeLast() }
        return "\(by)\(reason)\(error == "invalid_target" ? targets : "")".hint(hint)
    }

    private var targets: String {
        context.audiences.map { "; the audience was '\(shown: $0)'" }.joined()
            + (context.resource.map { "; the resource was '\($0)'" } ?? "")
    }

    private var hint: Hint? {
        switch error {
        case "access_denied", "authorization_declined", "user_cancelled_authorize", "server_error",
            "temporarily_unavailable", "unsupported_grant_type", "unsupported_response_type", "unsupported_token_type":
            nil
        case "login_required", "interaction_required": context.signInAgain ?? "omit --prompt none"
        case "consent_required": context.signInAgain ?? "add --prompt consent"
        case "device_flow_disabled": "enable it at the provider, or add --flow browser"
        case "invalid_client" where context.provider != nil && [.token, .refresh].contains(endpoint),
            "incorrect_client_credentials":
            context.secretAgain.map { "\($0)\(context.otherMethod)" }
        case "invalid_client", "unauthorized_client", "invalid_scope", "redirect_uri_mismatch":
            context.settings.map {
                "compare the client and its scopes with those at the provider: \($0)\(context.otherMethod)"
            }
        case "invalid_target" where endpoint == .exchange: nil
        case "invalid_target": context.resource.map { .run("authctl providers discover \($0)") }
        case "unverified_user_email": "verify your primary email address at the provider"
        // The server rejected a request without a DPoP proof.
        case "invalid_dpop_proof" where endpoint != .exchange && endpoint != .introspection:
            "add --dpop; with it, this machine's clock may be wrong"
        case _ where endpoint == .exchange: "to exchange the ID token instead: add --type id"
        case _ where [.token, .refresh].contains(endpoint) && description?.isAboutClientSecret == true:
            context.setting(["--client-secret-stdin": true]) ?? "use providers set, with --client-secret-stdin"
        default: context.signInAgain
        }
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
        case .installation: "installation token endpoint"
        }
    }
}

extension ResponseFault {
    fileprivate var message: String {
        switch self {
        case .status(let status): "status \(status)"
        case .statusWithoutCode(let status): "status \(status) without an error code"
        case .redirect(let status): "a redirect (status \(status)), which is not followed"
        case .noObject(let status?): "status \(status), and the body is not a JSON object"
        case .noObject(nil): "the body is not a JSON object"
        case .missing(let name): "'\(name)' is missing"
        case .malformed(let name, let form): "'\(name)' is \(form.denied)"
        case .repeated(let name): "'\(name)' is a duplicate parameter"
        case .unreadableName: "a parameter name is not text"
        case .notRequested(let name): "'\(name)' in the response was not requested"
        case .notByMode(let mode):
            "it came \(mode == .query ? "in a form" : "in the URL"), but the response mode '\(mode.rawValue)' was requested"
        case .withheld(let name): "'\(name)' is missing although it was requested"
        case .unbound: "the access token is not sender-constrained, as FAPI 2.0 requires"
        case .otherAudience(let audience, let resource):
            "the access token's audience is \(quoted: audience.prefix(3).map { ServerText.shown($0) }), expected '\(shown: resource)'"
        case .otherCertificate: "the access token is bound to another client's certificate"
        case .bindingLost: "the new access token is not bound to the client certificate"
        case .unusableCode: "the code is empty, too long or not text"
        case .neitherCodeNorError: "neither a code nor an error"
        case .codeAndError: "both a code and an error"
        case .noEndpoint: "the provider does not have this endpoint"
        case .unknownMethod(let method): "'token_endpoint_auth_method' is \(method), which is not supported"
        case .expiredSecret(let end):
            "'client_secret' expired at \(HTTPDate.rfc3339(end)), by this machine's clock"
        case .methodWithoutKey(let method): "'\(method.rawValue)', although no key was sent"
        case .methodWithoutCertificate(let method): "'\(method.rawValue)', which was not requested"
        case .methodWithoutSecret(let method): "'\(method.rawValue)', without 'client_secret'"
        }
    }
}

extension ResponseFault {
    fileprivate func hint(_ context: ErrorContext) -> Hint? {
        guard case .notByMode(let mode) = self else { return nil }
        let other = ResponseMode.allCases.first { $0 != mode }
        return context.setting(["--response-mode": other?.rawValue])
    }
}

extension ResponseFault.Form {
    fileprivate var denied: String {
        switch self {
        case .token: "not a token"
        case .accessToken: "not an access token"
        case .identityAssertion: "not an identity assertion (ID-JAG)"
        case .bearer: "not 'Bearer'"
        case .dpop: "not 'DPoP': the token is not DPoP-bound"
        case .httpsURL: "not an https URL"
        case .digits: "not a string of digits"
        case .number: "not a number"
        case .span: "not a positive number of seconds"
        case .shortSpan: "not below the 600 seconds of FAPI 2.0"
        case .text: "not UTF-8 text"
        case .userCode: "missing, too long or not printable text"
        case .clientIdentifier: "not a client ID (RFC 6749 A.1)"
        case .parameter: "not a parameter"
        }
    }
}
