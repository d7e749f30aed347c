extension LocalDirectory {
    static let exportVersion: Int64 = 1

    /// The text of an export, in parts. It is created in one transaction, so that it contains each identity once. It is
    /// printed afterwards, so that no process waits for the reader.
    package func exported(for uid: String, withSecrets: Bool, now: Int64) async throws -> [[UInt8]] {
        try await sessionStore.requireRecentLogin(uid, now: now)
        let sealer = withSecrets ? try await store.sealer(creating: false) : nil
        return try await sessionStore.read { sessionStore in
            var parts = [Array(#"{"version":\#(LocalDirectory.exportVersion),"accounts":["#.utf8)]
            for (index, uids) in try sessionStore.accounts.uids().portions(of: AccountList.portion).enumerated() {
                let accounts = try LocalDirectory.exported(uids, from: sessionStore, sealer: sealer)
                parts.append(Array((index > 0 ? "," : "").utf8) + accounts.map(\.text).joined(separator: ",").utf8)
            }
            return parts + [Array("]}".utf8)]
        }
    }

    private static func exported(
        _ uids: some Sequence<String>, from sessionStore: SessionStoreRows, sealer: Sealer?
    ) throws -> [JSONValue] {
        let passwords = sealer == nil ? [:] : try sessionStore.accounts.passwords(of: uids)
        let sessions =
            sealer == nil
            ? []
            : try SealedSession.fetchAll(
                from: sessionStore.db, in: sessionStore.directoryID, where: "account_uid IN (\(SQL.each(of: uids)))")
        let sessionsOf = Dictionary(grouping: sessions, by: \.accountUID)
        return try sessionStore.accounts.accounts(uids: uids).map { account in
            var object: JSONObject = [
                "uid": .string(account.uid), "email": JSONValue(account.email),
                "emailVerified": .bool(account.isEmailVerified), "displayName": JSONValue(account.displayName),
                "photoURL": JSONValue(account.photoURL), "createdAt": .string(HTTPDate.rfc3339(account.createdAt)),
                "lastSignInAt": .string(HTTPDate.rfc3339(account.lastSignInAt)),
                "providerData": .array(account.providerData.map { .object(IdentityText.encode($0)) }),
            ]
            if account.isMachine { object["isMachine"] = true }
            if let name = account.name { object["name"] = .string(name) }
            if let sealer {
                let hash = try passwords[account.uid].map {
                    try sealer.open($0, at: LocalDirectory.passwordPlace(account.uid))
                }
                object["passwordHash"] = JSONValue(hash)
                let sessions = try (sessionsOf[account.uid] ?? []).map { try $0.opened(sealer) }
                object["sessions"] = .array(sessions.map(LocalDirectory.text))
            }
            return .object(object)
        }
    }

    private static func text(_ session: Session) -> JSONValue {
        [
            "providerId": .string(session.providerID), "accessToken": JSONValue(session.accessToken?.revealed()),
            "refreshToken": JSONValue(session.refreshToken?.revealed()),
            "idToken": JSONValue(session.idToken?.revealed()),
            "expiresAt": session.expiresAt.map { .string(HTTPDate.rfc3339($0)) } ?? .null,
        ]
    }

    static func passwordPlace(_ uid: String) -> Sealer.Place {
        Sealer.Place(account: uid, provider: PasswordProvider.id, field: "hash")
    }

    /// Adds the accounts that do not exist yet.
    ///
    /// - Returns: the number of added accounts, and of those that existed with the same identities.
    package func importAccounts(_ document: [UInt8]) async throws -> (added: Int, existing: Int) {
        let imported = try LocalDirectory.read(document)
        let sealer = try await store.sealer(creating: true)
        let boxes = try imported.map { item in
            try item.hash.map { try sealer.seal($0.text, at: LocalDirectory.passwordPlace(item.account.uid)) }
        }
        return try await sessionStore.write { sessionStore in
            let rows = sessionStore.accounts
            var existing = 0
            for (item, box) in zip(imported, boxes) {
                let account = item.account
                if let known = try rows.account(uid: account.uid) {
                    let keys = known.providerData.map(\.key)
                    guard account.providerData.allSatisfy({ keys.contains($0.key) }) else {
                        throw AccountRefusal.invalidImport(.accountTaken(uid: account.uid))
                    }
                    existing += 1
                    continue
                }
                for identity in account.providerData where try rows.ownerUID(of: identity.key) != nil {
                    throw AccountRefusal.invalidImport(.identityTaken(identity.key))
                }
                if oneAccountPerEmail, let email = account.email, try rows.account(email: email) != nil {
                    throw AccountConflict.emailAlreadyInUse(email)
                }
                try rows.insert(account)
                // An account is imported without its alias if the alias is taken.
                if let name = account.name, try rows.account(name: name) == nil, try !rows.isTaken(uid: name) {
                    try rows.name(account.uid, name)
                }
                if let box { try rows.storePassword(box, of: account.uid, now: account.createdAt) }
            }
            return (imported.count - existing, existing)
        }
    }

    private static func read(_ document: [UInt8]) throws -> [(account: Account, hash: PasswordHash?)] {
        let root: JSONObject
        do { root = try StrictJSON.object(document, maximumLength: 1 << 28) } catch {
            throw AccountRefusal.invalidImport(.notJSON)
        }
        guard root["version"]?.number?.integer == exportVersion, let entries = root["accounts"]?.array else {
            throw AccountRefusal.invalidImport(.otherVersion)
        }
        return try entries.enumerated().map { try read($1, number: $0 + 1) }
    }

    private static func read(_ entry: JSONValue, number: Int) throws -> (account: Account, hash: PasswordHash?) {
        func invalid(_ fault: ImportFault.Entry) -> AccountRefusal { .invalidImport(.entry(number, fault)) }
        guard let object = entry.object, let uid = object["uid"]?.string, (1...128).contains(uid.utf8.count),
            uid.isVisibleASCII, let created = object["createdAt"]?.string.flatMap(HTTPDate.parseRFC3339)
        else { throw invalid(.noUIDOrDate) }
        let identities = try (object["providerData"]?.array ?? []).map { value in
            guard let identity = value.object.flatMap(IdentityText.decode),
                IdentityKey.isProviderID(identity.key.providerID)
            else { throw invalid(.malformedIdentity) }
            return identity
        }
        guard !identities.isEmpty, Set(identities.map(\.key.providerID)).count == identities.count else {
            throw invalid(.noneOrRepeatedProvider)
        }
        var hash: PasswordHash?
        if let text = object["passwordHash"]?.string {
            hash = PasswordHash(text: text)
            guard hash != nil else { throw invalid(.unusableHash) }
        }
        var account = Account(
            uid: uid, email: object["email"]?.string, isEmailVerified: object["emailVerified"]?.bool ?? false,
            displayName: object["displayName"]?.string, photoURL: object["photoURL"]?.string, createdAt: created,
            lastSignInAt: object["lastSignInAt"]?.string.flatMap(HTTPDate.parseRFC3339) ?? created,
            providerData: identities, isMachine: object["isMachine"]?.bool ?? false)
        account.name = object["name"]?.string.flatMap { AccountName.isName($0) ? $0 : nil }
        guard hash == nil || !account.isMachine else { throw invalid(.machineWithPassword) }
        return (account, hash)
    }
}
