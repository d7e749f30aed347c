import AuthCore

/// The JSON objects that commands print with `--json`.
/// See docs/decisions/048.
enum JSONShapes {
    static func time(_ seconds: Int64?) -> JSONValue { seconds.map { .string(HTTPDate.rfc3339($0)) } ?? .null }

    static func account(_ account: Account) -> JSONValue { .object(members(of: account)) }

    private static func members(of account: Account) -> JSONObject {
        [
            "uid": .string(account.uid), "name": JSONValue(account.name), "email": JSONValue(account.email),
            "emailVerified": .bool(account.isEmailVerified), "displayName": JSONValue(account.displayName),
            "photoURL": JSONValue(account.photoURL), "isMachine": .bool(account.isMachine),
            "isAnonymous": .bool(account.isAnonymous), "createdAt": time(account.createdAt),
            "lastSignInAt": time(account.lastSignInAt), "providerData": .array(account.providerData.map(identity)),
        ]
    }

    private static func identity(_ identity: Identity) -> JSONValue {
        [
            "providerId": .string(identity.key.providerID), "federatedId": .string(identity.key.federatedID),
            "email": JSONValue(identity.email), "displayName": JSONValue(identity.displayName),
            "photoURL": JSONValue(identity.photoURL), "screenName": JSONValue(identity.screenName),
            "isPrivateRelay": .bool(identity.isPrivateRelay), "tenantId": JSONValue(identity.tenantID),
        ]
    }

    static func listed(_ account: Account, isCurrent: Bool) -> JSONObject {
        var object = members(of: account)
        object["current"] = .bool(isCurrent)
        return object
    }

    static func status(_ status: AccountStatus, _ view: SessionView) -> JSONValue {
        var object = listed(status.account, isCurrent: status.isCurrent)
        object["sessions"] = .array(
            status.sessions.map { session in
                var entry: JSONObject = [
                    "providerId": .string(session.providerID), "scopes": JSONValue(session.scopes),
                    "expiresAt": time(session.expiresAt), "hasRefreshToken": .bool(session.hasRefreshToken),
                    "lastProvenAt": time(session.lastProvenAt == 0 ? nil : session.lastProvenAt),
                    "source": .string(session.source.text), "state": .string(view.state(session).rawValue),
                    "binding": .string(session.binding.rawValue), "resource": JSONValue(session.resource?.text),
                ]
                entry.merge(ConfigurationPlace.json(view.places[session.providerID]))
                entry.merge(project(session.directory))
                return .object(entry)
            })
        return .object(object)
    }

    /// The Firebase project and its emulator, with the account's tenant.
    static func project(_ origin: DirectoryOrigin?) -> JSONObject {
        var object: JSONObject = ["projectId": nil, "tenantId": nil, "emulator": JSONValue(origin?.emulator)]
        if case .project(let id, let tenant, _)? = origin {
            object["projectId"] = .string(id)
            object["tenantId"] = JSONValue(tenant)
        }
        return object
    }

    static func pending(_ pending: PendingCredential) -> JSONValue {
        [
            "id": .string(pending.id), "providerId": .string(pending.providerID), "email": JSONValue(pending.email),
            "reason": .string(pending.reason.rawValue), "expiresAt": time(pending.expiresAt),
        ]
    }

    static func unrevoked(_ session: UnrevokedSession) -> JSONValue {
        [
            "uid": .string(session.accountUID), "providerId": .string(session.providerID),
            "failedAt": time(session.failedAt), "keptUntil": time(session.keptUntil),
        ]
    }

    static func signIn(_ result: SignInResult, emulator: String?) -> JSONValue {
        [
            "account": account(result.account), "providerId": .string(result.providerID),
            "isNewUser": .bool(result.isNewUser), "operation": .string(result.operation.rawValue),
            "profile": .object(result.profile),
            "credential": [
                "scopes": JSONValue(result.scopes), "expiresAt": time(result.expiresAt),
                "hasRefreshToken": .bool(result.hasRefreshToken), "hasIdToken": .bool(result.hasIDToken),
                "binding": .string(result.binding.rawValue),
            ],
            "emulator": JSONValue(emulator),
        ]
    }

    static func begun(_ started: StartedSignIn) -> JSONValue {
        begun([
            "id": .string(started.id), "authorizationURL": .string(started.authorizationURL),
            "redirectURI": .string(started.redirectURI), "expiresAt": time(started.expiresAt),
            "authorizationURLExpiresAt": time(started.urlExpiresAt),
        ])
    }

    static func begun(sentTo email: String) -> JSONValue { begun(["sentTo": .string(email)]) }

    private static func begun(_ known: JSONObject) -> JSONValue {
        var object: JSONObject = [
            "id": nil, "authorizationURL": nil, "redirectURI": nil, "expiresAt": nil,
            "authorizationURLExpiresAt": nil, "sentTo": nil,
        ]
        object.merge(known)
        return .object(object)
    }
}
