# Twenty processes find an expired token at a provider that rotates refresh tokens: one request, twenty equal tokens.
signed_in
# The stored expiry is moved into the past; new tokens live an hour.
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db: db.execute("UPDATE session SET expires_at = 1")
P
before=$(requests 'token refresh_token')
jobs=()
for i in $(seq 20); do authctl token >"token.$i" 2>"error.$i" & jobs+=($!); done
for job in "${jobs[@]}"; do wait "$job" || { cat error.*; fail "one of twenty failed"; }; done
[ "$(cat token.* | sort -u | wc -l)" = 1 ] || fail "twenty equal tokens"
[ $(($(requests 'token refresh_token') - before)) = 1 ] || fail "one request"
