/// The parameters of a callback, in their order. Names and values that cannot be decoded are nil.
package struct CallbackParameters: Sendable {
    let pairs: [(name: String?, value: String?)]
    let encoded: [UInt8]
    /// How the listener received them; nil if they were pasted.
    var responseMode: ResponseMode?

    package init(encoded: some Collection<UInt8>) {
        pairs = FormURLEncoded.decodeEach(encoded)
        self.encoded = Array(encoded)
    }

    package init(pasted: String) {
        let text = CallbackParameters.unquoted(pasted)
        let query = text.firstIndex(of: "?").map { text[text.index(after: $0)...] } ?? text[...]
        self.init(encoded: Array(query.prefix { $0 != "#" }.utf8))
    }

    /// Reads a pasted response to a redirect URI. Returns nil for other URLs, for example the authorization URL or
    /// another provider's redirect URI (RFC 9700 section 4.4).
    init?(pasted: String, at redirectURI: String) {
        if let url = try? HTTPURL(String(CallbackParameters.unquoted(pasted).prefix { $0 != "#" })) {
            guard let own = try? HTTPURL(redirectURI), url.host == own.host,
                url.path == own.path || (url.path == "/" && own.path.isEmpty)
            else { return nil }
        }
        self.init(pasted: pasted)
    }

    static func unquoted(_ pasted: String) -> Substring {
        let quotes: Set<Character> = ["\"", "'", "`", "<", ">", "“", "”", "„", "‘", "’", "«", "»"]
        func isAround(_ character: Character) -> Bool { character.isWhitespace || quotes.contains(character) }
        var text = pasted.drop(while: isAround)
        while let last = text.last, isAround(last) { text.removeLast() }
        return text
    }

    package func carries(_ state: AuthorizationState, as name: String = "state") -> Bool {
        pairs.contains { $0.name == name && $0.value.map { AuthorizationState($0) == state } == true }
    }

    func has(_ name: String) -> Bool { pairs.contains { $0.name == name } }

    func value(_ name: String) -> String? {
        let values = pairs.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }
}

/// A successful authorization response (RFC 6749 section 4.1.2) that matches its request.
package struct AuthorizationResponse: Sendable {
    package let code: AuthorizationCode
    package let user: String?
    /// The granted scopes, which Strava names only here.
    let scopes: [String]?

    static let maximumCodeLength = 4096

    /// Checks a callback against its request.
    ///   - issuers: the issuers that may respond (RFC 9207).
    package init(
        _ parameters: CallbackParameters, to request: AuthorizationRequest, issuers: IssuerRule, requiresIssuer: Bool
    ) throws(OAuthError) {
        guard parameters.carries(request.state) else { throw .stateMismatch }
        let values = try AuthorizationResponse.values(of: parameters)
        guard values["iss"].map(issuers.matches) ?? !requiresIssuer else { throw .issuerMixUp }
        switch (values["code"], values["error"]) {
        case (nil, let error?):
            let secrets = [request.state.revealed(), request.nonce?.revealed() ?? ""]
            throw .refused(
                code: ServerText(error, secrets: secrets).description,
                description: values["error_description"].map { ServerText($0, secrets: secrets) }, at: .authorization)
        case (let code?, nil):
            let isUsable = code.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            guard (1...AuthorizationResponse.maximumCodeLength).contains(code.utf8.count), isUsable else {
                throw AuthorizationResponse.invalid(.unusableCode)
            }
            self.code = AuthorizationCode(code)
            // `user` is only read from a form post, because it is not signed and any web site can add it to a URL.
            user = request.responseMode == .formPost ? values["user"] : nil
            scopes = values["scope"].map(Scopes.split)
        case (nil, nil): throw AuthorizationResponse.invalid(.neitherCodeNorError)
        case (_?, _?): throw AuthorizationResponse.invalid(.codeAndError)
        }
    }

    private static func values(of parameters: CallbackParameters) throws(OAuthError) -> [String: String] {
        let known = ["code", "state", "iss", "error", "error_description", "error_reason", "user", "scope"]
        var values: [String: String] = [:]
        for pair in parameters.pairs {
            guard let name = pair.name else { throw invalid(.unreadableName) }
            if name.hasSuffix("[]"), known.contains(String(name.dropLast(2))) {
                throw invalid(.malformed(ServerText(name).description, isNot: .parameter))
            }
            if ["response", "access_token", "id_token", "refresh_token"].contains(name) {
                throw invalid(.notRequested(name))
            }
            guard known.contains(name) else { continue }
            guard let value = pair.value else { throw invalid(.malformed(name, isNot: .text)) }
            guard values.updateValue(value, forKey: name) == nil else { throw invalid(.repeated(name)) }
        }
        return values
    }

    private static func invalid(_ fault: ResponseFault) -> OAuthError { .invalidResponse(fault, at: .authorization) }
}
