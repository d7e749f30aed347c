import AuthCore

extension OAuthError: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .refused(let code, let description, let endpoint):
            return OAuthError.refused(code, description, endpoint, task)
        case .invalidResponse(let fault, let endpoint):
            return task.failure(
                .invalidResponse, "the answer of the \(endpoint.words) cannot be used: \(fault.words)",
                hint: .run(task.again))
        case .unavailable(let status, let origin):
            return task.failure(
                .providerUnavailable, "'\(origin)' answered with status \(status)",
                hint: "try again later")
        case .tooManyRequests(let origin, let seconds): return task.slowDown(origin, seconds)
        case .issuerMixUp:
            return task.failure(
                .invalidResponse, "the answer came from another issuer than was asked, or does not say from which",
                hint: .run(task.again))
        case .stateMismatch:
            return task.failure(
                .invalidResponse, "this callback does not belong to this sign-in", hint: .run(task.again))
        case .reservedParameter(let name):
            return task.usage("'\(name)' cannot be set with --param: it protects the sign-in")
        case .missingScopes(let scopes):
            return task.failure(
                .consentRequired, "not granted: \(scopes.map { "'\($0)'" }.joined(separator: ", "))",
                hint: "run it again and approve, or ask without it")
        }
    }

    /// The codes of OAuth 2.0, OpenID Connect and RFC 8628 in Firebase's and our words.
    private static func refused(
        _ error: String, _ description: ServerText?, _ endpoint: OAuthError.Endpoint, _ task: Undertaking
    ) -> Failure {
        let said = description.map { "\(error): \($0)" } ?? error
        let by = task.provider.map { "'\($0)' says " } ?? ""
        func make(_ code: Failure.Code, _ hint: Hint) -> Failure { task.failure(code, "\(by)\(said)", hint: hint) }
        switch error {
        case "access_denied", "authorization_declined":
            return make(
                .accessDenied,
                endpoint == .exchange
                    ? "its administrator says who may trade which token for what"
                    : "run it again and approve, or ask the organization's owner")
        case "login_required", "interaction_required":
            return make(.accessDenied, "run it again without --prompt none")
        case "consent_required": return make(.consentRequired, "run it again with --prompt consent")
        case "user_cancelled_authorize": return make(.userCancelled, .run(task.again))
        case "invalid_client", "unauthorized_client", "unsupported_grant_type", "unsupported_response_type",
            "unsupported_token_type", "invalid_scope", "incorrect_client_credentials", "redirect_uri_mismatch",
            "device_flow_disabled":
            return make(
                .invalidConfiguration, "check the client's ID, secret or certificate, and scopes: \(run: task.settings)"
            )
        case "invalid_target":
            let targets =
                task.audiences.map { "the audience was '\(ServerText.shown($0))'" }
                + [task.resource.map { "the resource was '\($0)'" }].compactMap { $0 }
            let discover: ShellCommand =
                task.resource.map { "authctl providers discover \($0)" } ?? "authctl providers discover --help"
            return task.failure(
                .invalidConfiguration, ([by + said] + targets).joined(separator: "; "),
                hint: endpoint == .exchange
                    ? "its administrator says for whom it makes tokens, and what --audience and --resource call them"
                    : .run(discover))
        case "unverified_user_email":
            return make(.operationNotAllowed, "verify your primary email address there, then run it again")
        // Without a proof: it wants one.
        case "invalid_dpop_proof" where task.bound != nil && endpoint != .exchange && endpoint != .introspection:
            return make(
                .invalidCredential, "with tokens bound to a key of this machine: \(run: task.bound ?? task.again)")
        case "server_error", "temporarily_unavailable": return make(.providerUnavailable, "try again later")
        case "expired_token", "token_expired": return make(.timeout, .run(task.again))
        default:
            if endpoint == .exchange {
                return make(
                    .invalidCredential,
                    "its administrator says whose tokens it takes, and from which clients; an ID token is traded with --type id"
                )
            }
            let isToken = endpoint == .token || endpoint == .refresh
            // Google and Facebook have no error code for it, only a description.
            if isToken, description?.isAboutClientSecret == true {
                let setting: ShellCommand? = task.provider.map { "authctl providers set \($0) --client-secret-stdin" }
                return make(
                    .invalidConfiguration, setting.map { .run($0) } ?? "check the client secret: \(run: task.settings)")
            }
            return make(isToken ? .invalidCredential : .invalidResponse, .run(task.again))
        }
    }
}

extension ListenerError: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .portInUse(let port):
            return task.failure(
                .portInUse, "port \(port) is in use by another program",
                hint: "choose another one with --port")
        case .noLoopback(let reason):
            return task.failure(
                .networkRequestFailed, "no loopback address can be used: \(reason)",
                hint: .run("ip addr show lo"))
        }
    }
}

extension OAuthError.Endpoint {
    fileprivate var words: String {
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
    fileprivate var words: String {
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
            "the access token is for \(audience.prefix(3).map { "'\(ServerText.shown($0))'" }.joined(separator: ", "))"
                + ", not for '\(ServerText.shown(resource))'"
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

extension ServerText {
    fileprivate var isAboutClientSecret: Bool {
        description.lowercased().replacing("_", with: " ").contains("client secret")
    }
}
