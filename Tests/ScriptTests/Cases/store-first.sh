# Many parallel processes use a new directory or a new version for the first time: one creates or migrates the schema, the
# others wait, and none of them fails.

# all_together COMMAND…: starts fifty processes of the commands in turn, all of which must exit 0.
all_together() {
    local command i=0 failed=0 processes=()
    rm -f go && mkfifo go && exec 9<>go
    while [ $i -lt 50 ]; do
        for command in "$@"; do
            { read -rn 1 -u 9 _ && exec 9>&-; eval "$command"; } >"out.$i" 2>"err.$i" </dev/null &
            processes+=("$!")
            i=$((i + 1))
            [ $i -lt 50 ] || break
        done
    done
    printf '%050d' 0 >&9
    for i in "${!processes[@]}"; do
        wait "${processes[i]}" || { echo "$i: exit $?: $(cat "err.$i")" >&2; failed=$((failed + 1)); }
    done
    [ $failed = 0 ] || fail "$failed of 50 failed"
}

# whole: checks that the store is intact, and that no temporary files are left.
whole() {
    python3 - "$HOME/.config/authctl/authctl.db" <<'P' || fail "the store is not whole"
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
assert db.execute("SELECT COUNT(*) FROM vault").fetchone()[0] <= 1
P
    [ -z "$(find "$HOME/.config/authctl" -name '.*.tmp')" ] || fail "temporary files are left"
}

#: Fifty parallel processes in a new directory add providers, sign in and list them.
emulator
add='authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client'
for round in 1 2; do
    rm -rf "$HOME/.config"
    all_together "$add" 'authctl status || [ $? = 4 ]' 'authctl providers list' "$add && authctl signin --provider oidc.test" \
        "$add && authctl signin --provider oidc.test && authctl token" "$add && authctl pending list"
    whole
    works authctl token --provider oidc.test
done

#: Fifty parallel processes with the store of an older version sign in and print the stored token.
signed_in
python3 - "$HOME/.config/authctl/authctl.db" <<'P' || fail "no older store"
import sqlite3, sys
# As the version with the first two steps of the schema left it.
with sqlite3.connect(sys.argv[1]) as db:
    db.create_function("sealed", 1, lambda text: text and bytes.fromhex(text))
    db.executescript("""
        PRAGMA foreign_keys = OFF;
        DROP TABLE pending_credential; DROP TABLE password; DROP TABLE password_failure; DROP TABLE begun_sign_in;
        DROP TABLE unanswered_sign_in; ALTER TABLE used_nonce DROP COLUMN kept_until; DROP TABLE profile_directory;
        ALTER TABLE vault DROP COLUMN store; ALTER TABLE vault DROP COLUMN other; ALTER TABLE vault DROP COLUMN path;
        DROP TABLE unfinished_rename;
        DROP TABLE unrevoked_session; DROP TABLE account_name; DROP INDEX account_email;
        ALTER TABLE account RENAME TO new_account; ALTER TABLE identity RENAME TO new_identity;
        ALTER TABLE session RENAME TO new_session; ALTER TABLE current_account RENAME TO new_current_account;
        CREATE TABLE account (
            uid TEXT PRIMARY KEY, profile TEXT NOT NULL, email TEXT, email_verified INTEGER NOT NULL,
            display_name TEXT, photo_url TEXT, created_at INTEGER NOT NULL, last_sign_in_at INTEGER NOT NULL) STRICT;
        INSERT INTO account SELECT uid, 'default', email, email_verified, display_name, photo_url, created_at,
            last_sign_in_at FROM new_account;
        CREATE INDEX account_email ON account (profile, email);
        CREATE TABLE identity (
            profile TEXT NOT NULL, provider_id TEXT NOT NULL, authority TEXT NOT NULL, federated_id TEXT NOT NULL,
            account_uid TEXT NOT NULL REFERENCES account ON DELETE CASCADE, email TEXT,
            email_verified INTEGER NOT NULL, display_name TEXT, photo_url TEXT, linked_at INTEGER NOT NULL,
            is_private_relay INTEGER NOT NULL DEFAULT 0, tenant_id TEXT,
            PRIMARY KEY (profile, provider_id, authority, federated_id), UNIQUE (account_uid, provider_id)) STRICT;
        INSERT INTO identity SELECT 'default', provider_id, authority, federated_id, account_uid, email, email_verified,
            display_name, photo_url, linked_at, is_private_relay, tenant_id FROM new_identity;
        CREATE TABLE session (
            account_uid TEXT NOT NULL REFERENCES account ON DELETE CASCADE, provider_id TEXT NOT NULL,
            issuer TEXT NOT NULL, client_id TEXT NOT NULL, token_origin TEXT NOT NULL, subject TEXT NOT NULL, access_token BLOB,
            expires_at INTEGER, refresh_token BLOB, id_token BLOB, id_token_expires_at INTEGER, nonce BLOB,
            authenticated_at INTEGER, scopes TEXT NOT NULL, last_proven_at INTEGER NOT NULL, source TEXT NOT NULL,
            PRIMARY KEY (account_uid, provider_id)) STRICT;
        INSERT INTO session SELECT account_uid, provider_id, details ->> 'issuer', details ->> 'clientID',
            tokens ->> 'tokenOrigin', details ->> 'subject', sealed(tokens ->> 'accessToken'), tokens ->> 'expiresAt',
            sealed(tokens ->> 'refreshToken'), sealed(tokens ->> 'idToken'), tokens ->> 'idTokenExpiresAt',
            sealed(details ->> 'nonce'), details ->> 'authenticatedAt',
            (SELECT group_concat(value, ' ') FROM json_each(tokens, '$.scopes')), details ->> 'lastProvenAt',
            details ->> 'source' FROM (SELECT *, details -> 'tokens' AS tokens FROM new_session);
        CREATE TABLE current_account (
            profile TEXT PRIMARY KEY, account_uid TEXT NOT NULL REFERENCES account ON DELETE CASCADE) STRICT;
        INSERT INTO current_account SELECT 'default', account_uid FROM new_current_account;
        DROP TABLE new_current_account; DROP TABLE new_session; DROP TABLE new_identity; DROP TABLE new_account; DROP TABLE home;
        DELETE FROM grdb_migrations WHERE CAST(identifier AS INTEGER) > 2; PRAGMA user_version = 2;
    """)
    assert db.execute("SELECT COUNT(*) FROM grdb_migrations").fetchone()[0] == 2
P
all_together 'authctl token' 'authctl status' 'authctl signin --provider oidc.test' 'authctl whoami' \
    'authctl token --force-refresh'
whole
works authctl token
