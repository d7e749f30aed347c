import AuthCore

/// What services send differently from the standards. Each fault is one difference, and its text names the services.
extension Fault {
    func change(metadata object: inout JSONObject) {
        switch self {
        case .issuerNoURL: object["issuer"] = "acme.com"
        case .revocationRenamed:
            object["token_revocation_endpoint"] = object["revocation_endpoint"]
            object["revocation_endpoint"] = nil
        case .deviceMetadata:
            object["grant_types_supported"] = ["authorization_code", "device_code"]
            object["device_authorization_endpoint"] = nil
            object["token_endpoint_auth_methods_supported"] = ["client_secret_basic", "client_secret_post"]
        case .scopesCased: object["scopes_supported"] = ["OpenId", "signature"]
        case .withoutLists:
            for name in ["scopes", "code_challenge_methods", "token_endpoint_auth_methods"] {
                object["\(name)_supported"] = nil
            }
        case .webMessage: object["response_modes_supported"] = ["web_message.opener"]
        default: break
        }
    }

    func change(tokens object: inout JSONObject) {
        switch self {
        case .nestedToken:
            object["authed_user"] = ["id": "U0", "access_token": object["access_token"] ?? .null]
            object["access_token"] = nil
        case .tokenList: object["other_tokens"] = [["access_token": "another", "resource_server": "api.example"]]
        case .scopesMember: (object["scopes"], object["scope"]) = (object["scope"], nil)
        case .scopeInCallback: object["scope"] = nil
        case .scopeCommas:
            object["scope"] = object["scope"]?.string.map { .string($0.replacing(" ", with: ",")) }
        case .noTokenType: object["token_type"] = nil
        case .otherTokenType: object["token_type"] = "OAuth"
        case .noExpiresIn: object["expires_in"] = nil
        case .textExpiresIn: object["expires_in"] = object["expires_in"].map { .string($0.text) }
        case .expiresAt: (object["expires_at"], object["expires_in"]) = ("2099-01-01T00:00:00Z", nil)
        case .extraMembers:
            object["issued_at"] = "1795248000000"
            object["instance_url"] = "https://acme.my.example.com"
            object["expires_at"] = 4_070_908_800
            object["earliest_refresh_at"] = 4_070_908_000
        case .nullRefreshToken: object["refresh_token"] = .null
        case .falseIDToken: object["id_token"] = false
        default: break
        }
    }

    func change(device object: inout JSONObject) {
        guard self == .verificationURL else { return }
        (object["verification_url"], object["verification_uri"]) = (object["verification_uri"], nil)
        (object["expire_in"], object["expires_in"]) = (object["expires_in"], nil)
    }

    func change(claims object: inout JSONObject) {
        switch self {
        case .emailVerifiedText: object["email_verified"] = "true"
        case .emailVerifiedNumber: object["email_verified"] = 1
        case .emailList: (object["emails"], object["email"]) = (object["email"].map { [$0] }, nil)
        case .numericSubject: object["sub"] = 248_289_761
        case .urlSubject: object["sub"] = "https://login.example.com/id/00D00/00500"
        case .oddClaims:
            object["name"] = ["first": "Ada", "last": "Example"]
            object["https://slack.com/team_id"] = "T0"
        default: break
        }
    }
}

extension Site {
    /// Makes the changes of all faults.
    func change(_ object: inout JSONObject, _ change: (Fault) -> (inout JSONObject) -> Void) {
        for fault in settings.faults { change(fault)(&object) }
    }
}

extension AuthorizationServer {
    /// The parameters of a denied request; nil if it is not denied.
    var denial: [(String, String)]? {
        if has(.denialCancelled) { return [("error", "user_cancelled_authorize")] }
        if has(.denialReason) { return [("error_reason", "user_denied")] }
        if has(.denialNumber) { return [("error", "1101"), ("sub_error", "20001")] }
        return has(.accessDenied) || has(.denialWithoutState) ? rules.denial : nil
    }

    func callbackExtras(_ grant: Grant?) -> [(String, String)] {
        var extras: [(String, String)] = []
        if has(.callbackExtras) {
            extras = ["device_id", "location", "realmId", "site", "hmac", "timestamp"].map { ($0, "17") }
        }
        if has(.scopeInCallback), let grant {
            extras.append(("scope", grant.scopes.dropLast().joined(separator: ",")))
        }
        return extras
    }

    /// An error of the token endpoint in another form; nil for the standard one.
    func deviating(_ refusal: Refusal) -> Reply? {
        let (code, text) = (JSONValue.string(refusal.error), JSONValue.string(refusal.description))
        if has(.errorsStatus200) { return .json(["error": code, "error_description": text]) }
        if has(.errorsNotOK) { return .json(["ok": false, "error": code]) }
        if has(.errorsByCode) { return .json(["errcode": 40029, "errmsg": text]) }
        if has(.errorsAsMessage) {
            let isPending = refusal.error == rules.device.pendingRefusal.error
            let isRefresh = refusal.description.contains("refresh")
            let message: JSONValue = isPending ? code : isRefresh ? "Invalid refresh token" : text
            return .json(
                ["error": "Bad Request", "status": JSONValue(Int64(refusal.status)), "message": message],
                status: refusal.status)
        }
        if has(.errorsAsObject) {
            return .json(["error": ["message": text, "type": "OAuthException", "code": 190]], status: refusal.status)
        }
        return has(.errorsAsNumber) ? .json(["error": 1101, "sub_error": 20001], status: refusal.status) : nil
    }
}
