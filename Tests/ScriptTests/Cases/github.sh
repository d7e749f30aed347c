# GitHub, here as an Enterprise Server at a base URL: OAuth 2.0 without ID tokens.

#: Gets the user's ID, name and primary email address, which is on the second page of addresses.
provider github.com
works authctl signin --json
json "d['providerId'] == 'github.com' and d['isNewUser'] and d['account']['email'] == 'ada@example.com'"
json "d['account']['providerData'][0]['federatedId'].isdigit() and d['account']['displayName'] == 'Ada Example'"
json "d['credential'] == {'scopes': ['read:user', 'user:email'], 'expiresAt': None, 'hasRefreshToken': False, 'hasIdToken': False, 'binding': 'bearer'}"
[ "$(requests emails)" = 2 ] || fail "the next page was not asked"
no_err 'refresh token'
works authctl signin --json
json "not d['isNewUser']"
works authctl token
out '^gho_'

#: Addresses of an Enterprise Server are unverified, unless --trust-email is set.
provider github.com
works authctl signin --json
json "d['account']['emailVerified'] is False"
works authctl providers add github.com --base-url "$ISSUER" --client-id client-1 --client-secret-file "$PWD/secret" --trust-email
works authctl signin --json
json "d['account']['emailVerified'] is True"

#: An address that GitHub has not verified stays unverified, even with --trust-email.
provider github.com --fault unverified-email -- --trust-email
works authctl signin --json
json "d['account']['email'] == 'ada@example.com' and d['account']['emailVerified'] is False"

#: Reads form-encoded responses and errors like JSON.
provider github.com --fault github-form
works authctl signin
works authctl token
out '^gho_'
secret_file another-secret
exits 78 authctl signin
err 'incorrect_client_credentials'

#: An error response with status 200 is an error.
provider github.com --code-ttl 0
exits 65 authctl signin
err 'bad_verification_code: The code has expired .invalid-credential'
exits 4 authctl whoami

#: A wrong client secret is an invalid configuration, and is not printed.
provider github.com
secret_file not-the-right-secret
exits 78 authctl signin
err 'incorrect_client_credentials'
no_err 'not-the-right-secret'

#: A GitHub App's token is refreshed, with each refresh token used once.
provider github.com --fault github-app
works authctl signin --json
json "d['credential']['hasRefreshToken'] and d['credential']['expiresAt']"
works authctl token
first=$(cat stdout)
works authctl token --force-refresh
out '^ghu_'
[ "$(cat stdout)" != "$first" ] || fail "the same token"
works authctl token --force-refresh
[ "$(requests 'token refresh_token')" = 2 ] || fail "two refreshes"

#: An OAuth app's expiring token is refreshed after a sign-in in the browser.
provider github.com --fault github-expiring
works authctl signin --json
json "d['credential']['hasRefreshToken'] and d['credential']['expiresAt']"
no_err 'refresh token'
works authctl token --force-refresh
works authctl token --force-refresh
out '^gho_'
[ "$(requests 'token refresh_token')" = 2 ] || fail "not refreshed twice"
url
! grep -q offline_access url || fail "offline_access is only for the device flow"

#: An OAuth app's expiring token is refreshed without a client secret after a device flow.
public_client github.com --fault github-expiring
works authctl signin --json
json "d['credential']['hasRefreshToken'] and d['credential']['expiresAt'] and d['credential']['scopes'] == ['read:user', 'user:email']"
no_err 'did not grant'
works authctl token
cp stdout first
for count in 1 2; do works authctl token --force-refresh; done
out '^gho_'
! cmp -s stdout first || fail "the same token"
works authctl signin --scope offline_access
no_err 'did not grant'

#: The token of an older OAuth app does not expire; offline_access is ignored.
provider github.com
for flags in '' '--flow device' '--scope offline_access'; do
    works authctl signin $flags --json
    json "not d['credential']['hasRefreshToken'] and d['credential']['expiresAt'] is None"
    no_err 'did not grant|refresh token'
done

#: A missing scope that the user requested ends the sign-in; a missing default scope is only reported.
provider github.com --fault fewer-scopes
exits 7 authctl signin --scope repo
err "did not grant the scope 'repo'"
works authctl signin
err "did not grant the scope 'user:email'"

#: A wider scope covers the narrower ones that it includes.
provider github.com -- --scope user
works authctl signin --scope user
no_err 'did not grant'

#: Accepts an existing access token if GitHub confirms that it was issued to this client.
provider github.com
works authctl signin --json
uid=$(python3 -c "import json; print(json.load(open('stdout'))['account']['uid'])")
works authctl token
cp stdout token
works authctl signout
works authctl signin --provider github.com --access-token token --json
json "d['account']['uid'] == '$uid' and d['credential']['scopes'] == ['read:user', 'user:email']"
works authctl token
cmp stdout token
[ "$(requests 'application POST')" = 1 ] || fail "the token was not checked"
echo gho_somebodys-token-0000 >token
exits 65 authctl signin --access-token token
err 'not issued to this client'
no_err 'gho_somebodys'

#: Refuses an access token that was issued to another app.
provider github.com --fault other-app
works authctl signin
works authctl token
cp stdout token
works authctl signout
exits 65 authctl signin --access-token token
err 'not issued to this client .invalid-credential'

#: signout --revoke revokes the token with and without the client secret.
provider github.com
works authctl signin
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'confirmed'"
[ "$(requests 'application DELETE')" = 1 ] || fail "not revoked"
works authctl signin
works authctl providers add github.com --replace --base-url "$ISSUER" --client-id client-1
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'confirmed'"
[ "$(requests 'credentials revoke')" = 1 ] || fail "not revoked without the secret"
works authctl signin
works authctl providers add github.com --replace --base-url "$ISSUER" --client-id client-2 --client-secret-file "$PWD/secret"
exits 69 authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'other-client'"
[ "$(requests 'application DELETE')" = 1 ] || fail "another client asked"

#: signout --revoke does not report a revocation if a server cannot revoke tokens without the client secret.
provider github.com --fault no-credential-revocation
works authctl signin
works authctl providers add github.com --replace --base-url "$ISSUER" --client-id client-1
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'unsupported'"

#: Sends GitHub's own parameters, and refuses options that GitHub does not support.
provider github.com
url --login-hint octocat --prompt select_account --param allow_signup=false
grep -q '&login=octocat&prompt=select_account' url || fail "no login"
grep -q '&allow_signup=false' url || fail "no allow_signup"
exits 64 authctl signin --max-age 60
err "'github.com' does not support --max-age"
exits 64 authctl signin --param code_challenge=x
err "'code_challenge' cannot be set"

#: A re-authentication keeps the scopes of the session, because its tokens replace the session's.
provider github.com
works authctl signin github.com --scope repo
works authctl reauth
works authctl status --json
json "'repo' in d['accounts'][0]['sessions'][0]['scopes']"
