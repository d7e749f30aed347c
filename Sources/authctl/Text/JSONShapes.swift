import AuthCore

/// The JSON that users script against.
enum JSONShapes {
    static func time(_ seconds: Int64?) -> JSONValue { seconds.map { .string(HTTPDate.rfc3339($0)) } ?? .null }

    static func account(_ account: Account) -> JSONObject {
        var object = JSONObject()
        object["uid"] = .string(account.uid)
        object["name"] = JSONValue(account.name)
        object["email"] = JSONValue(account.email)
        object["emailVerified"] = .bool(account.isEmailVerified)
        object["displayName"] = JSONValue(account.displayName)
        object["photoURL"] = JSONValue(account.photoURL)
        if account.isMachine { object["isMachine"] = true }
        if account.isAnonymous { object["isAnonymous"] = true }
        object["createdAt"] = time(account.createdAt)
        object["lastSignInAt"] = time(account.lastSignInAt)
        object["providerData"] = .array(
            account.providerData.map { identity in
                var entry: JSONObject = [
                    "providerId": .string(identity.key.providerID), "federatedId": .string(identity.key.federatedID),
                    "email": JSONValue(identity.email), "displayName": JSONValue(identity.displayName),
                    "photoURL": JSONValue(identity.photoURL), "screenName": JSONValue(identity.screenName),
                ]
                if identity.isPrivateRelay { entry["isPrivateRelay"] = true }
                if let tenant = identity.tenantID { entry["tenantId"] = .string(tenant) }
                return .object(entry)
            })
        return object
    }

    static func listed(_ account: Account, isCurrent: Bool) -> JSONObject {
        var object = self.account(account)
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
                    "binding": .string(session.binding.rawValue),
                    "resource": JSONValue(session.resource?.text),
                ]
                view.places[session.providerID]?.put(into: &entry)
                if case .project(let id, let tenant, let emulator) = session.directory {
                    entry["projectId"] = .string(id)
                    if let tenant { entry["tenantId"] = .string(tenant) }
                    if let emulator { entry["emulator"] = .string(emulator) }
                }
                return .object(entry)
            })
        return .object(object)
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
        var credential: JSONObject = [
            "scopes": JSONValue(result.scopes), "expiresAt": time(result.expiresAt),
            "hasRefreshToken": .bool(result.hasRefreshToken), "hasIdToken": .bool(result.hasIDToken),
        ]
        // Absent for bearer tokens, as before sender-constrained tokens were supported.
        if result.binding != .bearer { credential["binding"] = .string(result.binding.rawValue) }
        var object: JSONObject = [
            "account": .object(account(result.account)), "providerId": .string(result.providerID),
            "isNewUser": .bool(result.isNewUser), "operation": .string(result.operation.rawValue),
            "profile": .object(result.profile),
            "credential": .object(credential),
        ]
        if let emulator { object["emulator"] = .string(emulator) }
        return .object(object)
    }
}
