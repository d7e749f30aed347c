# Refusals of a Firebase project, each with the reason and a useful hint.
[ "$DIRECTORY" = firebase ] || firebase

# again FLAGS…: restarts the project with these flags and without accounts.
again() {
    kill "${PROJECT:=${servers[0]}}"
    wait "$PROJECT" || true
    rm firebase.url
    FIREBASE_FLAGS="$*" firebase
    PROJECT=${servers[-1]}
}

# administrator JSON: changes an account as the console does.
administrator() {
    curl -sSf -o /dev/null -H 'Authorization: Bearer owner' -H 'Content-Type: application/json' -d "$1" \
        "http://$FIREBASE_AUTH_EMULATOR_HOST/identitytoolkit.googleapis.com/v1/projects/demo-project/accounts:update"
}

# signed_up: signs up a user with a password, and sets ACCOUNT to the uid.
signed_up() {
    works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create --json <<<"correct horse battery"'
    ACCOUNT=$(field "d['account']['uid']")
}

#: A disabled or deleted account gets no token, and the hint is the sign-in command.
signed_up
administrator "{\"localId\":\"$ACCOUNT\",\"disableUser\":true}"
works authctl token
exits 7 authctl token --force-refresh --json
failed "e['code'] == 'user-disabled'"
exits 7 authctl token
err 'has disabled this account'
exits 7 bash -c 'authctl signin --provider password --email ada@example.com --password-stdin <<<"correct horse battery"'
administrator "{\"localId\":\"$ACCOUNT\",\"disableUser\":false}"
works authctl token
# The local session ends too.
port=${FIREBASE_AUTH_EMULATOR_HOST##*:}
again --port "$port"
exits 4 authctl token --force-refresh
err 'hint: authctl signin password$'
exits 4 authctl token
err 'hint: authctl signin password$'
exits 4 authctl token --type id
exits 4 authctl status
out 'authctl signin password'
no_out 'provider firebase'

#: After the project reported that an account was deleted, its token is not printed, and it can be removed locally.
signed_up
works authctl token
port=${FIREBASE_AUTH_EMULATOR_HOST##*:}
again --port "$port"
exits 4 authctl accounts set-name Ada
err 'the account no longer exists'
exits 4 authctl token
[ ! -s stdout ] || fail "the old token was printed"
exits 4 authctl accounts delete --yes
err -- "authctl accounts delete $ACCOUNT --here --yes"
works authctl accounts delete "$ACCOUNT" --here --yes

#: A project does not issue access tokens, and no request for one is sent.
signed_up
session_set tokens.idTokenExpiresAt 1
exits 4 authctl token --type access
err 'has no access token'
[ "$(requests 'token refresh_token' "http://$FIREBASE_AUTH_EMULATOR_HOST")" = 0 ] || fail "the session was refreshed"
works authctl token

#: Re-authentication with a password uses the account's current address in the project.
signed_up
administrator "{\"localId\":\"$ACCOUNT\",\"email\":\"new@example.com\"}"
works bash -c 'authctl reauth --password-stdin --json <<<"correct horse battery"'
json "d['account']['email'] == 'new@example.com'"
exits 65 bash -c 'authctl reauth --password-stdin <<<wrong-password'
err 'if you forgot the password: authctl accounts reset-password ADDRESS$'

#: If a refresh fails because of a quota or an HTML response, prints the token that is still valid.
for fault in refresh-quota refresh-html; do
    again --fault "$fault"
    signed_up
    works authctl token
    cp stdout living
    next_second
    works authctl token --min-ttl 3599
    cmp -s stdout living || fail "not the token that lives"
    err 'did not refresh the token'
    exits "$([ "$fault" = refresh-quota ] && echo 69 || echo 65)" authctl token --force-refresh
    works authctl token
done

#: The project's password policy and account settings apply.
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create <<<qwerty'
works bash -c 'authctl accounts set-password --password-stdin <<<abcdef'
exits 7 bash -c 'authctl accounts set-password --password-stdin <<<short'
err 'at least 6 characters'
exits 64 authctl profile set --one-account-per-email off
err 'setting of the Firebase project'
exits 65 bash -c 'authctl reauth --password-stdin <<<wrong-password'
no_err 'create'
works authctl signout
err 'the project.s tokens are not revoked'
no_err 'use --revoke'

#: If a new address must be verified first, the hint is to sign in with it.
again --fault email-protection
signed_up
exits 7 authctl accounts set-email new@example.com
err 'hint: .*authctl signin password --email new@example.com'

#: Reports an API key that is restricted to web pages or apps, which works after they are configured.
again --fault restricted-key
exits 78 bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create <<<"correct horse battery"'
err 'app-not-authorized'
err -- '--referer, --bundle-id or --android-package'
exits 64 authctl profile set --referer nowhere
exits 64 authctl profile set --android-cert 12
works authctl profile set --referer https://app.example.com/
signed_up
cat >google-services.json <<'J'
{"project_info": {"project_id": "demo-project"}, "client": [{
  "client_info": {"android_client_info": {"package_name": "com.example.app"}},
  "oauth_client": [{"client_id": "x", "android_info": {"package_name": "com.example.app", "certificate_hash": "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"}}],
  "api_key": [{"current_key": "test-key"}]}]}
J
works authctl profile import google-services.json
exits 78 authctl token --force-refresh
works authctl profile set --android-cert A1:A1:A1:A1:A1:A1:A1:A1:A1:A1:A1:A1:A1:A1:A1:A1:A1:A1:A1:A1
works authctl token --force-refresh

#: Reports a missing App Check token, and a service that is disabled in the project.
again --fault app-check
exits 78 authctl signin --provider google.com
err 'AUTHCTL_FIREBASE_APP_CHECK_TOKEN'
again --fault service-disabled
exits 78 authctl signin --provider google.com --json
failed "e['code'] == 'invalid-configuration' and 'is disabled in the project' in e['message']"

#: Reads the app configuration that the Firebase CLI prints, and refuses an emulator address without a port.
cat >sdkconfig.json <<'J'
{"status": "success", "result": {"fileName": "google-config.js", "sdkConfig":
 {"projectId": "demo-project", "appId": "1:2:web:3", "apiKey": "test-key", "authDomain": "demo-project.firebaseapp.com"}}}
J
works authctl profile import sdkconfig.json --json
json "d['projectId'] == 'demo-project'"
FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1 exits 78 authctl signin --provider google.com
err 'host:port'
works authctl providers list
err "users sign in through the Firebase project"
works authctl providers check google.com
out 'ok +google.com +project'
works authctl profile set --redirect-uri http://localhost:8400/callback
exits 78 authctl signin --provider apple.com
err 'does not accept loopback redirect URIs'

#: The project verifies existing ID tokens and access tokens, without a local provider configuration.
emulator --as google.com --client-id client-1 --client-secret client-secret-1
secret_file client-secret-1
works authctl providers add google.com --base-url "$ISSUER" --client-id client-1 --client-secret-file "$PWD/secret" --profile helper
works authctl signin --provider google.com --profile helper
works authctl token --type id --provider google.com --profile helper
cp stdout id-token
exits 65 authctl signin --provider google.com --id-token id-token
err 'missing-or-invalid-nonce'
exits 65 authctl signin --provider google.com --access-token id-token
err 'invalid-credential'
emulator --as github.com --client-id client-1 --client-secret client-secret-1
works authctl providers add github.com --base-url "$ISSUER" --client-id client-1 --client-secret-file "$PWD/secret" --profile helper
works authctl signin --provider github.com --profile helper --param emulator_user=grace@example.com
works authctl token --provider github.com --profile helper
cp stdout access-token
works authctl signin --provider github.com --access-token access-token --json
json "d['isNewUser'] and d['account']['email'] == 'grace@example.com'"
older 301
works authctl reauth --provider github.com --access-token access-token
works authctl token
out '^eyJ'

#: signin --link-pending prints one JSON document for the sign-in and the link.
emulator --as google.com --client-id client-1 --client-secret client-secret-1
works authctl signin --provider google.com
emulator --as github.com --client-id client-1 --client-secret client-secret-1
exits 6 authctl signin --provider github.com --json
failed "e['providers'] == ['google.com']"
emulator --as google.com --client-id client-1 --client-secret client-secret-1
works authctl signin --provider google.com --link-pending --json
json "d['operation'] == 'link' and d['providerId'] == 'github.com'"

#: signin --link-pending also finds a credential whose address has another letter case than the project's.
emulator --as google.com --client-id client-1 --client-secret client-secret-1
works authctl signin --provider google.com
emulator --as github.com --client-id client-1 --client-secret client-secret-1 --user Ada@Example.com
exits 6 authctl signin --provider github.com
works authctl pending list --json
json "d['pending'][0]['email'] == 'Ada@Example.com'"
emulator --as google.com --client-id client-1 --client-secret client-secret-1
works authctl signin --provider google.com --link-pending --json
json "d['operation'] == 'link' and d['providerId'] == 'github.com' and d['account']['email'] == 'ada@example.com'"

#: The hint of status 429 names the seconds of Retry-After.
python3 - >limited.port <<'P' &
import http.server
class Limited(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(429)
        self.send_header("Retry-After", "7")
        self.send_header("Content-Length", "0")
        self.end_headers()
    do_GET = do_POST
server = http.server.HTTPServer(("127.0.0.1", 0), Limited)
print(server.server_port, flush=True)
server.serve_forever()
P
servers+=($!)
export FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:$(awaits limited.port '[0-9]+')
works authctl profile set --directory firebase --api-key test-key --project-id demo-project --redirect-uri http://localhost:9999/callback
authctl signin --provider password --email a@example.com --password-stdin <<<'correct horse battery staple' >stdout 2>stderr && fail "signed in" || [ $? = 69 ] || fail "exit"
err '^authctl: hint: try again in 7 seconds'
