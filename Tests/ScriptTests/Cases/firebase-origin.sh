# A session belongs to the directory that created it, and its tokens are never sent elsewhere.
[ "$DIRECTORY" = firebase ] || firebase

# second: starts a second emulator, and sets SECOND to its address.
second() {
    mkfifo second.url
    authctl-emulator --as firebase --keys "$KEYS/second" --record "$PWD/secrets" --neighbours "$PWD" >second.url 2>second.log &
    servers+=("$!")
    local url
    read -r url <second.url
    SECOND=${url#http://}
}

# received HOST: prints the number of requests that an emulator received.
received() { all_requests "http://$1"; }

# signed_up: signs up a user with a password, and sets FIRST to the emulator's address.
signed_up() {
    works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create <<<"correct horse battery"'
    FIRST=$FIREBASE_AUTH_EMULATOR_HOST
    works authctl token
    cp stdout first
}

# elsewhere COMMAND…: it must report a session of another directory, and print nothing but kubectl's Status.
elsewhere() {
    exits 4 "$@"
    err 'this session is of the Firebase project'
    err '^authctl: hint: '
    [[ $* = *kubectl* && $(field "d['kind']") = Status ]] || [ ! -s stdout ] || fail "something was printed"
}

#: With another emulator, no command uses or changes the session, which stays valid at the first one.
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

#: The emulator addresses 'localhost' and '127.0.0.1' are the same directory.
signed_up
FIREBASE_AUTH_EMULATOR_HOST=localhost:${FIRST##*:} works authctl token
cmp -s stdout first || fail "another token"
FIREBASE_AUTH_EMULATOR_HOST=localhost:${FIRST##*:} works authctl token --force-refresh
FIREBASE_AUTH_EMULATOR_HOST=localhost:${FIRST##*:} works authctl accounts list --json
json "len(d['accounts']) == 1"

#: A session of the service is not sent to an emulator, and is not changed while an emulator is used.
signed_up
# Changes the session to one of the service.
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
# A script can sign in at the emulator, and the session of the service stays stored.
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

#: After a change to another project, another tenant or the local directory, the session is not used.
signed_up
config=$HOME/.config/authctl/config.yaml
cp "$config" saved
works authctl profile set --directory firebase --api-key test-key --project-id other-project
elsewhere authctl token
err 'hint: authctl signin password'
elsewhere authctl token --force-refresh
elsewhere authctl whoami
works authctl profile set --directory firebase --api-key test-key --project-id demo-project
works authctl profile set --tenant-id tenant-1
elsewhere authctl token
err "this profile uses the Firebase project 'demo-project', tenant 'tenant-1'"
err "hint: to use it: authctl profile set --tenant-id ''$"
works authctl profile set --tenant-id ''
works authctl token
works authctl profile set --directory local
elsewhere authctl token
err 'hint: authctl signin$'
elsewhere authctl signout
elsewhere authctl accounts delete --yes
err 'this profile uses this machine'
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

#: Reports the use of an emulator in a note, in text output and in JSON.
authctl signin --provider password --email ada@example.com --password-stdin --create --json <<<"correct horse battery" >stdout 2>stderr
record authctl signin --json
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
works authctl status --long
out "^    signed in  .* by password$"
out "^    stored for .*$FIRST"
works authctl status --json
json "d['accounts'][0]['sessions'][0]['emulator'] == '$FIRST'"

#: Uses an emulator on another machine only if --emulator-host allows its host.
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

#: A two-step sign-in that began at one emulator is not completed at another.
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
# A session that the user has ended is not one that the project has ended.
works authctl signout
exits 4 authctl link --pending "$id" --account ada@example.com
err 'this account has no session on this machine'
err 'hint: authctl signin google.com --login-hint ada@example.com --link-pending$'
works authctl signin --provider google.com
works authctl link --pending "$id"

#: Reports invalid settings instead of a session of another directory.
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
for command in token whoami; do
    exits 4 authctl $command
    err 'this session is of an unknown emulator'
    err 'hint: authctl signin password'
done
exits 4 authctl status
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin <<<"correct horse battery"'
works authctl token

#: An account that was deleted in the project can be removed locally, and its address then selects the new account.
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

#: If the project is unreachable, an account is deleted nowhere, and can be removed only from this machine with --here.
signed_up
older 1
kill "${servers[0]}"
wait "${servers[0]}" || true
exits 69 authctl accounts delete --yes
err 'cannot reach .*network-request-failed'
works authctl accounts list --json
json "[a['email'] for a in d['accounts']] == ['ada@example.com']"
works authctl token
cmp -s stdout first || fail "another token"
works authctl signout
works authctl accounts delete ada@example.com --here --yes
err 'was removed from this machine'
works authctl accounts list --json
json "d == {'accounts': []}"

#: A signed-out account can be removed from this machine with --here, and stays in the project.
signed_up
works authctl signout
exits 4 authctl accounts delete ada@example.com --yes
err 'the user is not signed in to this account'
err 'authctl accounts delete [^ ]+ --here --yes$'
works authctl accounts delete ada@example.com --here --yes
err 'was removed from this machine'
works authctl accounts list --json
json "d == {'accounts': []}"
# The account still exists in the project.
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin <<<"correct horse battery"'
works authctl profile set --directory local
works authctl accounts delete ada@example.com --here --yes
# An account of the local directory cannot be removed with --here.
works bash -c 'authctl signin --provider password --email bob@example.com --password-stdin --create <<<"correct horse battery"'
exits 7 authctl accounts delete bob@example.com --here --yes
err 'exists only on this machine'
