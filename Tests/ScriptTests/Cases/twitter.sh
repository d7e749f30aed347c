# X: codes of 30 seconds, redirect URIs compared with their port, identifiers in strings.
port=$(free_port)
callback=http://127.0.0.1:$port/callback

#: A public client signs in, and the user ID keeps all its digits.
public_client twitter.com --redirect-uri "$callback" -- --redirect-uri "$callback"
works authctl signin --json
json "len(d['account']['providerData'][0]['federatedId']) >= 19 and d['profile']['id'] == d['account']['providerData'][0]['federatedId']"
json "d['account']['email'] is None and d['account']['displayName'] == 'Ada Example'"
json "d['credential']['hasRefreshToken'] and not d['credential']['hasIdToken']"

#: Refuses a user ID that is a JSON number, because it could have been rounded.
public_client twitter.com --redirect-uri "$callback" --fault numeric-id -- --redirect-uri "$callback"
exits 65 authctl signin
err "'id' is not a string of digits"

#: A confidential client signs in with its secret.
provider twitter.com --redirect-uri "$callback" -- --redirect-uri "$callback"
works authctl signin

#: The redirect URI has the registered port, by default 8400.
emulator --as twitter.com --client-id client-1
works authctl providers add twitter.com --base-url "$ISSUER" --client-id client-1
err 'http://127.0.0.1:8400/callback/twitter.com'
url
grep -q 'redirect_uri=http://127.0.0.1:8400/callback/twitter.com&' url.decoded || fail "another port"
url --port 8401
grep -q 'redirect_uri=http://127.0.0.1:8401/callback/twitter.com&' url.decoded || fail "--port"
curl -sS "$(cat url)" | grep -q 'port included' || fail "the emulator took another port"

#: If another program has the registered port, the hint is not --port, which the provider would not accept.
port=$(free_port)
public_client twitter.com -- --redirect-uri "http://127.0.0.1:$port/callback"
python3 -m http.server --bind 127.0.0.1 "$port" >/dev/null 2>&1 &
servers+=("$!")
until curl -s -o /dev/null "http://127.0.0.1:$port/"; do :; done
exits 1 authctl signin twitter.com
err "port $port of the redirect URI is in use by another program .port-in-use.$"
err 'hint: end that program, or paste the callback URL: add --flow paste$'
exits 1 authctl signin twitter.com --port "$port"
err 'hint: choose another port with --port$'

#: Reports an authorization code that has expired.
public_client twitter.com --redirect-uri "$callback" --code-ttl 0 -- --redirect-uri "$callback"
exits 65 authctl signin
err 'The code has expired'

#: The scope users.email provides an address, which stays unverified.
public_client twitter.com --redirect-uri "$callback" -- --redirect-uri "$callback" --scope users.email,offline.access
works authctl signin --json
json "d['account']['email'] == 'ada@example.com' and d['account']['emailVerified'] is False"

#: Each refresh token is used once, and signout --revoke is confirmed.
public_client twitter.com --redirect-uri "$callback" -- --redirect-uri "$callback"
works authctl signin
works authctl token --force-refresh
works authctl token --force-refresh
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'confirmed'"
