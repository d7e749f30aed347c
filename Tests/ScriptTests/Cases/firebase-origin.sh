# A session belongs to the directory that created it, and its tokens are never sent elsewhere.
[ "$DIRECTORY" = firebase ] || firebase

# second: another emulator beside the first, and its address in SECOND.
second() {
    mkfifo second.url
    authctl-emulator --as firebase --record "$PWD/secrets" --neighbours "$PWD" >second.url 2>second.log &
    servers+=("$!")
    local url
    read -r url <second.url
    SECOND=${url#http://}
}

# received HOST: how many requests an emulator has had.
received() { all_requests "http://$1"; }

# signed_up: a person with a password, and the first emulator's address in FIRST.
signed_up() {
    works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create <<<"correct horse battery"'
    FIRST=$FIREBASE_AUTH_EMULATOR_HOST
    works authctl token
    cp stdout first
}

# elsewhere COMMAND…: it must be refused as another's, and print nothing.
elsewhere() {
    exits 4 "$@"
    err 'this session is of the Firebase project'
    err '^authctl: hint: '
    [ ! -s stdout ] || fail "something was printed"
}

#: Another emulator gets nothing: no token, no change, no sign-out; and back at the first one nothing is lost.
signed_up
second
before=$(received "$FIRST")
export FIREBASE_AUTH_EMULATOR_HOST=$SECOND
elsewhere authctl token
err "hint: export FIREBASE_AUTH_EMULATOR_HOST=$FIRST"
elsewhere authctl token --force-refresh
elsewhere authctl token --header
elsewhere authctl token --provider firebase
elsewhere authctl token --account ada@example.com
elsewhere authctl exec -- env
elsewhere authctl credential kubectl
elsewhere authctl whoami
elsewhere authctl reauth --password-stdin
elsewhere authctl link --provider google.com
elsewhere authctl unlink --provider password
elsewhere authctl accounts set-email new@example.com
elsewhere bash -c 'authctl accounts set-password --password-stdin <<<"another long phrase"'
elsewhere authctl accounts delete --yes
elsewhere authctl signout
elsewhere authctl signout --revoke
elsewhere authctl signout --all
elsewhere authctl request https://api.example.com/
[ "$(received "$SECOND")" = 0 ] || fail "the second emulator was asked"
[ "$(received "$FIRST")" = "$before" ] || fail "the first emulator was asked"
elsewhere authctl status
elsewhere authctl accounts show ada@example.com
elsewhere authctl accounts switch ada@example.com
works authctl accounts list --json
json "d == {'accounts': []}"
err "accounts of the Firebase project 'demo-project' at the emulator '$FIRST' are stored, but not listed for the current directory"
export FIREBASE_AUTH_EMULATOR_HOST=$FIRST
works authctl token
cmp -s stdout first || fail "another token"
works authctl token --force-refresh

#: An emulator at 'localhost' is the one at '127.0.0.1'.
signed_up
FIREBASE_AUTH_EMULATOR_HOST=localhost:${FIRST##*:} works authctl token
cmp -s stdout first || fail "another token"
FIREBASE_AUTH_EMULATOR_HOST=localhost:${FIRST##*:} works authctl token --force-refresh
FIREBASE_AUTH_EMULATOR_HOST=localhost:${FIRST##*:} works authctl accounts list --json
json "len(d['accounts']) == 1"

#: The session of the service itself survives a script that runs under an emulator's variable, and is not sent to it.
signed_up
# As the project itself would have made it.
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("UPDATE home SET directory = '{\"project\":\"demo-project\"}' WHERE directory LIKE '%emulator%'")
P
session_set tokens.idTokenExpiresAt 1
before=$(received "$FIRST")
for command in token "token --force-refresh" "exec -- env" "signout --all" "accounts delete --yes"; do
    elsewhere authctl $command
    err 'hint: unset FIREBASE_AUTH_EMULATOR_HOST'
done
[ "$(received "$FIRST")" = "$before" ] || fail "the emulator was asked"
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db: assert db.execute("SELECT COUNT(json_extract(details, '$.tokens.refreshToken')) FROM session").fetchone() == (1,)
P
# A script may sign in there; the session of the service is kept, by its own account.
works bash -c 'authctl signin --provider password --email grace@example.com --password-stdin --create <<<"correct horse battery"'
works authctl token
works authctl token --account grace@example.com
elsewhere authctl token --account ada@example.com
unset FIREBASE_AUTH_EMULATOR_HOST
works authctl whoami --json
json "d['account']['email'] == 'ada@example.com'"
works authctl accounts list --json
json "[a['email'] for a in d['accounts']] == ['ada@example.com']"
elsewhere authctl token --account grace@example.com
err "hint: export FIREBASE_AUTH_EMULATOR_HOST=$FIRST"

#: Refuses an emulator's unsigned token if the emulator variable is not set.
signed_up
unset FIREBASE_AUTH_EMULATOR_HOST
elsewhere authctl token
elsewhere authctl token --type id
elsewhere authctl whoami
exits 4 authctl status --json
json "d['accounts'] == []"
err "of the Firebase project 'demo-project' at the emulator '$FIRST'"

#: Another project, another tenant and the local directory do not get the session after the settings change.
signed_up
config=$HOME/.config/authctl/config.yaml
cp "$config" saved
works authctl profile set --directory firebase --api-key test-key --project-id other-project
elsewhere authctl token
err 'hint: authctl signin --provider password'
elsewhere authctl token --force-refresh
elsewhere authctl whoami
works authctl profile set --directory firebase --api-key test-key --project-id demo-project
works authctl profile set --tenant-id tenant-1
elsewhere authctl token
err "the current directory is the Firebase project 'demo-project', tenant 'tenant-1'"
works authctl profile set --directory local
elsewhere authctl token
elsewhere authctl signout
elsewhere authctl accounts delete --yes
err 'the current directory is this machine'
# A manual change within the same second, to the same length.
cp saved "$config"
works authctl token
cmp -s stdout first || fail "another token"
sed 's/demo-project/dem0-project/' saved >"$config"
elsewhere authctl token
cp saved "$config"
works authctl token
cmp -s stdout first || fail "another token"
works authctl token
rm "$config"
elsewhere authctl token

#: The use of an emulator is always said: in a note, in what is shown, and in JSON.
authctl signin --provider password --email ada@example.com --password-stdin --create --json <<<"correct horse battery" >stdout 2>stderr
json "d['emulator'] == '$FIREBASE_AUTH_EMULATOR_HOST'"
FIRST=$FIREBASE_AUTH_EMULATOR_HOST
for command in token whoami "token --provider firebase" "accounts show" "exec -- true"; do
    works authctl $command
    err "accounts are stored in the emulator at '$FIRST', which does not sign its tokens"
    [ "$(grep -c 'does not sign its tokens' stderr)" = 1 ] || fail "said more than once"
done
works authctl token --quiet
no_err emulator
works authctl whoami
out "at the emulator '$FIRST'"
works authctl whoami --json
json "d['emulator'] == '$FIRST'"
works authctl token --json
json "d['emulator'] == '$FIRST' and 3500 < d['expires_in'] <= 3600 and d['expires_on'] > 1700000000"
works authctl status
out "by password +authenticated .* at the emulator '$FIRST'"
works authctl status --json
json "d['accounts'][0]['sessions'][0]['emulator'] == '$FIRST'"

#: An emulator on another machine is spoken to only where its host is allowed by name.
for host in emulator.example:9099 192.0.2.1:9099 0.0.0.0:9099; do
    FIREBASE_AUTH_EMULATOR_HOST=$host exits 78 authctl signin --provider google.com
    err 'not this machine'
    err "authctl profile set --emulator-host ${host%:*}"
done
exits 64 authctl profile set --emulator-host http://emulator.example
works authctl profile set --emulator-host emulator.invalid
grep -q 'emulator_host: emulator.invalid' "$HOME/.config/authctl/config.yaml"
grep -q 'redirect_uri: ' "$HOME/.config/authctl/config.yaml" || fail "more was changed than was named"
FIREBASE_AUTH_EMULATOR_HOST=emulator.invalid:9099 exits 69 bash -c 'authctl signin --provider password --email a@example.com --password-stdin <<<"correct horse battery"'
FIREBASE_AUTH_EMULATOR_HOST=other.invalid:9099 exits 78 authctl signin --provider google.com
works authctl profile set --directory local
exits 64 authctl profile set --emulator-host emulator.invalid
exits 64 authctl profile set --directory local --tenant-id t

#: A sign-in that was begun for one is not completed at another.
emulator --as google.com --client-id client-1 --client-secret client-secret-1
works authctl signin --provider google.com --begin
url=$(field "d['authorizationURL']") id=$(field "d['id']")
curl -sS -o /dev/null -w '%{redirect_url}' "$url" >callback
second
FIREBASE_AUTH_EMULATOR_HOST=$SECOND exits 4 bash -c "authctl signin --complete $id <callback"
err 'this sign-in began for an account of the Firebase project'
[ "$(received "$SECOND")" = 0 ] || fail "the second emulator was asked"
works bash -c "authctl signin --complete $id <callback"

#: A pending credential of one directory is not sent to another.
emulator --as google.com --client-id client-1 --client-secret client-secret-1
works authctl signin --provider google.com
emulator --as github.com --client-id client-1 --client-secret client-secret-1
exits 6 authctl signin --provider github.com --json
id=$(python3 -c "import json; print(json.loads(open('stderr').read().splitlines()[-1])['error']['pendingId'])")
second
export FIREBASE_AUTH_EMULATOR_HOST_BEFORE=$FIREBASE_AUTH_EMULATOR_HOST FIREBASE_AUTH_EMULATOR_HOST=$SECOND
works authctl pending list --json
json "d == {'pending': []}"
exits 65 authctl signin --pending "$id"
exits 65 authctl pending discard "$id"
elsewhere authctl link --pending "$id"
[ "$(received "$SECOND")" = 0 ] || fail "the second emulator was asked"
export FIREBASE_AUTH_EMULATOR_HOST=$FIREBASE_AUTH_EMULATOR_HOST_BEFORE
works authctl link --pending "$id"

#: Reports unusable settings, not a session of another directory.
signed_up
for command in status 'accounts list' 'pending list'; do
    FIREBASE_AUTH_EMULATOR_HOST=http://$FIRST exits 78 authctl $command
    err "FIREBASE_AUTH_EMULATOR_HOST"
    no_err 'this session is of'
done
FIREBASE_AUTH_EMULATOR_HOST=http://$FIRST works authctl profile list
cp "$HOME/.config/authctl/config.yaml" before
echo 'profiles: [' >>"$HOME/.config/authctl/config.yaml"
exits 78 authctl status
err 'config.yaml. cannot be read'
no_err 'this session is of'
cp before "$HOME/.config/authctl/config.yaml"
works authctl status

#: A session that version 0.1.0 stored from an emulator is not used until the next sign-in.
signed_up
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db: db.execute("UPDATE session SET is_unproven = 1")
P
exits 4 authctl token
err 'this session is of an unknown emulator'
err 'hint: authctl signin --provider password'
exits 4 authctl status
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin <<<"correct horse battery"'
works authctl token

#: An account that is gone at the project can be removed here, and its address is the new account's.
signed_up
kill "${servers[0]}"
wait "${servers[0]}" || true
rm firebase.url
FIREBASE_FLAGS="--port ${FIRST##*:}" firebase
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create <<<"correct horse battery" --json'
new=$(field "d['account']['uid']")
works authctl accounts list --json
old=$(field "[a['uid'] for a in d['accounts'] if a['uid'] != '$new'][0]")
# Both accounts have a session on this machine.
exits 4 authctl token --account ada@example.com
err "is ambiguous.*($old, $new|$new, $old)"
exits 4 authctl accounts show ada@example.com
older 301
works authctl accounts delete "$old" --yes
err 'no longer existed in the project, and was removed from this machine'
works authctl token --account ada@example.com
works authctl accounts show ada@example.com --json
json "d['account']['uid'] == '$new'"
exits 5 authctl accounts delete --yes

#: If the project is unreachable, a signed-out account is removed only from this machine, and the output says so.
signed_up
works authctl signout
exits 4 authctl accounts delete ada@example.com --yes
err 'the user is not signed in to this account'
err 'authctl accounts delete [^ ]+ --here --yes$'
works authctl accounts delete ada@example.com --here --yes
err 'was removed from this machine'
works authctl accounts list --json
json "d == {'accounts': []}"
# It is still there.
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin <<<"correct horse battery"'
works authctl profile set --directory local
works authctl accounts delete ada@example.com --here --yes
# An account of this machine is not forgotten so easily.
works bash -c 'authctl signin --provider password --email bob@example.com --password-stdin --create <<<"correct horse battery"'
exits 7 authctl accounts delete bob@example.com --here --yes
err 'exists only on this machine'
