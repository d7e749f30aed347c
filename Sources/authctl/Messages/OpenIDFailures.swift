import AuthCore

extension DiscoveryError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .issuerMismatch(let expected, let found?):
            "the discovery document's issuer is '\(found)', expected '\(expected)'".hint(
                (try? HTTPURL(found.description)) == nil
                    ? context.withoutDiscovery
                    : context.setting(["--issuer": found.description], if: "if that issuer is correct: "))
        case .issuerMismatch(let expected, nil): "the discovery document has no issuer, expected '\(expected)'"
        case .document(let reason): "the discovery document is invalid JSON: \(reason.message)"
        case .missingEndpoint(let name): "the provider's metadata lacks '\(name)'"
        case .invalidEndpoint(let name, let fault): "the provider's '\(name)' is invalid: \(fault.message)"
        case .unsupported(.deviceFlow): "the provider does not support the device flow".hint("omit --flow device")
        case .unsupported(let feature): "the provider does not support \(feature.name)"
        case .notFound(let url):
            "no discovery document found at '\(url)'".hint(
                context.provider.flatMap { (try? HTTPURL($0)) == nil ? nil : ErrorContext.toResource($0) }
                    ?? context.withoutDiscovery)
        case .onlyOAuthDocument(let url, _):
            "no OpenID discovery document found at '\(url)', but the issuer has the document of RFC 8414"
                .hint(
                    context.purpose == .setUp
                        ? "use providers add, with --discovery oauth" : context.setting(["--discovery": "oauth"]))
        }
    }
}

extension DiscoveryError.EndpointFault {
    var message: String {
        switch self {
        case .notAString: "it is not a string"
        case .notAURL: "it is not an https URL without query and fragment"
        case .plainHTTP: "it is plain http"
        case .privateNetwork: "it points into a private network"
        }
    }
}

extension DiscoveryError.Feature {
    fileprivate var name: String {
        switch self {
        case .proofKey: "PKCE with S256"
        case .codeFlow: "the authorization code flow"
        case .signedIDTokens: "ID tokens with an asymmetric signature"
        case .deviceFlow: "the device flow"
        case .introspection: "token introspection (RFC 7662)"
        case .tokenExchange: "token exchange (RFC 8693)"
        case .boundTokens: "DPoP with a supported algorithm (RFC 9449)"
        case .pushedRequests: "pushed authorization requests (RFC 9126)"
        }
    }
}

extension ProtectedResourceError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .notFound(let url):
            "no protected resource metadata found for '\(url)' (RFC 9728); an authorization server at the same host is not assumed, as in MCP 2025-03-26"
                .hint(.onlyNamedHosts)
        case .document(let reason, let url):
            "the resource's metadata at '\(url)' is invalid JSON: \(reason.message)"
        case .otherResource(let requested, let found):
            "the metadata of '\(requested)' names \(found.map { "another resource, '\($0)'" } ?? "no resource")"
        case .noAuthorizationServer(let resource):
            "the metadata of '\(resource)' does not name an authorization server"
        case .tooManyAuthorizationServers(let count, let resource):
            "'\(resource)' names too many authorization servers: \(count)"
        case .invalidURL(let name, let text, let fault):
            "the resource's '\(name)' is invalid: '\(text)': \(fault.message)"
        case .severalAuthorizationServers(let servers, let resource):
            "'\(resource)' accepts tokens of several authorization servers, and none of them is configured: \(quoted: servers.map { ServerText.shown($0) })"
                .hint("choose one of them: \(run: "authctl setup \(servers.first ?? resource)")")
        case .otherServer(let provider, let issuer, let resource):
            "'\(resource)' does not accept tokens of '\(issuer)', the issuer of '\(provider)'".hint(
                run: "authctl signin --resource \(resource)")
        case .noClient(let issuer, let provider, _):
            "'\(issuer)' does not support dynamic client registration, and no client is configured".hint(
                "register a client at the provider, then: \(run: .setup(provider))")
        case .noClientWithoutUser(let issuer, let provider, let document):
            "no client of '\(issuer)' is configured, which a sign-in without a user requires".hint(
                "register one at the provider, then: \(run: Self.adding(provider, at: issuer, document: document))")
        case .otherScope(let scope, let provider, let resource):
            "'\(resource)' requests a scope of '\(provider)' that is for another API: '\(scope)'"
                .hint("choose scopes with --scope")
        case .consentRequired(.wider(let resource, let wider)):
            "the metadata of '\(wider)' covers all of '\(resource)', but you named only a part of it"
                .hint("to sign in for all of it: \(run: "authctl signin --resource \(resource.text)")")
        case .consentRequired(.moved(let resource, let provider, let account, let old, let new)):
            "'\(resource.text)' now names the authorization server '\(new.text)' instead of '\(old.text)'".hint(
                "if you trust it: \(run: "authctl signout \(provider) --account \(account)"), then: \(run: "authctl signin --resource \(resource.text)")"
            )
        case .consentRequired(.token(let provider, true, let resource, _, let unnamed)):
            "'\(resource)' requests scopes of '\(provider)' that you did not name: \(quoted: unnamed.map { ServerText.shown($0) })"
                .hint(
                    context.purpose == .signIn
                        ? "if you trust it: name them with --scope"
                        : "if you trust it: \(run: Self.signIn(resource, provider)), and name them with --scope")
        case .consentRequired(.token(let provider, false, let resource, _, _)):
            "'\(resource)' would receive a token of '\(provider)', but you did not name that provider"
                .hint(
                    context.purpose == .signIn
                        ? "if you trust it: add --provider \(provider); in a CI job: --exchange \(provider)"
                        : "if you trust it: \(run: Self.signIn(resource, provider))")
        case .noUserGrant(let issuer, let offered):
            "users cannot sign in at '\(issuer)': it offers only the grants \(quoted: offered.prefix(4).map { ServerText.shown($0) })"
        }
    }

    private static func signIn(_ resource: HTTPURL, _ provider: String) -> ShellCommand {
        "authctl signin --resource \(resource.text) --provider \(provider)"
    }

    private static func adding(_ provider: String, at issuer: String, document: Discovery.Document) -> ShellCommand {
        let command: ShellCommand = "authctl providers add \(provider) --issuer \(issuer) --client-id ID"
        return document == .oauth ? command.with(["--preset": "oauth"]) : command
    }
}

