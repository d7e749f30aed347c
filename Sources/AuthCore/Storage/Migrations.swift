/// The schema, as named steps that are only ever appended to.
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
            // What made a session of a Firebase project was not kept before: it stands in its ID token, sealed, and is
            // read from there where the column is empty.
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
    ]

    /// Takes the missing steps, each in a transaction of its own, that either all of it or nothing of it is there.
    ///
    /// Which ones were taken stands in a table by their names; the table is called after the library that made it first.
    /// The number of the last one stands in the file's header, where it is looked at each time.
    /// - Returns: false, and nothing is changed, where the store knows a step that this version does not.
    static func migrate(_ database: DatabaseOwner) throws -> Bool {
        // Before anything is written: a newer store is left as it is.
        let taken = try database.blockingTransaction(.reading) { db -> [String] in
            let isThere = try Bool.fetchOne(db, sql: "SELECT 1 FROM sqlite_schema WHERE name = 'grdb_migrations'")
            return isThere == nil ? [] : try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")
        }
        guard taken.allSatisfy({ name in latest.contains { $0.name == name } }) else { return false }
        // A table that is made anew, and given the name of the one before it, is referred to by nothing for a moment.
        try database.withoutForeignKeys {
            for (index, step) in latest.enumerated() where !taken.contains(step.name) {
                try database.blockingTransaction(.writing) { db in
                    try db.execute(
                        sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
                    try db.execute(script: step.sql)
                    try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [step.name])
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
