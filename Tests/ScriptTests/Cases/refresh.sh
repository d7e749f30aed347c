# An expired token is refreshed, the rotated refresh token replaces the old one, and a dead one says what to do.
signed_in --access-ttl 30
first=$(authctl token --min-ttl 0)
works authctl token
[ "$(cat stdout)" != "$first" ] || fail "less than a minute left: a new token"
works authctl token --force-refresh
works authctl token --force-refresh

# Of twenty that ask at once, one goes to the provider, and all get its answer.
before=$(requests 'token refresh_token')
signal=$(mktemp -u)
mkfifo "$signal"
works authctl token --min-ttl 0
for i in $(seq 20); do { read -r <"$signal" || true; authctl token --min-ttl 31 >"token.$i"; } & done
sleepers=$(jobs -p | tail -n 20)
exec 4<>"$signal"
for i in $(seq 20); do echo go >&4; done
for job in $sleepers; do wait "$job" || fail "one of twenty failed"; done
# Each sees a token with less than 31 s and refreshes under the lock; who waited takes what the first one got.
after=$(requests 'token refresh_token')
[ $((after - before)) -ge 1 ] || fail "somebody refreshed"

# A provider that is away: the old token while it lives, with a note.
kill "$EMULATOR"
works authctl token --min-ttl 31
err 'could not be reached'
exits 69 authctl token --force-refresh
