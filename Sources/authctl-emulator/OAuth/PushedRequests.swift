import AuthCore

/// Pushed authorization requests (RFC 9126) and their faults.
extension AuthorizationServer {
    /// A pushed authorization request, until the browser presents its `request_uri`.
    struct Pushed {
        let clientID: String
        let form: Form
        let expiresAt: Int64
    }

    private static let lifetime: Int64 = 60

    func push(_ request: Request) throws -> Reply {
        count("par")
        if has(.pushedRedirect) { return .redirect("https://attacker.example/par") }
        if has(.pushedError500) { return .json(["error": "server_error"], status: 500) }
        if has(.pushedTooMany) { return .json(["error": "slow"], status: 429, headers: [("Retry-After", "7")]) }
        do {
            let clientID = try rules.client(self, request)
            if has(.pushedRefused) { throw Refusal("invalid_request", "The fault par-refused is on.") }
            if let name = request.form.repeated {
                throw Refusal("invalid_request", "\(name) is a duplicate parameter.")
            }
            guard request.form["request_uri"] == nil else {
                throw Refusal("invalid_request", "request_uri is not allowed in a pushed request.")
            }
            guard request.form["client_id"] ?? clientID == clientID else {
                throw Refusal("invalid_request", "client_id is not the authenticated client.")
            }
            if let key = try proofKey(request), let named = request.form["dpop_jkt"], named != key {
                throw Refusal("invalid_dpop_proof", "dpop_jkt is not the key of the proof.")
            }
            let uri = "urn:ietf:params:oauth:request_uri:" + (try token())
            pushed[uri] = Pushed(
                clientID: clientID, form: request.form, expiresAt: now() + AuthorizationServer.lifetime)
            var response: JSONObject = [
                "request_uri": .string(uri),
                "expires_in": JSONValue(
                    has(.pushedExpired) ? 0 : has(.pushedLong) ? 600 : AuthorizationServer.lifetime),
            ]
            if has(.pushedWithoutURI) { response["request_uri"] = nil }
            return .json(.object(response), status: has(.pushedStatus200) ? 200 : 201)
        } catch let refusal as Refusal {
            return refused(refusal, request)
        }
    }

    func parameters(_ request: Request) throws -> Form {
        let query = request.parameters
        guard let uri = query["request_uri"] else {
            guard !has(.requiresPushed) else {
                throw Refusal("invalid_request", "A pushed authorization request is required.")
            }
            return query
        }
        guard let stored = pushed.removeValue(forKey: uri), now() < stored.expiresAt else {
            throw Refusal("invalid_request", "request_uri is unknown, was used or has expired.")
        }
        guard query["client_id"] == stored.clientID else {
            throw Refusal("invalid_request", "request_uri belongs to another client.")
        }
        return stored.form
    }
}
