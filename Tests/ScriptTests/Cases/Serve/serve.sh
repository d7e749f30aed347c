# The socket of `authctl serve`: other processes of this user get the allowed tokens, and nothing else.

mkdir -m 700 run
socket=$PWD/run/token.sock
audit=$HOME/.config/authctl/serve-audit.jsonl

# serving FLAGS…: starts a server at $socket, and waits until it serves.
serving() {
    : >serve.err
    authctl serve --socket "$socket" "$@" 2>serve.err &
    SERVER=$!
    servers+=("$SERVER")
    awaits serve.err '^authctl: serving ' >/dev/null
}
# ended CODE PATTERN: the server ends by itself with this code and this line, and removes the socket.
ended() {
    local code=0
    wait "$SERVER" || code=$?
    append serve.err
    [ $code = "$1" ] && tail -n 2 serve.err | grep -qE -- "$2" || fail "the server ended with $code: $(cat serve.err)"
    [ ! -e "$socket" ] || fail "the socket is still there"
}
# asks STATUS QUERY [CURL-FLAGS…]: the server responds with this status. The body is in the file response.
asks() {
    local expected=$1 query=$2 status
    shift 2
    status=$(curl -sS --max-time $PATIENCE --unix-socket "$socket" -o response -w '%{http_code}' "$@" "http://authctl/token$query") || fail "no response"
    [ "$status" = "$expected" ] || fail "status $status, not $expected, to $query: $(cat response)"
}
# says EXPRESSION: checks a Python expression over d, the JSON of the response.
says() { python3 -IS -c "import json,sys; d=json.load(open('response')); sys.exit(0 if ($1) else 1)" || fail "not true of the response: $1: $(cat response)"; }
# recorded EXPRESSION: checks a Python expression over d, the lines of the audit file.
recorded() { python3 -IS -c "import json,sys; d=[json.loads(l) for l in open('$audit')]; sys.exit(0 if ($1) else 1)" || fail "not true of the audit file: $1: $(cat "$audit")"; }
# client CODE: runs Python code with `s`, a connected socket, and `connect`, which makes others.
client() {
    python3 -IS -c "
import json, os, signal, socket, sys, time
def connect():
    s = socket.socket(socket.AF_UNIX); s.connect('$socket'); s.settimeout($PATIENCE); return s
def response(s):
    data = b''
    while True:
        more = s.recv(65536)
        data += more
        if not more: return data
get = b'GET /token HTTP/1.1\r\nHost: x\r\n\r\n'
last = b'GET /token HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
s = connect()
$1" || fail "the client failed: $1"
}

#: A client gets the allowed token, and nothing else.
signed_in
exits 4 authctl serve --socket run/s --allow provider=oidc.tset
err "did you mean 'oidc.test'"
serving --allow provider=oidc.test
token=$(authctl token)
asks 200 '?provider=oidc.test' -D headers
says "d['access_token'] == '$token' and d['token_type'] == 'Bearer' and 3500 < d['expires_in'] <= 3600"
says "d['id_token'] is None and not [name for name in d if 'refresh' in name]"
grep -qi '^cache-control: no-store' headers || fail "$(cat headers)"
asks 200 ''
asks 200 '?provider=test'
[ "$(stat -c %a "$socket")" = 600 ] || fail "its mode"
for query in '?provider=github.com' '?provider=oidc.test&resource=https://mcp.example.com/' '?account=somebody'; do
    asks 403 "$query"
    says "d['error']['code'] == 'operation-not-allowed' and 'provider=oidc.test' in d['error']['hint']"
done
for query in '?refresh=1' '?provider=' '?provider=oidc.test&provider=oidc.test' '?resource=x' '?%zz=1'; do
    asks 400 "$query"
    says "d['error']['code'] == 'usage'"
