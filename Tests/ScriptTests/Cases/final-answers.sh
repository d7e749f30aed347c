# Final answers of a provider: each is remembered, and the message names one command.

# git_says OPERATION [LINE…]: runs the credential helper for the host HOST with these lines; sets CODE.
git_says() {
    local operation=$1
    shift
    CODE=0
    printf '%s\n' "protocol=http" "host=$HOST" "$@" | authctl credential git "$operation" >stdout 2>stderr || CODE=$?
}
# revoke TOKEN: GitHub's user revokes the app's token.
revoke() {
    curl -sSf -X DELETE -u client-1:client-secret-1 -H 'Content-Type: application/json' -d "{\"access_token\":\"$1\"}" "$ISSUER/api/v3/applications/client-1/token"
}
# age SECONDS: makes the stored token so much older.
age() {
    python3 -c "import sqlite3, sys; db = sqlite3.connect('$HOME/.config/authctl/authctl.db'); db.execute('''UPDATE session SET details = json_set(details, '$.tokens.expiresAt', json_extract(details, '$.tokens.expiresAt') - $1)'''); db.commit()"
}

#: git does not get a token again that GitHub's API rejects, and status says why.
provider github.com
HOST=${ISSUER#http://}
works authctl signin --provider github.com
token=$(authctl token)
revoke "$token"
git_says erase "password=$token"
[ $CODE = 0 ] && [ ! -s stdout ] || fail "erase failed"
err "^authctl: '$ISSUER' rejected the token; check that your account has access, or run the command again$"
for _ in 1 2; do
    git_says get
    [ $CODE = 4 ] && [ ! -s stdout ] || fail "exit $CODE"
    err "'github.com' rejects the access token, which cannot be refreshed; sign in again"
    err 'hint: authctl signin github.com$'
done
exits 4 authctl token
err 'rejects the access token'
exits 4 authctl status
out '^github.com/ada  expired  default$'
exits 4 authctl status --json
json "d['accounts'][0]['sessions'][0]['state'] == 'needs-sign-in'"
works authctl signin --provider github.com
git_says get
[ $CODE = 0 ] || fail "a new sign-in does not help"
works authctl status

#: A personal access token that GitHub's API rejects is replaced by another one.
public_client github.com
HOST=${ISSUER#http://}
curl -sSf "$ISSUER/emulator/personal-token" >token
authctl signin --provider github.com --with-token <token >stdout 2>stderr || fail "no sign-in"
token=$(cat token)
# One server rejected it, but GitHub's API accepts it.
git_says erase "password=$token"
git_says get
[ $CODE = 0 ] && grep -qx "password=$token" stdout || fail "a valid token was dropped"
curl -sSf -X POST -H 'Content-Type: application/json' -d "{\"credentials\":[\"$token\"]}" "$ISSUER/api/v3/credentials/revoke"
git_says erase "password=$token"
git_says get
[ $CODE = 4 ] && [ ! -s stdout ] || fail "exit $CODE"
err 'hint: authctl signin github.com --with-token$'
curl -sSf "$ISSUER/emulator/personal-token" >new
! cmp -s new token || fail "the emulator issued the same token"
authctl signin --provider github.com --with-token <new >stdout 2>stderr || fail "no sign-in with the new token"
git_says get
[ $CODE = 0 ] && grep -qx "password=$(cat new)" stdout || fail "git did not get the new token"

#: A token that one repository rejects, but GitHub's API accepts, is rejected for this repository only.
provider github.com
HOST=${ISSUER#http://}
works authctl signin --provider github.com
token=$(authctl token)
git_says erase path=corp/secret.git "password=$token"
git_says get path=corp/secret.git
[ $CODE = 4 ] && [ ! -s stdout ] || fail "exit $CODE"
err "the server rejected the token of 'github.com' for 'corp/secret.git'"
git_says get path=corp/website.git
[ $CODE = 0 ] || fail "another repository: exit $CODE"
works authctl token
[ "$(cat stdout)" = "$token" ] || fail "the token is lost"
works authctl status
# Without the path, nothing can be remembered.
git_says erase "password=$token"
git_says get
[ $CODE = 0 ] || fail "the host: exit $CODE"
works authctl signin --provider github.com
git_says get path=corp/secret.git
[ $CODE = 0 ] || fail "a new sign-in does not help"

#: A token that can be refreshed is not refreshed because of one repository while it is younger than a minute.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
HOST=${ISSUER#http://}
works authctl signin
token=$(authctl token)
for _ in 1 2 3; do
    git_says erase path=corp/secret.git "password=$token"
    err "^authctl: '$ISSUER' rejected the token; "
    git_says get path=corp/website.git
    grep -qx "password=$token" stdout || fail "another token"
done
# The user may get access to the repository later.
git_says get path=corp/secret.git
grep -qx "password=$token" stdout || fail "the path was remembered"
[ "$(requests 'token refresh_token')" = 0 ] || fail "it was refreshed"
age 70
git_says erase path=corp/website.git "password=$token"
git_says get path=corp/website.git
[ $CODE = 0 ] || fail "exit $CODE"
[ "$(requests 'token refresh_token')" = 1 ] || fail "it was not refreshed"

#: If the rejected token is in a variable, the variable is named.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
HOST=${ISSUER#http://}
export AUTHCTL_OIDC_TEST_TOKEN=a-token-of-a-variable
git_says erase password=a-token-of-a-variable
err 'the server rejected the token in AUTHCTL_OIDC_TEST_TOKEN; put a new token into it, or unset it'
# The token of another helper.
git_says erase password=another
[ ! -s stderr ] || fail "the variable's token was not rejected"

#: A provider that returns no ID token when it refreshes is asked for one only once.
signed_in --fault refresh-no-id-token --id-ttl 1
until ! authctl token --type id --min-ttl 0 >/dev/null 2>&1; do :; done
for _ in 1 2 3; do
    exits 4 authctl credential kubectl --provider oidc.test
    err "'oidc.test' returns no ID token when it refreshes"
    err 'hint: to use the access token: add --type access; for a new ID token: authctl signin oidc.test$'
done
[ "$(requests 'token refresh_token')" = 1 ] || fail "each call used a refresh token"
works authctl credential kubectl --provider oidc.test --type access
works authctl token

#: A provider that cannot revoke access tokens revokes the refresh token, which is enough.
signed_in --fault revoke-unsupported
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'confirmed'"
works authctl signout --retry
err 'no revocation is pending'
export AUTHCTL_CONFIG_DIR=$PWD/other
signed_in --fault revoke-unsupported --fault no-refresh-token
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'unsupported'"

#: After a sign-out of the current account, a provider's name does not select another account's token.
signed_in
works authctl signin --provider oidc.test --param emulator_user=grace@example.com
works authctl signout
for command in "token --provider oidc.test" token "request --provider oidc.test $ISSUER/userinfo"; do
    # shellcheck disable=SC2086
    exits 4 authctl $command
    err 'no current account; signed in: ada@example.com'
    err 'hint: authctl accounts switch ada@example.com'
    [ ! -s stdout ] || fail "something was printed"
done

#: After the provider's issuer has changed, status and whoami say that the session is not usable.
signed_in
works authctl status
works authctl whoami
[ ! -s stderr ] || fail "a note"
emulator
works authctl providers set oidc.test --issuer "$ISSUER"
exits 4 authctl token --provider oidc.test
exits 4 authctl status
out '^test/ada@example.com  expired'
exits 4 authctl status --long
out '^    expired    from another server$'
works authctl whoami
err "the session with 'oidc.test' is from another server than the configured one; sign in again"
