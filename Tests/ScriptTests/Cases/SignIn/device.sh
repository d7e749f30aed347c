# Signing in on another device: this one shows a code and waits.

#: Signs in by the device flow at an OpenID Provider.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --flow device --json
json "d['isNewUser'] and d['credential']['hasIdToken']"
err "as the client 'emulator-client'"
err 'visit  http://127.0.0.1:[0-9]+/emulator/device'
err 'enter  [A-Z]{4}-[A-Z]{4}$'
err 'Never enter a code that someone sent you'
works authctl status --long
out 'by device'

#: Supports the device flows of Google (verification_url, status 428), GitHub (form encoding) and Microsoft (tenants).
provider google.com
works authctl signin --flow device --provider google.com
provider github.com --user grace@example.com
works authctl signin --flow device --provider github.com
provider github.com --fault github-form --user grace2@example.com
works authctl signin --flow device --provider github.com
public_client microsoft.com --user linus@example.com
works authctl signin --flow device --provider microsoft.com --json
json "d['account']['providerData'][0]['tenantId']"

#: Reports a declined code, an expired code and a timeout.
public_client microsoft.com --fault device-denied
exits 7 authctl signin --flow device
err 'authorization_declined.*access-denied'
provider google.com --fault device-denied
exits 7 authctl signin --flow device --provider google.com
provider google.com --fault device-expired
exits 3 authctl signin --flow device --provider google.com
err '.timeout.'
exits 3 authctl signin --flow device --provider google.com --timeout 1
err 'timed out waiting for the sign-in after 1 s'

#: After a slow_down response, the next poll is at least six seconds later (RFC 8628 section 3.5).
emulator --fault device-slow-down
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
# The polls are due after 1, 2 and 8 seconds: the second one is told to slow down, and the third one is after the timeout.
exits 3 authctl signin --flow device --timeout 7
err '.timeout.'
[ "$(requests 'token urn:ietf:params:oauth:grant-type:device_code')" = 2 ] || fail "polled at the earlier interval"

#: Uses the device flow if no browser can be opened and the provider supports it, and reports if it does not.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
unset BROWSER
works authctl signin
err 'enter  [A-Z]{4}-[A-Z]{4}'
port=$(free_port)
public_client twitter.com --redirect-uri "http://127.0.0.1:$port/callback" -- --redirect-uri "http://127.0.0.1:$port/callback"
exits 78 authctl signin --provider twitter.com --flow device
err 'does not support the device flow .unsupported'
exits 4 authctl signin --provider oidc.test --flow device --no-input
err 'interaction-required'