done
asks 405 '' -X POST
asks 404 /../vault
asks 413 '' -X GET -d x
[ "$(requests 'token refresh_token')" = 0 ] || fail "it was refreshed"
kill "$SERVER"
ended 0 'no longer serving: stopped by a signal'

#: AUTHCTL_SOCKET takes the token from the socket: without a store, and without the HTTP client.
signed_in
serving --allow provider=oidc.test
token=$(authctl token)
far=(env HOME="$PWD/far" AUTHCTL_SOCKET="$socket")
works "${far[@]}" authctl token
[ "$(cat stdout)" = "$token" ] || fail "another token"
works "${far[@]}" authctl token --provider oidc.test --header
[ "$(cat stdout)" = "Authorization: Bearer $token" ] || fail "another header"
works "${far[@]}" authctl token --json
json "d['access_token'] == '$token' and d['token_type'] == 'Bearer' and d['expires_in'] > 3500"
works "${far[@]}" authctl exec -- sh -c 'echo $AUTHCTL_TOKEN'
[ "$(cat stdout)" = "$token" ] || fail "another token"
works strace -f -e trace=openat,connect -o calls "${far[@]}" authctl token
! grep -qE 'libcurl|authctl\.db' calls || fail "$(grep -E 'libcurl|authctl\.db' calls)"
[ ! -e far ] || fail "a store was made"
exits 7 "${far[@]}" authctl token --provider github.com
err "^authctl: error: no token: the token socket '.*' refused: the socket does not allow this token \(operation-not-allowed\)$"
err "^authctl: hint: on the machine where the server of this socket runs: to allow it, add --allow to the server's command; allowed now: provider=oidc.test$"
exits 7 "${far[@]}" authctl token --resource https://mcp.example.com/
exits 7 "${far[@]}" authctl token --account somebody@example.com
for options in '--force-refresh' '--type id' '--min-ttl 5m' '--exchange oidc.test' '--proof GET https://api.example.com/'; do
    exits 64 "${far[@]}" authctl token $options
    err "^authctl: error: ${options%% *}.* cannot be used with AUTHCTL_SOCKET"
done
# A token of the environment comes first, and a store that the caller names.
works env AUTHCTL_OIDC_TEST_TOKEN=mine "${far[@]}" authctl token --provider oidc.test
out '^mine$'
exits 4 "${far[@]}" authctl token --config-dir "$PWD/far"
exits 4 "${far[@]}" authctl status
exits 69 env AUTHCTL_SOCKET="$PWD/none.sock" authctl token
err "AUTHCTL_SOCKET '.*/none.sock' cannot be used: No such file"
python3 -c 'import socket, signal; s = socket.socket(socket.AF_UNIX); s.bind("silent.sock"); s.listen(); signal.pause()' &
servers+=($!)
until [ -S silent.sock ]; do pause 0.05; done
exits 69 env AUTHCTL_SOCKET="$PWD/silent.sock" authctl token --timeout 1
err "silent.sock' cannot be used: its server does not answer"
err 'hint: restart its server, or unset AUTHCTL_SOCKET$'
# A server that hangs is noticed before the time that a refresh may take; one that waits for its provider is not.
began=$SECONDS
exits 69 env AUTHCTL_SOCKET="$PWD/silent.sock" authctl token
[ $((SECONDS - began)) -lt 45 ] || fail "it took $((SECONDS - began)) seconds"
cat >busy.py <<'P'
import socket
s = socket.socket(socket.AF_UNIX)
s.bind("busy.sock")
s.listen()
print("listening", flush=True)
first = s.accept()[0]
first.recv(4096)
other = s.accept()[0]
assert other.recv(4096).startswith(b"GET / ")
other.sendall(b"HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n{}")
other.close()
first.sendall(b'HTTP/1.1 200 OK\r\n\r\n{"access_token":"late","token_type":"Bearer"}')
P
python3 busy.py >busy.log &
servers+=($!)
awaits busy.log listening >/dev/null
works env AUTHCTL_SOCKET="$PWD/busy.sock" authctl token
out '^late$'

