# Accounts in a Firebase project: the same commands and output, with the project's ID token.
[ "$DIRECTORY" = firebase ] || firebase

#: Imports the console's configuration, signs in, and prints the project's ID token or the provider's token.
authctl profile set --directory local 2>/dev/null
cat >config.js <<'P'
const firebaseConfig = {
  apiKey: "test-key",
  authDomain: "demo-project.firebaseapp.com",
  projectId: "demo-project",
};
P
works authctl profile import config.js --json
json "d == {'profile': 'default', 'directory': 'firebase', 'projectId': 'demo-project', 'oneAccountPerEmail': None}"
provider google.com
works authctl signin --provider google.com --json
err "accounts are stored in the emulator at '$FIREBASE_AUTH_EMULATOR_HOST'"
json "d['isNewUser'] and d['account']['email'] == 'ada@example.com'"
works authctl token
python3 - <<'P'
import base64, json
claims = json.loads(base64.urlsafe_b64decode(open("stdout").read().split(".")[1] + "=="))
assert claims["aud"] == "demo-project" and claims["firebase"]["sign_in_provider"] == "google.com", claims
P
cp stdout first
works authctl token
cmp -s stdout first || fail "another token, though the first one lives"
works authctl token --force-refresh
! cmp -s stdout first || fail "the same token"
works authctl token --provider google.com
out '^ya29\.'
exits 7 authctl signin firebase
err "'firebase' stands for the project itself, not for a provider"
exits 4 authctl token --type access --provider firebase
err "the session with 'firebase' has no access token"
exits 4 authctl token --provider password
err "'password' does not issue tokens"
err 'hint: .*: authctl token$'
exits 4 authctl link password --email lin@example.com
err 'hint: add --password-stdin$'
exits 64 authctl accounts delete ada@example.com --here
err "sessions on this machine will end"
for host in http://127.0.0.1:42333 localhost:42333/; do
    FIREBASE_AUTH_EMULATOR_HOST=$host exits 78 authctl whoami
    err "FIREBASE_AUTH_EMULATOR_HOST is '$host'; it must be host:port, without a scheme"
done
exits 7 authctl request https://api.example.com/
err "for a provider's token: --provider"
works authctl profile set --profile second --directory firebase --api-key test-key --project-id demo-project
works authctl providers add google.com --profile second --base-url "$ISSUER" --client-id client-1 --client-secret-file "$PWD/secret"
# The same account in two profiles: each has its own session.
works authctl signin --provider google.com --profile second
works authctl token --profile second
works authctl signout --profile second
exits 4 authctl token --profile second
works authctl status --long
out '^firebase/ada@example.com +renews itself +default$'
out '^    signed in  .* by google.com$'
works authctl signout
exits 4 authctl token

#: If the project ended the session, the hint is the sign-in command, and the account stays stored.
provider google.com
works authctl signin --provider google.com
session_set tokens.idTokenExpiresAt 1 "provider_id = 'firebase'"
kill "${servers[0]}"
wait "${servers[0]}" || true
exits 69 authctl token
works authctl whoami
# Restarts the emulator without its accounts.
rm firebase.url
FIREBASE_FLAGS="--port ${FIREBASE_AUTH_EMULATOR_HOST##*:}" firebase
exits 4 authctl token
err 'hint: authctl signin google.com'
works authctl signin --provider google.com
works authctl token

#: Changes the password and the address; deleting the account requires recent authentication.
authctl signin --provider password --email ada@example.com --password-stdin --create <<<"correct horse battery" >stdout 2>stderr
works authctl token
cp stdout first
works bash -c 'authctl accounts set-password --password-stdin <<<"another long phrase"'
works authctl token
! cmp -s stdout first || fail "the old token has died"
works authctl accounts set-email new@example.com --json
json "d['account']['email'] == 'new@example.com' and d['account']['emailVerified'] is False"
works bash -c 'authctl signin --provider password --email new@example.com --password-stdin <<<"another long phrase"'
older 301
exits 5 authctl accounts delete --yes
works bash -c 'authctl reauth --password-stdin <<<"another long phrase"'
works authctl accounts delete --yes
exits 65 bash -c 'authctl signin --provider password --email new@example.com --password-stdin <<<"another long phrase"'
works authctl accounts list --json
json "d == {'accounts': []}"

