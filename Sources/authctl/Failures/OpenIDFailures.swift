import AuthCore

extension DiscoveryError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .issuerMismatch(let expected, let found?):
            "discovery says issuer '\(found)', not '\(expected)'".hint(context.namingIssuer(found.description))
        case .issuerMismatch(let expected, nil):
            "discovery says no issuer, where '\(expected)' was expected".hint(.issuer)
        case .document(let reason):
            "the discovery document is not the JSON it should be: \(reason.message)".hint(.issuer)
        case .missingEndpoint(let name): "the provider's metadata lacks '\(name)'".hint(.issuer)
        case .invalidEndpoint(let name, let fault):
            "the provider's '\(name)' cannot be used: \(fault.message)".hint("tell the provider's administrator")
        case .unsupported(let feature): "the provider does not offer \(feature.name)".hint(run: context.check)
        case .notFound(let url): "there is no discovery document at '\(url)'".hint(.issuer)
        }
    }
}

extension DiscoveryError.EndpointFault {
    var message: String {
        switch self {
        case .noString: "it is no string"
        case .noURL: "it is no plain https URL"
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
        case .introspection: "an endpoint that says what a token is worth (RFC 7662)"
        case .tokenExchange: "tokens for tokens (RFC 8693)"
        case .boundTokens: "tokens bound to a key by a signature that this program makes (RFC 9449)"
        case .pushedRequests: "an endpoint for pushed authorization requests (RFC 9126)"
        }
    }
}

extension ProtectedResourceError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let telling: Hint = "tell whoever runs the resource"
        return switch self {
        case .notFound(let url):
            "nothing at '\(url)' says who protects it"
                .hint("where you know its provider: \(run: "authctl providers add --help"), with --api-host")
        case .document(let reason):
            "the resource's metadata is not the JSON it should be: \(reason.message)".hint(telling)
        case .otherResource(let asked, let found):
            "the metadata for '\(asked)' speaks of \(found.map { "another resource, '\($0)'" } ?? "no resource")"
                .hint(telling)
        case .noAuthorizationServer(let resource): "'\(resource)' names no authorization server".hint(telling)
        case .tooManyAuthorizationServers(let count, let resource):
            "'\(resource)' names \(count) authorization servers, more than anybody chooses of".hint(telling)
        case .invalidURL(let name, let text, let fault):
            "the resource's '\(name)' cannot be used: '\(text)': \(fault.message)".hint(telling)
        case .severalAuthorizationServers(let servers, let resource):
            "'\(resource)' takes tokens of several servers, and none is configured: \(quoted: servers.map { ServerText.shown($0) })"
                .hint("add the one you mean: \(run: "authctl providers add --help")")
        case .otherServer(let provider, let issuer, let resource):
            "'\(resource)' takes no tokens of '\(issuer)', the issuer of '\(provider)'"
                .hint("leave --provider out, or see whose it takes: \(run: "authctl providers discover \(resource)")")
        case .noClient(let issuer, let provider, let takesDocuments):
            "'\(issuer)' registers no programs, and none is configured here".hint(
                "\(takesDocuments ? "name the URL of your client metadata document with --client-metadata; or " : "" as Hint)register one there, then: \(run: "authctl setup \(provider)")"
            )
        case .otherScope(let scope, let provider, let resource):
            "'\(resource)' is to get a token of '\(provider)' for another API: '\(scope)'"
                .hint("name with --scope what you want of it, or \(telling)")
        case .consentRequired(.wider(let resource, let asked)):
            "the metadata of '\(asked)' is for all of '\(resource)', which you did not name"
                .hint("to sign in for all of it: \(run: "authctl signin --resource \(resource.text)")")
        case .consentRequired(.token(let provider, true, let resource, let all, let unnamed)):
            "'\(resource)' requests scopes of '\(provider)' that you did not name: \(quoted: unnamed.map { ServerText.shown($0) })"
                .hint(ProtectedResourceError.consenting(provider, resource, unnamed.isEmpty ? [] : all))
        case .consentRequired(.token(let provider, false, let resource, let all, let unnamed)):
            "'\(resource)' would receive a token of '\(provider)', and you did not name that provider for it"
                .hint(ProtectedResourceError.consenting(provider, resource, unnamed.isEmpty ? [] : all))
        case .noUserGrant(let issuer, let offered):
            "users cannot sign in at '\(issuer)': it offers only the grants \(quoted: offered.prefix(4).map { ServerText.shown($0) })"
                .hint(telling)
        }
    }

    private static func consenting(_ provider: String, _ resource: HTTPURL, _ scopes: [String]) -> Hint {
        let asked: ShellCommand = "authctl signin --resource \(resource.text) --provider \(provider)"
        let command: ShellCommand = scopes.isEmpty ? asked : "\(asked) --scope \(scopes.joined(separator: " "))"
        return "if you trust it with that: \(run: command)"
    }
}

