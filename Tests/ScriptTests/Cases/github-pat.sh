# GitHub's personal access tokens, which users create in GitHub's settings. They do not require a client.

# personal [QUERY]: a new personal access token, in the file token.
personal() { curl -sSf "$ISSUER/emulator/personal-token?${1:-}" >token; }

# gives CODE FLAGS…: signs in with the token in the file token; the exit code must be CODE.
gives() {
    local wanted=$1 code=0
    shift
    authctl signin --provider github.com --with-token "$@" <token >stdout 2>stderr || code=$?
    record authctl signin "$@"
    [ $code = "$wanted" ] || fail "exit $code, not $wanted, from: signin --with-token $*"
}

#: A classic personal access token signs in without the client secret, and is printed, sent and listed.
public_client github.com
personal 'scope=repo,user:email'
gives 0 --json
json "d['account']['email'] == 'ada@example.com' and d['isNewUser']"
json "d['credential'] == {'scopes': ['repo', 'user:email'], 'expiresAt': None, 'hasRefreshToken': False, 'hasIdToken': False, 'binding': 'bearer'}"
[ "$(requests user)" = 1 ] || fail "the token was not checked once with GET /user"
[ "$(requests 'application POST')" = 0 ] || fail "an app was asked"
works authctl token
cmp stdout token
works authctl request "$ISSUER/api/v3/user"
json "d['login'] == 'ada'"
works authctl exec -- sh -c 'echo "$AUTHCTL_TOKEN"'
cmp stdout token
works authctl status --long
out '^github.com/ada +no expiry date'
out '^    signed in  .*by personal access token$'
works authctl status --json
json "d['accounts'][0]['sessions'][0]['source'] == 'personal-access-token'"
gives 0 --json
json "not d['isNewUser']"

#: The real git gets a personal access token.
public_client github.com
personal
gives 0
export GIT_TERMINAL_PROMPT=0 GIT_CONFIG_GLOBAL=$PWD/gitconfig
works authctl credential install git --host "$ISSUER"
printf 'protocol=http\nhost=%s\n\n' "${ISSUER#http://}" | git credential fill >filled
grep -qx 'username=x-access-token' filled || fail "no user name"
[ "$(grep ^password= filled)" = "password=$(cat token)" ] || fail "git did not get the token"

#: A personal access token for github.com requires no configuration, also for git.
. "$ROOT/Tests/ScriptTests/documents.sh"
play github.com
repositories project
resource git github.com/ada repos
curl -sSf "$EMULATOR_URL/emulator/personal-token" >token
gives 0
cat token >>"$hidden/accepted"
works authctl token --provider github.com
cmp stdout token
works authctl request https://api.github.com/user
json "d['login'] == 'ada'"
works authctl providers list --json
json "d['providers'] == []"
export GIT_TERMINAL_PROMPT=0 GIT_CONFIG_GLOBAL=$PWD/gitconfig
code=0; git clone -q https://github.com/ada/project.git without 2>stderr || code=$?
[ $code != 0 ] || fail "the repository is public"
works authctl credential install git --provider github.com
works git clone -q https://github.com/ada/project.git clone
cmp clone/file source/file
printf 'protocol=https\nhost=github.com\n\n' | authctl credential git get >stdout
[ "$(grep ^password= stdout)" = "password=$(cat token)" ] || fail "no credential without a named provider"
works authctl signout
printf 'protocol=https\nhost=github.com\n\n' | authctl credential git get >stdout 2>stderr
[ ! -s stdout ] && [ ! -s stderr ] || fail "git was told something"
echo gho_of-some-app-000000000000000000000 >token
gives 65
err "it is not a personal access token of 'github.com', and other tokens require a client ID"
err 'hint: to create a personal access token: https://github.com/settings/tokens; to add a client: authctl setup github.com$'
curl -sSf "$EMULATOR_URL/emulator/personal-token?expires-in=30" >token
gives 0
exits 4 authctl token --provider github.com
err 'hint: authctl signin github.com --with-token'

#: A fine-grained token signs in without scopes and without an email address.
public_client github.com
personal kind=fine-grained
grep -q '^github_pat_' token
gives 0 --json
json "d['account']['email'] is None and d['account']['displayName'] == 'Ada Example' and d['credential']['scopes'] == []"
works authctl token
cmp stdout token

#: An expired personal access token is exit 4, and the hint is the command that signs in with a new one.
public_client github.com
personal expires-in=30
gives 0
no_err 'refresh token'
personal expires-in=3600
gives 0 --json
json "d['credential']['expiresAt'] is not None"
works authctl token
cmp stdout token
exits 4 authctl token --min-ttl 2h
err 'personal access token .* cannot be refreshed'
err 'hint: authctl signin github.com --with-token'
exits 4 authctl token --force-refresh
personal expires-in=30
gives 0
exits 4 authctl token
err 'hint: authctl signin github.com --with-token'
exits 4 authctl request "$ISSUER/api/v3/user"
err 'hint: authctl signin github.com --with-token'
exits 4 authctl status
out 'authctl signin github.com --with-token'

