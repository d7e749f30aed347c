// Every value of a request is secret unless its name is listed as harmless. So a new parameter is redacted by default.
extension HTTPRequest {
    private static let harmlessHeaders: Set<String> = [
        "accept", "accept-encoding", "accept-language", "cache-control", "content-encoding", "content-language",
        "content-length", "content-type", "host", "if-match", "if-modified-since", "if-none-match",
        "if-unmodified-since", "mcp-method", "mcp-protocol-version", "metadata", "metadata-flavor", "prefer", "range",
        "user-agent", "x-client-version", "x-firebase-locale", "x-github-api-version", "x-ios-bundle-identifier",
    ]

    private static let harmlessParameters: Set<String> = [
        "grant_type", "client_id", "scope", "redirect_uri", "token_type_hint", "client_assertion_type", "audience",
        "response_type", "response_mode", "code_challenge_method", "prompt", "resource", "requested_token_type",
        "subject_token_type", "actor_token_type",
        // Identity Toolkit, Facebook, GitHub, AWS, Azure, Google and GitHub Actions.
        "key", "fields", "per_page", "page", "Action", "Version", "RoleArn", "RoleSessionName", "DurationSeconds",
        "api-version", "format",
    ]

    static func isHarmless(header name: String) -> Bool { harmlessHeaders.contains(name.lowercased()) }

    static func isHarmless(parameter name: String) -> Bool { harmlessParameters.contains(name) }

    var form: [(name: String, value: String)] {
        let isForm = headers.contains {
            $0.name.lowercased() == "content-type" && $0.value == "application/x-www-form-urlencoded"
        }
        return isForm ? body.flatMap { FormURLEncoded.decode($0) } ?? [] : []
    }

    /// All values of this request that must be redacted in its response and in messages.
    var carriedSecrets: [String] {
        var found = secrets
        for header in headers where !HTTPRequest.isHarmless(header: header.name) {
            found += [header.value] + HTTPRequest.credentials(header.value)
        }
        let query = url.query.flatMap { FormURLEncoded.decode(Array($0.utf8)) } ?? []
        found += (form + query).filter { !HTTPRequest.isHarmless(parameter: $0.name) }.map(\.value)
        return found
    }

    /// The credentials after the scheme's name, and the password of HTTP Basic (RFC 7617), which clients form-encode
    /// first (RFC 6749 section 2.3.1).
    private static func credentials(_ value: String) -> [String] {
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return [] }
        let credentials = String(words[1])
        guard words[0].lowercased() == "basic", let bytes = Base64.decode(credentials),
            let pair = String(validating: bytes, as: UTF8.self), let colon = pair.firstIndex(of: ":")
        else { return [credentials] }
        let password = String(pair[pair.index(after: colon)...])
        let decoded = FormURLEncoded.decode(Array("=\(password)".utf8))?.first?.value
        return [credentials, password] + [decoded].compactMap { $0 }
    }
}