#: Each use is one line of a file with mode 0600, written before the response, and without the token.
signed_in
serving --allow provider=oidc.test --audit "$PWD/run/uses"
audit=$PWD/run/uses
[ "$(stat -c %a "$audit")" = 600 ] || fail "its mode"
token=$(authctl token)
asks 200 '?provider=oidc.test'
asks 403 '?provider=github.com'
recorded "[l['outcome'] for l in d] == ['given', 'refused'] and all(l['program'] == 'curl' and l['user'] == $(id -u) and l['process'] > 1 for l in d)"
recorded "d[0]['provider'] == 'oidc.test' and d[0]['account'] and d[0]['until'].endswith('Z') and d[0]['time'].endswith('Z') and d[0]['error'] is None"
recorded "d[1]['provider'] == 'github.com' and d[1]['until'] is None and d[1]['error'] == 'operation-not-allowed'"
! grep -qF "$token" "$audit" || fail "the token is in it"
# A program's own name cannot make another line.
cp "$(command -v curl)" "run/$(printf 'x\n{\033[m')"
"$PWD/run/$(printf 'x\n{\033[m')" -sS --unix-socket "$socket" -o response http://authctl/token
recorded "len(d) == 3 and d[2]['program'] == 'x\n{\033[m'"
! grep -q "$(printf '\033')" "$audit" || fail "an escape character"
# Rotated: the next line is in a new file.
mv "$audit" "$audit.1"
asks 200 ''
recorded "len(d) == 1"
# It cannot be written: no token.
rm "$audit"
ln -s /dev/full "$audit"
asks 503 ''
says "d['error']['code'] == 'store-unavailable' and 'access_token' not in d"
rm "$audit"
(umask 022; : >"$audit")
asks 503 ''
rm "$audit"
mkdir "$audit"
asks 503 ''
kill "$SERVER"
ended 0 'stopped by a signal'
exits 74 authctl serve --socket "$socket" --allow provider=oidc.test --audit "$audit"
err "^authctl: error: the audit file cannot be used: cannot open '.*/uses': Is a directory"
mkdir -m 777 open
exits 74 authctl serve --socket "$socket" --allow provider=oidc.test --audit "$PWD/open/uses"
err "the audit file cannot be used: '$PWD/open', on the path to '.*/open', can be written to by other users, mode 0777"
err 'hint: chmod go-w .*/open, or choose another file with --audit$'
[ ! -e open/uses ] || fail "the file was made"
[ ! -e "$socket" ] || fail "a socket was made"

#: Other users are not served, even if they can open the socket.
if [ "$(id -u)" != 0 ]; then exit 0; fi
signed_in
serving --allow provider=oidc.test
other=(setpriv --reuid 65534 --regid 65534 --clear-groups --)
directory=$PWD/run
while [ "$directory" != / ]; do chmod o+x "$directory"; directory=$(dirname "$directory"); done
! "${other[@]}" curl -sS --unix-socket "$socket" http://authctl/token 2>denied || fail "it was connected"
chmod 666 "$socket"
"${other[@]}" curl -sS --unix-socket "$socket" -w '%{http_code}' http://authctl/token >response
grep -q '403$' response && grep -q 'does not serve user 65534' response || fail "$(cat response)"
! grep -q access_token response || fail "a token was given"
recorded "len(d) == 1 and d[0]['outcome'] == 'refused' and d[0]['user'] == 65534 and d[0]['program'] == 'curl'"
asks 200 ''
# The client asks no other user either.
cat >impostor.py <<'P'
import os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1])
os.setresuid(65534, 65534, 65534)
s.listen()
print("listening", flush=True)
while True: s.accept()
P
python3 impostor.py "$PWD/run/other.sock" >impostor.log &
servers+=($!)
awaits impostor.log listening
exits 7 env AUTHCTL_SOCKET="$PWD/run/other.sock" authctl token
err 'belongs to a process of user 65534'

