# Killed at any moment of a refresh, the store opens, and holds the session before it or the one after it.
signed_in --fault refresh-no-rotation
db=$HOME/.config/authctl/authctl.db
for i in $(seq 200); do
    authctl token --force-refresh >/dev/null 2>&1 &
    victim=$!
    # Between nothing and a whole refresh: 0 to 49 ms.
    read -rt "0.0$(printf %02d $((RANDOM % 50)))" <> <(:) || true
    kill -9 $victim 2>/dev/null || true
    wait $victim 2>/dev/null || true
done
works authctl token
works curl -sSf -H "$(authctl token --header)" "$ISSUER/userinfo"
works authctl token --force-refresh
works python3 -c "import sqlite3; print(sqlite3.connect('$db').execute('PRAGMA integrity_check').fetchone()[0])"
out '^ok$'
[ -z "$(find "$HOME/.config/authctl" -name '.*.tmp')" ] || fail "no temporary file is left"
