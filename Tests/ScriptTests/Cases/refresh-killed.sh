# Killed at any moment of a refresh, at a provider that rotates refresh tokens: the store opens, and holds the session
# before it or the one after it. In each of sixty rounds, two processes refresh together and one of them is killed.
signed_in
db=$HOME/.config/authctl/authctl.db
lost=0
for i in $(seq 60); do
    authctl token --force-refresh >/dev/null 2>&1 &
    victim=$!
    authctl token --force-refresh >/dev/null 2>&1 &
    survivor=$!
    # Between nothing and a whole refresh: 0 to 59 ms.
    read -rt "0.0$(printf %02d $((RANDOM % 60)))" <> <(:) || true
    kill -9 $victim 2>/dev/null || true
    wait $victim 2>/dev/null || true
    # The victim may have been killed before it stored the response. Then the provider has already rotated the refresh
    # token, and the error reports it.
    code=0
    wait $survivor || code=$?
    [ $code = 0 ] || [ $code = 4 ] || fail "exit $code from the survivor"
    works authctl token
    if [ $code = 4 ]; then
        lost=$((lost + 1))
        works authctl signin -q
    fi
done
works curl -sSf -H "$(authctl token --header)" "$ISSUER/userinfo"
works authctl token --force-refresh
works python3 -c "import sqlite3; print(sqlite3.connect('$db').execute('PRAGMA integrity_check').fetchone()[0])"
out '^ok$'
[ -z "$(find "$HOME/.config/authctl" -name '.*.tmp')" ] || fail "no temporary file is left"
[ $lost -lt 50 ] || fail "the refresh token was lost $lost times of 60"
