import AuthCore

extension EmulatedProvider {
    static let firebase = EmulatedProvider(
        id: "firebase",
        faults: [
            .accessDenied, .refreshInvalidGrant, .revocationError503, .emailProtection, .escapesInProvider,
            .escapesInUID, .hostileProvider, .restrictedKey, .appCheck, .mailLimit, .serviceDisabled, .anonymousOff,
            .refreshQuota, .refreshHTML,
        ]
    ) { site in
        let project = try FirebaseProject(site)
        let toolkit = "/identitytoolkit.googleapis.com"
        var signInWithIdP = project.account("signInWithIdp") { try project.signInWithIdP($0, $1.fetched) }
        signInWithIdP.upstreamRequest = project.redemption
        return [
            Endpoint(
                method: "PATCH", path: "/emulator/v1/projects/\(project.id)/config",
                handle: project.configuration),
            .get("/emulator/oauth1", project.authorizeX),
            .post(toolkit + "/v1/projects/\(project.id)/accounts:update", project.administered),
            .get("/emulator/v1/projects/\(project.id)/oobCodes", project.mailbox),
            .get("/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com") { project.issuer?.keySet($0) },
            .any(nil, project.withoutKey),
            .get(toolkit + "/v1/projects", project.describeProject),
            .any("/securetoken.googleapis.com/v1/token") { request in
                if site.has(.refreshHTML) { return .html("<title>Sign in to this network</title>") }
                return try project.reply { try project.refresh(request.form) }
            },
            .any(toolkit + "/v2/accounts:revokeToken", project.revoked),
            project.account("signUp") { body, _ in try project.signUp(body) },
            project.account("signInWithCustomToken") { body, _ in try project.signInWithCustomToken(body) },
            project.account("signInWithPassword") { body, _ in try project.signInWithPassword(body) },
            signInWithIdP,
            project.account("lookup") { body, _ in
                [
                    "kind": "identitytoolkit#GetAccountInfoResponse",
                    "users": [project.shown(try project.user(body))],
                ]
            },
            project.account("update") { body, _ in try project.update(body) },
            project.account("delete") { body, _ in try project.delete(body) },
            project.account("createAuthUri") { body, _ in
                body["providerId"] == nil ? try project.lookUp(body) : .object(try project.begin(body))
            },
            project.account("sendOobCode") { body, _ in .object(try project.mail(body)) },
            project.account("signInWithEmailLink") { body, _ in .object(try project.signInWithEmailLink(body)) },
            .post(toolkit + "/v2/accounts/mfaSignIn:finalize") { request in
                guard let body = request.json else { return nil }
                site.count("mfaSignIn:finalize")
                return try project.reply { try project.finalize(body) }
            },
            project.account("resetPassword") { body, _ in .object(try project.resetPassword(body)) },
        ]
    }
}

extension FirebaseProject {
    func account(_ name: String, _ body: @escaping (JSONObject, Request) throws -> JSONValue) -> Endpoint {
        .post("/identitytoolkit.googleapis.com/v1/accounts:\(name)") { [self] request in
            guard let object = request.json else { return nil }
            site.count(name)
            return try reply {
                tenant =
                    object["tenantId"]?.string ?? (try? claims(object))?["firebase"]?.object?["tenant"]?.string ?? ""
                return try body(object, request)
            }
        }
    }

    func reply(_ body: () throws -> JSONValue) throws -> Reply {
        do {
            return .json(try body())
        } catch let refusal as Refusal {
            let message = JSONValue.string(refusal.message)
            return failure(
                400, refusal.message, ["errors": [["message": message, "domain": "global", "reason": "invalid"]]])
        }
    }

    func withoutKey(_ request: Request) -> Reply? {
        switch request.query["key"] ?? request.headers["x-goog-api-key"] {
        case "bad-key":
            failure(
                400, "API key not valid. Please pass a valid API key.",
                ["status": "INVALID_ARGUMENT", "details": [["reason": "API_KEY_INVALID"]]])
        case _ where site.has(.appCheck):
            failure(401, "Firebase App Check token is invalid.", ["status": "UNAUTHENTICATED"])
        case _ where site.has(.serviceDisabled):
            failure(
                403, "Identity Toolkit API has not been used in project 1234567890 before or it is disabled.",
                ["status": "PERMISSION_DENIED", "details": [["reason": "SERVICE_DISABLED"]]])
        case _ where site.has(.restrictedKey) && !isAllowedKey(request):
            failure(
                403, "Requests from referer \(request.headers["referer"] ?? "<empty>") are blocked.",
                ["status": "PERMISSION_DENIED", "details": [["reason": "API_KEY_HTTP_REFERRER_BLOCKED"]]])
        case nil: failure(403, "The request is missing a valid API key.", ["status": "PERMISSION_DENIED"])
        default: nil
        }
    }

    private func isAllowedKey(_ request: Request) -> Bool {
        request.headers["referer"] == "https://app.example.com/"
            || (request.headers["x-android-package"] == "com.example.app"
                && request.headers["x-android-cert"] == String(repeating: "A1", count: 20))
    }

    /// `accounts:update` for administrators. Their access token is `owner`, as at the official emulator.
    func administered(_ request: Request) throws -> Reply? {
        guard request.bearerToken == "owner" else { return failure(401, "no administrator") }
        guard let body = request.json else { return nil }
        return try reply { .object(try administer(body)) }
    }

    func configuration(_ request: Request) -> Reply {
        let signIn = (try? StrictJSON.object(request.body))?["signIn"]?.object
        allowsDuplicateEmails = signIn?["allowDuplicateEmails"]?.bool ?? allowsDuplicateEmails
        return .json(["signIn": ["allowDuplicateEmails": .bool(allowsDuplicateEmails)]])
    }

    func describeProject(_ request: Request) -> Reply {
        let hosts = site.settings.redirectURIs.compactMap { (try? HTTPURL($0))?.host }
        return .json(["projectId": "1234567890", "authorizedDomains": JSONValue(["localhost"] + hosts)])
    }

    func revoked(_ request: Request) throws -> Reply {
        if site.has(.revocationError503) { return failure(503, "UNAVAILABLE") }
        return try reply { .object(try revokeToken(request.json ?? [:])) }
    }

    func failure(_ status: Int, _ message: String, _ more: JSONObject = [:]) -> Reply {
        var error: JSONObject = ["code": JSONValue(Int64(status)), "message": .string(message)]
        error.merge(more)
        return .json(["error": .object(error)], status: status)
    }
}