#: A token that GitHub does not recognize is exit 65, and is neither printed nor stored.
public_client github.com
echo ghp_never-issued-0000000000000000000 | tee token >>secrets
gives 65
err "'github.com' rejects the token: it is wrong, has expired or was revoked .invalid-credential"
err "hint: create a new one: $ISSUER/settings/tokens$"
exits 4 authctl whoami
[ ! -e "$HOME/.config/authctl/authctl.db" ] || ! grep -qaF -f token "$HOME/.config/authctl/authctl.db" || fail "stored"

#: A token of an OAuth or GitHub App requires the client secret.
public_client github.com
works authctl signin
works authctl token
cp stdout token
works authctl signout
gives 78
err 'requires the client secret for that'
err 'hint: authctl providers set github.com --client-secret-stdin'
echo ghu_of-a-github-app-00000000000000000000 | tee token >>secrets
gives 78

#: Refuses installation tokens and refresh tokens without sending a request.
public_client github.com
echo ghs_of-an-installation-00000000000000000 | tee token >>secrets
gives 7
err "an installation token of 'github.com' belongs to an app and not to a user .operation-not-allowed"
echo ghr_refreshes-another-token-0000000000000 | tee token >>secrets
gives 7
err 'a refresh token'
[ "$(requests user)" = 0 ] || fail "it was sent"

#: Signing out does not revoke a personal access token, and prints the page where it can be deleted.
public_client github.com
personal
gives 0
works authctl signout
err "stays valid; to delete it: $ISSUER/settings/tokens"
[ "$(requests 'credentials revoke')" = 0 ] || fail "revoked"
gives 0
works authctl signout --json
json "d['signedOut'][0]['revoked'] == 'not-asked'"

#: With --revoke GitHub revokes the personal access token, with or without a client secret.
provider github.com
for count in 1 2; do
    personal
    gives 0
    works authctl signout --revoke --json
    json "d['signedOut'][0]['revoked'] == 'confirmed'"
    [ "$(requests 'credentials revoke')" = $count ] || fail "not revoked"
    gives 65
    works authctl providers add github.com --replace --base-url "$ISSUER" --client-id client-1
done

#: signout --revoke succeeds and reports it if the server cannot revoke personal access tokens.
public_client github.com --fault no-credential-revocation
personal
gives 0
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'unsupported'"
err "stays valid; to delete it: $ISSUER/settings/tokens"

#: The token is not in any output or trace, and is encrypted in the store.
public_client github.com
personal
gives 0 --verbose
cp stderr trace
works authctl request "$ISSUER/api/v3/user" --verbose
cat stdout stderr >>trace
works authctl status --json
cat stdout >>trace
grep -q 'GET .*/user$' trace || fail "no trace"
! grep -qF -f token trace || fail "printed"
grep -rqaF -f token "$HOME" && fail "in plain text in a file"
true

#: Accepts exactly one line of standard input as a token.
public_client github.com
personal
real=$(cat token)
printf '%s\r\n' "$real" >token
gives 0
printf %s "$real" >token
gives 0
: >token
gives 64
err 'standard input.*it is empty'
printf '%s\nghp_another-line-000000000000\n' "$real" >token
gives 64
err 'another character that no token has'
no_err 'ghp_'

#: A personal access token can link an identity and can conflict with an account, but does not re-authenticate.
signed_in --user grace@example.com
uid=$(authctl whoami --field account.uid)
public_client github.com
personal
authctl link --provider github.com --with-token --json <token >stdout 2>stderr || fail link
record authctl link --json
json "d['account']['uid'] == '$uid' and d['operation'] == 'link'"
code=0; authctl reauth --provider github.com --with-token <token >stdout 2>stderr || code=$?
[ $code = 5 ] || fail "exit $code"
err 'an access token cannot re-authenticate, because it does not say when the user authenticated'
err 'hint: authctl reauth github.com$'
record authctl reauth
works authctl unlink --provider github.com
signed_in
gives 6
err 'account-exists-with-different-credential'

#: Refuses a personal access token in a Firebase project, and does not send it.
firebase
public_client github.com
personal
gives 7
err 'a Firebase project does not accept personal access tokens'
[ "$(requests user)" = 0 ] || fail "it was sent"
works authctl providers remove github.com
gives 7
err 'a Firebase project does not accept personal access tokens'

#: A re-authentication in the browser keeps the personal access token.
provider github.com
personal 'scope=repo,user:email'
gives 0
exits 5 authctl accounts set-email new@example.com
works authctl accounts set-email new@example.com --reauth
works authctl token
cmp stdout token
works authctl status --json
json "d['accounts'][0]['sessions'][0]['scopes'] == ['repo', 'user:email']"

#: An account that can only sign in with a personal access token can be deleted.
public_client github.com
personal
gives 0
exits 5 authctl accounts delete --yes
works authctl providers remove github.com
works authctl accounts delete --yes
err 'is deleted; its tokens were not revoked$'

#: doctor does not expect a session with a personal access token to be renewed.
public_client github.com
personal
gives 0
works authctl providers remove github.com
works authctl doctor --long
out '^ok +sessions +1$'
out "^ok +configuration +profile 'default': no client$"