#: With email enumeration protection, a lookup explains its empty list, and a new address must be verified first.
kill "${servers[0]}"
rm firebase.url
FIREBASE_FLAGS="--fault email-protection" firebase
authctl signin --provider password --email ada@example.com --password-stdin --create <<<"correct horse battery" >stdout 2>stderr
works authctl accounts lookup ada@example.com --json
err 'has email enumeration protection'
json "d == {'email': 'ada@example.com', 'registered': None, 'providers': []}"
exits 7 authctl accounts set-email new@example.com
err 'email-change-needs-verification'

#: Re-authentication as another user changes nothing and does not create an account.
provider google.com
works authctl signin --provider google.com --json
uid=$(field "d['account']['uid']")
works authctl token
cp stdout first
exits 6 authctl reauth --param emulator_user=mallory@example.com
works authctl token
cmp -s stdout first || fail "the session was touched"
works authctl accounts lookup mallory@example.com --json
json "d['registered'] is False"

#: Refuses client credentials and exports in a project, because only the local directory supports them.
emulator --client-secret client-secret-1
secret_file client-secret-1
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
exits 7 authctl signin --provider oidc.test --flow client-credentials
works authctl signin --provider oidc.test
exits 7 authctl accounts export
err 'this profile uses a Firebase project'

#: Reports invalid emulator, API key and project settings.
provider google.com
FIREBASE_AUTH_EMULATOR_HOST=http://127.0.0.1:1 exits 78 authctl signin --provider google.com
err 'without a scheme'
works authctl profile set --directory firebase --api-key bad-key --project-id demo-project
exits 78 authctl signin --provider google.com
err 'invalid-api-key'
works authctl profile set --directory firebase --api-key test-key --project-id other-project
exits 65 authctl signin --provider google.com
err "the API key is of the Firebase project 'demo-project', and the project ID is 'other-project'"
err 'hint: authctl profile set --project-id demo-project$'
works authctl profile set --project-id demo-project
works authctl signin --provider google.com
exits 64 authctl profile set --directory firebase --api-key k
exits 64 authctl profile set --api-key k --project-id p --profile at-home
exits 64 authctl profile import /dev/null
echo "a = { apiKey: 'k', projectId: 'staging' }; b = { apiKey: 'l', projectId: 'production' }" >two.js
exits 64 authctl profile import two.js
err "'two.js' contains several projects: 'staging', 'production'"

#: After a refresh or a link is killed at any moment, the session still works.
provider google.com
works authctl signin --provider google.com
provider github.com --user linus@example.com
for round in $(seq 60); do
    if [ $((round % 2)) = 0 ]; then command="token --force-refresh"; else command="link --provider github.com"; fi
    authctl $command >/dev/null 2>&1 &
    victim=$!
    pause "0.0$(printf %02d $((RANDOM % 90)))"
    kill -9 $victim 2>/dev/null || true
    wait $victim 2>/dev/null || true
    works authctl token
    works authctl whoami
done
works python3 -c "import sqlite3; print(sqlite3.connect('$HOME/.config/authctl/authctl.db').execute('PRAGMA integrity_check').fetchone()[0])"
out '^ok$'
works authctl token --force-refresh

