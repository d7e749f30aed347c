# A project at the service, the same project at an emulator, and another project, each with the same uid: nothing of one is
# shown in, or sent to, another.
. "$ROOT/Tests/ScriptTests/documents.sh"

# emulated VARIABLE PROJECT: starts an emulator of this project, and sets VARIABLE to its host and port.
emulated() {
    mkfifo "$1.url"
    authctl-emulator --as firebase --project-id "$2" --keys "$KEYS/$1" --record "$PWD/secrets" >"$1.url" 2>"$1.log" &
    servers+=("$!")
    local url
    read -r url <"$1.url"
    printf -v "$1" %s "${url#http://}"
}

play firebase --project-id one-project --record "$PWD/secrets"
SERVICE=${EMULATOR_URL#http://}
emulated EMULATOR_HOST one-project
emulated OTHER_HOST two-project
works authctl profile set --profile one --directory firebase --api-key test-key --project-id one-project
works authctl profile set --profile two --directory firebase --api-key test-key --project-id two-project

authctl_service() { authctl "$@" --profile one; }
authctl_emulator() { FIREBASE_AUTH_EMULATOR_HOST=$EMULATOR_HOST authctl "$@" --profile one; }
authctl_other() { FIREBASE_AUTH_EMULATOR_HOST=$OTHER_HOST authctl "$@" --profile two; }
everywhere="service emulator other"

# asked: prints the number of requests that each of the three received.
asked() {
    local host
    for host in "$SERVICE" "$EMULATOR_HOST" "$OTHER_HOST"; do
        all_requests "http://$host"
    done
}

# only WHO COMMAND…: the command must exit 0 and send requests only to WHO; `none` for no requests.
only() {
    local who=$1 index names before after
    read -ra names <<<"$everywhere"
    shift
    mapfile -t before < <(asked)
    works "$@"
    mapfile -t after < <(asked)
    for index in 0 1 2; do
        if [ "${names[index]}" = "$who" ]; then
            [ "${after[index]}" -gt "${before[index]}" ] || fail "$who was not asked: $*"
        else
            [ "${after[index]}" = "${before[index]}" ] || fail "${names[index]} was asked: $*"
        fi
    done
}

# minted UID PROJECT: a custom token as a project's server makes them, in the file custom-token.
minted() {
    local subject=firebase-adminsdk@$2.iam.gserviceaccount.com
    echo "{\"uid\": \"$1\", \"iss\": \"$subject\", \"sub\": \"$subject\"}" >custom-token
}

# signed_in_everywhere: the same uid in each of the three.
signed_in_everywhere() {
    minted copy-1 one-project
    only service authctl_service signin --custom-token custom-token --json
    json "d['isNewUser'] and d['account']['uid'] == 'copy-1'"
    only emulator authctl_emulator signin --custom-token custom-token --json
    json "d['isNewUser'] and d['account']['uid'] == 'copy-1'"
    minted copy-1 two-project
    only other authctl_other signin --custom-token custom-token --json
    json "d['isNewUser'] and d['account']['uid'] == 'copy-1'"
}

#: One uid in three directories is three accounts: each request goes only to the account's own server.
signed_in_everywhere
echo 'correct horse battery' >password
authctl_link() { "authctl_$1" link --provider password --email "$1@example.com" --password-stdin <password; }
for who in $everywhere; do
    only none "authctl_$who" token
    cp stdout "token.$who"
    only "$who" authctl_link "$who"
    only none "authctl_$who" accounts name work
    only none "authctl_$who" whoami --json
    json "d['account']['uid'] == 'copy-1' and d['account']['email'] == '$who@example.com'"
done
python3 - <<'P'
import base64, json
part = lambda t, i: json.loads(base64.urlsafe_b64decode(t.split(".")[i] + "=="))
said = {}
for who in ("service", "emulator", "other"):
    token = open("token." + who).read()
    said[who] = (part(token, 0)["alg"], part(token, 1)["aud"])
assert said == {"service": ("RS256", "one-project"), "emulator": ("none", "one-project"), "other": ("none", "two-project")}, said
P
for who in other service emulator; do
    only "$who" "authctl_$who" token --force-refresh
    cp stdout "token.$who"
    only none "authctl_$who" accounts list --json
    json "[(a['uid'], a['email'], a['name']) for a in d['accounts']] == [('copy-1', '$who@example.com', 'work')]"
    only none "authctl_$who" token --account work
    cmp -s stdout "token.$who" || fail "another's token"
done
only emulator authctl_emulator accounts delete --yes
exits 4 authctl_emulator token
err "this session is of the Firebase project 'one-project', but this profile uses .* at the emulator"
only none authctl_service token
cmp -s stdout token.service || fail "the service's session was touched"
only none authctl_other signout
only none authctl_service token
only service authctl_service accounts delete --yes
exits 4 authctl_service token

#: Verifies a project's tokens with its published keys, without options, and only for its tenant.
minted copy-1 one-project
works authctl_service signin --custom-token custom-token
works authctl_service token
cp stdout token
works authctl_service verify token
out '"aud":"one-project"'
works bash -c 'authctl token --profile one | authctl verify - --profile one'
out '^\{"valid":true,"claims":\{'
exits 65 authctl verify token --profile two
err 'invalid-id-token'
# A wrong signature, and an unsigned token.
python3 -c 'h, p, s = open("token").read().strip().split("."); print(h + "." + p + "." + s[::-1])' >forged
exits 65 authctl_service verify forged
works authctl_emulator signin --custom-token custom-token
works authctl_emulator token
cp stdout unsigned
exits 65 authctl_service verify unsigned
exits 7 authctl_emulator verify unsigned
err 'the tokens of a Firebase emulator are not signed'
works authctl profile set --profile one --tenant-id tenant-1
exits 65 authctl_service verify token
err 'firebase.tenant'
exits 65 bash -c 'authctl verify - --profile one <token'
out '"valid":false'
works authctl_service signin --custom-token custom-token
works authctl_service token
cp stdout token-of-tenant
works authctl_service verify token-of-tenant
works authctl profile set --profile three --directory firebase --api-key test-key --project-id one-project
works authctl verify token --profile three
exits 65 authctl verify token-of-tenant --profile three
err 'firebase.tenant'

#: Twelve parallel processes with an expired token send one refresh, at the service and at an emulator.
signed_in_everywhere
refreshes() { requests 'token refresh_token' "http://$1"; }
for who in service emulator; do
    host=$SERVICE
    [ $who = service ] || host=$EMULATOR_HOST
    session_set tokens.idTokenExpiresAt 1
    before=$(refreshes "$host")
    processes=()
    for i in $(seq 12); do
        "authctl_$who" token >"out.$i" 2>"err.$i" </dev/null &
        processes+=("$!")
    done
    for i in $(seq 12); do
        wait "${processes[i - 1]}" || fail "process $i: $(cat "err.$i")"
        cmp -s "out.$i" out.1 || fail "process $i has another token"
    done
    [ "$(refreshes "$host")" = $((before + 1)) ] || fail "$who was asked $(($(refreshes "$host") - before)) times"
done
