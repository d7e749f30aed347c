# Killed at any moment of a refresh, at a provider that rotates refresh tokens: the store opens, and holds the session
# before it or the one after it. In each of sixty rounds, two processes refresh together and one of them is killed.

# refreshed COMMAND: it works, or it reports that the refresh token was lost, and the user signs in again. The provider has
# rotated it if a process was killed between the response and the commit.
refreshed() {
    local code=0
    "$@" || code=$?
    case $code in
        0) ;;
        4) lost=$((lost + 1)); works authctl signin -q ;;
        *) fail "exit $code from: $*" ;;
    esac
}

signed_in
db=$HOME/.config/authctl/authctl.db
lost=0
for i in $(seq 60); do
    authctl token --force-refresh >/dev/null 2>&1 &
    victim=$!
    authctl token --force-refresh >/dev/null 2>&1 &
    survivor=$!
    # Between nothing and a whole refresh: 0 to 59 ms.
    pause "0.0$(printf %02d $((RANDOM % 60)))"
    kill -9 $victim 2>/dev/null || true
    wait $victim 2>/dev/null || true
    refreshed wait $survivor
    works authctl token
done
works curl -sSf -H "$(authctl token --header)" "$ISSUER/userinfo"
refreshed authctl token --force-refresh
works authctl token --force-refresh
works python3 -c "import sqlite3; print(sqlite3.connect('$db').execute('PRAGMA integrity_check').fetchone()[0])"
out '^ok$'
[ -z "$(find "$HOME/.config/authctl" -name '.*.tmp')" ] || fail "no temporary file is left"
[ $lost -lt 50 ] || fail "the refresh token was lost $lost times of 60"