#: Signs in through the project without a local client, and prints the tokens that the project got from the provider.
emulator --as google.com --client-id client-1 --client-secret client-secret-1
works authctl providers list --json
json "d['providers'] == []"
err "users sign in through the Firebase project 'demo-project'"
no_err 'no provider is configured'
exits 64 authctl signin
err 'choose one of the project.s providers, for example google.com'
works authctl signin --provider google.com --scope https://www.googleapis.com/auth/calendar.readonly --login-hint ada@example.com --prompt select_account --param hd=example.com --json
json "d['isNewUser'] and d['providerId'] == 'google.com' and d['profile']['email'] == 'ada@example.com'"
json "d['credential'] == {'scopes': ['https://www.googleapis.com/auth/calendar.readonly'], 'expiresAt': d['credential']['expiresAt'], 'hasRefreshToken': False, 'hasIdToken': True, 'binding': 'bearer'}"
err '&scope=openid%20profile%20email%20https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcalendar.readonly&'
err '&hd=example.com'
err '&login_hint=ada%40example.com'
err '&prompt=select_account'
err 'redirect_uri=http%3A%2F%2Flocalhost%3A[0-9]+%2Fcallback&'
works authctl token --provider google.com
out '^ya29\.'
works authctl token --provider google.com --type id --json
json "d['id_token'].startswith('eyJ') and 3500 < d['expires_in'] <= 3600"
works authctl token
out '^eyJ'
works authctl status --long
out '^google.com/ada@example.com +valid for (59|60) min'
exits 64 authctl signin --provider google.com --max-age 60
err 'only if this machine has a client of'
err 'hint: authctl setup google.com, or omit --max-age$'
exits 64 authctl signin --provider microsoft.com --max-age 60
err 'hint: omit --max-age$'
exits 64 authctl signin --provider google.com --acr two-factors
err '^authctl: error: .*--acr can be checked only if this machine has a client of'
for option in --par --dpop; do
    exits 64 authctl signin --provider google.com $option
    err "^authctl: error: .*$option requires a client on this machine"
done
exits 7 authctl accounts import /dev/null
err 'hint: choose another profile with --profile$'
exits 64 authctl signin --provider google.com --param state=mine
exits 64 authctl signin --provider facebook.com --access-token /dev/null
exits 78 authctl signin --provider google.com --flow device
err 'not configured'
exits 78 authctl signin --provider twitter.com --flow device
err "does not support the device flow"
exits 7 authctl signin --provider yahoo.com
err 'configuration is not found'
exits 78 authctl signin --provider saml.corp
works authctl signout --revoke --json
json "[e['revoked'] for e in d['signedOut']] == ['unsupported']"

#: In a project, the hint of another account's pending credential names this account, and works.
emulator --as google.com --client-id client-1 --client-secret client-secret-1
works authctl signin --provider google.com
emulator --as github.com --client-id client-1 --client-secret client-secret-1
exits 6 authctl signin --provider github.com --json
id=$(python3 -c "import json; print(json.loads(open('stderr').read().splitlines()[-1])['error']['pendingId'])")
works authctl signin --provider github.com --param emulator_user=grace@example.com
works authctl pending list
out "authctl link --pending( $id)? --account ada@example.com$"
works authctl status
out "authctl link --pending( $id)? --account ada@example.com$"
exits 6 authctl link --pending
err "hint: authctl link --pending $id --account ada@example.com$"
# The link succeeds even if the pending credential cannot be deleted.
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("CREATE TRIGGER full BEFORE DELETE ON pending_credential BEGIN SELECT RAISE(ABORT, 'full'); END")
P
works authctl link --pending "$id" --account ada@example.com
works authctl signin --provider github.com --json
json "d['account']['email'] == 'ada@example.com' and d['isNewUser'] is False"

#: In a project, links identities, resolves a conflict with a pending credential, and re-authenticates only the same user.
emulator --as google.com --client-id client-1 --client-secret client-secret-1
works authctl signin --provider google.com --json
uid=$(field "d['account']['uid']")
emulator --as github.com --client-id client-1 --client-secret client-secret-1
exits 6 authctl signin --provider github.com --json
failed "e['code'] == 'account-exists-with-different-credential' and e['providers'] == ['google.com'] and e['email'] == 'ada@example.com'"
works authctl link --pending --json
json "d['account']['uid'] == '$uid' and [p['providerId'] for p in d['account']['providerData']] == ['google.com', 'github.com']"
works authctl signin --provider github.com --json
json "d['account']['uid'] == '$uid' and d['isNewUser'] is False"
exits 6 authctl link --provider github.com
err 'provider-already-linked'
works authctl signin --provider github.com --param emulator_user=grace@example.com --json
grace=$(field "d['account']['uid']")
exits 6 authctl link --provider google.com --json
failed "e['code'] == 'credential-already-in-use' and e['email'] == 'ada@example.com'"
works authctl signin --pending --json
json "d['account']['uid'] == '$uid'"
works authctl accounts switch "$grace"
works authctl token
cp stdout before
exits 6 authctl reauth --param emulator_user=mallory@example.com
err 'user-mismatch'
works authctl token
cmp -s stdout before || fail "the session was touched"
older 301
exits 5 authctl accounts delete --yes
works authctl reauth --param emulator_user=grace@example.com --json
json "d['operation'] == 'reauthenticate' and d['account']['uid'] == '$grace'"
err '&login=grace%40example.com|emulator_user=grace'
works authctl accounts delete --yes

