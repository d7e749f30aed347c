import AuthCore

extension DiscoveryError: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .issuerMismatch(let expected, let found):
            let said =
                found.map { "issuer '\($0)', not '\(expected)'" } ?? "no issuer, where '\(expected)' was expected"
            return task.failure(
                .issuerMismatch, "discovery says \(said)",
                hint: found.map { task.namingIssuer($0.description) } ?? "check the issuer's URL")
        case .document(let reason):
            return task.failure(
                .invalidResponse, "the discovery document is not the JSON it should be: \(reason.words)",
                hint: "check the issuer's URL")
        case .missingEndpoint(let name):
            return task.failure(
                .invalidResponse, "the provider's metadata lacks '\(name)'",
                hint: "check the issuer's URL")
        case .invalidEndpoint(let name, let fault):
            return task.failure(
                .invalidResponse, "the provider's '\(name)' cannot be used: \(fault.words)",
                hint: "tell the provider's administrator")
        case .unsupported(let feature):
            return task.failure(
                .unsupported, "the provider does not offer \(feature.words)", hint: .run(task.check))
        case .notFound(let url):
            return task.failure(
                .invalidConfiguration, "there is no discovery document at '\(url)'",
                hint: "check the issuer's URL")
        }
    }
}

extension DiscoveryError.EndpointFault {
    var words: String {
        switch self {
        case .noString: "it is no string"
        case .noURL: "it is no plain https URL"
        case .plainHTTP: "it is plain http"
        case .privateNetwork: "it points into a private network"
        }
    }
}

