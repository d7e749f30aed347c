# Many processes at once are the first to use a directory, or the first of a new version: one makes the schema, the others
# wait for it, and none of them notices.

# all_at_once COMMAND…: fifty processes of the commands in turn, all of which must exit 0.
all_at_once() {
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

# whole: the store is one, and nothing is left over beside it.
whole() {
    python3 - "$HOME/.config/authctl/authctl.db" <<'P' || fail "the store is not whole"
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
assert db.execute("SELECT COUNT(*) FROM vault").fetchone()[0] <= 1
P
    [ -z "$(find "$HOME/.config/authctl" -name '.*.tmp')" ] || fail "temporary files are left"
}

#: Fifty processes on a fresh directory add providers, sign in, and look.
emulator
add='authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client'
for round in 1 2; do
    rm -rf "$HOME/.config"
    all_at_once "$add" 'authctl status || [ $? = 4 ]' 'authctl providers list' "$add && authctl signin --provider oidc.test" \
        "$add && authctl signin --provider oidc.test && authctl token" "$add && authctl pending list"
    whole
    works authctl token --provider oidc.test
done

#: Fifty processes on the store of an older version sign in, and hand out the token that is there.
signed_in
python3 - "$HOME/.config/authctl/authctl.db" <<'P' || fail "no older store"
import sqlite3, sys
# As the version before the last nine steps of the schema left it.
with sqlite3.connect(sys.argv[1]) as db:
    db.executescript("""
        DROP TABLE pending_credential; DROP TABLE password; DROP TABLE password_failure; DROP TABLE begun_sign_in;
        DROP TABLE unanswered_sign_in; ALTER TABLE identity DROP COLUMN consented_at;
        ALTER TABLE account DROP COLUMN is_machine; ALTER TABLE session DROP COLUMN renewal;
        ALTER TABLE used_nonce DROP COLUMN kept_until; ALTER TABLE session DROP COLUMN directory;
        DROP TABLE profile_directory; ALTER TABLE vault DROP COLUMN store; ALTER TABLE vault DROP COLUMN other;
        DROP TABLE unrevoked_session; DROP TABLE account_name;
        DELETE FROM grdb_migrations WHERE CAST(identifier AS INTEGER) > 2; PRAGMA user_version = 2;
    """)
    assert db.execute("SELECT COUNT(*) FROM grdb_migrations").fetchone()[0] == 2
P
all_at_once 'authctl token' 'authctl status' 'authctl signin --provider oidc.test' 'authctl whoami' \
    'authctl token --force-refresh'
whole
works authctl token