#: A time in the response that is out of range is the nearest valid one.
cat >times.py <<'P'
import socket
s = socket.socket(socket.AF_UNIX)
s.bind("times.sock")
s.listen()
print("listening", flush=True)
while True:
    client, _ = s.accept()
    client.recv(4096)
    client.sendall(b'HTTP/1.1 200 OK\r\n\r\n{"access_token":"a","token_type":"Bearer","expires_on":-9223372036854775808}')
    client.close()
P
python3 times.py >times.log &
servers+=($!)
awaits times.log listening
AUTHCTL_SOCKET=$PWD/times.sock works authctl token --json
json "d['expires_in'] == 0 and d['expires_on'] == 0"

#: A process in a sandbox, with another user ID and without a network, gets the token.
signed_in
serving --allow provider=oidc.test
works bwrap --ro-bind / / --proc /proc --dev /dev --ro-bind "$PWD" "$PWD" --tmpfs "$HOME" --unshare-all --uid 1234 \
    --setenv AUTHCTL_SOCKET "$socket" sh -c 'id -u >&2; ! curl -sS http://127.0.0.1:9 2>/dev/null; [ ! -e "$HOME/.config" ] && authctl token'
err '^1234$'
[ "$(cat stdout)" = "$(authctl token)" ] || fail "another token"
recorded "len(d) == 1 and d[0]['user'] == $(id -u) and d[0]['program'] == 'authctl'"

#: Only a socket of a killed server is replaced; the directory must be the user's.
signed_in
serving --allow provider=oidc.test
exits 1 authctl serve --socket "$socket" --allow provider=oidc.test
err "another process listens at '.*/token.sock' \(port-in-use\)$"
asks 200 ''
kill -KILL "$SERVER"
wait "$SERVER" || true
[ -S "$socket" ] || fail "nothing was left"
serving --allow provider=oidc.test
asks 200 ''
# Another user who locks the directory does not stop a server.
exec 8<run
flock 8
works authctl serve --socket "$PWD/run/other.sock" --allow provider=oidc.test --for 1s
exec 8<&-
# Another socket at its path is not removed.
mv "$socket" "$socket.old"
python3 -c "import socket; s = socket.socket(socket.AF_UNIX); s.bind('$socket')"
kill "$SERVER"
wait "$SERVER" || fail "exit $?"
[ -S "$socket" ] || fail "another's socket was removed"
rm "$socket"
echo mine >"$socket"
exits 64 authctl serve --socket "$socket" --allow provider=oidc.test
err "exists, and is not a socket of this user"
grep -q mine "$socket" || fail "a file was removed"
mkdir -m 777 shared
exits 7 authctl serve --socket "$PWD/shared/token.sock" --allow provider=oidc.test
err "others can replace files in '.*/shared', a directory on the path of the socket"
exits 7 authctl serve --socket /tmp/authctl-token.sock --allow provider=oidc.test
exits 74 authctl serve --socket "$PWD/missing/token.sock" --allow provider=oidc.test
err "^authctl: error: the socket cannot be used: cannot open '.*/missing/token.sock': No such file"
# Nor above it: another user could replace the directory itself.
mkdir -m 700 shared/own
exits 7 authctl serve --socket "$PWD/shared/own/token.sock" --allow provider=oidc.test
err "others can replace files in '.*/shared', a directory on the path of the socket"
chmod +t shared
serving_at=$socket socket=$PWD/shared/own/token.sock
serving --allow provider=oidc.test
asks 200 ''
socket=$serving_at
exits 64 authctl serve --socket "$PWD/run/$(printf 'x%.0s' {1..108})" --allow provider=oidc.test
err "the socket's path is longer than 107 bytes"

