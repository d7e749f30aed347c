extension FirebaseDirectory {
    package func set(_ detail: AccountDetail, of uid: String) async throws -> Account {
        let token = try await freshToken(uid)
        let change: JSONObject =
            switch detail {
            case .displayName(let name?): ["displayName": .string(name)]
            case .displayName(nil): ["deleteAttribute": JSONValue(["DISPLAY_NAME"])]
            case .photoURL(let url?): ["photoUrl": .string(url.text)]
            case .photoURL(nil): ["deleteAttribute": JSONValue(["PHOTO_URL"])]
            }
        let before = try await sessionStore.account(uid: uid)
        return try await changed(uid, token: token, changes: change, to: before.map(detail.put(into:)))
    }

    package func reloaded(_ uid: String) async throws -> Account {
        // An older token has the old claims, for example whether the address is verified.
        let token = try await newToken(uid)
        let account = withLocalFields(try await current(token), from: try await sessionStore.account(uid: uid))
        try requireSame(account.uid, as: uid, in: "users")
        try await sessionStore.adopt(account, with: [], makesCurrent: false)
        return account
    }

    package func claims(of uid: String) async throws -> JSONObject? {
        let session = try await sessionStore.session(account: uid, provider: SessionIssuer.projectID)
        return try session?.idToken.map { try FirebaseTokenVerifier.unverifiedClaims($0.revealed()) }
    }
}