#: Signs in through the project with an OpenID Provider and with X, and reports a denied sign-in.
emulator
works authctl signin --provider oidc.corp --json
json "d['isNewUser'] and d['account']['providerData'][0]['providerId'] == 'oidc.corp'"
works authctl signin --provider oidc.corp
no_err 'did not issue a refresh token'
works authctl signin --provider twitter.com --param emulator_user=bob@example.com --json
json "d['account']['email'] == 'bob@example.com' and d['profile']['screen_name'] == 'bob'"
# X's token cannot be used without the project's client.
exits 4 authctl token --provider twitter.com
works authctl token
emulator --as google.com --client-id client-1 --fault access-denied
exits 7 authctl signin --provider google.com
err 'access-denied'
kill "${servers[0]}"
rm firebase.url
FIREBASE_FLAGS="--fault access-denied" firebase
exits 7 authctl signin --provider twitter.com
err 'access-denied'

#: In a project, git gets the GitHub token, which is sent only to GitHub's hosts.
emulator --as github.com --client-id client-1 --client-secret client-secret-1
works authctl signin --provider github.com --scope repo
# GitHub does not issue ID tokens: another sign-in would not bring one.
exits 4 authctl token --provider github.com --type id
err 'has no ID token'
err '^authctl: hint: authctl token github.com$'
works bash -c "printf 'protocol=https\\nhost=github.com\\n\\n' | authctl credential git get"
out '^password=gho_'
works bash -c "printf 'protocol=https\\nhost=example.com\\n\\n' | authctl credential git get"
[ ! -s stdout ] || fail "a token for a stranger"
exits 7 authctl request https://example.com/ --provider github.com
err "the token of 'github.com' is not allowed for 'https://example.com"
works authctl providers show github.com
out "^client ID +that of the Firebase project 'demo-project'"
out '^redirect URI +http://localhost:[0-9]+/callback$'
no_out 'not configured|127.0.0.1'
works authctl providers show google.com --json
json "d['redirectUri'].startswith('http://localhost:') and d['redirectUri'].endswith('/callback') and d['clientId'] is None"

#: A sign-in through the project is completed only by its own callback, and only once.
emulator --as google.com --client-id client-1 --client-secret client-secret-1
works authctl signin --provider google.com --begin
url=$(field "d['authorizationURL']") id=$(field "d['id']")
json "d['redirectURI'].startswith('http://localhost:')"
curl -sS -o /dev/null -w '%{redirect_url}' "$url" >callback
works authctl signin --provider google.com --begin
other=$(field "d['id']")
exits 65 bash -c "authctl signin --complete $other <callback"
err 'unexpected input: the callback URL of another sign-in'
works bash -c "authctl signin --complete $id --json <callback"
json "d['isNewUser']"
exits 65 bash -c "authctl signin --complete $id <callback"
err "pending sign-in not found: '$id'"
# Other requests and another callback do not end the sign-in.
port=$(free_port)
cat >strays <<'P'
#!/bin/bash
authority=$(grep -oE 'localhost%3A[0-9]+' <<<"$1" | sed 's/%3A/:/')
curl -sS -o /dev/null "http://$authority/favicon.ico"
curl -sS -o /dev/null "http://$authority/callback?code=stolen&state=guessed"
curl -sS -L -o /dev/null "$1"
P
chmod +x strays
BROWSER=./strays works authctl signin -v --provider google.com --port "$port"
err 'POST .*accounts:signInWithIdp'
# The project rejects a used or guessed code, and the request is not repeated.
cat >guess <<'P'
#!/bin/bash
authority=$(grep -oE 'localhost%3A[0-9]+' <<<"$1" | sed 's/%3A/:/')
state=$(grep -oE '[?&]state=[^&]+' <<<"$1" | cut -d= -f2)
curl -sS -o /dev/null "http://$authority/callback?code=guessed-code-12345&state=$state"
P
chmod +x guess
BROWSER=./guess exits 65 authctl signin --provider google.com
err 'invalid-credential'
no_err 'guessed-code-12345'

