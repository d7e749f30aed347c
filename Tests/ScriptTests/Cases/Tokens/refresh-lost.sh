# Refreshes whose response is lost, or refused, after the provider has rotated the refresh token.

#: If the connection breaks without a response, the refresh is repeated once, which many providers accept.
signed_in --fault refresh-lost --fault refresh-window
before=$(authctl token)
works authctl token --force-refresh
[ "$(cat stdout)" != "$before" ] || fail "the old token"
[ "$(requests 'token refresh_token')" = 2 ] || fail "not repeated once"
works authctl token --force-refresh

#: If the provider does not accept the refresh token again, the error says that the response was lost.
signed_in --fault refresh-lost
exits 4 authctl token --force-refresh
err "the last response of 'oidc.test' was lost, and it does not accept the refresh token again; sign in again"
err 'hint: authctl signin oidc.test$'
[ "$(requests 'token refresh_token')" = 2 ] || fail "not repeated once"
works authctl signin --provider oidc.test
works authctl token --force-refresh

#: A refresh that was killed after it was sent is a lost response for the next one.
signed_in --fault refresh-hangs
authctl token --force-refresh >/dev/null 2>&1 &
until [ "$(requests 'token refresh_token')" = 1 ]; do :; done
kill -9 $!
wait $! 2>/dev/null || true
exits 4 authctl token --force-refresh
err "the last response of 'oidc.test' was lost"
[ "$(requests 'token refresh_token')" = 2 ] || fail "repeated although an earlier process had sent it"

#: The refresh token of a response that is refused is not lost: the next refresh sends it.
signed_in --fault refresh-untyped
before=$(authctl token)
exits 65 authctl token --force-refresh
err "no 'token_type'|'token_type'"
[ "$(authctl token)" = "$before" ] || fail "the old token is kept"
works authctl token --force-refresh
[ "$(cat stdout)" != "$before" ] || fail "the old token"
works authctl token --force-refresh
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'confirmed'"

#: A refresh whose token expires at once is printed.
signed_in --fault refresh-expired
before=$(authctl token)
for _ in 1 2 3; do
    works authctl token --force-refresh
    [ "$(cat stdout)" != "$before" ] || fail "the old token"
done
works authctl token
