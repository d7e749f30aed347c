# Accounts in a Firebase project: the same commands, the same answers, and the project's ID token.
[ "$DIRECTORY" = firebase ] || firebase

#: From the console's configuration to the first token, which the project made; the provider's own is there too.
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
err "accounts are those of the emulator at '$FIREBASE_AUTH_EMULATOR_HOST'"
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
exits 7 authctl request https://api.example.com/
err 'with --provider'
works authctl profile set --profile second --directory firebase --api-key test-key --project-id demo-project
works authctl providers add google.com --profile second --base-url "$ISSUER" --client-id client-1 --client-secret-file "$PWD/secret"
exits 7 authctl signin --provider google.com --profile second
err 'another profile of this machine'
works authctl status
out 'firebase +expires in (59|60) min .* renews itself  by google.com'
works authctl signout
exits 4 authctl token

#: A session that the project has ended: the command to run is named, and the account stays here.
provider google.com
works authctl signin --provider google.com
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db: db.execute("UPDATE session SET id_token_expires_at = 1 WHERE provider_id = 'firebase'")
P
kill "${servers[0]}"
exits 69 authctl token
works authctl whoami
rm firebase.url
firebase
exits 4 authctl token
err 'hint: authctl signin --provider google.com'
works authctl signin --provider google.com
works authctl token

#: Passwords, a changed address, and deletion need a proof that the project has seen.
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

#: A project that protects addresses from enumeration says why it lists nothing, and changes an address by mail.
kill "${servers[0]}"
rm firebase.url
FIREBASE_FLAGS="--fault email-protection" firebase
authctl signin --provider password --email ada@example.com --password-stdin --create <<<"correct horse battery" >stdout 2>stderr
works authctl accounts lookup ada@example.com --json
err 'protects addresses from enumeration'
json "d == {'email': 'ada@example.com', 'registered': None, 'providers': []}"
exits 7 authctl accounts set-email new@example.com
err 'email-change-needs-verification'

#: Somebody else's proof changes nothing, and makes no account.
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

#: A job is no person of the project; what only the local directory can do says so.
emulator --client-secret client-secret-1
echo client-secret-1 >secret
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-file "$PWD/secret"
exits 7 authctl signin --provider oidc.test --flow client-credentials
works authctl signin --provider oidc.test
exits 7 authctl accounts export
err 'live in a Firebase project'

#: Wrong settings are named before anybody is sent anywhere.
provider google.com
FIREBASE_AUTH_EMULATOR_HOST=http://127.0.0.1:1 exits 78 authctl signin --provider google.com
err 'without a scheme'
works authctl profile set --directory firebase --api-key bad-key --project-id demo-project
exits 78 authctl signin --provider google.com
err 'invalid-api-key'
works authctl profile set --directory firebase --api-key test-key --project-id other-project
exits 65 authctl signin --provider google.com
exits 64 authctl profile set --directory firebase --api-key k
exits 64 authctl profile set --api-key k --project-id p
exits 64 authctl profile import /dev/null

#: Killed at any moment of a refresh or a link, the session works or says which command to run.
provider google.com
works authctl signin --provider google.com
provider github.com --user linus@example.com
for round in $(seq 30); do
    if [ $((round % 2)) = 0 ]; then command="token --force-refresh"; else command="link --provider github.com"; fi
    authctl $command >/dev/null 2>&1 &
    victim=$!
    read -rt "0.0$(printf %02d $((RANDOM % 90)))" <> <(:) || true
    kill -9 $victim 2>/dev/null || true
    wait $victim 2>/dev/null || true
    works authctl token
    works authctl whoami
done
works python3 -c "import sqlite3; print(sqlite3.connect('$HOME/.config/authctl/authctl.db').execute('PRAGMA integrity_check').fetchone()[0])"
out '^ok$'
works authctl token --force-refresh
