# An expired token is refreshed, and the rotated refresh token replaces the old one.
signed_in --access-ttl 90
first=$(authctl token --min-ttl 0)
works authctl token
[ "$(cat stdout)" = "$first" ] || fail "more than a quarter of its lifetime left: the same token"
until works authctl token --min-ttl 89 && [ "$(cat stdout)" != "$first" ]; do next_second; done
works authctl token --force-refresh
works authctl token --force-refresh

# If the provider is unreachable, prints the token that is still valid, with a note.
next_second
kill "$EMULATOR" && wait "$EMULATOR" || true
works authctl token --min-ttl 89
err 'did not refresh the token; this one is still valid'
exits 69 authctl token --force-refresh

# The same if the page of a captive portal or of a firewall comes instead of a response.
for fault in token-html token-redirect; do
    emulator --port "${ISSUER##*:}" --fault $fault
    works authctl token --min-ttl 89
    err 'did not refresh the token; this one is still valid'
    exits 65 authctl token --force-refresh
    kill "$EMULATOR" && wait "$EMULATOR" || true
done