extension DiscoveryError.Feature {
    fileprivate var words: String {
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

extension ProtectedResourceError: Told {
    func told(_ task: Undertaking) -> Failure {
        let telling: Hint = "tell whoever runs the resource"
        switch self {
        case .notFound(let url):
            return task.failure(
                .invalidConfiguration, "nothing at '\(url)' says who protects it",
                hint: "where you know its provider: \(run: "authctl providers add --help"), with --api-host")
        case .document(let reason):
            return task.failure(
                .invalidResponse, "the resource's metadata is not the JSON it should be: \(reason.words)", hint: telling
            )
        case .otherResource(let asked, let found):
            let said = found.map { "another resource, '\($0)'" } ?? "no resource"
            return task.failure(
                .invalidResponse, "the metadata for '\(asked)' speaks of \(said)",
                hint: telling)
        case .noAuthorizationServer(let resource):
            return task.failure(
                .invalidResponse, "'\(resource)' names no authorization server", hint: telling)
        case .tooManyAuthorizationServers(let count, let resource):
            return task.failure(
                .invalidResponse, "'\(resource)' names \(count) authorization servers, more than anybody chooses of",
                hint: telling)
        case .invalidURL(let name, let text, let fault):
            return task.failure(
                .invalidResponse, "the resource's '\(name)' cannot be used: '\(text)': \(fault.words)", hint: telling)
        case .severalAuthorizationServers(let servers, let resource):
            let listed = servers.map { "'\(ServerText.shown($0))'" }.joined(separator: ", ")
            return task.failure(
                .interactionRequired,
                "'\(resource)' takes tokens of several servers, and none is configured: \(listed)",
                hint: "add the one you mean: \(run: "authctl providers add --help")")
        case .otherServer(let provider, let issuer, let resource):
            return task.failure(
                .issuerMismatch, "'\(resource)' takes no tokens of '\(issuer)', the issuer of '\(provider)'",
                hint: "leave --provider out, or see whose it takes: \(run: "authctl providers discover \(resource)")")
        case .noClient(let issuer, let provider, let takesDocuments):
            let setup: Hint = "register one there, then: \(run: "authctl setup \(provider)")"
            return task.failure(
                .invalidConfiguration, "'\(issuer)' registers no programs, and none is configured here",
                hint: takesDocuments
                    ? "name the URL of your client metadata document with --client-metadata; or \(setup)" : setup)
        case .otherScope(let scope, let provider, let resource):
            return task.failure(
                .invalidResponse, "'\(resource)' is to get a token of '\(provider)' for another API: '\(scope)'",
                hint: "name with --scope what you want of it, or \(telling)")
        case .consentRequired(.wider(let resource, let asked)):
            return task.failure(
                .interactionRequired,
                "the metadata of '\(asked)' is for all of '\(resource)', which you did not name",
                hint: "to sign in for all of it: \(run: "authctl signin --resource \(resource.text)")")
        case .consentRequired(.token(let provider, let isNamed, let resource, let all, let unnamed)):
            let listed = unnamed.map { "'\(ServerText.shown($0))'" }.joined(separator: ", ")
            let asked: ShellCommand = "authctl signin --resource \(resource.text) --provider \(provider)"
            let words = all.joined(separator: " ")
            return task.failure(
                .interactionRequired,
                isNamed
                    ? "'\(resource)' requests scopes of '\(provider)' that you did not name: \(listed)"
                    : "'\(resource)' would receive a token of '\(provider)', and you did not name that provider for it",
                hint: "if you trust it with that: \(run: unnamed.isEmpty ? asked : "\(asked) --scope \(words)")")
        case .noUserGrant(let issuer, let offered):
            let listed = offered.prefix(4).map { "'\(ServerText.shown($0))'" }.joined(separator: ", ")
            return task.failure(
                .unsupported, "users cannot sign in at '\(issuer)': it offers only the grants \(listed)", hint: telling)
        }
    }
}

extension ClientMetadataError: Told {
    func told(_ task: Undertaking) -> Failure {
        func make(_ message: String) -> Failure {
            task.failure(
                .invalidConfiguration, message,
                hint: "its 'client_id' is its URL, a loopback redirect URI stands in it, and its method is none")
        }
        switch self {
        case .url(let url): return make("'\(url)' is no https URL with a path, as a client's ID must be")
        case .noDocument(let url): return make("there is no client metadata at '\(url)'")
        case .otherClient(let url, let found):
            return make("the client metadata at '\(url)' names \(found.map { "'\($0)'" } ?? "no client"), not itself")
        case .noRedirectURI(let url): return make("the client metadata at '\(url)' has no loopback redirect URI")
        case .method(let url, let method):
            return make("the client metadata at '\(url)' wants '\(method)', and a program has no secret there")
        }
    }
}

extension IDTokenRejection: Told {
    func told(_ task: Undertaking) -> Failure { told(task, offset: nil, host: nil) }

    /// - Parameters:
    ///   - offset: how far this clock is ahead of the provider's, in seconds.
    ///   - host: whose clock that is.
    func told(_ task: Undertaking, offset: Int64?, host: String?) -> Failure {
        let refused = "ID token refused: "
        func make(
            _ reason: String, code: Failure.Code = .invalidIDToken,
            hint: Hint? = nil
        ) -> Failure {
            let check: Hint = "to see what the provider says about itself: \(run: task.check)"
            return Failure(code, refused + reason, hint: hint ?? check)
        }
        func clock(_ reason: String, _ now: Int64) -> Failure {
            let apart: String
            if let offset, let host, offset != 0 {
                apart = "; this clock is \(abs(offset)) s \(offset > 0 ? "ahead of" : "behind") '\(host)'"
            } else {
                apart = "; this clock says \(HTTPDate.rfc3339(now))"
            }
            return make(reason + apart, hint: "set the clock, or get a new token")
        }
        switch self {
        case .jose(.encrypted):
            return Failure(.unsupported, refused + "it is encrypted", hint: "have the provider sign only")
        case .jose(let error): return make(error.words)
        case .claim(let name): return make("'\(name)' is missing, wrong or no such value")
        case .issuer(let issuer): return make("it is of issuer '\(issuer)'")
        case .audience: return make("it was made for another client")
        case .authorizedParty: return make("its 'azp' is another client")
        case .expired(let at, let now): return clock("it expired at \(HTTPDate.rfc3339(at))", now)
        case .notYetValid(let at, let now): return clock("it is not valid before \(HTTPDate.rfc3339(at))", now)
        case .issuedInFuture(let at, let now): return clock("it was issued at \(HTTPDate.rfc3339(at))", now)
        case .issuedTooLongAgo(let at, let now):
            return clock("it was issued at \(HTTPDate.rfc3339(at)), too long ago", now)
        case .lifetime(let seconds): return make("it lives \(seconds) seconds, longer than a day")
        case .nonce:
            return make(
                "its nonce is missing or is not the one that was sent", code: .missingOrInvalidNonce,
                hint: "run it again; with --id-token, give the raw nonce with --nonce")
        case .accessTokenHash: return make("its 'at_hash' belongs to another access token")
        case .codeHash: return make("its 'c_hash' belongs to another code")
        case .authenticationTooOld:
            return make(
                "the person signed in there too long ago, or it does not say when",
                hint: "run it again with --prompt login")
        case .authenticationContext:
            return make("'acr' is weaker than was asked for", hint: "run it again and use a stronger way to sign in")
        }
    }
}
