# A token in an environment variable is used instead of the store.

#: Prints a token from the environment, passes it to commands and sends it; status shows its source.
provider github.com
works authctl signin
works authctl token
real=$(cat stdout)
works authctl signout
export AUTHCTL_GITHUB_COM_TOKEN=$real
works authctl token
[ "$(cat stdout)" = "$real" ] || fail "another token"
works authctl token --provider github.com --header
[ "$(cat stdout)" = "Authorization: Bearer $real" ] || fail "the header"
works authctl exec -- sh -c 'echo "$AUTHCTL_TOKEN ${AUTHCTL_GITHUB_COM_TOKEN-gone}"'
[ "$(cat stdout)" = "$real gone" ] || fail "exec"
works authctl request "$ISSUER/api/v3/user"
json "d['login'] == 'ada'"
exits 7 authctl request https://evil.example/
AUTHCTL_GITHUB_COM_TOKEN=revoked exits 4 authctl request "$ISSUER/api/v3/user"
err 'hint: put a new token into AUTHCTL_GITHUB_COM_TOKEN, or unset it$'
works authctl status
out 'github.com uses the token in AUTHCTL_GITHUB_COM_TOKEN instead of the store'
works authctl status --json
json "d['environment'] == [{'providerId': 'github.com', 'source': 'AUTHCTL_GITHUB_COM_TOKEN'}]"

#: A token from the environment takes precedence over the store, but not over --account.
provider github.com
works authctl signin
export AUTHCTL_GITHUB_COM_TOKEN=from-the-environment
works authctl token
[ "$(cat stdout)" = from-the-environment ] || fail "the store's"
works authctl token --json
json "d['scope'] is None"
works authctl token --account ada@example.com
out '^gho_'
unset AUTHCTL_GITHUB_COM_TOKEN

#: token --proof refuses a token from the environment, because its key is unknown, and does not use another token.
provider github.com
works authctl signin
export AUTHCTL_GITHUB_COM_TOKEN=from-the-environment
exits 78 authctl token --proof GET https://api.github.com/user
err 'AUTHCTL_GITHUB_COM_TOKEN'
err 'hint: unset AUTHCTL_GITHUB_COM_TOKEN$'
exits 78 authctl token --proof GET https://api.github.com/user --account ada@example.com
err 'not DPoP-bound, so there is no proof'
unset AUTHCTL_GITHUB_COM_TOKEN

#: Reads a token file at each use, refuses ambiguous variables, and reports an empty or missing value.
secret_file one file
export AUTHCTL_GITHUB_COM_TOKEN_FILE=$PWD/file
works authctl token
[ "$(cat stdout)" = one ] || fail "one"
echo two >file
works authctl token
[ "$(cat stdout)" = two ] || fail "two"
export AUTHCTL_GOOGLE_COM_TOKEN=three
exits 64 authctl token
err 'the environment has several tokens: choose one with --provider'
works authctl token --provider google.com
[ "$(cat stdout)" = three ] || fail "three"
exits 4 authctl token --provider google.com --type id
rm file
exits 64 authctl token --provider github.com
err 'cannot be read'
[ ! -e "$HOME/.config/authctl" ] || fail "a store was made"

#: Refuses a value that is no token: with a space, a line break, or a character that a terminal interprets.
provider github.com
for value in $'one\ntwo' 'one two' $'one\e[31m' $'one\r' 'ö'; do
    export AUTHCTL_GITHUB_COM_TOKEN=$value
    for command in token "token --header" "exec -- touch ran" "request $ISSUER/api/v3/user"; do
        exits 64 authctl $command
        err 'AUTHCTL_GITHUB_COM_TOKEN does not contain a token'
        [ ! -s stdout ] || fail "it was printed"
    done
    printf 'protocol=https\nhost=%s\n\n' "${ISSUER#*://}" >asked
    authctl credential git get <asked >stdout 2>stderr || true
    [ ! -s stdout ] || fail "git was given it"
done
[ ! -e ran ] || fail "a command got it"
unset AUTHCTL_GITHUB_COM_TOKEN

#: A variable that matches two configured providers is an error that names both.
emulator
works authctl providers add oidc.a.b --issuer "$ISSUER" --client-id emulator-client
works authctl providers add oidc.a-b --issuer "$ISSUER" --client-id emulator-client
for id in oidc.a.b oidc.a-b; do
    AUTHCTL_OIDC_A_B_TOKEN=mine exits 78 authctl token --provider $id
    err "AUTHCTL_OIDC_A_B_TOKEN matches several providers: .*'oidc.a[-.]b', 'oidc.a[-.]b'"
    AUTHCTL_OIDC_A_B_CLIENT_SECRET=mine exits 78 authctl signin --provider $id
    err "AUTHCTL_OIDC_A_B_CLIENT_SECRET matches several providers"
    err 'hint: unset AUTHCTL_OIDC_A_B_CLIENT_SECRET'
done
AUTHCTL_OIDC_A_B_TOKEN=mine exits 78 authctl token
works authctl providers remove oidc.a-b
AUTHCTL_OIDC_A_B_TOKEN=mine works authctl token --provider oidc.a.b

#: With tokens of several providers, request sends the one of the provider that allows the URL.
emulator
works authctl providers add oidc.first --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.first
first=$ISSUER
AUTHCTL_OIDC_FIRST_TOKEN=$(authctl token)
works authctl signout
emulator --user grace@example.com
works authctl providers add oidc.second --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.second
AUTHCTL_OIDC_SECOND_TOKEN=$(authctl token)
export AUTHCTL_OIDC_FIRST_TOKEN AUTHCTL_OIDC_SECOND_TOKEN
for issuer in "$first" "$ISSUER"; do
    works authctl request "$issuer/userinfo"
    json "d['email'].endswith('@example.com')"
done