#: Without a client, errors of a user with a personal access token do not ask to configure the provider.
. "$ROOT/Tests/ScriptTests/documents.sh"
play github.com
curl -sSf "$EMULATOR_URL/emulator/personal-token" >token
gives 0
exits 64 authctl token github.com/bob
err "no account on this machine matches 'github.com/bob'"
exits 4 authctl token github.com --type id
err 'has no ID token'
works authctl doctor github.com
out '^ok +github.com +signed in as ada$'
exits 78 authctl reauth
err 're-authentication failed: a personal access token cannot re-authenticate'
err 'hint: to add a client: authctl setup github.com$'
for line in 'accounts set-email new@example.com' 'accounts set-email new@example.com --reauth' 'accounts export'; do
    # shellcheck disable=SC2086
    exits 78 authctl $line
    err 'a personal access token cannot re-authenticate'
    err 'hint: to add a client: authctl setup github.com$'
done
works authctl signout
exits 4 authctl token github.com
err "not signed in to 'github.com' .not-signed-in.$"
err 'hint: authctl signin github.com$'

#: A sign-in that replaces a personal access token says so.
provider github.com
personal
gives 0
no_err 'no longer stored'
works authctl signin github.com
err 'the former personal access token is no longer stored on this machine; it stays valid until you delete it at the provider$'
works authctl signin github.com
no_err 'no longer stored'
gives 0
err 'the former tokens are no longer stored on this machine; they stay valid until you remove the access at the provider$'
gives 0
no_err 'no longer stored'
# A person is asked first.
code=0
python3 "$ROOT/Tests/Servers/terminal.py" "replaces the personal access token of 'github.com' on this machine. Continue?=n" -- \
    authctl signin github.com >stdout 2>stderr </dev/null || code=$?
[ $code = 2 ] || fail "exit $code"
works authctl token github.com
cmp stdout token

#: doctor says that the provider rejects a personal access token, which was deleted there.
. "$ROOT/Tests/ScriptTests/documents.sh"
play github.com
curl -sSf "$EMULATOR_URL/emulator/personal-token" >token
gives 0
works authctl doctor github.com
AUTHCTL_CONFIG_DIR=$PWD/elsewhere gives 0
AUTHCTL_CONFIG_DIR=$PWD/elsewhere works authctl signout --revoke
exits 1 authctl doctor github.com
out "^problem +github.com +'github.com' rejects the personal access token"
exits 4 authctl token gihub.com
err "did you mean 'github.com'"
no_err 'setup https'

#: A GitHub Enterprise Server needs no client for a personal access token, also at a prompt; a client can be added later.
. "$ROOT/Tests/ScriptTests/setup.sh"
emulator --as github.com --client-id client-1
works authctl providers add github.com --base-url "$ISSUER"
err 'to sign in with a personal access token: authctl signin github.com$'
exits 78 authctl signin github.com
err "'github.com' is configured without a client ID"
err 'hint: with a personal access token: authctl signin github.com --with-token; to add a client: authctl providers set github.com --client-id ID$'
personal
person 0 'How do you want to sign in to 127.0.0.1' 'Choose [1]: =' "$ISSUER/settings/tokens/new?" 'Token (not shown): ='"$(cat token)" -- authctl signin
works authctl token github.com
cmp stdout token
works authctl request "$ISSUER/api/v3/user"
json "d['login'] == 'ada'"
exits 7 authctl request https://api.github.com/user
works authctl signout github.com
gives 0
works authctl token github.com
person 0 'Choose [1]: =2' 'Client ID: =client-1' 'replaces the personal access token=y' -- authctl signin github.com
works authctl providers show github.com --json
json "d['baseUrl'].rstrip('/') == '$ISSUER'.rstrip('/') and d['clientId'] == 'client-1'"

#: A token is never sent to another server than its own, if the provider's base URL changes; doctor says why it ended.
emulator --as github.com --client-id client-1
works authctl providers add github.com --base-url "$ISSUER"
personal
gives 0
works authctl doctor
works authctl providers check github.com
emulator --as github.com --client-id client-1
works authctl providers add github.com --base-url "$ISSUER"
err "the session with 'github.com' is from another server"
works authctl doctor --long
out "session +the session with 'github.com' is from another server than the configured one"
out 'authctl signin github.com$'
[ "$(requests user)" = 0 ] || fail "the token was sent to another server"

#: A personal access token is linked at a prompt, and does not re-authenticate: another identity of the account does.
. "$ROOT/Tests/ScriptTests/setup.sh"
signed_in
emulator --as github.com --client-id client-1 --user ada@example.com
works authctl providers add github.com --base-url "$ISSUER"
personal
person 0 'How do you want to sign in' 'Choose [1]: =' 'Token (not shown): ='"$(cat token)" -- authctl link github.com
works authctl whoami --json
json "len(d['account']['providerData']) == 2"
works authctl accounts switch github.com/ada
works authctl reauth --json
json "d['credential'] is not None"
