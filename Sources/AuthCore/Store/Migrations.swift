/// The schema, as named steps. New steps are only appended.
enum Migrations {
    static let latest: [(name: String, sql: String)] = [
        (
            "1 accounts, sessions, secrets, documents",
            """
            CREATE TABLE vault (
                id INTEGER PRIMARY KEY CHECK (id = 1), kind TEXT NOT NULL, key_check BLOB NOT NULL) STRICT;
            CREATE TABLE account (
                uid TEXT PRIMARY KEY, profile TEXT NOT NULL, email TEXT, email_verified INTEGER NOT NULL,
                display_name TEXT, photo_url TEXT, created_at INTEGER NOT NULL, last_sign_in_at INTEGER NOT NULL) STRICT;
            CREATE INDEX account_email ON account (profile, email);
            CREATE TABLE identity (
                profile TEXT NOT NULL, provider_id TEXT NOT NULL, authority TEXT NOT NULL, federated_id TEXT NOT NULL,
                account_uid TEXT NOT NULL REFERENCES account ON DELETE CASCADE, email TEXT,
                email_verified INTEGER NOT NULL, display_name TEXT, photo_url TEXT, linked_at INTEGER NOT NULL,
                PRIMARY KEY (profile, provider_id, authority, federated_id), UNIQUE (account_uid, provider_id)) STRICT;
            CREATE TABLE session (
                account_uid TEXT NOT NULL REFERENCES account ON DELETE CASCADE, provider_id TEXT NOT NULL,
                issuer TEXT NOT NULL, client_id TEXT NOT NULL, token_origin TEXT NOT NULL, subject TEXT NOT NULL, access_token BLOB,
                expires_at INTEGER, refresh_token BLOB, id_token BLOB, id_token_expires_at INTEGER, nonce BLOB,
                authenticated_at INTEGER, scopes TEXT NOT NULL, last_proven_at INTEGER NOT NULL, source TEXT NOT NULL,
                PRIMARY KEY (account_uid, provider_id)) STRICT;
            CREATE TABLE current_account (
                profile TEXT PRIMARY KEY, account_uid TEXT NOT NULL REFERENCES account ON DELETE CASCADE) STRICT;
            CREATE TABLE provider_secret (
                profile TEXT NOT NULL, provider_id TEXT NOT NULL, secret BLOB NOT NULL,
                PRIMARY KEY (profile, provider_id)) STRICT;
            CREATE TABLE used_nonce (digest BLOB PRIMARY KEY, used_at INTEGER NOT NULL) STRICT;
            CREATE TABLE document (
                key TEXT PRIMARY KEY, body BLOB NOT NULL, fetched_at INTEGER NOT NULL, fresh_until INTEGER NOT NULL,
                forced_at INTEGER, zone INTEGER) STRICT;
            """
        ),
        (
            "2 what Apple and Microsoft say of an identity",
            """
            ALTER TABLE identity ADD COLUMN is_private_relay INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE identity ADD COLUMN tenant_id TEXT;
            """
        ),
        (
            "3 pending credentials, consent, passwords",
            """
            ALTER TABLE identity ADD COLUMN consented_at INTEGER;
            CREATE TABLE pending_credential (
                id TEXT PRIMARY KEY, profile TEXT NOT NULL, provider_id TEXT NOT NULL, email TEXT, reason TEXT NOT NULL,
                account_uid TEXT NOT NULL REFERENCES account ON DELETE CASCADE, expires_at INTEGER NOT NULL,
                credential BLOB NOT NULL) STRICT;
            CREATE INDEX pending_credential_account ON pending_credential (account_uid);
            CREATE TABLE password (
                account_uid TEXT PRIMARY KEY REFERENCES account ON DELETE CASCADE, hash BLOB NOT NULL,
                changed_at INTEGER NOT NULL) STRICT;
            CREATE TABLE password_failure (
                profile TEXT NOT NULL, email TEXT NOT NULL, count INTEGER NOT NULL, last_at INTEGER NOT NULL,
                PRIMARY KEY (profile, email)) STRICT;
            """
        ),
        (
            "4 machines, sign-ins in two steps",
            """
            ALTER TABLE account ADD COLUMN is_machine INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE session ADD COLUMN renewal TEXT;
            CREATE TABLE begun_sign_in (
                id TEXT PRIMARY KEY, profile TEXT NOT NULL, provider_id TEXT NOT NULL, expires_at INTEGER NOT NULL,
                request BLOB NOT NULL) STRICT;
            CREATE TABLE unanswered_sign_in (
                profile TEXT NOT NULL, provider_id TEXT NOT NULL, count INTEGER NOT NULL, last_at INTEGER NOT NULL,
                PRIMARY KEY (profile, provider_id)) STRICT;
            """
        ),
        (
            "5 credentials that wait for an account known by its address alone",
            """
            CREATE TABLE waiting_credential (
                id TEXT PRIMARY KEY, profile TEXT NOT NULL, provider_id TEXT NOT NULL, email TEXT, reason TEXT NOT NULL,
                account_uid TEXT REFERENCES account ON DELETE CASCADE, expires_at INTEGER NOT NULL,
                credential BLOB NOT NULL) STRICT;
            INSERT INTO waiting_credential SELECT id, profile, provider_id, email, reason, account_uid, expires_at, credential
                FROM pending_credential;
            DROP TABLE pending_credential;
            ALTER TABLE waiting_credential RENAME TO pending_credential;
            CREATE INDEX pending_credential_account ON pending_credential (account_uid);
            """
        ),
        (
            "6 unanswered sign-ins by what was asked for",
            """
            DROP TABLE unanswered_sign_in;
            CREATE TABLE unanswered_sign_in (
                profile TEXT NOT NULL, provider_id TEXT NOT NULL, request TEXT NOT NULL, count INTEGER NOT NULL,
                last_at INTEGER NOT NULL, PRIMARY KEY (profile, provider_id, request)) STRICT;
            """
        ),
        (
            "7 when a used nonce may be forgotten",
            """
            ALTER TABLE used_nonce ADD COLUMN kept_until INTEGER NOT NULL DEFAULT 0;
            UPDATE used_nonce SET kept_until = used_at + 31622400;
            """
        ),
        (
            // Earlier versions did not store the directory of a Firebase session. It is in the encrypted ID token, and
            // is read from there if the column is empty.
            "8 which directory made a session",
            """
            ALTER TABLE session ADD COLUMN directory TEXT;
            UPDATE session SET directory = 'local'
                WHERE account_uid NOT IN (SELECT account_uid FROM session WHERE provider_id = 'firebase');
            ALTER TABLE pending_credential ADD COLUMN directory TEXT;
            UPDATE pending_credential SET directory = 'local' WHERE account_uid IS NOT NULL;
            CREATE TABLE profile_directory (
                profile TEXT PRIMARY KEY, settings BLOB NOT NULL, directory TEXT NOT NULL) STRICT;
            """
        ),
        (
            "9 what a store is called in a keyring, and where a move of its key began",
            """
            ALTER TABLE vault ADD COLUMN store TEXT NOT NULL DEFAULT '';
            ALTER TABLE vault ADD COLUMN other TEXT;
            """
        ),
        (
            "10 tokens that a provider did not take back",
            """
            CREATE TABLE unrevoked_session (
                id TEXT PRIMARY KEY, profile TEXT NOT NULL, directory TEXT NOT NULL, account_uid TEXT NOT NULL,
                provider_id TEXT NOT NULL, failed_at INTEGER NOT NULL, kept_until INTEGER NOT NULL,
                tokens BLOB NOT NULL) STRICT;
            """
        ),
        (
            "11 names that accounts have here",
            """
            CREATE TABLE account_name (
                account_uid TEXT PRIMARY KEY REFERENCES account ON DELETE CASCADE, profile TEXT NOT NULL,
                name TEXT NOT NULL, UNIQUE (profile, name)) STRICT;
            """
        ),
        (
            // A uid is unique only in its directory. The directory is read from the sessions, otherwise from the
            // account's identities. Version 0.1.0 stored project and tenant there, but not the emulator. So its project
            // sessions are unproven until the user signs in again, or their ID token shows the issuer.
            "12 accounts by the directory that they live in",
            """
            ALTER TABLE account ADD COLUMN directory TEXT;
            WITH said AS (
                SELECT account_uid AS uid, substr(MIN(authority), 32) || '#' AS text FROM identity GROUP BY account_uid
                HAVING MIN(authority GLOB 'https://securetoken.google.com/*')),
            halves AS (
                SELECT uid, substr(text, 1, instr(text, '#') - 1) || '@' AS head,
                    NULLIF(rtrim(substr(text, instr(text, '#') + 1), '#'), '') AS tenant FROM said),
            parts AS (
                SELECT uid, substr(head, 1, instr(head, '@') - 1) AS project, tenant,
                    NULLIF(rtrim(substr(head, instr(head, '@') + 1), '@'), '') AS emulator FROM halves)
            UPDATE account SET directory = COALESCE(
                (SELECT MAX(directory) FROM session WHERE account_uid = uid),
                (SELECT '{"project":' || json_quote(project) || COALESCE(',"tenant":' || NULLIF(json_quote(tenant), 'null'), '')
                    || COALESCE(',"emulator":' || NULLIF(json_quote(emulator), 'null'), '') || '}' FROM parts WHERE parts.uid = account.uid),
                (SELECT '{"project":' || json_quote(client_id) || '}' FROM session
                    WHERE account_uid = uid AND provider_id = 'firebase'),
                (SELECT 'local' FROM identity WHERE account_uid = uid),
                (SELECT directory FROM profile_directory AS known WHERE known.profile = account.profile),
                'local');
            CREATE TABLE home (
                id INTEGER PRIMARY KEY, profile TEXT NOT NULL, directory TEXT NOT NULL,
                UNIQUE (profile, directory)) STRICT;
            INSERT INTO home (profile, directory) SELECT profile, directory FROM account
                UNION SELECT profile, directory FROM pending_credential WHERE directory IS NOT NULL ORDER BY 1, 2;
            CREATE TABLE place (uid TEXT PRIMARY KEY, home INTEGER NOT NULL) STRICT;
            INSERT INTO place SELECT uid, id FROM account JOIN home USING (profile, directory);

            DROP INDEX account_email;
            DROP INDEX pending_credential_account;
            ALTER TABLE account RENAME TO old_account;
            ALTER TABLE identity RENAME TO old_identity;
            ALTER TABLE session RENAME TO old_session;
            ALTER TABLE current_account RENAME TO old_current_account;
            ALTER TABLE pending_credential RENAME TO old_pending_credential;
            ALTER TABLE password RENAME TO old_password;
            ALTER TABLE account_name RENAME TO old_account_name;

            CREATE TABLE account (
                home INTEGER NOT NULL REFERENCES home, uid TEXT NOT NULL, email TEXT, email_verified INTEGER NOT NULL,
                display_name TEXT, photo_url TEXT, created_at INTEGER NOT NULL, last_sign_in_at INTEGER NOT NULL,
                is_machine INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (home, uid)) STRICT;
            INSERT INTO account SELECT home, uid, email, email_verified, display_name, photo_url, created_at,
                last_sign_in_at, is_machine FROM old_account JOIN place USING (uid) ORDER BY old_account.rowid;
            CREATE TABLE identity (
                home INTEGER NOT NULL, provider_id TEXT NOT NULL, authority TEXT NOT NULL, federated_id TEXT NOT NULL,
                account_uid TEXT NOT NULL, email TEXT, email_verified INTEGER NOT NULL, display_name TEXT, photo_url TEXT,
                is_private_relay INTEGER NOT NULL DEFAULT 0, tenant_id TEXT, consented_at INTEGER, linked_at INTEGER NOT NULL,
                PRIMARY KEY (home, provider_id, authority, federated_id), UNIQUE (home, account_uid, provider_id),
                FOREIGN KEY (home, account_uid) REFERENCES account ON DELETE CASCADE) STRICT;
            INSERT INTO identity SELECT home, provider_id, authority, federated_id, account_uid, email, email_verified,
                display_name, photo_url, is_private_relay, tenant_id, consented_at, linked_at
                FROM old_identity JOIN place ON uid = account_uid ORDER BY old_identity.rowid;
            CREATE TABLE session (
                home INTEGER NOT NULL, account_uid TEXT NOT NULL, provider_id TEXT NOT NULL, issuer TEXT NOT NULL,
                client_id TEXT NOT NULL, token_origin TEXT NOT NULL, subject TEXT NOT NULL, access_token BLOB,
                expires_at INTEGER, refresh_token BLOB, id_token BLOB, id_token_expires_at INTEGER, nonce BLOB,
                authenticated_at INTEGER, scopes TEXT NOT NULL, last_proven_at INTEGER NOT NULL, source TEXT NOT NULL,
                renewal TEXT, is_unproven INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (home, account_uid, provider_id),
                FOREIGN KEY (home, account_uid) REFERENCES account ON DELETE CASCADE) STRICT;
            INSERT INTO session SELECT home, account_uid, provider_id, issuer, client_id, token_origin, subject, access_token,
                expires_at, refresh_token, id_token, id_token_expires_at, nonce, authenticated_at, scopes, last_proven_at,
                source, renewal, directory IS NULL FROM old_session JOIN place ON uid = account_uid
                ORDER BY old_session.rowid;
            CREATE TABLE current_account (
                home INTEGER PRIMARY KEY, account_uid TEXT NOT NULL,
                FOREIGN KEY (home, account_uid) REFERENCES account ON DELETE CASCADE) STRICT;
            INSERT INTO current_account SELECT home, account_uid FROM old_current_account JOIN place ON uid = account_uid;
            CREATE TABLE pending_credential (
                id TEXT PRIMARY KEY, home INTEGER NOT NULL REFERENCES home, provider_id TEXT NOT NULL, email TEXT,
                reason TEXT NOT NULL, account_uid TEXT, expires_at INTEGER NOT NULL, credential BLOB NOT NULL,
                FOREIGN KEY (home, account_uid) REFERENCES account ON DELETE CASCADE) STRICT;
            INSERT INTO pending_credential SELECT old.id, COALESCE(place.home, home.id), provider_id, email, reason,
                account_uid, expires_at, credential FROM old_pending_credential AS old
                JOIN home USING (profile, directory) LEFT JOIN place ON uid = account_uid;
            CREATE TABLE password (
                home INTEGER NOT NULL, account_uid TEXT NOT NULL, hash BLOB NOT NULL, changed_at INTEGER NOT NULL,
                PRIMARY KEY (home, account_uid), FOREIGN KEY (home, account_uid) REFERENCES account ON DELETE CASCADE) STRICT;
            INSERT INTO password SELECT home, account_uid, hash, changed_at FROM old_password JOIN place ON uid = account_uid;
            CREATE TABLE account_name (
                home INTEGER NOT NULL, account_uid TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (home, account_uid),
                UNIQUE (home, name), FOREIGN KEY (home, account_uid) REFERENCES account ON DELETE CASCADE) STRICT;
            INSERT INTO account_name SELECT home, account_uid, name FROM old_account_name JOIN place ON uid = account_uid;

            DROP TABLE old_account_name;
            DROP TABLE old_password;
            DROP TABLE old_pending_credential;
            DROP TABLE old_current_account;
            DROP TABLE old_session;
            DROP TABLE old_identity;
            DROP TABLE old_account;
            DROP TABLE place;
            CREATE INDEX account_email ON account (home, email);
            CREATE INDEX pending_credential_account ON pending_credential (home, account_uid);
            """
        ),
        (
            "13 keys that tokens are bound to",
            """
            ALTER TABLE session ADD COLUMN binding TEXT;
            ALTER TABLE session ADD COLUMN binding_key BLOB;
            """
        ),
        (
            // One session for each resource. Earlier sessions are not for a specific resource.
            "14 what resource a session is for",
            """
            CREATE TABLE session_of_resource (
                home INTEGER NOT NULL, account_uid TEXT NOT NULL, provider_id TEXT NOT NULL,
                resource TEXT NOT NULL DEFAULT '', issuer TEXT NOT NULL,
                client_id TEXT NOT NULL, token_origin TEXT NOT NULL, subject TEXT NOT NULL, access_token BLOB,
                expires_at INTEGER, refresh_token BLOB, id_token BLOB, id_token_expires_at INTEGER, nonce BLOB,
                authenticated_at INTEGER, scopes TEXT NOT NULL, last_proven_at INTEGER NOT NULL, source TEXT NOT NULL,
                renewal TEXT, is_unproven INTEGER NOT NULL DEFAULT 0, binding TEXT, binding_key BLOB,
                PRIMARY KEY (home, account_uid, provider_id, resource),
                FOREIGN KEY (home, account_uid) REFERENCES account ON DELETE CASCADE) STRICT;
            INSERT INTO session_of_resource
                (home, account_uid, provider_id, issuer, client_id, token_origin, subject, access_token, expires_at,
                 refresh_token, id_token, id_token_expires_at, nonce, authenticated_at, scopes, last_proven_at, source,
                 renewal, is_unproven, binding, binding_key)
                SELECT home, account_uid, provider_id, issuer, client_id, token_origin, subject, access_token, expires_at,
                 refresh_token, id_token, id_token_expires_at, nonce, authenticated_at, scopes, last_proven_at, source,
                 renewal, is_unproven, binding, binding_key FROM session ORDER BY rowid;
            DROP TABLE session;
            ALTER TABLE session_of_resource RENAME TO session;
            """
        ),
        (
            "15 how long tokens are valid",
            """
            ALTER TABLE session ADD COLUMN expires_in INTEGER;
            ALTER TABLE session ADD COLUMN id_token_expires_in INTEGER;
            """
        ),
        ("16 user names at providers", "ALTER TABLE identity ADD COLUMN screen_name TEXT;"),
        (
            // The fields of `Grant` as JSON. Secrets remain encrypted, in hexadecimal, so that the vault can be locked.
            // The source of a directory's own tokens has the prefix `directory:`.
            "17 sessions as JSON",
            """
            CREATE TABLE json_session (
                home INTEGER NOT NULL, account_uid TEXT NOT NULL, provider_id TEXT NOT NULL,
                resource TEXT NOT NULL DEFAULT '', is_unproven INTEGER NOT NULL DEFAULT 0, details TEXT NOT NULL,
                PRIMARY KEY (home, account_uid, provider_id, resource),
                FOREIGN KEY (home, account_uid) REFERENCES account ON DELETE CASCADE) STRICT;
            INSERT INTO json_session SELECT home, account_uid, provider_id, resource, is_unproven, json_object(
                'issuer', issuer, 'clientID', client_id, 'tokens', json_object(
                    'accessToken', NULLIF(hex(access_token), ''), 'expiresAt', expires_at, 'expiresIn', expires_in,
                    'refreshToken', NULLIF(hex(refresh_token), ''), 'idToken', NULLIF(hex(id_token), ''),
                    'idTokenExpiresAt', id_token_expires_at, 'idTokenExpiresIn', id_token_expires_in,
                    'scopes', json(CASE scopes WHEN '' THEN '[]' ELSE '[' || replace(json_quote(scopes), ' ', '","') || ']' END),
                    'tokenOrigin', token_origin),
                'subject', subject, 'nonce', NULLIF(hex(nonce), ''), 'authenticatedAt', authenticated_at,
                'lastProvenAt', last_proven_at,
                'source', CASE provider_id WHEN 'firebase' THEN 'directory:' || source ELSE source END,
                'renewal', json(CASE WHEN json_valid(renewal) THEN json_object(
                    'workload', json(CASE WHEN json_extract(renewal, '$.platform') IS NOT NULL THEN json_object(
                        'platform', json_extract(renewal, '$.platform'), 'request', json_object(
                            'audience', json_extract(renewal, '$.audience'), 'issuer', json_extract(renewal, '$.issuer'),
                            'source', json_extract(renewal, '$.source'), 'required', json((SELECT json_group_array(json_object(
                                'name', json_extract(value, '$[0]'), 'value', json_extract(value, '$[1]')))
                                FROM json_each(renewal, '$.required'))))) END),
                    'grant', json(CASE WHEN json_extract(renewal, '$.grant') IS NOT NULL THEN json_object(
                        'kind', NULLIF(json_extract(renewal, '$.grant'), 'client-credentials'),
                        'scopes', json(json_extract(renewal, '$.scopes')), 'parameters', json((SELECT json_group_array(json_object(
                            'name', json_extract(value, '$[0]'), 'value', json_extract(value, '$[1]')))
                            FROM json_each(renewal, '$.parameters')))) END)) END),
                'binding', COALESCE(binding, 'bearer'), 'bindingKey', NULLIF(hex(binding_key), ''))
                FROM session ORDER BY rowid;
            DROP TABLE session;
            ALTER TABLE json_session RENAME TO session;
            """
        ),
        (
            "18 where a store is, and which profile is being renamed",
            """
            ALTER TABLE vault ADD COLUMN path TEXT;
            CREATE TABLE unfinished_rename (profile TEXT PRIMARY KEY, other TEXT NOT NULL) STRICT;
            """
        ),
        ("19 an account's default session", "ALTER TABLE session ADD COLUMN is_default INTEGER NOT NULL DEFAULT 0;"),
    ]

