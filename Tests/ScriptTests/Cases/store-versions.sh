# Upgrades and downgrades: the stores of other versions of authctl.
d=$HOME/.config/authctl

#: The store of each released version opens and keeps its accounts.
for dump in "$ROOT"/Tests/AuthCoreTests/Store/Stores/[0-9].*.sql; do
    rm -rf "$d"
    (umask 077 && mkdir -p "$d" &&
        python3 -c 'import base64; print(base64.urlsafe_b64encode(bytes(range(32))).rstrip(b"=").decode())' >"$d/key" &&
        python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())' "$d/authctl.db" "$dump")
    before=$(python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("PRAGMA user_version").fetchone()[0])' "$d/authctl.db")
    works authctl accounts list
    out 'ada'
    # Its provider is not configured here.
    exits 4 authctl status --long
    out '^    expired    provider not configured$'
    after=$(python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("PRAGMA user_version").fetchone()[0])' "$d/authctl.db")
    [ "$before" -lt "$after" ] || fail "$dump: still version $before"
done

#: A version of authctl that is older than the store refuses it and changes nothing.
signed_in
cat >newer.py <<'P'
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
version = store.execute("PRAGMA user_version").fetchone()[0] + 1
store.execute("INSERT INTO grdb_migrations VALUES (?)", (f"{version} of the next version",))
store.execute(f"PRAGMA user_version = {version}")
store.commit()
P
python3 newer.py "$d/authctl.db"
state() { (cd "$d" && find . -type f ! -path "./locks/*" -exec stat -c '%n %a %i %Y' {} + -exec sha256sum {} + | LC_ALL=C sort); }
state >before
refused() {
    exits 74 authctl "$@"
    err "^authctl: error: .*: '$d/authctl.db' was created by a newer version of authctl \([a-z-]+\)$"
    err '^authctl: hint: update authctl; nothing was changed$'
    state | diff before - || fail "changed by: $*"
}
refused token
refused whoami
refused status --long
refused accounts list
refused accounts export --with-secrets
refused signin --provider oidc.test
refused signout
refused signout --all
refused providers remove oidc.test
refused profile set --one-account-per-email off --vault file
refused profile remove default --yes
[ -z "$(find "$d" -newer before -type f ! -path "*/locks/*")" ] || fail "written: $(find "$d" -newer before -type f ! -path "*/locks/*")"
# After an upgrade, the store is used as before.
python3 - "$d/authctl.db" <<'P'
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
version = store.execute("PRAGMA user_version").fetchone()[0] - 1
store.execute("DELETE FROM grdb_migrations WHERE identifier LIKE '% of the next version'")
store.execute(f"PRAGMA user_version = {version}")
store.commit()
P
works authctl token
