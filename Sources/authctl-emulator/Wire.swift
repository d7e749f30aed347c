import AuthCore

/// An HTTP request, independent of the HTTP server.
struct Request: Sendable {
    var method: String
    var path: String
    var query: Form
    var form: Form
    var body: [UInt8]
    var headers: [String: String]
    var fetched: JSONObject?

    var authorization: String? { headers["authorization"] }

    var parameters: Form { method == "POST" ? form : query }

    /// The access token in the `Authorization` header (RFC 6750 section 2.1).
    var bearerToken: String? {
        authorization.flatMap { $0.lowercased().hasPrefix("bearer ") ? String($0.dropFirst(7)) : nil }
    }

    var json: JSONObject? {
        headers["content-type"]?.hasPrefix("application/json") == true ? try? StrictJSON.object(body) : nil
    }

    /// The request with the members of a JSON body as its form.
    var readingJSON: Request {
        var copy = self
        if let json { copy.form = Form(json) }
        return copy
    }

    var acceptsJSON: Bool { headers["accept"]?.contains("application/json") == true }
}

/// A request to another provider, whose response is needed for the reply.
struct UpstreamRequest: Sendable {
    var url: HTTPURL
    var form: [(String, String)]
}

struct Reply: Sendable {
    var status: Int
    var headers: [(String, String)] = []
    var body: [UInt8] = []

    static func json(_ value: JSONValue, status: Int = 200, headers: [(String, String)] = []) -> Reply {
        Reply(
            status: status,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")] + headers,
            body: Array(value.text.utf8))
    }

    /// Closes the connection without a byte of a response.
    static let noResponse = Reply(status: 0)
    /// Keeps the connection open without a response.
    static let hangs = Reply(status: -1)

    static func form(_ pairs: [(String, String)]) -> Reply {
        Reply(
            status: 200, headers: [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")],
            body: Array(FormURLEncoded.encode(pairs).utf8))
    }

    static func html(_ text: String, status: Int = 200) -> Reply {
        Reply(status: status, headers: [("Content-Type", "text/html; charset=utf-8")], body: Array(text.utf8))
    }

    static func redirect(_ location: String) -> Reply { Reply(status: 303, headers: [("Location", location)]) }
}

/// An error response of the token endpoint.
struct Refusal: Error {
    var error: String
    var description: String
    var status = 400
    /// The nonce that the next DPoP proof must contain (RFC 9449 section 8).
    var nonce: String?

    init(_ error: String, _ description: String, status: Int = 400, nonce: String? = nil) {
        self.nonce = nonce
        self.error = error
        self.description = description
        self.status = status
    }
}

struct Grant: Sendable {
    var clientID: String
    var redirectURI: String
    var challenge: String?
    var nonce: String?
    var scopes: [String]
    var user: String
    var hasConsent = false
    /// The thumbprint of the DPoP key that the tokens are bound to, or the authorization code (RFC 9449).
    var proofKey: String?
    /// The thumbprint of the certificate that the tokens are bound to (RFC 8705).
    var certificate: String?
    var tenant: String?
    /// Seconds since 1970.
    var authenticatedAt: Int64
    /// The code that the tokens come from. A code or refresh token that is used twice revokes all of them.
    var family: String?
    /// The scopes of the refresh token, if the client requested fewer for the access token.
    var refreshScopes: [String]?
    /// When the access token was issued and expires, in seconds since 1970; nil if it does not expire.
    var issuedAt: Int64?
    var expiresAt: Int64?
    /// When the refresh tokens expire, in seconds since 1970; nil if they do not.
    var endsAt: Int64?
    /// The target resource (RFC 8707); nil if the client did not send one.
    var resource: String?
    /// The audiences of an exchanged token (RFC 8693), otherwise the resource.
    var audiences: [String] { exchangedFor.isEmpty ? [resource].compactMap { $0 } : exchangedFor }
    var exchangedFor: [String] = []
    var context: String?
}
