# The state of accounts and sessions: status, whoami and the lists, for users and for scripts.

#: Lists the current account first and the others by name, in text and in JSON.
signed_in
for name in zoe bob; do works authctl signin --provider oidc.test --param "emulator_user=$name@example.com"; done
works authctl accounts switch zoe@example.com
works authctl status
diff stdout - <<'LINES' || fail "the lines"
test/zoe@example.com  renews itself  default
test/ada@example.com  renews itself
test/bob@example.com  renews itself
LINES
works authctl status --json
json "[a['email'].split('@')[0] for a in d['accounts']] == ['zoe', 'ada', 'bob']"
works authctl accounts list --json
json "[a['email'].split('@')[0] for a in d['accounts']] == ['zoe', 'ada', 'bob']"
json "[(a['current'], a['name']) for a in d['accounts']] == [(True, None), (False, None), (False, None)]"

#: Counts the accounts without a session, but lists the current account and a named one.
signed_in
for name in zoe bob; do
    works authctl signin --provider oidc.test --param "emulator_user=$name@example.com"
    works authctl signout
done
exits 4 authctl status
out '^test/ada@example.com  renews itself$'
no_out bob
works authctl accounts switch ada@example.com
works authctl status --json
json "[a['email'].split('@')[0] for a in d['accounts']] == ['ada'] and d['accountsWithoutSession'] == 2"
exits 4 authctl status --account bob@example.com --json
json "[(a['email'], a['sessions']) for a in d['accounts']] == [('bob@example.com', [])]"
works authctl status --provider oidc.test --json
json "d['accountsWithoutSession'] == 2"
works authctl accounts list --json
json "[a['email'].split('@')[0] for a in d['accounts']] == ['ada', 'bob', 'zoe']"
works authctl accounts switch bob@example.com
exits 4 authctl status
out '^Sign in again:  authctl signin oidc.test --login-hint bob@example.com$'

#: A session with an expired token and a refresh token has the state 'renews'.
signed_in --access-ttl 1
works authctl token
until works authctl status --json && [ "$(field "d['accounts'][0]['sessions'][0]['state']")" = renews ]; do next_second; done
works authctl status --long
out '^test/ada@example.com  renews itself  default$'
works authctl token --force-refresh

#: Status is exit 4 if the current account, or the named one, requires a sign-in.
emulator --fault no-refresh-token --access-ttl 1
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin
until ! authctl status >stdout 2>stderr; do :; done
exits 4 authctl status --json
json "d['accounts'][0]['sessions'][0]['state'] == 'needs-sign-in'"
exits 4 authctl status --account ada@example.com
exits 4 authctl status --provider oidc.test
emulator
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.other --param emulator_user=grace@example.com
# The current account works, and the other account is reported.
works authctl status
out '^other/grace@example.com +renews itself +default$'
out '^test/ada@example.com +expired$'
out '^Sign in again:  authctl signin oidc.test$'
works authctl status --long
out '^    expired    expired$'
exits 4 authctl status --account ada@example.com
works authctl status --provider oidc.other
no_out test/
exits 4 authctl status --provider github.com
err "not signed in to 'github.com'"
# Without a current account, token fails, though other accounts are signed in.
works authctl accounts switch ada@example.com
works authctl signout
exits 4 authctl status
out grace@example.com
err 'no current account; signed in: grace@example.com .not-signed-in'
err 'hint: authctl accounts switch grace@example.com'
exits 4 authctl token
AUTHCTL_GITHUB_COM_TOKEN=x works authctl status

#: --field prints one value: a string without quotes, other values as JSON.
signed_in
works authctl whoami --field account.email
[ "$(cat stdout)" = ada@example.com ] || fail "not the address alone"
works authctl whoami --field account.email --json
[ "$(cat stdout)" = '"ada@example.com"' ] || fail "not JSON"
works authctl status --field accounts.0.current
[ "$(cat stdout)" = true ] || fail "not true"
works authctl status --field accounts.0.sessions.0.state
[ "$(cat stdout)" = fresh ] || fail "no state"
works authctl accounts list --field accounts.0.providerData
json "d[0]['providerId'] == 'oidc.test'"
works authctl accounts show --field account.displayName
[ "$(cat stdout)" = 'Ada Example' ] || fail "no name"
works authctl providers list --field providers.0.providerId
[ "$(cat stdout)" = oidc.test ] || fail "no provider"
works authctl providers show oidc.test --field clientId
[ "$(cat stdout)" = emulator-client ] || fail "no client"
exits 64 authctl whoami --field account.mail
err "'mail' not found in 'account'; known: uid, name, email"
err '^authctl: hint: authctl whoami --json$'
[ ! -s stdout ] || fail "something was printed"
for path in accounts.1.uid accounts.-1 accounts.x '' . accounts. accounts.0.uid.0; do exits 64 authctl status --field "$path"; done
works authctl signout
exits 4 authctl status --field accounts.0.sessions.0.state

#: status and token have the same exit code in each state of a session.
# agree CODE [STATE]: both exit with this code, and the session has this state.
agree() {
    if [ "$1" = 0 ]; then works authctl token --no-input; else exits "$1" authctl token --no-input; fi
    if [ "$1" = 0 ]; then works authctl status --no-input --json; else exits "$1" authctl status --no-input --json; fi
    json "d['accounts'][0]['sessions'][0]['state'] == '$2'"
}
# ends_in SECONDS: the stored access token expires then.
ends_in() { session_set tokens.expiresAt "$((EPOCHSECONDS + $1))"; }
signed_in
(umask 077; echo 'correct horse' >right)
echo 'correct horse' >>secrets
key=$HOME/.config/authctl/key
agree 0 fresh
mv "$key" kept
agree 74 unreadable
err 'error'
# Another key than the store's.
head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=' >"$key"
chmod 600 "$key"
agree 74 unreadable
mv kept "$key"
agree 0 fresh
works authctl profile set --vault passphrase --passphrase-fd 3 3<right
works authctl profile lock
agree 4 locked
mv "$HOME/.config/authctl/key.wrapped" wrapped
agree 74 unreadable
mv wrapped "$HOME/.config/authctl/key.wrapped"
works authctl profile set --vault file --passphrase-fd 3 3<right
# A session that a later version stored.
session_set source "'later-kind'"
agree 74 unreadable
err 'cannot be decrypted with this key'
exits 74 authctl status
out 'unreadable( +default)?$'
session_set source "'browser'"
agree 0 fresh
session_set tokens.refreshToken NULL
ends_in 90
agree 0 fresh
ends_in 30
agree 4 needs-sign-in
ends_in -30
agree 4 needs-sign-in
# status sends no request: a token that can be renewed is good until the server refuses it or is gone.
emulator
works authctl providers add oidc.gone --issuer "$ISSUER" --client-id emulator-client
works authctl accounts delete --yes
works authctl signin --provider oidc.gone --scope offline_access
kill "$EMULATOR"
agree 0 fresh
ends_in -30
exits 69 authctl token
works authctl status --json
json "d['accounts'][0]['sessions'][0]['state'] == 'renews'"
works authctl accounts delete --yes
exits 4 authctl token --no-input
exits 4 authctl status --no-input

#: status and token have the same exit code if the keyring with the key is locked or gone.
. "$ROOT/Tests/ScriptTests/keyring.sh"
bus
keyring
a_store
works authctl profile set --vault keyring
works authctl token --no-input
works authctl status --no-input
locks
exits 4 authctl token --no-input
exits 4 authctl status --no-input
kill "$KEYRING" "$BUS"
exits 74 authctl token --no-input
exits 74 authctl status --no-input
