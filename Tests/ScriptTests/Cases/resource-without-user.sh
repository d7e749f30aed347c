# Tokens for a protected resource without a user: of a client, and of a CI job.

# api FLAGS…: an API whose server knows a client with a secret, and CI jobs; and the environment of such a job.
api() {
    github_job_and_server --client-secret client-secret-1 "$@"
    API=$SERVER
    secret_file client-secret-1
    works authctl providers add oidc.api --issuer "$API" --client-id emulator-client --client-secret-file "$PWD/secret"
}
# used: the token is for the API, is not used elsewhere, and is requested anew.
used() {
    works authctl request "$API/api/notes"
    json "d['resource'] == '$API/api' and d['scope'] == 'notes.read'"
    exits 7 authctl request "$API/userinfo"
    works authctl token --resource "$API/api"
    mv stdout first
    works authctl token --resource "$API/api" --force-refresh
    ! cmp -s stdout first || fail "the same token came again"
    session_set tokens.expiresAt 1
    works authctl request "$API/api/notes"
    works authctl credential mcp "$API/api"
    [ "$(requests "token for $API/api" "$API")" = 0 ] || fail "a code or a refresh token was used"
}

#: A client gets a token with its secret, for the resource only, and a new one at expiry.
api
works authctl signin --resource "$API/api" --flow client-credentials --provider oidc.api --scope notes.read --json
json "d['account']['isMachine'] and d['account']['displayName'] == 'emulator-client' and not d['credential']['hasRefreshToken']"
used
[ "$(requests 'token client_credentials' "$API")" = 3 ] || fail "$(requests 'token client_credentials' "$API") requests"
for method in client_secret_post client_secret_basic; do
    works authctl providers set oidc.api --auth-method $method
    works authctl signin --resource "$API/api" --flow client-credentials --provider oidc.api --scope notes.read
done
works authctl signin --resource "$API/api" --flow client-credentials --provider oidc.api --scope notes.read --dpop --json
json "d['credential']['binding'] == 'dpop'"
works authctl request "$API/api/notes"
works authctl token --resource "$API/api" --force-refresh --json
json "d['token_type'] == 'DPoP'"

#: If the API requires more scopes, the error names the command that requests them without a user.
api
for options in "--flow client-credentials" "--ci github --exchange oidc.api"; do
    works authctl signin --resource "$API/api" $options --scope notes.read
    for option in "" --step-up; do
        exits 7 authctl request "$API/api/write" $option
        err "hint: sign in again, and name them with --scope: authctl signin --resource $API/api $options$"
    done
    works authctl signin --resource "$API/api" $options --scope notes.read --scope notes.write
    works authctl request "$API/api/write"
    works authctl signout
done

#: A job gets a token with that of its CI system, by each grant, and asks the CI system again at expiry.
api
for grant in jwt-bearer token-exchange client-assertion; do
    works authctl signin --resource "$API/api" --ci auto --exchange oidc.api --exchange-by $grant --scope notes.read --json
    json "d['account']['isMachine'] and d['providerId'] == 'oidc.api' and d['credential']['scopes'] == ['notes.read']"
    used
done
[ "$(requests 'token urn:ietf:params:oauth:grant-type:jwt-bearer' "$API")" = 3 ] || fail "not three times"
works authctl status --long
out "^$API/api +renews itself"
out '^    signed in  .*by ci.github$'
unset GITHUB_ACTIONS ACTIONS_ID_TOKEN_REQUEST_URL
exits 4 authctl token --resource "$API/api" --force-refresh
err "hint: authctl signin --resource $API/api --ci github --exchange oidc.api$"

#: The default grant is the job's token itself; --scope, or the scopes of the resource if the user agrees, are requested.
api
exits 4 authctl signin --resource "$API/api" --ci auto --exchange oidc.api
err 'hint: if you trust it: name them with --scope$'
works authctl signin --resource "$API/api" --ci auto --exchange oidc.api --scope notes.read --scope notes.write
[ "$(requests 'token urn:ietf:params:oauth:grant-type:jwt-bearer' "$API")" = 1 ] || fail "another grant"
# The API is at the provider's own host, which need not be named then.
works authctl signout
works authctl signin --resource "$API/api" --ci auto --scope notes.read

#: On a machine with a user, the current account stays, and the note says how to use the token.
unset CI
emulator
works authctl providers add oidc.home --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.home
api
works authctl signin --resource "$API/api" --ci auto --exchange oidc.api --scope notes.read
err "the current account stays; add --account [0-9a-f]+ to use this token"
eval "authctl request $(grep -oE -- '--account [0-9a-f]+' stderr) $API/api/notes" >stdout 2>stderr || fail "the account does not work"

#: A sign-in without a user does not check whether the server still knows a client that authctl registered.
api --auto-approve
works authctl providers remove oidc.api
CI='' BROWSER="curl -sS -L -o /dev/null" works authctl signin --resource "$API/api"
works authctl signin --resource "$API/api" --ci auto --scope notes.read
[ "$(requests 'token authorization_code' "$API")" = 1 ] || fail "the client was checked"

#: A token for another audience is refused.
api
emulator --as github-actions --user octo-org/octo-repo
export GITHUB_SERVER_URL=$ISSUER ACTIONS_ID_TOKEN_REQUEST_URL="$ISSUER/actions/token?api-version=2.0"
emulator --client-secret client-secret-1 --jwt-access-tokens --fault wrong-audience
API=$ISSUER
works authctl providers set oidc.api --issuer "$API"
exits 65 authctl signin --resource "$API/api" --ci auto --exchange oidc.api --scope notes.read
err "the access token's audience is 'https://other.example', expected '$API/api'"
exits 65 authctl signin --resource "$API/api" --flow client-credentials --provider oidc.api --scope notes.read
err "the access token's audience is"

#: Registers no client for a sign-in without a user, and reports options that cannot be combined.
api
works authctl providers remove oidc.api
exits 78 authctl signin --resource "$API/api" --ci auto
err 'no client of .* is configured, which a sign-in without a user requires'
err 'providers add oidc.127.0.0.1-[0-9]+ --issuer'
[ "$(requests register "$API")" = 0 ] || fail "a client was registered"
exits 64 authctl signin --resource "$API/api" --ci auto --provider oidc.api
exits 64 authctl signin --ci auto --exchange-by jwt-bearer
exits 64 authctl signin --ci auto --dpop
exits 64 authctl signin --resource "$API/api" --ci auto --param resource=x
