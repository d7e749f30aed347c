# Google: desktop clients with a secret, two spellings of the issuer, a domain that the token must confirm.

#: A desktop client with its secret signs in, and the email address is verified.
provider google.com
works authctl signin --json
json "d['account']['emailVerified'] is True and d['account']['providerData'][0]['federatedId'].isdigit()"
json "d['credential']['hasRefreshToken'] and 'https://www.googleapis.com/auth/userinfo.email' in d['credential']['scopes']"
err 'access_type=offline'
no_err 'did not grant'

#: A client without its secret is an invalid configuration, and the hint is the command that sets the secret.
public_client google.com
err 'desktop clients require their secret'
exits 78 authctl signin
err 'hint: use providers set, with --client-secret-stdin$'
exits 78 authctl signin --provider google.com
err 'client_secret is missing.* \(invalid-configuration\)'
err 'hint: authctl providers set google.com --client-secret-stdin$'

#: No redirect URI is registered for a desktop client, so adding one does not say to.
provider google.com
no_err 'register the redirect URI'

#: Accepts Google's issuer without its scheme.
provider google.com --fault old-issuer
works authctl signin --json
json "d['account']['providerData'][0]['providerId'] == 'google.com'"
works authctl token --force-refresh

#: Refuses an authorization response without iss.
provider google.com --fault missing-response-iss
exits 65 authctl signin
err "the issuer 'iss' of the authorization response"

#: A requested Workspace domain must be in the ID token (hd).
provider google.com --hosted-domain example.com
works authctl signin --param hd=example.com
works authctl signin --param 'hd=*'
exits 65 authctl signin --param hd=other.example
err "'hd' is missing or invalid"
works authctl signin --param hd=other.example --begin
curl -sS -o /dev/null -w '%{redirect_url}' "$(field "d['authorizationURL']")" >callback
exits 65 bash -c "authctl signin --complete $(field "d['id']") <callback"
err "'hd' is missing or invalid"

#: Refuses an account outside Workspace if a domain is required.
provider google.com -- --param 'hd=*'
exits 65 authctl signin
err "'hd' is missing or invalid"

#: Adds a scope to the default scopes, and can request online access.
provider google.com
url --scope https://www.googleapis.com/auth/calendar.readonly --param access_type=online
grep -q 'openid profile email https://www.googleapis.com/auth/calendar.readonly' url.decoded || fail "scopes"
grep -q 'access_type=online' url || fail "online"
! grep -q 'access_type=offline' url || fail "both"

#: A refresh keeps the refresh token, and signout --revoke is confirmed.
provider google.com
works authctl signin
works authctl token --force-refresh
out '^ya29\.'
works authctl token --force-refresh
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'confirmed'"

#: The emulator's device flow responds with 428 until the user has decided.
provider google.com
code=$(curl -sS "$ISSUER/device/code" -d client_id=client-1 -d scope=openid | python3 -c "import json,sys; d=json.load(sys.stdin); assert 'verification_url' in d; print(d['device_code'])")
poll() { curl -sS -o body -w '%{http_code}' "$ISSUER/token" -d client_id=client-1 -d client_secret=client-secret-1 -d "device_code=$code" -d grant_type=urn:ietf:params:oauth:grant-type:device_code; }
[ "$(poll)" = 428 ] || fail "not 428"
[ "$(poll)" = 200 ] || fail "not approved"