#: Misspelled values of --allow are reported with the form of a value.
exits 64 authctl serve --socket run/s --allow provder=oidc.test,resource=https://a.example
err "unknown key 'provder'"
exits 64 authctl serve --socket run/s --allow github.com
err "'github.com' is not key=value"
for value in provider= resource=https://a.example provider=a,provider=b provider=github.com,resource=a provider=github.com, colour=red; do
    exits 64 authctl serve --socket run/s --allow "$value"
    err "^authctl: error: invalid value of --allow '$value'"
    err '^authctl: hint: the form is provider=ID,resource=URL,account=A'
done
exits 64 authctl serve --allow provider=github.com
err '^authctl: hint: authctl serve --help$'
exits 64 authctl serve --allow 'GET /user' --for 8h
err "^authctl: error: --allow 'GET /user' requires --upstream"
err '^authctl: hint: authctl serve --help$'
exits 64 authctl serve --socket run/s
exits 64 authctl serve --socket run/s --allow provider=github.com --for 0
exits 4 authctl serve --socket run/s --allow provider=github.com
err 'not signed in'

#: Gives the tokens of resources and of named accounts, but none that is bound to a key.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
works authctl signin --resource "$ISSUER/api" --provider oidc.test --scope 'notes.read notes.write offline_access'
works authctl signin --provider oidc.test --param emulator_user=bob@example.com
ada=$(authctl token --account ada@example.com --provider oidc.test)
bob=$(authctl token)
api=$(authctl token --resource "$ISSUER/api" --account ada@example.com)
serving --allow provider=oidc.test --allow provider=oidc.test,account=ada@example.com --allow "provider=oidc.test,resource=$ISSUER/api,account=ada@example.com"
asks 200 '?provider=oidc.test'
says "d['access_token'] == '$bob'"
asks 200 '?account=ada@example.com'
says "d['access_token'] == '$ada'"
asks 200 "?resource=$ISSUER/api/notes"
says "d['access_token'] == '$api'"
asks 403 "?resource=$ISSUER/"
asks 403 "?resource=$ISSUER/api&account=bob@example.com"
works env AUTHCTL_SOCKET="$socket" authctl token --resource "$ISSUER/api"
[ "$(cat stdout)" = "$api" ] || fail "another token"
AUTHCTL_ACCOUNT=ada@example.com works env AUTHCTL_SOCKET="$socket" authctl token --provider oidc.test
[ "$(cat stdout)" = "$ada" ] || fail "another token"
# The account is the one that was current at the start.
works authctl accounts switch ada@example.com
asks 200 '?provider=oidc.test'
says "d['access_token'] == '$bob'"
kill "$SERVER"
ended 0 'stopped by a signal'
serving --allow provider=oidc.test,account=ada@example.com --allow provider=oidc.test,account=bob@example.com
asks 400 '?provider=oidc.test'
says "'choose one' in d['error']['message']"
kill "$SERVER"
ended 0 'stopped by a signal'
# Aliases that differ only in case are those of two accounts.
works authctl accounts name work ada@example.com
works authctl accounts name Work bob@example.com
serving --allow provider=oidc.test,account=work --allow provider=oidc.test,account=Work
for name in work Work; do
    asks 200 "?account=$name"
    says "d['access_token'] == '$([ $name = work ] && echo "$ada" || echo "$bob")'"
done
asks 403 '?account=WORK'
kill "$SERVER"
ended 0 'stopped by a signal'
exits 64 authctl serve --socket "$socket" --allow provider=oidc.test --account bob@example.com
works authctl signin --provider oidc.test --dpop
exits 78 authctl serve --socket "$socket" --allow provider=oidc.test
err "DPoP-bound"
[ ! -e "$socket" ] || fail "a socket was made"

#: Fifty clients at an expiry cause one refresh.
signed_in --access-ttl 5
serving --allow provider=oidc.test
before=$(requests 'token refresh_token')
session_set tokens.expiresAt 1
clients=()
for number in {1..50}; do
    curl -sSf --unix-socket "$socket" -o "token.$number" http://authctl/token & clients+=($!)