#: Through the project, reports an unauthorized redirect domain, and signs in with Apple behind a proxy.
. "$ROOT/Tests/ScriptTests/apple.sh"
kill "${servers[0]}"
rm firebase.url
FIREBASE_FLAGS="--redirect-uri $callback" firebase
emulator --as apple.com --client-id com.example.signin --client-key AuthKey.p8 --team-id TEAM123456 --key-id KEY1234567 --redirect-uri "$callback"
reverse_proxy
works authctl profile set --directory firebase --api-key test-key --project-id demo-project --redirect-uri https://elsewhere.example.com/callback
exits 78 authctl signin --provider google.com --port "$port"
err 'unauthorized-continue-uri'
err "hint: authorize the domain of the redirect URI"
exits 64 authctl profile set --directory firebase --api-key test-key --project-id demo-project --redirect-uri "http://example.com/callback"
works authctl profile set --directory firebase --api-key test-key --project-id demo-project
exits 78 authctl signin --provider apple.com
err 'does not accept loopback redirect URIs'
works authctl profile set --directory firebase --api-key test-key --project-id demo-project --redirect-uri "$callback"
works authctl signin --provider apple.com --port "$port" --json
json "d['isNewUser'] and d['account']['displayName'] == 'Ada Example' and d['account']['emailVerified']"
err 'response_mode=form_post'
works authctl accounts delete --yes
[ "$(requests 'revokeToken ACCESS_TOKEN' "http://$FIREBASE_AUTH_EMULATOR_HOST")" = 1 ] || fail "Apple was not told"

#: The doctor checks the API key and the redirect URI with the project.
works authctl doctor --long
out '^ok +configuration +profile .default.: the providers of its Firebase project'
out "project +an emulator, which does not sign its tokens; the redirect URI is 'http://localhost:[0-9]+/callback'"
works authctl profile set --directory firebase --api-key bad-key --project-id demo-project
exits 1 authctl doctor --long
out 'WRONG +project +the project rejects the API key'
kill "${servers[0]}"
wait "${servers[0]}" || true
exits 1 authctl doctor --long
out 'WRONG +project +cannot reach'

#: Revokes Apple's tokens before it deletes an account; a missing token does not prevent the deletion.
. "$ROOT/Tests/ScriptTests/apple.sh"
revoked() { requests 'revokeToken REFRESH_TOKEN' "http://$FIREBASE_AUTH_EMULATOR_HOST"; }
apple
reverse_proxy
works authctl signin --provider apple.com --port "$port"
works authctl accounts delete --yes
[ "$(revoked)" = 1 ] || fail "Apple was not told"
no_err 'was not informed'
works bash -c 'authctl signin --provider password --email grace@example.com --password-stdin --create <<<"correct horse battery"'
works authctl link --provider apple.com --port "$port" --param emulator_user=grace@example.com --consent
works authctl signout
works bash -c 'authctl signin --provider password --email grace@example.com --password-stdin <<<"correct horse battery"'
works authctl accounts delete --yes
err "'apple.com' was not informed that the account was deleted .this machine has no token of it"
[ "$(revoked)" = 1 ] || fail "with what?"
works authctl accounts list --json
json "d == {'accounts': []}"
# If the project is unavailable, the account is not changed.
kill "${servers[0]}"
rm firebase.url
FIREBASE_FLAGS="--fault revoke-503" firebase
works authctl signin --provider apple.com --port "$port"
exits 69 authctl accounts delete --yes
works authctl whoami