    /// Runs the missing steps, each in one transaction.
    ///
    /// A table lists the completed steps by name; it is named after the library that created it first. The number of
    /// the last one is in the file's header, where it is checked at every start.
    static func migrate(_ database: DatabaseOwner) throws -> Bool {
        // Read before any write, so that a newer store is not changed.
        let taken = try database.blockingTransaction(.reading) { db -> [String] in
            let exists = try db.hasRow("SELECT 1 FROM sqlite_schema WHERE name = 'grdb_migrations'")
            return exists ? try String.fetchAll(db, "SELECT identifier FROM grdb_migrations") : []
        }
        guard taken.allSatisfy({ name in latest.contains { $0.name == name } }) else { return false }
        // Between dropping a table and renaming its replacement, foreign keys refer to no table.
        try database.withoutForeignKeys {
            for (index, step) in latest.enumerated() where !taken.contains(step.name) {
                try database.blockingTransaction(.writing) { db in
                    try db.execute(
                        "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
                    try db.execute(script: step.sql)
                    try db.execute("INSERT INTO grdb_migrations (identifier) VALUES (\(step.name))")
                    try db.checkForeignKeys()
                    try db.setSchemaVersion(index + 1)
                }
            }
        }
        // Version 0.1.0 wrote the number after the last step: it may have been killed in between.
        if taken.count == latest.count {
            try database.blockingTransaction(.writing) { try $0.setSchemaVersion(latest.count) }
        }
        return true
    }
}
