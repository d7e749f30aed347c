# An expired token is refreshed, the rotated refresh token replaces the old one, and a dead one says what to do.
signed_in --access-ttl 90
first=$(authctl token --min-ttl 0)
works authctl token
[ "$(cat stdout)" = "$first" ] || fail "more than a quarter of its lifetime left: the same token"
until works authctl token --min-ttl 89 && [ "$(cat stdout)" != "$first" ]; do next_second; done
works authctl token --force-refresh
works authctl token --force-refresh

# A provider that is away: the old token while it lives, with a note.
next_second
kill "$EMULATOR"
works authctl token --min-ttl 89
err 'could not be reached'
exits 69 authctl token --force-refresh