extension ClientMetadataError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        message.hint("its 'client_id' is its URL, a loopback redirect URI stands in it, and its method is none")
    }

    private var message: String {
        switch self {
        case .url(let url): "'\(url)' is no https URL with a path, as a client's ID must be"
        case .noDocument(let url): "there is no client metadata at '\(url)'"
        case .otherClient(let url, let found):
            "the client metadata at '\(url)' names \(found.map { "'\($0)'" } ?? "no client"), not itself"
        case .noRedirectURI(let url): "the client metadata at '\(url)' has no loopback redirect URI"
        case .method(let url, let method):
            "the client metadata at '\(url)' wants '\(method)', and a program has no secret there"
        }
    }
}

extension IDTokenRejection: UserFacingError {
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation { explanation(context, clock: nil) }

    /// - Parameter clock: how this machine's clock differs from the provider's.
    fileprivate func explanation(_ context: ErrorContext, clock: String?) -> Explanation {
        "ID token refused: \(message(clock))".hint(hint(context))
    }

    private func message(_ clock: String?) -> String {
        switch self {
        case .jose(let error): error.message
        case .claim(let name): "'\(name)' is missing, wrong or no such value"
        case .issuer(let issuer): "it is of issuer '\(issuer)'"
        case .audience: "it was made for another client"
        case .authorizedParty: "its 'azp' is another client"
        case .expired(let at, let now): "it expired at \(HTTPDate.rfc3339(at))\(clock ?? Self.clock(now))"
        case .notYetValid(let at, let now): "it is not valid before \(HTTPDate.rfc3339(at))\(clock ?? Self.clock(now))"
        case .issuedInFuture(let at, let now): "it was issued at \(HTTPDate.rfc3339(at))\(clock ?? Self.clock(now))"
        case .issuedTooLongAgo(let at, let now):
            "it was issued at \(HTTPDate.rfc3339(at)), too long ago\(clock ?? Self.clock(now))"
        case .lifetime(let seconds): "it lives \(seconds) seconds, longer than a day"
        case .nonce: "its nonce is missing or is not the one that was sent"
        case .accessTokenHash: "its 'at_hash' belongs to another access token"
        case .codeHash: "its 'c_hash' belongs to another code"
        case .authenticationTooOld: "the person signed in there too long ago, or it does not say when"
        case .authenticationContext: "'acr' is weaker than was asked for"
        }
    }

    private static func clock(_ now: Int64) -> String { "; this clock says \(HTTPDate.rfc3339(now))" }

    private func hint(_ context: ErrorContext) -> Hint {
        switch self {
        case .jose(.encrypted): "have the provider sign only"
        case .expired, .notYetValid, .issuedInFuture, .issuedTooLongAgo: "set the clock, or get a new token"
        case .nonce: "run it again; with --id-token, give the raw nonce with --nonce"
        case .authenticationTooOld: "run it again with --prompt login"
        case .authenticationContext: "run it again and use a stronger way to sign in"
        default: "to see what the provider says about itself: \(run: context.check)"
        }
    }
}

extension IDTokenRefused: UserFacingError {
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation {
        let difference = clockOffset.flatMap { offset in
            offset == 0
                ? nil : "; this clock is \(abs(offset)) s \(offset > 0 ? "ahead of" : "behind") '\(issuer.host)'"
        }
        return rejection.explanation(context, clock: difference)
    }
}
