package struct SignInRequest: Sendable {
    package enum Flow: String, Sendable, CaseIterable {
        case auto, browser, device, paste
        /// The client signs in for itself, without a user (RFC 6749 section 4.4).
        case clientCredentials = "client-credentials"
    }

    package var flow = Flow.auto
    package var operation = SignInOperation.signIn
    package var account: String?
    package var hasConsent = false
    package var scopes: [String] = []
    package var parameters: [(String, String)] = []
    package var loginHint: String?
    package var prompt: String?
    /// The maximum age of the user's authentication, in seconds.
    package var maximumAge: Int64?
    package var authenticationContexts: [String] = []
    package var language: String?
    /// At a provider with tenants: replaces the configured tenant.
    package var tenant: String?
    /// The target resource, byte for byte (RFC 8707).
    package var resource: HTTPURL?
    package var resourceScopes: [String] = []
    package var port: UInt16?
    /// The IP address to listen on, if the callback comes from outside this machine.
    package var listenAddress: String?
    package var opensBrowser = true
    /// Use a pushed authorization request (RFC 9126), even if the configuration does not enable it.
    package var pushesRequest = false
    /// Bind the tokens to a new DPoP key (RFC 9449), even if the configuration does not enable it.
    package var bindsTokens = false
    package var acceptsPaste = false
    /// Seconds to wait for the user.
    package var timeout = 300

    package init() {}

    var signsClientIn: Bool { flow == .clientCredentials }

    /// The options that select the user and the strength of the authentication. Only sign-ins with equal options can share
    /// a result.
    var userOptions: String {
        let parts = [
            String(signsClientIn), tenant ?? "", loginHint ?? "", prompt ?? "",
            maximumAge.map(String.init) ?? "", authenticationContexts.joined(separator: " "),
            FormURLEncoded.encode(parameters),
        ]
        return FormURLEncoded.encode(parts.map { ("", $0) })
    }

    var fingerprint: String {
        let parts: [String] = [
            userOptions, flow.rawValue, scopes.joined(separator: " "), language ?? "", resource?.text ?? "",
            port.map { String($0) } ?? "", listenAddress ?? "", String(opensBrowser), String(timeout),
            String(pushesRequest), String(bindsTokens),
        ]
        let digest = try? HashFunction.sha256.digest(FormURLEncoded.encode(parts.map { ("", $0) }).utf8)
        return (digest ?? []).prefix(12).map { $0 }.hexadecimal
    }

    func parameters(in dialect: Dialect, of provider: String) throws(ProviderError) -> [(String, String)] {
        let contexts = authenticationContexts.joined(separator: " ")
        let options: [(RequestOption, String?)] = [
            (.loginHint, loginHint), (.prompt, prompt), (.maximumAge, maximumAge.map(String.init)),
            (.language, language), (.authenticationContexts, contexts.isEmpty ? nil : contexts),
        ]
        var parameters = self.parameters
        if case .reauthenticate = operation {
            let named = Set(parameters.map(\.0) + (prompt == nil ? [] : ["prompt"]))
            parameters += dialect.reauthentication.filter { !named.contains($0.0) }
        }
        for case (let option, let value?) in options {
            parameters.append((try dialect.name(of: option, at: provider), value))
        }
        return parameters
    }
}
