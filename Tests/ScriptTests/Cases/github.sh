# GitHub, here as an Enterprise Server at a base URL: OAuth 2.0 without ID tokens.

#: The account's number, name and primary address are found, on the second page of addresses.
provider github.com
works authctl signin --json
json "d['providerId'] == 'github.com' and d['isNewUser'] and d['account']['email'] == 'ada@example.com'"
json "d['account']['providerData'][0]['federatedId'].isdigit() and d['account']['displayName'] == 'Ada Example'"
json "d['credential'] == {'scopes': ['read:user', 'user:email'], 'expiresAt': None, 'hasRefreshToken': False, 'hasIdToken': False}"
[ "$(requests emails)" = 2 ] || fail "the next page was not asked"
no_err 'refresh token'
works authctl signin --json
json "not d['isNewUser']"
works authctl token
out '^gho_'

#: An Enterprise Server verifies no addresses, unless its entry is trusted.
provider github.com
works authctl signin --json
json "d['account']['emailVerified'] is False"
works authctl providers add github.com --base-url "$ISSUER" --client-id client-1 --client-secret-file "$PWD/secret" --trust-email
works authctl signin --json
json "d['account']['emailVerified'] is True"

#: An address that is not verified there is not verified here.
provider github.com --fault unverified-email -- --trust-email
works authctl signin --json
json "d['account']['email'] == 'ada@example.com' and d['account']['emailVerified'] is False"

#: Answers in a form's encoding are read like JSON, errors too.
provider github.com --fault github-form
works authctl signin
works authctl token
out '^gho_'
secret_file another-secret
exits 78 authctl signin
err 'incorrect_client_credentials'

#: An error with status 200 is an error.
provider github.com --code-ttl 0
exits 65 authctl signin
err 'bad_verification_code: the code has expired .invalid-credential'
exits 4 authctl whoami

#: A wrong secret is a matter of configuration, and is not shown.
provider github.com
secret_file not-the-right-secret
exits 78 authctl signin
err 'incorrect_client_credentials'
no_err 'not-the-right-secret'

#: A GitHub App's token expires and is renewed, each refresh token once.
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

#: An access token obtained elsewhere signs in when GitHub says that it is this client's.
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

#: Somebody else's access token does not sign in.
provider github.com --fault other-app
works authctl signin
works authctl token
cp stdout token
works authctl signout
exits 65 authctl signin --access-token token
err 'not issued to this client .invalid-credential'

#: Signing out revokes the token; without the secret, the way that needs none.
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

#: GitHub's own parameters are sent, and what it has no parameter for is refused.
provider github.com
url --login-hint octocat --prompt select_account --param allow_signup=false
grep -q '&login=octocat&prompt=select_account' url || fail "no login"
grep -q '&allow_signup=false' url || fail "no allow_signup"
exits 64 authctl signin --max-age 60
err "'github.com' does not support --max-age"
exits 64 authctl signin --param code_challenge=x
err "'code_challenge' cannot be set"