extension ClientMetadataError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        message.hint(
            "it requires 'client_id' with its own URL, a loopback redirect URI, and the authentication method 'none'")
    }

    private var message: String {
        switch self {
        case .url(let url): "'\(url)' is not an https URL with a path, as a client ID must be"
        case .noDocument(let url): "no client metadata found at '\(url)'"
        case .otherClient(let url, let found):
            "the client metadata at '\(url)' has client ID \(found.map { "'\($0)'" } ?? "(missing)") instead of its own URL"
        case .noRedirectURI(let url): "the client metadata at '\(url)' has no loopback redirect URI"
        case .method(let url, let method):
            "the client metadata at '\(url)' requires '\(method)', but this client has no secret"
        }
    }
}

extension IDTokenRejection: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { explanation(context, clock: nil) }

    fileprivate func explanation(_ context: ErrorContext, clock: String?) -> Explanation {
        // `verify` also reads tokens that have nothing to do with the project.
        if context.purpose != .verify, case .issuer(let found, let expected) = self,
            let configured = DirectoryOrigin.projectID(ofIssuer: expected),
            let project = DirectoryOrigin.projectID(ofIssuer: "\(found)")
        {
            return "the API key is of the Firebase project '\(project)', and the project ID is '\(configured)'".hint(
                run: "authctl profile set --project-id \(project)")
        }
        let what = context.purpose == .verify ? "token" : "ID token"
        return "invalid \(what): \(message(clock))".hint(hint(context, isClockWrong: clock != nil))
    }

    private func message(_ clock: String?) -> String {
        switch self {
        case .jose(let error): error.message
        case .otherUser: "it is of another user than the session"
        case .claim(let name): "its claim '\(name)' is missing or invalid"
        case .issuer(let issuer, let expected): "its issuer is '\(issuer)', expected '\(expected)'"
        case .audience(let audience, let expected): "its audience is '\(audience)', expected '\(expected)'"
        case .otherAudiences(let others):
            "its audience also has clients that are not trusted: \(quoted: others.map { ServerText.shown($0) })"
        case .authorizedParty: "its authorized party ('azp' or 'client_id') is not this client"
        case .expired(let at, let now): "it expired at \(HTTPDate.rfc3339(at))\(clock ?? Self.clock(now))"
        case .notYetValid(let at, let now): "it is not valid before \(HTTPDate.rfc3339(at))\(clock ?? Self.clock(now))"
        case .issuedInFuture(let at, let now): "it was issued at \(HTTPDate.rfc3339(at))\(clock ?? Self.clock(now))"
        case .issuedTooLongAgo(let at, let now):
            "it was issued at \(HTTPDate.rfc3339(at)), too long ago\(clock ?? Self.clock(now))"
        case .nonce: "its nonce does not match the request"
        case .nonceMissing: "it has no nonce, although the request had one"
        case .accessTokenHash: "its 'at_hash' does not match the access token"
        case .codeHash: "its 'c_hash' does not match the authorization code"
        case .authenticationTooOld: "its 'auth_time' is missing or older than requested\(clock ?? "")"
        case .authenticationContext: "its 'acr' is not one of the requested values"
        }
    }

    private static func clock(_ now: Int64) -> String { "; this clock says \(HTTPDate.rfc3339(now))" }

    private func hint(_ context: ErrorContext, isClockWrong: Bool) -> Hint? {
        switch self {
        case .jose(.type(let type)) where context.purpose == .verify && type.description.hasSuffix("at+jwt"):
            "it is an access token: add --type access"
        case .jose(.encrypted): "configure the provider to sign ID tokens without encrypting them"
        case .authenticationTooOld where !isClockWrong: "add --prompt login"
        case .authenticationTooOld, .expired, .notYetValid, .issuedInFuture, .issuedTooLongAgo:
            context.purpose == .verify ? nil : "the clock of this machine may be wrong"
        case .nonceMissing:
            context.setting(["--nonce-required": "off"], if: "if the provider never sends it: ")
        case .nonce: "with --id-token: give the raw nonce with --nonce"
        case .authenticationContext: "use a stronger sign-in method"
        case .otherAudiences(let others):
            context.setting(["--trusted-audience": others], if: "if you trust these clients: ")
        case .audience where context.provider != nil: context.settings.map { "compare the client ID: \($0)" }
        case .otherUser: .run(.signIn(context.provider))
        default: nil
        }
    }
}

extension IDTokenRefused: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        var context = context
        context.provider = context.provider ?? provider
        let difference = clockOffset.flatMap { offset in
            offset == 0
                ? nil : "; this clock is \(RelativeTime.ahead(offset)) '\(issuer.host)'"
        }
        // A difference of a few seconds does not explain an old sign-in.
        let isExplained = rejection != .authenticationTooOld || isClockAhead
        return rejection.explanation(context, clock: isExplained ? difference : nil)
    }
}