done
for pid in "${clients[@]}"; do wait "$pid" || fail "a client got no token"; done
[ "$(cat token.* | grep -o '"access_token":"[^"]*"' | sort -u | wc -l)" = 1 ] || fail "not one token"
[ "$(($(requests 'token refresh_token') - before))" = 1 ] || fail "not one refresh"
kill "$SERVER"
ended 0 'stopped by a signal'

#: SIGKILL of the server during a refresh loses nothing, and the next server continues.
# The provider accepts the refresh token again. One that rotates it may have issued another: see refresh-killed.sh.
signed_in --fault refresh-no-rotation
serving --allow provider=oidc.test
asks 200 ''
kill -STOP "$EMULATOR"
session_set tokens.expiresAt 1
curl -sS --unix-socket "$socket" http://authctl/token >lost 2>&1 &
lost=$!
# The provider has the request, and has not read it.
awaits /proc/net/tcp "0100007F:$(printf %04X "${ISSUER##*:}") 0100007F:.{4} 01 .{8}:.*[1-9A-F].* 00:" >/dev/null
kill -KILL "$SERVER"
wait "$SERVER" || true
wait "$lost" || true
! grep -q access_token lost || fail "there was no refresh"
kill -CONT "$EMULATOR"
serving --allow provider=oidc.test
asks 200 ''
works python3 -c "import sqlite3; print(sqlite3.connect('$HOME/.config/authctl/authctl.db').execute('PRAGMA integrity_check').fetchone()[0])"
out '^ok$'
[ "$(requests 'token refresh_token')" -ge 2 ] || fail "there was no refresh"

#: A client that sends nothing, too much, or does not read is limited, and does not delay others.
signed_in
serving --allow provider=oidc.test
client '
idle = [connect() for _ in range(300)]            # more than are served at once
slow = connect(); slow.send(b"GET /tok")
deaf = connect()
try:
    deaf.settimeout(1)
    while True: deaf.send(get * 100)              # never reads
except (TimeoutError, ConnectionError): pass
large = connect()
try:
    for _ in range(1024): large.send(b"x" * 1024) # a megabyte without an end
except ConnectionError: pass
headers = connect()
try:
    headers.send(b"GET /token HTTP/1.1\r\n")
    for _ in range(1024): headers.send(b"X: " + b"x" * 1021 + b"\r\n")
except ConnectionError: pass
began = time.monotonic()
good = connect(); good.send(last)
answer = response(good)
assert b" 200 OK" in answer.split(b"\r\n")[0], answer
assert time.monotonic() - began < 3, "delayed"
for s, status in ((large, b"414"), (headers, b"431")):
    answer = response(s)
    assert answer.startswith(b"HTTP/1.1 " + status) and json.loads(answer.split(b"\r\n\r\n")[1])["error"]["code"] == "usage", answer
assert b" 400 " in (lambda s: (s.send(b"\x16\x03\x01\x00\xa5\x01\x00\x00"), response(s))[1])(connect())
# A client that ends its side after the request gets the response.
s = connect(); s.send(get); s.shutdown(socket.SHUT_WR)
assert b" 200 OK" in response(s)
# Several requests on one connection, also at once.
s = connect(); s.send(get + get + last)
assert response(s).count(b"HTTP/1.1 200 OK") == 3
# A deadline ends all of them.
began = time.monotonic()
slow.settimeout(20)
assert response(slow) == b""
assert time.monotonic() - began < 15
'

#: It ends when --for is over, after a sign-out, and when the key is locked.
signed_in
serving --allow provider=oidc.test --for 1s
ended 0 'no longer serving: the time of --for is over'
serving --allow provider=oidc.test
asks 200 ''
works authctl signout
asks 401 ''
says "d['error']['code'] == 'not-signed-in' and d['error']['hint'] == 'authctl signin oidc.test'"
ended 4 'none of the allowed sessions can be used any more \(not-signed-in\)'
works authctl signin --provider oidc.test
serving --allow provider=oidc.test
works authctl signout
ended 4 'none of the allowed sessions can be used any more'
works authctl signin --provider oidc.test
echo 'correct horse' >secrets.passphrase
(umask 077; echo 'correct horse' >right)
works authctl profile set --vault passphrase --passphrase-fd 3 3<right
works authctl profile unlock --for 10m --passphrase-fd 3 3<right
serving --no-input --allow provider=oidc.test
asks 200 ''
works authctl profile lock
ended 4 'vault-locked'
exits 4 authctl serve --no-input --socket "$socket" --allow provider=oidc.test
# A server that was started before the key got a passphrase.
works authctl vault file --passphrase-fd 3 3<right
serving --no-input --allow provider=oidc.test
works authctl vault passphrase --passphrase-fd 3 3<right
works authctl vault unlock --for 10m --passphrase-fd 3 3<right
works authctl vault lock
ended 4 'vault-locked'
works authctl vault unlock --for 10m --passphrase-fd 3 3<right
works authctl vault file
serving --no-input --upstream "$ISSUER" --allow "GET /**"
works authctl vault passphrase --passphrase-fd 3 3<right
ended 4 'vault-locked'

#: systemd makes the socket and starts the server with the first connection.
signed_in
: >serve.err
systemd-socket-activate -l "$socket" -E HOME -E PATH authctl serve --allow provider=oidc.test 2>serve.err &
SERVER=$!
servers+=("$SERVER")
awaits serve.err 'Listening on' >/dev/null
asks 200 ''
says "d['access_token'] == '$(authctl token)'"
asks 200 ''
awaits serve.err "^authctl: serving provider=oidc.test at systemd's socket" >/dev/null
kill "$SERVER"
code=0
wait "$SERVER" || code=$?
[ $code = 0 ] || fail "exit $code"
# systemd keeps its socket.
[ -S "$socket" ] || fail "systemd's socket was removed"
rm "$socket"
: >serve.err
systemd-socket-activate -l "$socket" -E HOME -E PATH authctl serve --allow provider=oidc.test --socket run/other 2>serve.err &
SERVER=$!
servers+=("$SERVER")
awaits serve.err 'Listening on' >/dev/null
curl -sS --unix-socket "$socket" http://authctl/token >response 2>&1 || true
code=0
wait "$SERVER" || code=$?
[ $code = 64 ] && grep -q "cannot be used with a socket of systemd" serve.err || fail "exit $code: $(cat serve.err)"

#: A host that is reached with `ssh -R` gets tokens as long as the connection lasts.
signed_in
export XDG_RUNTIME_DIR=$PWD/run
socket=$PWD/run/authctl.sock
serving --allow provider=oidc.test
. "$ROOT/Tests/ScriptTests/ssh.sh"
# The lines of the page, with another home directory.
mapfile -t lines < <(sed -n '/^ssh -R /,/^```/s,/home/ada,$PWD/run,gp' "$ROOT/docs/agents.md")
eval "${lines[0]}" 2>ssh.log &
ssh=$!
servers+=("$ssh")
awaits ssh.log 'remote forward success' >/dev/null
HOME=$PWD/far eval "${lines[1]}" >stdout
[ "$(cat stdout)" = "$(authctl token)" ] || fail "another token"
recorded "len(d) == 1 and d[0]['program'] == 'ssh' and d[0]['user'] == $(id -u)"
kill "$ssh"
wait "$ssh" || true
exits 69 env HOME="$PWD/far" AUTHCTL_SOCKET="$PWD/run/.authctl.sock" authctl token

#: The name of the socket may have any characters, and a failure leaves no socket.
signed_in
socket=$PWD/run/日本.sock
serving --allow provider=oidc.test
asks 200 ''
kill "$SERVER"
ended 0 'stopped by a signal'
