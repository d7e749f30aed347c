/// A token response that complies with RFC 6749 section 5.1.
package struct TokenResponse: Sendable {
    package let accessToken: AccessToken
    /// The lifetime of the access token in seconds; nil if the server did not send it.
    package let expiresIn: Int64?
    package let refreshToken: RefreshToken?
    /// The lifetime of the refresh token in seconds; nil if the server did not send it, or if it does not expire.
    package let refreshExpiresIn: Int64?
    package let idToken: RawIDToken?
    /// The granted scopes; nil if they are those of the request, and empty if they are unknown.
    package internal(set) var scopes: [String]?
    /// The type of an exchanged token (RFC 8693 section 2.2.1); nil for other grants.
    package let issuedTokenType: String?
    package let isTyped: Bool
    /// The response without its tokens. Some servers say in it who the user is.
    let others: JSONObject
    /// The server's time in seconds since 1970, to detect a wrong clock on this machine.
    package let serverTime: Int64?

    static let maximumTokenLength = 64 * 1024

    /// Reads a response of the token endpoint, with any status: some errors have status 200.
    ///
    /// - Parameter isBound: whether the request had a DPoP proof (RFC 9449 section 5). The token must then be bound to
    ///   the key; without a proof, it must not be.
    /// - Parameter received: called with the refresh token and the ID token before the rest of the response is checked.
    init(
        _ response: HTTPResponse, origin: String, at endpoint: OAuthError.Endpoint, acceptsForm: Bool = false,
        isBound: Bool = false, now: Int64, received: (RefreshToken?, RawIDToken?) -> Void = { _, _ in }
    ) throws(OAuthError) {
        let object = try TokenResponse.object(
            response, origin: origin, at: endpoint, acceptsForm: acceptsForm, now: now)
        guard response.status == 200 || response.status == 201 else {
            throw .invalidResponse(.statusWithoutCode(response.status), at: endpoint)
        }
        func token(_ name: String) throws(OAuthError) -> String? {
            guard let value = object.optional(name) else { return nil }
            // RFC 6749 appendix A.12 and RFC 6750 section 2.1: a token that can be sent in a header.
            guard let text = value.string, text.utf8.count <= TokenResponse.maximumTokenLength,
                text.isVisibleASCII
            else { throw .invalidResponse(.malformed(name, isNot: .token), at: endpoint) }
            return text
        }
        refreshToken = try token("refresh_token").map { RefreshToken($0) }
        received(refreshToken, object["id_token"]?.string.map { RawIDToken($0) })
        guard let accessToken = try token("access_token") else {
            throw .invalidResponse(.missing("access_token"), at: endpoint)
        }
        let type = object["token_type"]?.string
        isTyped = endpoint != .exchange || isBound || type != "N_A"
        guard !isTyped || type?.lowercased() == (isBound ? "dpop" : "bearer") else {
            throw .invalidResponse(.malformed("token_type", isNot: isBound ? .dpop : .bearer), at: endpoint)
        }
        self.accessToken = AccessToken(accessToken)
        idToken = try token("id_token").map { RawIDToken($0) }
        expiresIn = object["expires_in"].flatMap(Seconds.span(of:))
        // GitHub and Google; Keycloak, which sends 0 for a refresh token that does not expire.
        refreshExpiresIn = ["refresh_token_expires_in", "refresh_expires_in"]
            .compactMap { object[$0].flatMap(Seconds.span(of:)) }.first { $0 > 0 }
        scopes = Scopes.granted(object["scope"])
        issuedTokenType = object["issued_token_type"]?.string
        others = object.filter { !["access_token", "refresh_token", "id_token"].contains($0) }
        serverTime = response.serverTime
    }

    /// The granted scopes. A server may name only those of the access token's resource: a requested scope is also granted
    /// if the response has its token.
    /// - Parameter isRefresh: whether the ID token and the refresh token of the session remain valid without new ones.
    func granted(of requested: [String], isRefresh: Bool = false) -> [String] {
        guard let scopes else { return requested }
        let tokens = ["openid": idToken != nil, Scopes.offlineAccess: refreshToken != nil]
        return scopes + requested.filter { !scopes.contains($0) && tokens[$0].map { $0 || isRefresh } ?? false }
    }

    static func object(
        _ response: HTTPResponse, origin: String, at endpoint: OAuthError.Endpoint, acceptsForm: Bool = false,
        now: Int64
    ) throws(OAuthError) -> JSONObject {
        switch response.status {
        case 300...399: throw .invalidResponse(.redirect(response.status), at: endpoint)
        case 429: throw .tooManyRequests(origin: origin, retryAfter: RetryAfter.seconds(response, now: now))
        case 500...599: throw .unavailable(status: response.status, origin: origin)
        case 200...299 where response.body.isEmpty: throw .unavailable(status: response.status, origin: origin)
        default: break
        }
        guard let object = response.object ?? (acceptsForm ? form(response) : nil) else {
            throw .invalidResponse(.noObject(status: response.status), at: endpoint)
        }
        // Twitch says what is wrong in a message, next to the status.
        let message = response.status < 400 || object["status"]?.number == nil ? nil : object.optional("message")
        guard let error = message ?? object.optional("error") else { return object }
        throw .refused(error, in: object, of: response, at: endpoint)
    }

    private static func form(_ response: HTTPResponse) -> JSONObject? {
        guard response.mediaType == "application/x-www-form-urlencoded",
            let pairs = FormURLEncoded.decode(response.body)
        else { return nil }
        let members = pairs.map { JSONObject.Member(name: $0.name, value: .string($0.value)) }
        var object = JSONObject()
        object.merge(JSONObject(members: members))
        return object.members.count == members.count ? object : nil
    }
}

/// Scope lists (RFC 6749 section 3.3).
package enum Scopes {
    /// The scope that requests a refresh token (OpenID Connect Core section 11).
    static let offlineAccess = "offline_access"

    package static func split(_ text: String) -> [String] {
        var seen: Set<String> = []
        return text.split { $0 == " " || $0 == "," }.map(String.init).filter { seen.insert($0).inserted }
    }

    /// The scopes of a response's `scope`: those of the request if it is missing (RFC 6749 section 5.1). An empty text,
    /// and a value that names no scopes, mean that the scopes are unknown.
    static func granted(_ value: JSONValue?) -> [String]? {
        guard let value, value != .null else { return nil }
        // Twitch sends a list.
        return split((value.oneOrMoreStrings ?? []).joined(separator: " "))
    }

    /// Scopes as RFC 6749 section 3.3 defines them, with a limit on their number.
    static func words(_ text: String?) -> [String] {
        Array(split(text ?? "").filter { $0.utf8.count <= 256 && isScope($0) }.prefix(64))
    }

    package static func isScope(_ text: String) -> Bool {
        text.isVisibleASCII && !text.utf8.contains { $0 == 0x22 || $0 == 0x5C }
    }
}
